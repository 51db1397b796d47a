"""A page says the day on which git last saw it change, and none where git cannot."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
BOOK = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
SETTINGS = {
    name: value
    for name, value in BOOK["sphinx"]["config"].items()
    if name.startswith(("git_", "html_last_", "suppress_"))
}
LINE = "Last updated on 24 March 2024"


def git(folder, *arguments, day="2024-03-24"):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{day}T23:30:00Z")
    subprocess.run(
        ["git", *who, *arguments],
        cwd=folder,
        env=os.environ | dates,
        check=True,
        capture_output=True,
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with one page, which git does not know; no repository around it."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "index.rst").write_text("Book\n====\n\nA sentence.\n")
    return folder


@pytest.fixture
def known(folder):
    """The folder in git: the page of one day, another file of a later one."""
    git(folder, "init", "--quiet")
    for name, day in (("index.rst", "2024-03-24"), ("later", "2025-01-01")):
        (folder / name).touch()
        git(folder, "add", name)
        git(folder, "commit", "--quiet", "-m", name, day=day)
    return folder


def _said(value):
    """A setting as the command line wants it."""
    if isinstance(value, list):
        return ",".join(value)
    return int(value) if isinstance(value, bool) else value


def page_of(folder):
    """Build with the settings of the book, a warning an error; return the page."""
    assert "sphinx_last_updated_by_git" in BOOK["sphinx"]["config"]["extensions"]
    out = folder.parent / "out"
    settings = {"extensions": "sphinx_last_updated_by_git"} | SETTINGS
    settings["html_theme"] = "sphinx_book_theme"
    given = [f"-D{name}={_said(value)}" for name, value in settings.items()]
    run = [sys.executable, "-m", "sphinx", "-qWC", *given, str(folder), str(out)]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return (out / "index.html").read_text(encoding="utf-8")


def test_a_page_says_the_day_of_its_last_commit(known):
    assert LINE in " ".join(page_of(known).split())


def test_without_a_repository_a_page_says_no_day_and_keeps_its_source(folder):
    page = page_of(folder)
    assert "A sentence." in page and "Last updated" not in page
    assert "_sources/index.rst" in page


def test_without_git_a_page_says_no_day(known, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert "Last updated" not in page_of(known)


def test_where_the_history_is_cut_off_a_page_says_no_day(known, tmp_path):
    git(tmp_path, "clone", "--quiet", "--depth=1", known.as_uri(), "shallow")
    assert "Last updated" not in page_of(tmp_path / "shallow")
