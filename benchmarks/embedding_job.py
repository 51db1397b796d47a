"""Does a long job keep its pace and its memory, and does it lose nothing when killed?

python -m benchmarks.embedding_job [--texts N] [--shard N] [--kills N] [--out FILE.csv]

Runs chapters/many-machines/embed_job on texts of unequal length, kills it, starts it
again and compares what it wrote with the loop of one text.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pyarrow.parquet as pq

from benchmarks import common
from benchmarks.embedding import loop_of_means
from helpers.models import load_bert

JOB = Path(__file__).parents[1] / "chapters/many-machines/embed_job"
LOOPED = 1000  # texts whose vectors are computed by the loop as well


def texts_of(count):
    """So many texts of one to three sentences, no two alike."""
    sentences, _ = common.sentences_of_coarse_wsd(4000)
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


def largest_gap(table, texts):
    """Largest difference from the loop, on texts all over the job."""
    rows = np.linspace(0, len(texts) - 1, min(LOOPED, len(texts))).astype(int)
    wanted = loop_of_means(load_bert(), [texts[row] for row in rows])
    return np.abs(np.stack(table.vector.iloc[rows]) - wanted).max(), len(rows)


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
    sizes = {"texts": 200_000, "shard": 5000, "kills": 3}
    options = common.options_of("embedding_job", arguments, **sizes)
    texts = list(texts_of(options.texts))
    table, rows = run_and_kill(texts, options)
    gap, looped = largest_gap(table, texts)
    lines = [
        f"{options.texts} texts, {common.source_of_sentences()}, "
        f"killed {options.kills} times",
        f"{options.texts - table.row.nunique()} lost, "
        f"{int(table.row.duplicated().sum())} doubled",
        f"largest difference from the loop on {looped} texts: {gap:.1e}",
        *common.about("embedding_job", options),
    ]
    rows["rate"] = rows.texts / rows.seconds
    common.tell(rows, lines, options.out)
    print(rows[["rate", "mib"]].agg(["min", "max"]))


if __name__ == "__main__":
    main()
