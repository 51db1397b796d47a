"""The locks: all that requirements*.txt need, with hashes, but for PyTorch."""

import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements", "requirements-test")
NOT_LOCKED = re.compile("torch|triton|nvidia-.*|cuda-.*|inside-bert-helpers")
both = pytest.mark.parametrize("name", LOCKS)


def entries(name):
    """The entries of a lock: (requirement, hashes) of each."""
    text = (ROOT / f"{name}.lock").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = (line.partition("#")[0].split(" --hash=") for line in text.splitlines())
    return [(Requirement(first), hashes) for first, *hashes in lines if first.strip()]


def versions(name):
    """What a lock pins on this machine: {package: version}."""
    pins = [r for r, _ in entries(name) if not r.marker or r.marker.evaluate()]
    return {canonicalize_name(r.name): str(r.specifier)[2:] for r in pins}


@both
def test_each_package_has_one_version_and_its_hashes(name):
    found = entries(name)
    names = [canonicalize_name(requirement.name) for requirement, _ in found]
    assert len(names) == len(set(names)) > 5
    for requirement, hashes in found:
        assert re.fullmatch(r"==[^=*,]+", str(requirement.specifier)), requirement
        assert hashes, requirement
        for value in hashes:
            assert re.fullmatch("sha256:[0-9a-f]{64}", value.strip()), requirement


@both
def test_pytorch_is_not_locked_and_no_machine_is_named(name):
    assert not [r.name for r, _ in entries(name) if NOT_LOCKED.fullmatch(r.name)]
    text = (ROOT / f"{name}.lock").read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index|--find-links|(^|\s)/", text)


@both
def test_what_is_pinned_is_locked_at_that_version(name):
    text = (ROOT / f"{name}.txt").read_text(encoding="utf-8")
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.M))
    locked = versions(name)
    assert pins
    for package, version in pins.items():
        if package != "torch":
            assert locked.get(canonicalize_name(package)) == version, "run: make lock"


def test_both_locks_agree():
    book, tests = map(versions, LOCKS)
    assert {n: v for n, v in tests.items() if book.get(n, v) != v} == {}


def test_nothing_that_is_needed_is_left_out():
    """pip installs the locks as they are: what they lack is lacking."""
    locked = versions("requirements") | versions("requirements-test")
    lacking = []
    for name in [*locked, "torch"]:
        for needed in map(Requirement, metadata.requires(name) or []):
            if needed.marker and not needed.marker.evaluate({"extra": ""}):
                continue
            if NOT_LOCKED.fullmatch(needed.name):
                continue
            version = locked.get(canonicalize_name(needed.name))
            if version is None or not needed.specifier.contains(version, True):
                lacking.append(f"{name} needs {needed}, locked is {version}")
    assert lacking == []


def test_what_is_installed_is_what_is_locked():
    locked = versions("requirements") | versions("requirements-test")
    assert {name: metadata.version(name) for name in locked} == locked
