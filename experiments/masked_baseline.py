"""What guessing by frequency costs on the targets of the course model's masked words.

Wrote data/results/masked-frequencies.csv on 2026-11-24; can be run again where
WIKITEXT_HOME names the folder of the validation text:

    python -m experiments.masked_baseline
"""

import math

import numpy as np
import pandas as pd

from experiments.course_model.scores import masked_batches, read_wikitext, rows_of
from experiments.results_table import RESULTS, run
from helpers.corpus.masking import IGNORED
from helpers.models import load_bert


def frequency_losses(tokenizer, lines):
    """Return a Series: the loss and the accuracy of the text's own frequencies.

    They are counted in the very text, which no program may know beforehand, so that no
    fixed frequencies have a lower loss on all its pieces. The targets are those of
    `score_masked` that show [MASK].
    """
    rows = rows_of(tokenizer, lines)
    counts = np.bincount(np.concatenate(rows), minlength=len(tokenizer))
    counts[tokenizer.all_special_ids] = 0
    found = [
        labels[(labels != IGNORED) & (ids == tokenizer.mask_token_id)]
        for ids, labels, _ in masked_batches(tokenizer, rows)
    ]
    targets = np.concatenate(found)
    loss = -np.log(counts[targets] / counts.sum()).mean()
    top1 = (targets == counts.argmax()).mean()
    numbers = {"targets": len(targets), "chance": math.log(len(tokenizer))}
    return pd.Series(numbers | {"loss": loss, "top1": top1}, name="value")


def main():
    found = frequency_losses(load_bert("embedded").tokenizer, read_wikitext())
    found.round(4).to_csv(RESULTS / "masked-frequencies.csv", index_label="what")
    print(found)


if __name__ == "__main__":
    run(main)
