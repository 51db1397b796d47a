"""A page says the day on which git last saw it change, and none where git cannot."""

import os
import subprocess

import pytest
import yaml

from helpers.exercises.chapters import ROOT
from tests.sphinx_book import sphinx_book

BOOK = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]
SETTINGS = {
    name: value
    for name, value in BOOK["config"].items()
    if name.startswith(("git_", "html_last_", "suppress_"))
}
DAYS = {"index.rst": "2024-03-24", "later": "2025-01-01"}


def git(folder, *arguments, day="2024-03-24"):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{day}T23:30:00Z")
    command = ["git", "-C", folder, *who, *arguments]
    subprocess.run(command, env=os.environ | dates, check=True, capture_output=True)


def unknown(folder, monkeypatch):
    return folder


def known(folder, monkeypatch):
    git(folder, "init", "--quiet")
    for name, day in DAYS.items():
        (folder / name).touch()
        git(folder, "add", name)
        git(folder, "commit", "--quiet", "-m", name, day=day)
    return folder


def without_git(folder, monkeypatch):
    known(folder, monkeypatch)
    monkeypatch.setenv("PATH", "")
    return folder


def cut_off(folder, monkeypatch):
    git(folder.parent, "clone", "-q", "--depth=1", known(folder, None).as_uri(), "cut")
    return folder.parent / "cut"


@pytest.mark.parametrize(
    ("make", "said"),
    [(known, "24 March 2024"), (unknown, ""), (without_git, ""), (cut_off, "")],
)
def test_a_page_says_the_day_of_its_last_commit_where_git_knows_it(
    tmp_path, monkeypatch, make, said
):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "index.rst").write_text("Book\n====\n\nA sentence.\n")
    assert "sphinx_last_updated_by_git" in BOOK["config"]["extensions"]
    settings = SETTINGS | {
        "extensions": ["sphinx_last_updated_by_git"],
        "html_theme": "sphinx_book_theme",
    }
    folder, out = make(folder, monkeypatch), tmp_path / "out"
    with sphinx_book(folder, out, settings, strict=True) as app:
        app.build()
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "A sentence." in page
    assert make is without_git or "_sources/index.rst" in page
    lines = " ".join(page.split())
    assert f"Last updated on {said}" in lines if said else "Last updated" not in lines
