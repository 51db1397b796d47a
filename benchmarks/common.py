"""What the benchmarks share: the sentences, taking turns, the machine, its limit."""

import datetime
import os
import platform
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import torch

from helpers.datasets import coarse_wsd_words, load_coarse_wsd
from helpers.whole_files import replace

FLAGS = ("amx_tile", "amx_bf16", "avx512_bf16", "avx512f", "avx2")
PACKAGES = ("torch", "transformers", "sentence-transformers", "tokenizers")


def sentences_of_coarse_wsd(count, seed=0):
    """Draw rows of CoarseWSD-20; returns lists of words and the words' positions.

    Both splits of all words, in an order drawn once, from the start again where there
    are fewer than `count`.
    """
    frames = [
        load_coarse_wsd(word, split)
        for word in coarse_wsd_words()
        for split in ("train", "test")
    ]
    sentences = [words for frame in frames for words in frame.sentence]
    positions = [int(i) for frame in frames for i in frame.word_pos]
    order = np.random.default_rng(seed).permutation(len(sentences))
    drawn = np.resize(order, count)
    return [sentences[i] for i in drawn], [positions[i] for i in drawn]


def source_of_sentences():
    """Say which sentences `sentences_of_coarse_wsd` draws from."""
    home = os.environ.get("COARSE_WSD_HOME", "")
    return "the sample of CoarseWSD-20" if home == "sample" else "CoarseWSD-20"


def race(ways, rounds):
    """Let the ways, a dict of functions, take turns; returns their seconds, results.

    A warm-up of each goes before and is not counted.
    """
    results = {name: way() for name, way in ways.items()}
    seconds = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - start)
    return {name: np.array(times) for name, times in seconds.items()}, results


def products(model, pieces):
    """Return a function that runs the matrix products of an encoder, and their FLOP.

    One product for each linear map of each layer, with its own weights, on `pieces`
    rows: the products of attention itself, a few percent, are left out.
    """
    linear = [
        part
        for part in model.encoder.layer.modules()
        if isinstance(part, torch.nn.Linear)
    ]
    weights = [part.weight.detach().T for part in linear]
    widths = {size for weight in weights for size in weight.shape}
    rows = {n: torch.randn(pieces, n, device=model.device) for n in widths}
    rows = {n: matrix.to(model.dtype) for n, matrix in rows.items()}
    results = {n: torch.empty_like(matrix) for n, matrix in rows.items()}

    @torch.inference_mode()
    def run():
        for weight in weights:
            torch.mm(rows[weight.shape[0]], weight, out=results[weight.shape[1]])

    return run, 2 * pieces * sum(weight.numel() for weight in weights)


def machine():
    """Return lines about what the benchmark ran on, without the machine's name."""
    flags = set()
    if (info := Path("/proc/cpuinfo")).exists():
        lines = info.read_text().splitlines()
        flags = set(next((li for li in lines if li.startswith("flags")), "").split())
    has = ", ".join(f"{f} {'yes' if f in flags else 'no'}" for f in FLAGS)
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    threads = torch.get_num_threads()
    return [
        f"{platform.machine()}, {os.cpu_count()} cores, {threads} thread(s), {gpu}",
        f"processor has: {has}",
    ]


def about(command):
    """Return lines about date, machine, versions and command."""
    versions = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    return [
        str(datetime.date.today()),
        *machine(),
        f"Python {platform.python_version()}, {versions}",
        f"made by: {command}",
    ]


def spread(values, digits=2):
    """Return median (lowest to highest) of values as text."""
    low, middle, high = np.min(values), np.median(values), np.max(values)
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def write_table(table, path, lines):
    """Write a DataFrame as CSV below lines of comment."""
    text = "".join(f"# {line}\n" for line in lines)
    text += table.to_csv(index=False, float_format="%.6g")
    replace(Path(path), text.encode())
