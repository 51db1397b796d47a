"""What "Many processes, many machines" draws, and the trials that it draws them of."""

import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pandas as pd

from helpers import DATA
from helpers.plotting import lines, show
from helpers.plotting.pictures import Matrix, draw, matrices, slide

SHARDS, TEXTS = 8, 5  # of the small job on the first screen
STOPS = ((1, 2), (4, 3), (6, 1))  # killed while writing this text of this shard
# One start of a job that writes numbers, not vectors, and is killed on the way.
WRITER = """
import os, signal, sys
folder, way, shard, text = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
for number in range(8):
    name = f"{folder}/{number}.txt"
    if os.path.exists(name):
        continue
    written = name if way == "plain" else name + ".unfinished"
    with open(written, "w") as file:
        for row in range(5):
            if (number, row) == (shard, text):
                file.flush()
                os.kill(os.getpid(), signal.SIGKILL)
            print(row, file=file)
    os.replace(written, name)
"""
# What makes a job kill itself before it names one of its shards: the worst moment.
DIES = """
import os, signal

def replace(source, target, plain=os.replace):
    if os.environ.get("DIES_AT") == os.path.basename(target):
        os.kill(os.getpid(), signal.SIGKILL)
    plain(source, target)

os.replace = replace
"""


def killed_writers():
    """Texts in each shard after three kills, {way of writing: list of numbers}."""
    found = {}
    for title, way in (
        ("written under its own name", "plain"),
        ("renamed when it is whole", "renamed"),
    ):
        with tempfile.TemporaryDirectory() as folder:
            for stop in (*STOPS, (-1, -1)):
                given = [folder, way, *map(str, stop)]
                run = subprocess.run([sys.executable, "-c", WRITER, *given])
                if run.returncode not in (0, -signal.SIGKILL):
                    raise RuntimeError(f"the small job ended with {run.returncode}")
            files = [Path(folder) / f"{n}.txt" for n in range(SHARDS)]
            found[title] = [len(file.read_text().splitlines()) for file in files]
    return found


def draw_killed(written):
    """The texts of each shard of both jobs; those that lack some are dashed."""
    parts = []
    for title, counts in written.items():
        short = [n < TEXTS for n in counts]
        holes = ", ".join(f"shard {i} holds {counts[i]}" for i in np.flatnonzero(short))
        parts.append(
            matrices(
                Matrix(
                    title,
                    [counts],
                    columns=list("01234567"),
                    hue="key" if any(short) else "query",
                    form=".0f",
                    cell=38,
                    high=8,
                    copied=[short],
                ),
                words=f"{title}: {holes or 'every shard is whole'}.",
            )
        )
    draw(*parts)


def draw_shards(made):
    """Which shards each start has made: {start: numbers}."""
    count = 1 + max(max(numbers) for numbers in made.values())
    values = [[n in numbers for n in range(count)] for numbers in made.values()]
    said = "; ".join(f"{name}: {sorted(numbers)}" for name, numbers in made.items())
    names = [str(n) for n in range(count)]
    picture = Matrix("shards made by", values, [*made], names, "query", "", 34)
    draw(matrices(picture, words=said))


def draw_load(table):
    """Two lines: requests a second against what the slowest of twenty wait for."""
    curves = {
        way: (part["requests a second"].tolist(), part["slowest of 20, ms"].tolist())
        for way, part in table.groupby("batches", sort=False)
    }
    show(
        lines(
            curves,
            "1, 4 and 16 visitors at a time",
            "requests a second",
            "ms, slowest of twenty",
        )
    )


def refused(http, ask, bad=5, count=8):
    """Requests of a client whose server cannot read one of `count` texts.

    Returns the texts of each request and what the client hands back.
    """
    tried = []

    def refusing(method, url, body, headers):
        tried.append(json.loads(body)["input"])
        data = [{"index": i, "embedding": [n]} for i, n in enumerate(tried[-1])]
        return SimpleNamespace(
            status=422 if bad in tried[-1] else 200,
            json=lambda: {"data": data},
            data=b"cannot be read",
        )

    with patch.object(http, "request", refusing):
        return tried, ask("", list(range(count)))


def slide_halves(tried, bad=5, count=8):
    """The requests one after the other: what is asked, and what has its vector."""
    frames, have = [], set()
    for number, part in enumerate(tried, 1):
        have |= set() if bad in part else {*part}
        said = (
            f"Request {number}, text {', '.join(map(str, part))}: "
            f"{'refused' if bad in part else 'answered'}."
        )
        both = [[n in part for n in range(count)], [n in have for n in range(count)]]
        picture = Matrix(
            f"request {number}",
            both,
            ("asked now", "has its vector"),
            [str(n) for n in range(count)],
            "key",
            "",
            high=1.3,
        )
        frames.append((said, matrices(picture, words=said)))
    slide("request:", frames)


def shares_of_eight():
    """Gradients of eight rows in two shares: {rows of the first: (two, mean, all)}."""
    drawn = np.random.default_rng(1)
    inputs, wanted = drawn.normal(size=(8, 3)), drawn.normal(size=8)
    each = -2 * wanted[:, None] * inputs  # of (w·x - wanted)², at w = 0
    found = {}
    for first in (4, 5, 7):
        two = each[:first].mean(axis=0), each[first:].mean(axis=0)
        found[first] = (two, np.mean(two, axis=0), each.mean(axis=0))
    return found


def slide_shares(found):
    names = "process 0", "process 1", "their mean", "one process, all eight"
    frames = []
    for first, (two, mean, whole) in found.items():
        equal = np.abs(mean - whole).max() < 1e-9
        said = (
            f"Shares of {first} and {8 - first}: the mean of the two is "
            f"{'' if equal else 'not '}the gradient of all eight."
        )
        parts = [
            Matrix(name, [values], form=".2f", hue=hue, cell=48, high=2)
            for name, values, hue in zip(
                names,
                (*two, mean, whole),
                ("query", "key", "value", "value"),
                strict=True,
            )
        ]
        frames.append((said, matrices(*parts, words=said)))
    slide("shares:", frames)


def engines():
    """The kept run of engines and server on the same 303 rows."""
    found = pd.read_csv(DATA / "results/engines.csv", comment="#").set_index("way")
    return found.loc[["datasets", "Ray Data", "Ray Serve"]]


def engines_table(ways):
    seconds = (
        ways.fastest.map("{:.0f}".format) + " to " + ways.slowest.map("{:.0f}".format)
    )
    return pd.DataFrame(
        {
            "processes": [1, 2, 1],
            "bad rows set aside": ways["set aside"],
            "of 303 rows, made after a kill": ways["made after"],
            "seconds": seconds,
            "difference": ways.difference.map("{:.0e}".format),
        }
    )
