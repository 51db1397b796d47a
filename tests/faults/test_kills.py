"""Killed with kill -9 as a file takes its place: nothing is lost, the next run works.

    python -m tests.faults.test_kills KIND FOLDER MOMENT

is the work, killed before (1, 3, ...) or after (2, 4, ...) a file takes its place.
"""

import hashlib
import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.bad_server import BadServer

ROOT = Path(__file__).resolve().parents[2]
FILES = {"one.txt": b"1" * 3000, "two.txt": b"2" * 3000}
SHA256 = {name: hashlib.sha256(text).hexdigest() for name, text in FILES.items()}


def fetch_two_files(folder):
    from helpers._support import downloads

    numbers = downloads.OfficialSet("Numbers", "NUMBERS", "", "numbers", "")
    return sorted(path.name for path in numbers.downloaded(SHA256).iterdir())


def pass_two_more_exercises(folder):
    from helpers.exercises import passed

    for _ in range(2):
        passed.record(f"01.{len(passed.read())}", "passed")
    return sorted(passed.read())


def train_three_steps(folder):
    from tests.helpers.test_training import assert_same, run

    assert_same(run(3, checkpoints=folder / "steps", every=1), run(3))
    return sorted(path.name for path in (folder / "steps").iterdir())


WORK = {
    fetch_two_files: sorted(FILES),
    pass_two_more_exercises: ["01.0", "01.1"],
    train_three_steps: ["step-0000003"],
}


def main(kind, folder, moment):
    replace, moments = os.replace, itertools.count(1)

    def pass_by():
        if next(moments) == int(moment):
            os.kill(os.getpid(), signal.SIGKILL)

    def watched(*paths):
        pass_by()
        replace(*paths)
        pass_by()

    os.replace = watched
    print(*globals()[kind](Path(folder)))


@pytest.mark.slow
@pytest.mark.parametrize("moment", [1, 2, 3])
@pytest.mark.parametrize("work", WORK)
def test_work_that_is_killed_leaves_nothing_broken(tmp_path, work, moment):
    server = BadServer(FILES)
    places = {"XDG_CACHE_HOME": str(tmp_path), "NUMBERS_URL": server.url}
    places |= {"INSIDE_BERT_PROGRESS": str(tmp_path / "progress.json")}

    def run(moment):
        asked = [work.__name__, tmp_path, str(moment)]
        return subprocess.run(
            [sys.executable, "-m", "tests.faults.test_kills", *asked],
            cwd=ROOT,
            env=os.environ | places | {"OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
        )

    assert run(moment).returncode == -signal.SIGKILL
    done = run(0)
    server.stop()
    assert done.returncode == 0, done.stderr
    more = ["01.2"] if work is pass_two_more_exercises and moment > 1 else []
    assert done.stdout.split() == WORK[work] + more  # what was passed stays
    assert not [*tmp_path.rglob("*.unfinished")]


if __name__ == "__main__":
    main(*sys.argv[1:])
