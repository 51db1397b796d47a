"""Race bfloat16 on one processor with its units for it switched off, one by one.

python -m benchmarks.bfloat16 [--rounds N] [--out FILE.csv]
"""

import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import torch

from benchmarks import common
from helpers.embeddings import embed_words
from helpers.models import load_bert

UNITS = {  # what oneDNN may use at most, in its own words
    "AVX-512 alone": "AVX512_CORE",
    "AVX-512 with avx512_bf16": "AVX512_CORE_BF16",
    "all, with AMX": "ALL",
}
SENTENCES = 100


def ratios(rounds):
    """Return how many times as fast bfloat16 is, [median, lowest, highest]."""
    torch.set_num_threads(1)
    bert, work = load_bert(), common.sentences_of_coarse_wsd(SENTENCES)
    ways = {
        dtype: lambda dtype=dtype: embed_words(bert, *work, dtype=dtype)
        for dtype in ("float32", "bfloat16")
    }
    seconds, _ = common.race(ways, rounds)
    ratio = seconds["float32"] / seconds["bfloat16"]
    return [float(np.median(ratio)), float(min(ratio)), float(max(ratio))]


def main():
    options, rows = common.options_of("bfloat16", rounds=5), []
    code = "import json\nfrom benchmarks import bfloat16\n"
    code += f"print(json.dumps(bfloat16.ratios({options.rounds})))"
    for units, name in UNITS.items():  # which a process reads once
        settings = {"TQDM_DISABLE": "1", "ONEDNN_MAX_CPU_ISA": name}
        said = subprocess.check_output(
            [sys.executable, "-c", code], env=os.environ | settings, text=True
        )
        rows.append([units, "embed_words", *json.loads(said.splitlines()[-1])])
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
