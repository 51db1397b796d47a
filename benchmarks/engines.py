"""The course's command beside data engines: the same vectors, and how fast?

python -m benchmarks.engines [--texts N] [--rounds N] [--out FILE.csv]

Needs what `make test-engines` installs beside .venv, and runs with that Python. Every
way reads a Parquet file and writes vectors, with two threads in all; starting up and
loading the model are part of its time.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.common import about, options_of, race, source_of_sentences, tell
from benchmarks.embedding_job import texts_of

BATCH, THREADS = 1000, 2


class Embedder:
    """What an engine calls with a batch; it loads the model once a process."""

    def __init__(self):
        from helpers.models import load_bert

        self.bert = load_bert()

    def __call__(self, batch):
        from helpers.embeddings.texts import embed_texts

        return {**batch, "vector": embed_texts(self.bert, list(batch["text"]))}


def python(*arguments):
    """Run a Python of its own."""
    command = [sys.executable, *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True)


def command(path, out):
    """`python -m helpers.embed`, one process."""
    python("-m", "helpers.embed", path, out, "--shard", BATCH)
    return pd.read_parquet(out / "vectors")


def with_datasets(path, out):
    """`Dataset.map`, one process, in a Python of its own."""
    lines = (
        "from datasets import Dataset, disable_caching\n"
        "from benchmarks.engines import BATCH, Embedder\n"
        "disable_caching()\n"
        f"read = Dataset.from_parquet({str(path)!r}, cache_dir={str(out)!r})\n"
        "made = read.map(Embedder(), batched=True, batch_size=BATCH)\n"
        f"made.to_parquet({str(out / 'vectors.parquet')!r})\n"
    )
    out.mkdir()
    python("-c", lines)
    return pd.read_parquet(out / "vectors.parquet")


def with_ray(path, out):
    """`map_batches` of Ray Data, two actors of one thread, started each time."""
    lines = (
        "import ray\n"
        "from benchmarks.engines import BATCH, THREADS, Embedder\n"
        "ray.init(num_cpus=THREADS + 2, include_dashboard=False,\n"
        "         runtime_env={'env_vars': {'OMP_NUM_THREADS': '1'}})\n"
        f"ray.data.read_parquet({str(path)!r}).map_batches(\n"
        "    Embedder, batch_size=BATCH,\n"
        "    compute=ray.data.ActorPoolStrategy(size=THREADS),\n"
        f").write_parquet({str(out)!r})\n"
    )
    python("-c", lines)
    return pd.concat(map(pd.read_parquet, out.glob("*.parquet")))


WAYS = {"the command": command, "datasets": with_datasets, "Ray Data": with_ray}


def by_row(table):
    return np.stack([np.array(v) for v in table.sort_values("row").vector])


def compared(table, own):
    """Say how many rows were lost or doubled, and how far vectors are from `own`."""
    once = table.drop_duplicates("row").sort_values("row")
    far = np.abs(by_row(once) - own[once.row]).max()
    lost, doubled = len(own) - len(once), len(table) - len(once)
    return f"{lost} lost, {doubled} doubled, vectors at most {far:.1e} apart"


def main(arguments=None):
    options = options_of("engines", arguments, texts=2000, rounds=5)
    os.environ["OMP_NUM_THREADS"] = str(THREADS)
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[1])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.parquet"
        rows = {"row": range(options.texts), "text": texts_of(options.texts)}
        pd.DataFrame(rows).to_parquet(path, row_group_size=BATCH)

        def anew(way):
            return lambda: way(path, Path(tempfile.mkdtemp(dir=folder)) / "out")

        ways = {name: anew(way) for name, way in WAYS.items()}
        seconds, tables = race(ways, options.rounds)
    own = by_row(tables["the command"])
    table = pd.DataFrame(seconds).melt(var_name="way", value_name="seconds")
    table.insert(1, "round", table.groupby("way").cumcount())
    lines = [
        f"{options.texts} texts, {source_of_sentences()}, in turns, starting included",
        "the command, datasets: one process of two threads; Ray Data: two of one",
        *(f"{name}: {compared(tables[name], own)}" for name in WAYS),
        *about("engines", options),
    ]
    tell(table, lines, options.out)


if __name__ == "__main__":
    main()
