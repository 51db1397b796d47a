"""Where the course is published: nowhere in its files, else where one setting says.

What a notebook fetches from there is the commit that it was written for, or nothing.
"""

import os
import subprocess
import sys

import pytest

from build_tools.book.site import VARIABLE, Site, SiteError, address
from build_tools.notebooks import exporter

WHO = ["-c", "user.name=test", "-c", "user.email=test@localhost"]


def git(folder, *arguments):
    command = ["git", "-C", str(folder), *WHO, *arguments]
    return subprocess.check_output(command, text=True).split()


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/Ada/course.git",
        "git@github.com:Ada/course.git",
        "ssh://git@github.com:22/Ada/course.git",
        "https://GitHub.com/Ada/course",
    ],
)
def test_every_form_of_a_remote_is_one_address(remote):
    site = Site("v1", address(remote))
    assert site.url == "https://github.com/Ada/course"
    assert site.github == "Ada/course"
    assert site.book == "https://ada.github.io/course/"


def test_a_repository_that_is_the_whole_site_or_lies_elsewhere():
    assert Site("v1", "https://github.com/Ada/ada.github.io").book == (
        "https://ada.github.io/"
    )
    elsewhere = Site("v1", address("git@git.example.org:group/sub/course.git"))
    assert elsewhere.url == "https://git.example.org/group/sub/course"
    assert not elsewhere.github and not elsewhere.book
    with_port = "https://git.example.org:8443/group/course"
    assert address(f"{with_port}.git") == with_port


@pytest.mark.parametrize(
    "wrong",
    [
        "course",
        "http://github.com/Ada/course",
        "https://secret@github.com/Ada/course",
        "https://github.com:secret/Ada/course",
        'https://github.com/Ada/"; import os',
        "file:///tmp/\n",
    ],
)
def test_what_is_no_address_is_told_in_a_line_that_does_not_repeat_it(wrong):
    with pytest.raises(SiteError, match=f"{VARIABLE} is no address") as told:
        address(wrong)
    assert "\n" not in str(told.value) and "secret" not in str(told.value)


@pytest.fixture
def repository(request, tmp_path):
    """A course of one tagged version, in a repository of some name."""
    folder = tmp_path / "remote" / getattr(request, "param", "course")
    for name in ("helpers", "chapters"):
        (folder / name).mkdir(parents=True)
        text = "def install_missing():\n    print('installed')\n"
        (folder / name / "__init__.py").write_text(text)
    (folder / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=one")
    git(folder, "tag", "v1.2.3")
    return folder


BARE = (sys.executable, "-I", "-S")  # without installed packages


def run(site, folder, *python, **environment):
    """Run the set-up cell of a notebook in a folder, where nothing is installed."""
    folder.mkdir(parents=True, exist_ok=True)
    cell = f"{exporter.set_up(site)[0].source}\nimport helpers; print(helpers.__file__)"
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [*(python or BARE), "-c", cell],
        cwd=folder, env=kept | environment, capture_output=True, text=True,
    )  # fmt: skip


KAGGLE = {"KAGGLE_KERNEL_RUN_TYPE": "Interactive"}


@pytest.mark.parametrize(
    "repository", ["course.git", "another name/course"], indirect=True
)
def test_a_notebook_fetches_the_commit_that_it_pins(repository, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, repository.as_uri())
    site = Site.read(repository)
    folder = tmp_path / "student"
    done = run(site, folder, **KAGGLE)
    assert done.stdout.split() == [
        "installed",
        str((folder / "inside-bert/helpers/__init__.py").resolve()),
    ], done.stderr
    again = run(site, folder / "inside-bert/chapters", **KAGGLE)
    assert again.stdout.startswith(str(folder.resolve())), again.stderr


@pytest.mark.parametrize(
    ("name", "stops"),
    [
        ("helpers/new.py", True),
        ("data/words.csv", True),
        ("chapters/attention/index.md", False),
        ("chapters/attention/test_claims.py", False),
    ],
)
def test_a_tag_that_does_not_hold_what_notebooks_fetch_stops_the_publishing(
    repository, monkeypatch, name, stops
):
    monkeypatch.setenv(VARIABLE, repository.as_uri())
    (repository / name).parent.mkdir(parents=True, exist_ok=True)
    (repository / name).write_text("new")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=two")
    if not stops:
        assert Site.read(repository).commit
        return
    with pytest.raises(SiteError, match=f"v1.2.3, .* {name}: take a new version"):
        Site.read(repository)


def test_another_commit_under_the_same_tag_is_refused(
    repository, tmp_path, monkeypatch
):
    monkeypatch.setenv(VARIABLE, repository.as_uri())
    site = Site.read(repository)
    git(repository, "commit", "--quiet", "--allow-empty", "--message=two")
    git(repository, "tag", "--force", "v1.2.3")
    for _ in range(2):  # what was fetched the first time lies there the second
        done = run(site, tmp_path / "student", **KAGGLE)
        assert done.returncode == 1 and done.stdout == ""
        assert "not the course of this notebook" in done.stderr


@pytest.mark.parametrize("lacking", ["the tag", "the source"])
def test_a_source_or_tag_that_is_missing_is_named(repository, tmp_path, lacking):
    source = repository.as_uri() if lacking == "the tag" else "file:///no/where"
    tag = "v9.9.9" if lacking == "the tag" else "v1.2.3"
    for places, has_hint in ({VARIABLE: source}, False), (KAGGLE, True):
        done = run(Site(tag, source), tmp_path / str(has_hint), **places)
        line = done.stderr.splitlines()[-1]
        assert tag in line and source in line, done.stderr
        assert ("Settings" in line) == has_hint and done.stdout == ""


NOWHERE = Site("v1.2.3")


def test_without_an_address_the_cell_says_in_a_line_what_to_set(tmp_path):
    for places in ({}, KAGGLE):
        done = run(NOWHERE, tmp_path, **places)
        [line] = done.stderr.splitlines()
        assert VARIABLE in line and done.stdout == ""


def test_in_a_copy_of_the_course_nothing_is_fetched(repository):
    done = run(NOWHERE, repository / "notebooks")
    assert done.stdout.split("\n")[0] == str(repository / "helpers/__init__.py")


def test_where_the_course_is_installed_nothing_is_fetched(tmp_path):
    site = Site("v1", "https://github.com/Ada/course", "c" * 40)
    done = run(site, tmp_path, sys.executable)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_notebooks_in_the_project_name_no_address(monkeypatch):
    page = exporter.chapters()[0]
    before = exporter.as_text(page)
    monkeypatch.setenv(VARIABLE, "https://github.com/Ada/course")
    assert exporter.as_text(page) == before and "Ada" not in before
