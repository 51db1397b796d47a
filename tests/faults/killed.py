"""Work that is killed at random moments, again and again, in a process of its own.

    python -m tests.faults.killed KIND FOLDER SEED COUNT [CHECKSUMS]

prints how many of the COUNT kills came before the work had ended; fails where one
left something broken behind. Each child is forked, so that nothing is imported anew.
"""

import importlib
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

LONG = 3_000_000


class Download:
    """Two files from a slow server."""

    seconds = 0.6

    def __init__(self, folder):
        import pooch

        from helpers._support import downloads

        os.environ["XDG_CACHE_HOME"] = os.environ["TMPDIR"] = str(folder)
        self.checksums = json.loads(sys.argv[5])
        self.digest = pooch.file_hash
        self.set = downloads.OfficialSet("Numbers", "NUMBERS", "", "numbers", "")
        self.cache = folder / "inside-bert/numbers"

    def work(self):
        self.set.downloaded(self.checksums)

    def check(self):
        """Whole files only under their names; then they are taken away again."""
        for name, sha256 in self.checksums.items():
            if (self.cache / name).exists():
                assert self.digest(self.cache / name) == sha256, name
                (self.cache / name).unlink()

    def finish(self):
        assert self.set.downloaded(self.checksums) == self.cache
        left = sorted(path.name for path in self.cache.iterdir())
        assert left == sorted(self.checksums), left


class CacheWrite:
    """A large file that is replaced, and the student's progress beside it."""

    seconds = 0.15

    def __init__(self, folder):
        from helpers import whole_files as files
        from helpers.exercises import passed as progress

        os.environ["INSIDE_BERT_PROGRESS"] = str(folder / "progress.json")
        self.files, self.progress, self.passed = files, progress, set()
        self.path, self.turn = folder / "large", 0

    def work(self):
        for number in range(10**6):
            self.progress.record(f"{self.turn:02}.{number}", "passed")
            with self.files.alone(self.path, 1):
                self.files.replace(self.path, b"%d" % (number % 10) * LONG)

    def check(self):
        self.turn += 1
        if self.path.exists():
            content = self.path.read_bytes()
            assert content == content[:1] * LONG, "half a file"
        if self.progress.place().exists():
            passed = set(json.loads(self.progress.place().read_text()))
            assert passed >= self.passed, "a result was lost"
            self.passed = passed

    def finish(self):
        with self.files.alone(self.path, 1):
            self.files.replace(self.path, b"whole")
        self.progress.record("99.1", "passed")
        assert self.path.read_bytes() == b"whole" and self.passed
        assert set(self.progress.read()) == self.passed | {"99.1"}
        left = {path.suffix for path in self.path.parent.iterdir()}
        assert ".unfinished" not in left, left


class Checkpoint:
    """Training that goes on from its checkpoints."""

    seconds = 0.6
    steps = 2000  # more than the kills leave time for, on a fast machine too

    def __init__(self, folder):
        self.folder, self.training = (
            folder,
            importlib.import_module("tests.helpers.test_training"),
        )
        self.newest = 0
        self.training.run(1)  # loads what training needs

    def work(self):
        self.training.run(self.steps, checkpoints=self.folder, every=1)

    def check(self):
        newest = max((int(p.name[5:]) for p in self.folder.glob("step-*")), default=0)
        assert newest >= self.newest, "a checkpoint was lost"
        self.newest = newest

    def finish(self):
        assert self.newest, "no checkpoint was ever written"
        broken = self.training.run(self.steps, checkpoints=self.folder, every=1)
        self.training.assert_same(broken, self.training.run(self.steps))
        assert [path.name for path in self.folder.iterdir()] == [
            f"step-{self.steps:07}"
        ]


def main(kind, folder, seed, count):
    job = {c.__name__: c for c in (Download, CacheWrite, Checkpoint)}[kind](folder)
    rng, hits = random.Random(seed), 0
    for _ in range(count):
        if not (child := os.fork()):
            try:
                job.work()
            finally:
                os._exit(0)
        time.sleep(rng.uniform(0, job.seconds))
        os.kill(child, signal.SIGKILL)
        hits += os.WIFSIGNALED(os.waitpid(child, 0)[1])
        job.check()
    job.finish()
    print(hits)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
