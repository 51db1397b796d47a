"""The same rows through two data engines and a server.

python -m benchmarks.engines [--texts N] [--rounds N] [--out FILE.csv]

Needs what `make test-engines` installs beside .venv, and runs with that Python. What is
run are the lines that "Many processes, many machines" prints. Every way reads the same
Parquet file, bad rows included, and is then killed half way and started again; starting
up and loading the model are part of its time.
"""

import json
import os
import re
import runpy
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from urllib3 import request
from urllib3.exceptions import HTTPError

from benchmarks.common import options_of, sentences_of_coarse_wsd, tell
from helpers.embeddings.texts import piece_rows, vectors_of_rows
from helpers.models import load_bert
from helpers.verdicts import in_turn

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "chapters/many-machines/index.md"
BATCH = 100  # texts, as the page prints it
TOO_LONG = "bank " * 600
BAD = {"empty": b"", "half a character": b"half \xed\xa0\xbd", "too long": TOO_LONG}
UNKNOWN = 404  # of an address that a server does not serve yet
COUNTED = """
class Counted(Embedder):
    def __call__(self, batch):
        with open(LOG, "a") as file:
            file.write("x" * batch.num_rows)
        return super().__call__(batch)

Embedder = Counted
"""


def listings():
    """Return the lines of Python that the page prints, in its order."""
    fences = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    return dict(zip(["class", "datasets", "Ray Data", "server"], fences, strict=True))


def client():
    """Return what the page's two cells with the client define."""
    cells = re.findall(r"```\{code-cell\} \w+\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    source = "\n".join(cell for cell in cells if "def ask" in cell)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "client.py"
        file.write_text(source, "utf-8")
        return runpy.run_path(str(file), {"json": json, "np": np})


def texts_of(count):
    """So many texts of one to three sentences, no two alike."""
    sentences, _ = sentences_of_coarse_wsd(4000)
    rng = np.random.default_rng(0)
    for number in range(count):
        chosen = rng.choice(len(sentences), rng.choice([1, 1, 1, 1, 3]))
        words = (" ".join(sentences[place]) for place in chosen)
        yield " ".join(f"{number} {' '.join(words)}".split())


def write_rows(path, texts):
    """Write texts with a bad row of each kind in between; returns {kind: row}."""
    rows = [text.encode() for text in texts]
    places = {}
    for kind, text in BAD.items():
        places[kind] = len(rows) * (len(places) + 1) // 4
        rows.insert(places[kind], text if isinstance(text, bytes) else text.encode())
    column = pa.array(rows, pa.binary()).view(pa.string())  # as it is, unread
    table = pa.table({"row": np.arange(len(rows)), "text": column})
    pq.write_table(table, path, row_group_size=BATCH)
    return places


def texts_in(path):
    """Return the texts as a program meets them that reads them to the end."""
    column = pq.read_table(path)["text"].cast(pa.binary()).to_pylist()
    return [text.decode("utf-8", "surrogatepass") for text in column]


def kill(process):
    """Kill a process and all that it has started, as when a machine goes down."""
    family = psutil.Process(process.pid).children(recursive=True)
    for one in [psutil.Process(process.pid), *family]:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    process.wait()
    psutil.wait_procs(family, timeout=30)


class Engine:
    """One way from a file of rows to a table of row, vector and reason."""

    def __init__(self, name, path, out, model):
        self.name, self.path, self.out, self.model = name, path, out, model
        self.log, self.said = out.with_suffix(".log"), out.with_suffix(".said")

    def start(self, *parts):
        """Start the page's class and more lines in a Python of its own."""
        names = {"TEXTS": str(self.path), "OUT": str(self.out), "MODEL": self.model}
        names |= {"LOG": str(self.log)}
        lines = [f"{name} = {value!r}" for name, value in names.items()]
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        settings = {"PYTHONPATH": os.pathsep.join(paths), "TQDM_DISABLE": "1"}
        settings |= {"HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "HF_HUB_OFFLINE": "1"}
        settings |= {"HF_DATASETS_CACHE": str(self.out.with_suffix(".cache"))}
        code = "\n".join([*lines, listings()["class"], *parts])
        with open(self.said, "w") as file:
            return subprocess.Popen(
                [sys.executable, "-c", code],
                env=os.environ | settings,
                stdout=file,
                stderr=file,
            )

    def begin(self):
        self.out.mkdir(exist_ok=True)
        return self.start(COUNTED, listings()[self.name])

    def done(self):
        """So many rows have been given to the model, over all starts."""
        return self.log.stat().st_size if self.log.exists() else 0

    def go(self):
        self.finish(self.begin())

    def stop_and_go(self, half):
        """Kill the way with half of the rows done, and start it again.

        Returns how many rows were given to the model after the kill.
        """
        process = self.begin()
        while self.done() < half and process.poll() is None:
            time.sleep(0.02)
        kill(process)
        before = self.done()
        self.go()
        return self.done() - before

    def finish(self, process):
        """Wait for a process; RuntimeError with what it said where it failed."""
        if process.wait(timeout=900):
            raise RuntimeError(self.said.read_text()[-3000:])

    def table(self):
        return pd.concat(map(pd.read_parquet, self.out.glob("*.parquet")))


class Server(Engine):
    """Ray Serve, started for each run; the client of the page asks it."""

    def __init__(self, *given):
        super().__init__(*given)
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1/embeddings"

    def begin(self):
        """Start it; RuntimeError where it ends before its address is served."""
        lines = f"PORT = {self.port}", listings()["server"], "import time"
        server = self.start(*lines, "time.sleep(3600)")
        while server.poll() is None:
            with suppress(HTTPError):
                if request("GET", self.url, retries=False).status != UNKNOWN:
                    return server
            time.sleep(0.1)
        return self.finish(server)

    def go(self):
        server = self.begin()
        try:
            self.vectors, _ = client()["ask_all"](self.url, texts_in(self.path))
        finally:
            kill(server)

    def stop_and_go(self, half):
        names, texts, answered = client(), texts_in(self.path), []
        asks = names["http"].request

        def counted(*arguments, body, **options):
            """Asks again while a server that has come back does not serve yet."""
            while True:
                with suppress(HTTPError):
                    answer = asks(*arguments, body=body, **options)
                    if answer.status != UNKNOWN:
                        break
                time.sleep(0.5)
            answered.append(len(json.loads(body)["input"]))
            return answer

        names["http"].request = counted
        server = self.begin()
        with ThreadPoolExecutor(1) as pool:
            work = pool.submit(names["ask_all"], self.url, texts)
            while sum(answered) < half and not work.done():
                time.sleep(0.02)
            kill(server)
            left = len(texts) - sum(answered)
            server = self.begin()
            self.vectors, _ = work.result()
        kill(server)
        return left

    def table(self):
        found = {"row": range(len(self.vectors)), "vector": self.vectors}
        reasons = ["refused" if v is None else None for v in self.vectors]
        return pd.DataFrame(found | {"reason": reasons})


KINDS = {"datasets": Engine, "Ray Data": Engine, "Ray Serve": Server}
WAYS = {name: partial(kind, name) for name, kind in KINDS.items()}


def references(bert, texts):
    """Return {pooling: {row: vector}} of the rows that can be read, a row at a time."""
    found = {"mean": {}, "cls": {}}
    for row, text in enumerate(texts):
        pieces, bad = piece_rows(bert, [text])
        for pooling, made in found.items():
            if not bad:
                [made[row]] = vectors_of_rows(bert, pieces, cls=pooling == "cls")
    return found


def judged(table, wanted, places):
    """Say of a table what the page's table says: rows, pooling, length, difference."""
    made = table[table.vector.notna()]
    once = made.drop_duplicates("row").set_index("row").vector
    rows = sorted(set(once.index) & set(wanted["mean"]))
    vectors = np.stack([np.asarray(once[row], np.float32) for row in rows])
    far = {
        pooling: np.abs(vectors - np.stack([of_row[row] for row in rows])).max()
        for pooling, of_row in wanted.items()
    }
    nearest = min(far, key=far.get)
    lengths = np.linalg.norm(vectors, axis=1)
    reasons = set(table.row[table.reason.notna()])
    return {
        "vectors": len(once),
        "set aside": sum(row in reasons for row in places.values()),
        "lost": len(wanted["mean"]) - len(rows),
        "doubled": len(made) - len(once),
        "pooling": nearest,
        "shortest": lengths.min(),
        "longest": lengths.max(),
        "difference": far[nearest],
    }


def rows_of(folder, texts, rounds):
    """Yield a row a way: what `judged` says, seconds, and what a kill costs."""
    file, ways = folder / "texts.parquet", {}
    places = write_rows(file, texts)
    read = texts_in(file)
    wanted = references(load_bert(), read)

    def anew(name):
        place = Path(tempfile.mkdtemp(dir=folder)) / "out"
        ways[name] = WAYS[name](file, place, None)
        return ways[name]

    seconds = in_turn({n: lambda n=n: anew(n).go() for n in WAYS}, rounds)
    for name, times in seconds.items():
        row = {"way": name} | judged(ways[name].table(), wanted, places)
        row |= {"seconds": np.median(times)}
        row |= {"fastest": min(times), "slowest": max(times)}
        row["made after"] = anew(name).stop_and_go(len(read) // 2)
        after = judged(ways[name].table(), wanted, places)
        yield row | {f"{n} after": after[n] for n in ("lost", "doubled")}


def main():
    options = options_of("engines", texts=500, rounds=2)
    with tempfile.TemporaryDirectory() as folder:
        texts = texts_of(options.texts)
        rows = list(rows_of(Path(folder), texts, options.rounds))
    about = [
        f"{options.texts + len(BAD)} rows, CoarseWSD-20; one each: {', '.join(BAD)}",
        "in turns, starting and loading included; one thread a process",
        "Ray Data: two processes; Ray Serve: one, of four requests at a time",
        "made after: rows given to the model after a kill half way; difference: "
        "largest, from one row at a time",
    ]
    tell("engines", options, rows, about)


if __name__ == "__main__":
    main()
