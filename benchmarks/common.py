"""What the benchmarks share: options, the sentences, the machine, the table."""

import argparse
import datetime
import os
import platform
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from experiments.results_table import write_table
from helpers.datasets import coarse_wsd_words, load_coarse_wsd

FLAGS = ("amx_tile", "amx_bf16", "avx512_bf16", "avx512f", "avx2")
PACKAGES = (
    *("torch", "transformers", "sentence-transformers", "tokenizers", "onnxruntime"),
    *("openvino", "fastembed", "datasets", "ray"),
)


def options_of(name, **numbers):
    """Read the options of a benchmark: whole numbers with defaults, and `--out`."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}")
    for option, default in numbers.items():
        parser.add_argument(f"--{option}", type=int, default=default)
    parser.add_argument("--out", type=Path, help="a CSV file for the table")
    return parser.parse_args()


def sentences_of_coarse_wsd(count):
    """Draw rows of CoarseWSD-20; returns lists of words and the words' positions.

    Both splits of all words, in an order drawn once, from the start again where there
    are fewer than `count`.
    """
    splits = [(word, s) for word in coarse_wsd_words() for s in ("train", "test")]
    rows = pd.concat([load_coarse_wsd(*split) for split in splits])
    order = np.random.default_rng(0).permutation(len(rows))
    drawn = rows.iloc[np.resize(order, count)]
    return drawn.sentence.tolist(), drawn.word_pos.astype(int).tolist()


def tell(name, options, rows, about):
    """Print a table below what it is about and where it was made; write it to --out."""
    table, lines = pd.DataFrame(rows), [*about, *_machine(name, options)]
    print(*lines, table.round(6).to_string(index=False), sep="\n")
    if options.out:
        write_table(options.out, table, lines, "%.6g")


def _machine(name, options):
    """Return lines about date, data, machine, versions and command of a benchmark."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    has = ", ".join(f"{f} {'yes' if f in flags else 'no'}" for f in FLAGS)
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    threads = torch.get_num_threads()
    here = [package for package in PACKAGES if find_spec(package.replace("-", "_"))]
    versions = ", ".join(f"{package} {version(package)}" for package in here)
    given = vars(options).items()
    command = " ".join(f"--{k} {value}" for k, value in given if k != "out")
    return [
        f"{datetime.date.today()}, COARSE_WSD_HOME={os.environ.get('COARSE_WSD_HOME')}",
        f"{platform.machine()}, {os.cpu_count()} cores, {threads} thread(s), {gpu}",
        f"processor has: {has}",
        f"Python {platform.python_version()}, {versions}",
        f"made by: python -m benchmarks.{name} {command}".rstrip(),
    ]
