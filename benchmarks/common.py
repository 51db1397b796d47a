"""What the benchmarks share: options, the sentences, turns, the machine, its limit."""

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from helpers.datasets import coarse_wsd_words, load_coarse_wsd
from helpers.verdicts import in_turn
from helpers.whole_files import replace

FLAGS = ("amx_tile", "amx_bf16", "avx512_bf16", "avx512f", "avx2")
PACKAGES = ("torch", "transformers", "sentence-transformers", "tokenizers")


def options_of(name, arguments=None, **numbers):
    """Read the options of a benchmark: whole numbers with defaults, and `--out`."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}")
    for option, default in numbers.items():
        parser.add_argument(f"--{option}", type=int, default=default)
    parser.add_argument("--out", help="a CSV file for the table")
    return parser.parse_args(arguments)


def in_a_process(module, call, **environment):
    """Return what a call of a benchmark's function gives in a Python of its own."""
    code = f"import json\nfrom benchmarks import {module}\n"
    code += f"print(json.dumps({module}.{call}))"
    environment = os.environ | {"TQDM_DISABLE": "1"} | environment
    command = [sys.executable, "-c", code]
    output = subprocess.check_output(command, env=environment, text=True)
    return json.loads(output.splitlines()[-1])


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


def source_of_sentences():
    """Say which sentences `sentences_of_coarse_wsd` draws from."""
    home = os.environ.get("COARSE_WSD_HOME", "")
    return "the sample of CoarseWSD-20" if home in ("", "sample") else "CoarseWSD-20"


def race(ways, rounds):
    """Let the ways, a dict of functions, take turns; returns their seconds, results."""
    results = {}

    def run(name):
        results[name] = ways[name]()

    seconds = in_turn({name: partial(run, name) for name in ways}, rounds)
    return {name: np.array(times) for name, times in seconds.items()}, results


def products(model, pieces):
    """Return a function that runs the matrix products of an encoder.

    One product for each linear map of each layer, with its own weights, on `pieces`
    rows: the products of attention itself, a few percent, are left out.
    """
    parts = model.encoder.layer.modules()
    weights = [p.weight.detach().T for p in parts if isinstance(p, torch.nn.Linear)]
    widths = {size for weight in weights for size in weight.shape}
    rows = {n: torch.randn(pieces, n, device=model.device) for n in widths}
    rows = {n: matrix.to(model.dtype) for n, matrix in rows.items()}
    results = {n: torch.empty_like(matrix) for n, matrix in rows.items()}

    @torch.inference_mode()
    def run():
        for weight in weights:
            torch.mm(rows[weight.shape[0]], weight, out=results[weight.shape[1]])

    return run


def machine():
    """Return lines about what the benchmark ran on, without the machine's name."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    has = ", ".join(f"{f} {'yes' if f in flags else 'no'}" for f in FLAGS)
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    threads = torch.get_num_threads()
    return [
        f"{platform.machine()}, {os.cpu_count()} cores, {threads} thread(s), {gpu}",
        f"processor has: {has}",
    ]


def about(name, options, packages=()):
    """Return lines about date, machine, versions and the command of a benchmark.

    packages: further ones, of which those that are installed are named.
    """
    given = vars(options).items()
    command = " ".join(f"--{k} {value}" for k, value in given if k != "out")
    here = [*PACKAGES, *(package for package in packages if find_spec(package))]
    versions = ", ".join(f"{package} {version(package)}" for package in here)
    return [
        str(datetime.date.today()),
        *machine(),
        f"Python {platform.python_version()}, {versions}",
        f"made by: python -m benchmarks.{name} {command}".rstrip(),
    ]


def tell(table, lines, out=None, digits=6):
    """Print lines and a DataFrame; write them to `out` as CSV with comments."""
    print(*lines, table.round(digits).to_string(index=False), sep="\n")
    if out:
        text = "".join(f"# {line}\n" for line in lines)
        text += table.to_csv(index=False, float_format="%.6g")
        replace(Path(out), text.encode())
