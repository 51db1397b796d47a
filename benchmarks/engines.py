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
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from urllib3 import request
from urllib3.exceptions import HTTPError

from benchmarks.common import about, options_of, race, sentences_of_coarse_wsd, tell
from helpers.embeddings.texts import piece_rows, vectors_of_rows
from helpers.models import load_bert

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


def start(said, *arguments):
    """Start a Python of its own, with the folder of the course in sight.

    said: the file for what it says.
    """
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    settings = {"PYTHONPATH": os.pathsep.join(paths), "TQDM_DISABLE": "1"}
    settings |= {"HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, *map(str, arguments)]
    with open(said, "w") as file:
        return subprocess.Popen(
            command, env=os.environ | settings, stdout=file, stderr=file
        )


def kill(process):
    """Kill a process and all that it has started, as when a machine goes down."""
    family = psutil.Process(process.pid).children(recursive=True)
    for one in [psutil.Process(process.pid), *family]:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    process.wait()
    psutil.wait_procs(family, timeout=30)


class Way:
    """One way from a file of rows to a table of row, vector and reason."""

    def __init__(self, path, out, model):
        self.path, self.out, self.model = path, out, model
        self.log, self.said = out.with_suffix(".log"), out.with_suffix(".said")

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

    def script(self, *parts):
        names = {"TEXTS": str(self.path), "OUT": str(self.out), "MODEL": self.model}
        names |= {"LOG": str(self.log)}
        lines = "".join(f"{name} = {value!r}\n" for name, value in names.items())
        return start(self.said, "-c", lines + "\n".join(parts))


class WithDatasets(Way):
    engine = "datasets"

    def begin(self):
        os.environ["HF_DATASETS_CACHE"] = str(self.out.with_suffix(".cache"))
        self.out.mkdir(exist_ok=True)
        lines = listings()
        return self.script(lines["class"], COUNTED, lines[self.engine])

    def table(self):
        return pd.concat(map(pd.read_parquet, self.out.glob("*.parquet")))


class WithRay(WithDatasets):
    engine = "Ray Data"


class Server(Way):
    """Ray Serve, started for each run; the client of the page asks it."""

    def __init__(self, *places):
        super().__init__(*places)
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]

    def begin(self):
        wait = "import time; time.sleep(3600)\n"
        port = f"PORT = {self.port}\n"
        return self.script(listings()["class"], port, listings()["server"], wait)

    def wait(self, server):
        """Wait until the address is served; RuntimeError where the server has ended."""
        while server.poll() is None:
            with suppress(HTTPError):
                if request("GET", self.url, retries=False).status != UNKNOWN:
                    return
            time.sleep(0.1)
        self.finish(server)

    def go(self):
        ask_all = client()["ask_all"]
        server = self.begin()
        try:
            self.wait(server)
            self.vectors, _ = ask_all(self.url, texts_in(self.path))
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
        self.wait(server)
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

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/v1/embeddings"

    def table(self):
        found = {"row": range(len(self.vectors)), "vector": self.vectors}
        reasons = ["refused" if v is None else None for v in self.vectors]
        return pd.DataFrame(found | {"reason": reasons})


WAYS = {"datasets": WithDatasets, "Ray Data": WithRay, "Ray Serve": Server}


def references(bert, texts):
    """Return {pooling: {row: vector}} of the rows that can be read, a row at a time."""
    found = {}
    for pooling in ("mean", "cls"):
        made = {}
        for row, text in enumerate(texts):
            pieces, bad = piece_rows(bert, [text])
            if not bad:
                [made[row]] = vectors_of_rows(bert, pieces, cls=pooling == "cls")
        found[pooling] = made
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
    bad = {kind: row in reasons for kind, row in places.items()}
    lost = len(wanted["mean"]) - len(rows)
    counts = {"vectors": len(once), "set aside": sum(bad.values()), "lost": lost}
    return counts | {
        "doubled": len(made) - len(once),
        "pooling": nearest,
        "shortest": lengths.min(),
        "longest": lengths.max(),
        "difference": far[nearest],
    }


def main():
    options, rows = options_of("engines", texts=500, rounds=2), []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.parquet"
        places = write_rows(file, texts_of(options.texts))
        texts, ways = texts_in(file), {}
        wanted = references(load_bert(), texts)

        def anew(name):
            place = Path(tempfile.mkdtemp(dir=folder)) / "out"
            ways[name] = WAYS[name](file, place, None)
            return ways[name]

        calls = {name: lambda name=name: anew(name).go() for name in WAYS}
        seconds, _ = race(calls, options.rounds)
        for name, times in seconds.items():
            row = {"way": name} | judged(ways[name].table(), wanted, places)
            row |= {"seconds": np.median(times)}
            row |= {"fastest": times.min(), "slowest": times.max()}
            way = anew(name)
            row["made after"] = way.stop_and_go(len(texts) // 2)
            after = judged(way.table(), wanted, places)
            row |= {f"{n} after": after[n] for n in ("lost", "doubled")}
            rows.append(row)
    lines = [
        f"{len(texts)} rows, CoarseWSD-20; one each: {', '.join(BAD)}",
        "in turns, starting and loading included; one thread a process",
        "Ray Data: two processes; Ray Serve: one, of four requests at a time",
        "made after: rows given to the model after a kill half way; difference: "
        "largest, from one row at a time",
        *about("engines", options),
    ]
    tell(pd.DataFrame(rows), lines, options.out)


if __name__ == "__main__":
    main()
