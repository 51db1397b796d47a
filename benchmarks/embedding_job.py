"""Does a long job keep its pace and its memory, and does it lose nothing when killed?

python -m benchmarks.embedding_job [--texts N] [--shard N] [--kills N] [--out FILE.csv]

Runs chapters/many-machines/embed_job on texts of unequal length, kills it, starts it
again and compares what it wrote with the loop of one text.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pyarrow.parquet as pq
import torch

from benchmarks.common import (
    about,
    sentences_of_coarse_wsd,
    source_of_sentences,
    write_table,
)

JOB = Path(__file__).parents[1] / "chapters/many-machines/embed_job"
LOOPED = 1000  # texts whose vectors are computed by the loop as well


def texts_of(count):
    """So many texts of one to three sentences, no two alike."""
    sentences, _ = sentences_of_coarse_wsd(4000)
    rng = np.random.default_rng(0)
    for number in range(count):
        chosen = rng.choice(len(sentences), rng.choice([1, 1, 1, 1, 3]))
        words = (" ".join(sentences[place]) for place in chosen)
        yield " ".join(f"{number} {' '.join(words)}".split())


def shards(out):
    return sorted((out / "vectors").glob("*.parquet"))


def run(texts, out, size, until=None):
    """Run the command, and kill it once `until` shards are there.

    Returns a row a shard: its seconds, and MiB in use when it was there.
    """
    command = [sys.executable, JOB, texts, out, "--shard", size]
    job = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL)
    process, seen, rows = psutil.Process(job.pid), {*shards(out)}, []
    while job.poll() is None:
        time.sleep(0.05)
        for path in sorted({*shards(out)} - seen):
            seen.add(path)
            table = pq.read_metadata(path)
            seconds = float(table.metadata[b"seconds"])
            try:
                mib = process.memory_info().rss / 2**20
            except psutil.Error:  # it has just ended
                mib = np.nan
            row = {"shard": int(path.stem), "texts": table.num_rows}
            rows.append(row | {"seconds": seconds, "mib": mib})
        if until and len(seen) >= until:
            job.kill()
    job.wait()
    return pd.DataFrame(rows)


@torch.inference_mode()
def largest_gap(table, texts):
    """Largest difference from the loop, on texts all over the job."""
    from helpers.models import load_bert

    bert, gaps = load_bert(), []
    for row in np.linspace(0, len(texts) - 1, min(LOOPED, len(texts))).astype(int):
        encoding = bert.tokenizer(texts[row], truncation=True, return_tensors="pt")
        state = bert.model(**encoding.to(bert.device)).last_hidden_state[0].mean(0)
        gaps.append(np.abs(state.cpu().numpy() - table.vector.iloc[row]).max())
    return max(gaps), len(gaps)


def run_and_kill(texts, options):
    """Run the job over texts, killed as often as the options say.

    Returns the table that it wrote, and the rows of `run`.
    """
    count = -(-len(texts) // options.shard)
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "texts.txt", Path(folder) / "out"
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        runs = []
        for kill in range(1, options.kills + 1):
            until = max(1, count * kill // 10)
            runs.append(run(path, out, options.shard, until).assign(run=kill))
            print(f"killed with {len(shards(out))} of {count} shards", flush=True)
        runs.append(run(path, out, options.shard).assign(run=options.kills + 1))
        table = pd.read_parquet(out / "vectors").sort_values("row")
    return table, pd.concat(runs)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedding_job")
    parser.add_argument("--texts", type=int, default=200_000)
    parser.add_argument("--shard", type=int, default=5000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--out", help="a CSV file with a row a shard")
    options = parser.parse_args(arguments)
    texts = list(texts_of(options.texts))
    table, rows = run_and_kill(texts, options)
    gap, looped = largest_gap(table, texts)
    lines = [
        f"{options.texts} texts, {source_of_sentences()}, killed {options.kills} times",
        f"{options.texts - table.row.nunique()} lost, "
        f"{int(table.row.duplicated().sum())} doubled",
        f"largest difference from the loop on {looped} texts: {gap:.1e}",
        *about(
            f"python -m benchmarks.embedding_job --texts {options.texts} "
            f"--shard {options.shard}"
        ),
    ]
    print(*lines, sep="\n")
    rows["rate"] = rows.texts / rows.seconds
    for name in ("rate", "mib"):
        found = rows[name].dropna()
        print(
            f"{name}: first shard {found.iloc[0]:.1f}, last {found.iloc[-1]:.1f}, "
            f"lowest {found.min():.1f}, highest {found.max():.1f}"
        )
    if options.out:
        write_table(rows, options.out, lines)


if __name__ == "__main__":
    main()
