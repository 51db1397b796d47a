"""What guessing by frequency costs on the targets of the course model's masked words.

Wrote data/results/masked-frequencies.csv on 2026-11-24; can be run again where
WIKITEXT_HOME names the folder of the validation text:

    python -m experiments.masked_baseline
"""

import math

import numpy as np
import pandas as pd

from experiments.course_model.scores import masked_batches, read_wikitext, rows_of
from helpers import DATA
from helpers.corpus.masking import IGNORED
from helpers.models import load_bert

OUT = DATA / "results" / "masked-frequencies.csv"


def frequency_losses(tokenizer, lines, seed=0):
    """Return a Series: the loss and the accuracy of the text's own frequencies.

    They are counted in the very text, which no program may know beforehand, so that no
    fixed frequencies have a lower loss on all its pieces. The targets are those of
    `score_masked` that show [MASK].
    """
    rows = rows_of(tokenizer, lines)
    counts = np.bincount(np.concatenate(rows), minlength=len(tokenizer))
    counts[tokenizer.all_special_ids] = 0
    targets = []
    for ids, labels, _ in masked_batches(tokenizer, rows, seed):
        shown = (labels != IGNORED) & (ids == tokenizer.mask_token_id)
        targets += labels[shown].tolist()
    targets = np.array(targets)
    return pd.Series(
        {
            "targets": len(targets),
            "chance": math.log(len(tokenizer)),
            "loss": -np.log(counts[targets] / counts.sum()).mean(),
            "top1": (targets == counts.argmax()).mean(),
        },
        name="value",
    )


if __name__ == "__main__":
    found = frequency_losses(load_bert("embedded").tokenizer, read_wikitext())
    found.round(4).to_csv(OUT, index_label="what")
    print(found)
