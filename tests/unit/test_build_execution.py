"""Executed chapters are reused until something they depend on changes."""

import os
from types import SimpleNamespace

import nbformat
import pytest
from sphinx.errors import ExtensionError

from build_tools import execution
from build_tools.dependencies import chapter_digest

CHAPTER = """---
kernelspec:
  name: python3
---

# A chapter

```{code-cell} ipython3
%s
```
"""
FILES = {
    "_toc.yml": "root: index\nparts:\n  - chapters:\n"
    "      - file: chapters/01-first\n      - file: chapters/02-second\n",
    "index.md": "# No code here\n",
    "chapters/01-first.md": CHAPTER % "from helpers.senses import score",
    "chapters/02-second.md": CHAPTER % "print(1)",
    "helpers/__init__.py": "",
    "helpers/senses.py": "import helpers.reading",
    "helpers/reading.py": 'FILE = "sample.tsv"',
    "helpers/unused.py": "",
    "data/sample.tsv": "first",
    "data/unused.tsv": "first",
    "requirements.txt": "one==1",
    "requirements.lock": "one==1 --hash=sha256:0",
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of two chapters, with no choice of model or data made."""
    for name in (*execution.DEFAULTS, *execution.QUIET, "OMP_NUM_THREADS"):
        monkeypatch.setenv(name, "")  # so that monkeypatch restores it
        monkeypatch.delenv(name)
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def configured(project):
    """A build of `project` after the first of the two steps."""
    config = SimpleNamespace(nb_execution_cache_path="", nb_execution_timeout=60)
    outdir = project / "_build" / "html"
    app = SimpleNamespace(srcdir=project, outdir=outdir, config=config)
    execution.configure(app, config)
    return app


def digests(project):
    paths = sorted((project / "chapters").glob("*.md"))
    return [chapter_digest(path, project) for path in paths]


FIRST, BOTH, NONE = [True, False], [True, True], [False, False]


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        ("chapters/01-first.md", CHAPTER % "from helpers.senses import other", FIRST),
        ("chapters/01-first.md", "\nMore text.", NONE),
        ("helpers/senses.py", "second", FIRST),
        ("helpers/reading.py", "second", FIRST),  # imported by what it imports
        ("helpers/unused.py", "second", NONE),
        ("data/sample.tsv", "second", FIRST),
        ("data/unused.tsv", "second", NONE),
        ("helpers/__init__.py", "second", BOTH),
        ("requirements.txt", "second", BOTH),
        ("requirements.lock", "second", BOTH),
    ],
)
def test_a_change_concerns_the_chapters_that_use_it(project, name, text, changed):
    before = digests(project)
    path = project / name
    old = path.read_text() if text.startswith("\n") or path.suffix == ".py" else ""
    path.write_text(old + text.replace("second", "\nsecond = 2"))
    after = digests(project)
    assert [a != b for a, b in zip(after, before, strict=True)] == changed


@pytest.mark.parametrize("name", sorted(execution.DEFAULTS))
def test_another_model_or_data_set_changes_every_chapter(project, monkeypatch, name):
    before = digests(project)
    monkeypatch.setenv(name, "another")
    assert not set(before) & set(digests(project))


@pytest.mark.parametrize(
    ("code", "file"),
    [
        ("from helpers.exercises import check", "helpers/checks/chapter_02.py"),
        ("from helpers.quizzes import quiz", "helpers/quizzes/chapter_02.toml"),
        ('texts = Path().glob("*.md")', "chapters/01-first.md"),
    ],
)
def test_what_is_loaded_by_name_counts(project, code, file):
    (project / "chapters/02-second.md").write_text(CHAPTER % code)
    for module in ("exercises.py", "quizzes/__init__.py", "checks/__init__.py"):
        (project / "helpers" / module).parent.mkdir(exist_ok=True)
        (project / "helpers" / module).touch()
    before = digests(project)[1]
    with (project / file).open("a") as stream:
        stream.write("\n")
    assert digests(project)[1] != before


def test_nothing_changed_reuses_the_cache(project):
    first = configured(project).config.nb_execution_cache_path
    (project / "helpers/__pycache__").mkdir()
    (project / "helpers/__pycache__/senses.pyc").write_text("compiled")
    (project / "README.md").write_text("not an input")
    assert configured(project).config.nb_execution_cache_path == first
    assert os.path.isdir(first)


def test_pages_without_code_are_not_executed(project):
    pages = execution.executable_pages(project)
    assert [page.stem for page in pages] == ["01-first", "02-second"]


def executed(project):
    (project / "chapters/01-first.md").write_text(CHAPTER % "print(6 * 7)")
    app = configured(project)
    execution.execute_chapters(app)
    return app


def test_an_executed_chapter_is_found_by_myst_nb(project):
    from jupyter_cache import get_cache

    from build_tools.dependencies import read_chapter

    app = executed(project)
    cache = get_cache(app.config.nb_execution_cache_path)
    chapter = read_chapter(project / "chapters/01-first.md")
    record, notebook = cache.merge_match_into_notebook(chapter)
    assert notebook.cells[1].outputs[0].text == "42\n"
    assert cache.get_cache_record(record).data["execution_seconds"] > 0


def test_kernels_say_nothing_of_their_own(project, capfd):
    executed(project)
    assert "WARNING" not in capfd.readouterr().err


def test_only_a_changed_chapter_is_executed_again(project, monkeypatch):
    executed(project)
    again = []
    monkeypatch.setattr(execution, "run_one", lambda path, *_: again.append(path.stem))
    with pytest.raises(FileNotFoundError):  # the stand-in writes nothing
        (project / "chapters/01-first.md").write_text(CHAPTER % "print(1 / 2)")
        execution.execute_chapters(configured(project))
    assert again == ["01-first"]


def test_a_chapter_that_fails_is_named_and_leaves_nothing(project):
    (project / "chapters/01-first.md").write_text(CHAPTER % "1 / 0")
    with pytest.raises(ExtensionError) as error:
        execution.execute_chapters(configured(project))
    assert "01-first.md failed" in str(error.value)
    assert "ZeroDivisionError" in str(error.value)
    assert "\x1b" not in str(error.value) and len(str(error.value)) < 1500
    runs = list((project / "_build/.executed").iterdir())
    assert [run.name[:9] for run in runs] == ["02-second"]
    nbformat.read(runs[0], nbformat.NO_CONVERT)


def test_chapters_get_the_embedded_model_and_the_sample(project):
    configured(project)
    assert os.environ["BERT_COURSE_MODEL"] == "embedded"
    assert os.environ["COARSE_WSD_HOME"] == os.environ["SMS_SPAM_HOME"] == "sample"


def test_a_choice_that_was_made_stays(project, monkeypatch):
    monkeypatch.setenv("BERT_COURSE_MODEL", "bert-base-uncased")
    monkeypatch.setenv("COARSE_WSD_HOME", "data")  # a folder, relative to the project
    configured(project)
    assert os.environ["BERT_COURSE_MODEL"] == "bert-base-uncased"
    assert os.environ["COARSE_WSD_HOME"] == str(project / "data")


def test_caches_of_long_ago_are_removed(project):
    caches = []
    for age, text in enumerate(["a", "b", "c", "d", "e"]):
        (project / "data/sample.tsv").write_text(text)
        caches.append(configured(project).config.nb_execution_cache_path)
        os.utime(caches[-1], (age, age))
    left = {path.as_posix() for path in (project / "_build").iterdir()}
    assert caches[-1] in left
    assert len(left) == execution.CACHES_KEPT
    assert caches[0] not in left
