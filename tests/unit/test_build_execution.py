"""Executed chapters are reused until something they depend on changes."""

import os
from types import SimpleNamespace

import pytest

from build_tools import execution


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of three files, with no choice of model or data made."""
    for name in (*execution.DEFAULTS, *execution.QUIET):
        monkeypatch.setenv(name, "")  # so that monkeypatch restores it
        monkeypatch.delenv(name)
    for name in ("helpers/senses.py", "data/sample.txt", "requirements.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("first")
    return tmp_path


def cache_of(project):
    """Configure a build of `project`; return the execution cache it will use."""
    app = SimpleNamespace(srcdir=project, outdir=project / "_build" / "html")
    config = SimpleNamespace(nb_execution_cache_path="")
    execution.configure(app, config)
    return config.nb_execution_cache_path


def test_nothing_changed_reuses_the_cache(project):
    first = cache_of(project)
    (project / "helpers/__pycache__").mkdir()
    (project / "helpers/__pycache__/senses.pyc").write_text("compiled")
    (project / "README.md").write_text("not an input")
    assert cache_of(project) == first
    assert os.path.isdir(first)


@pytest.mark.parametrize(
    "name",
    ["helpers/senses.py", "helpers/new.py", "data/sample.txt", "requirements.txt"],
)
def test_a_changed_input_changes_the_cache(project, name):
    first = cache_of(project)
    (project / name).write_text("second")
    assert cache_of(project) != first


@pytest.mark.parametrize("name", sorted(execution.DEFAULTS))
def test_another_model_or_data_set_changes_the_cache(project, monkeypatch, name):
    first = cache_of(project)
    monkeypatch.setenv(name, "another")
    assert cache_of(project) != first


def test_a_renamed_file_changes_the_cache(project):
    first = cache_of(project)
    (project / "data/sample.txt").rename(project / "data/other.txt")
    assert cache_of(project) != first


def test_chapters_get_the_embedded_model_and_the_sample(project):
    cache_of(project)
    assert os.environ["BERT_COURSE_MODEL"] == "embedded"
    assert os.environ["COARSE_WSD_HOME"] == os.environ["SMS_SPAM_HOME"] == "sample"


def test_a_choice_that_was_made_stays(project, monkeypatch):
    monkeypatch.setenv("BERT_COURSE_MODEL", "bert-base-uncased")
    monkeypatch.setenv("COARSE_WSD_HOME", "data")  # a folder, relative to the project
    cache_of(project)
    assert os.environ["BERT_COURSE_MODEL"] == "bert-base-uncased"
    assert os.environ["COARSE_WSD_HOME"] == str(project / "data")


def test_caches_of_long_ago_are_removed(project):
    caches = []
    for age, text in enumerate(["a", "b", "c", "d", "e"]):
        (project / "data/sample.txt").write_text(text)
        caches.append(cache_of(project))
        os.utime(caches[-1], (age, age))
    left = {path.as_posix() for path in (project / "_build").iterdir()}
    assert caches[-1] in left
    assert len(left) == execution.CACHES_KEPT
    assert caches[0] not in left
