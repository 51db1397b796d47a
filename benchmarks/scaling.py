"""Does the cost of embed_words grow with the sentences, and the memory not?

python -m benchmarks.scaling [--rounds N] [--out FILE.csv]

Each size runs in a process of its own, from a generator and into a file.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

from benchmarks.common import (
    about,
    sentences_of_coarse_wsd,
    source_of_sentences,
    spread,
    write_table,
)

SIZES = (1000, 4000, 16000)


def run_one(count):
    """Embed `count` sentences; prints a line of JSON: seconds and peak MiB."""
    from helpers.embeddings import embed_words
    from helpers.models import load_bert

    bert = load_bert()
    sentences, positions = sentences_of_coarse_wsd(max(SIZES))  # alike for all sizes
    embed_words(bert, sentences[:32], positions[:32], dtype="float32")  # warm-up
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        embed_words(
            bert,
            (words for words in sentences[:count]),
            positions[:count],
            dtype="float32",
            out=Path(folder) / "vectors.npy",
        )
        seconds = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, KiB elsewhere
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
    print(json.dumps({"seconds": seconds, "peak_mib": peak}))


def measure(count):
    command = [sys.executable, "-m", "benchmarks.scaling", "--one", str(count)]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return {"sentences": count} | json.loads(run.stdout.splitlines()[-1])


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--out", help="a CSV file for the table")
    options = parser.parse_args(arguments)
    if options.one:
        return run_one(options.one)
    rows = [measure(size) for _ in range(options.rounds) for size in SIZES]
    runs = pd.DataFrame(rows)
    runs["ms_per_sentence"] = 1000 * runs.seconds / runs.sentences
    table = runs.groupby("sentences", as_index=False).median()
    lines = [
        f"embed_words, float32, {source_of_sentences()}, a process for each size, "
        f"median of {options.rounds} rounds",
        *about("python -m benchmarks.scaling"),
    ]
    print(*lines, table.round(3).to_string(index=False), sep="\n")
    for size, found in runs.groupby("sentences"):
        print(f"{size}: {spread(found.ms_per_sentence)} ms a sentence")
    for column in ("ms_per_sentence", "peak_mib"):
        print(f"{column}: x{table[column].max() / table[column].min():.2f} at most")
    if options.out:
        write_table(table, options.out, lines)


if __name__ == "__main__":
    main()
