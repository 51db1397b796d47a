"""Race bfloat16 on one processor with its units for it switched off, one by one.

python -m benchmarks.bfloat16 [--rounds N] [--out FILE.csv]
"""

import argparse
import json
import os
import subprocess
import sys

import pandas as pd
import torch

from benchmarks.common import (
    about,
    products,
    race,
    sentences_of_coarse_wsd,
    write_table,
)
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
    work = sentences_of_coarse_wsd(SENTENCES)
    ratios = {}
    for name, way in {
        "embed_words": lambda dtype: lambda: embed_words(bert, *work, dtype=dtype),
        "matrix products": lambda dtype: products(
            encoder_for(bert, dtype), BATCH_PIECES
        )[0],
    }.items():
        ways = {dtype: way(dtype) for dtype in ("float32", "bfloat16")}
        seconds, _ = race(ways, rounds)
        ratio = seconds["float32"] / seconds["bfloat16"]
        ratios[name] = [
            float(pd.Series(ratio).median()),
            *map(float, (min(ratio), max(ratio))),
        ]
    return ratios


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.here:
        print(json.dumps(one_process(options.rounds)))
        return
    rows = []
    for units, name in UNITS.items():
        run = subprocess.run(
            [sys.executable, "-m", "benchmarks.bfloat16", "--here"]
            + ["--rounds", str(options.rounds)],
            env=os.environ | {"ONEDNN_MAX_CPU_ISA": name, "TQDM_DISABLE": "1"},
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
        for work, values in json.loads(run.stdout.splitlines()[-1]).items():
            rows.append([units, work, *values])
    columns = ["units", "work", "ratio", "lowest", "highest"]
    table = pd.DataFrame(rows, columns=columns)
    print(table.round(2).to_string(index=False))
    if options.out:
        lines = [
            "bfloat16 against float32 on one processor, one thread",
            f"embedded course model, {SENTENCES} sentences of CoarseWSD-20; "
            f"median of {options.rounds} rounds",
            *about("python -m benchmarks.bfloat16"),
        ]
        write_table(table, options.out, lines)


if __name__ == "__main__":
    main()
