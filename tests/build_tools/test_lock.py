"""The locks: all that requirements*.txt need, but for PyTorch."""

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements", "requirements-test")
NOT_LOCKED = re.compile("torch|triton|nvidia-.*|cuda-.*|inside-bert-helpers")
both = pytest.mark.parametrize("name", LOCKS)


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def entries(name):
    """The entries of a lock, which pip reads with their hashes."""
    lines = text_of(f"{name}.lock").splitlines()
    return [Requirement(line.rstrip("\\ ")) for line in lines if re.match(r"\w", line)]


@both
def test_pytorch_is_not_locked_and_no_machine_is_named(name):
    assert not [r.name for r in entries(name) if NOT_LOCKED.fullmatch(r.name)]
    addresses = r"://|--(extra-)?index|--find-links|(^|\s)/"
    assert not re.search(addresses, text_of(f"{name}.lock"))


@both
def test_what_is_pinned_is_locked_at_that_version(name):
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)", text_of(f"{name}.txt"), re.M))
    locked = {canonicalize_name(r.name): str(r.specifier)[2:] for r in entries(name)}
    assert pins
    for package, version in pins.items():
        if package != "torch":
            assert locked.get(canonicalize_name(package)) == version, "run: make lock"


def test_what_is_installed_is_what_is_locked_and_lacks_nothing():
    """pip installs the locks as they are, without asking what they lack."""
    check = [sys.executable, "-m", "pip", "check"]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    for requirement in entries("requirements") + entries("requirements-test"):
        if not requirement.marker or requirement.marker.evaluate():
            found = metadata.version(requirement.name)
            assert requirement.specifier.contains(found), requirement
