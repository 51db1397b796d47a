"""Killed with kill -9 at 50 moments: nothing is broken, and the next run works."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.bad_server import BadServer, send_slowly_but_surely

ROOT = Path(__file__).resolve().parents[2]
FILES = {"one.txt": b"1" * 3000, "two.txt": b"2" * 3000}
SHA256 = {name: hashlib.sha256(text).hexdigest() for name, text in FILES.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "count"), [("Download", 15), ("CacheWrite", 20), ("Checkpoint", 15)]
)
def test_work_that_is_killed_leaves_nothing_broken(tmp_path, kind, count):
    server = BadServer(FILES, send_slowly_but_surely)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.faults.killed",
            kind,
            tmp_path,
            "8",
            str(count),
            json.dumps(SHA256),
        ],
        cwd=ROOT,
        env=os.environ | {"NUMBERS_URL": server.url, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    server.stop()
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.splitlines()[-1]) > count // 2, done.stdout
