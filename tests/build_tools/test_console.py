"""What commands print, where nothing takes it."""

import os
import subprocess
import sys

import pytest

PLANS = [sys.executable, "-m", "teaching.plans", "10"]


def full_disk():
    return open("/dev/full", "wb")


def closed_pipe():
    out, into = os.pipe()
    os.close(out)
    return open(into, "wb")


@pytest.mark.parametrize(
    ("opened", "unbuffered"), [(full_disk, ""), (closed_pipe, "1")]
)
def test_one_line_says_that_nothing_can_be_printed(opened, unbuffered):
    own = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with opened() as stream:
        done = subprocess.run(PLANS, stdout=stream, stderr=subprocess.PIPE, env=own)
    [line] = done.stderr.decode().splitlines()
    assert done.returncode == 1 and line.startswith("error: cannot print")
