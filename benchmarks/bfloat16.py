"""Race bfloat16 on one processor with its units for it switched off, one by one.

python -m benchmarks.bfloat16 [--rounds N] [--out FILE.csv]
"""

import json
import os
import subprocess
import sys
from functools import partial

import numpy as np
import torch

from benchmarks.common import options_of, sentences_of_coarse_wsd, tell
from helpers.embeddings import embed_words
from helpers.models import load_bert
from helpers.verdicts import in_turn

UNITS = {  # what oneDNN may use at most, in its own words
    "AVX-512 alone": "AVX512_CORE",
    "AVX-512 with avx512_bf16": "AVX512_CORE_BF16",
    "all, with AMX": "ALL",
}
SENTENCES = 100


def ratios(rounds):
    """Return how many times as fast bfloat16 is, [median, lowest, highest]."""
    torch.set_num_threads(1)
    bert, work = load_bert(), sentences_of_coarse_wsd(SENTENCES)
    kinds = "float32", "bfloat16"
    ways = {kind: partial(embed_words, bert, *work, dtype=kind) for kind in kinds}
    ratio = np.divide(*in_turn(ways, rounds).values())
    return [float(np.median(ratio)), float(min(ratio)), float(max(ratio))]


def main():
    options, rows = options_of("bfloat16", rounds=5), []
    code = "import json\nfrom benchmarks import bfloat16\n"
    code += f"print(json.dumps(bfloat16.ratios({options.rounds})))"
    for units, name in UNITS.items():  # which a process reads once
        settings = {"TQDM_DISABLE": "1", "ONEDNN_MAX_CPU_ISA": name}
        said = subprocess.check_output(
            [sys.executable, "-c", code], env=os.environ | settings, text=True
        )
        row = {"units": units, "work": "embed_words"}
        found = json.loads(said.splitlines()[-1])
        rows.append(row | dict(zip(("ratio", "lowest", "highest"), found, strict=True)))
    about = [
        "bfloat16 against float32 on one processor, one thread",
        f"embedded course model, {SENTENCES} sentences of CoarseWSD-20; "
        f"median of {options.rounds} rounds",
    ]
    tell("bfloat16", options, rows, about)


if __name__ == "__main__":
    main()
