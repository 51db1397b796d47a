"""Race bfloat16 on one processor with its units for it switched off, one by one.

python -m benchmarks.bfloat16 [--rounds N] [--out FILE.csv]
"""

import numpy as np
import pandas as pd
import torch

from benchmarks import common
from helpers.embeddings import BATCH_PIECES, embed_words, encoder_for
from helpers.models import load_bert

UNITS = {  # what oneDNN may use at most, in its own words
    "AVX-512 alone": "AVX512_CORE",
    "AVX-512 with avx512_bf16": "AVX512_CORE_BF16",
    "all, with AMX": "ALL",
}
SENTENCES = 100


def one_process(rounds):
    """Return how many times as fast bfloat16 is: the texts, and the products alone."""
    torch.set_num_threads(1)
    bert = load_bert()
    work = common.sentences_of_coarse_wsd(SENTENCES)
    both = {
        "embed_words": lambda dtype: lambda: embed_words(bert, *work, dtype=dtype),
        "matrix products": lambda dtype: common.products(
            encoder_for(bert, dtype), BATCH_PIECES
        ),
    }
    ratios = {}
    for name, way in both.items():
        ways = {dtype: way(dtype) for dtype in ("float32", "bfloat16")}
        seconds, _ = common.race(ways, rounds)
        ratio = seconds["float32"] / seconds["bfloat16"]
        ratios[name] = [*map(float, (np.median(ratio), min(ratio), max(ratio)))]
    return ratios


def main(arguments=None):
    options = common.options_of("bfloat16", arguments, rounds=5)
    rows, call = [], f"one_process({options.rounds})"
    for units, name in UNITS.items():
        found = common.in_a_process("bfloat16", call, ONEDNN_MAX_CPU_ISA=name)
        rows += [[units, work, *values] for work, values in found.items()]
    columns = ["units", "work", "ratio", "lowest", "highest"]
    lines = [
        "bfloat16 against float32 on one processor, one thread",
        f"embedded course model, {SENTENCES} sentences of CoarseWSD-20; "
        f"median of {options.rounds} rounds",
        *common.about("bfloat16", options),
    ]
    common.tell(pd.DataFrame(rows, columns=columns), lines, options.out, digits=2)


if __name__ == "__main__":
    main()
