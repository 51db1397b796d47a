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
    "_toc.yml": "root: index\nparts:\n  - caption: Part\n    chapters:\n"
    "      - file: chapters/first/index\n      - file: chapters/second/index\n",
    "index.md": "# No code here\n",
    "chapters/first/index.md": CHAPTER % "from helpers.senses import score",
    "chapters/second/index.md": CHAPTER % "print(1)",
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
        path.parent.mkdir(parents=True, exist_ok=True)
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
    paths = sorted((project / "chapters").glob("*/*.md"))
    return [chapter_digest(path, project) for path in paths]


PAGE = "chapters/first/index.md"
FIRST, BOTH, NONE = [True, False], [True, True], [False, False]


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        (
            "chapters/first/index.md",
            CHAPTER % "from helpers.senses import other",
            FIRST,
        ),
        (PAGE, "\nMore text.", NONE),
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


@pytest.mark.parametrize("file", ["exercises.py", "quiz.toml"])
def test_the_checks_and_the_quiz_of_the_chapter_count(project, file):
    code = "from helpers.exercises import check"
    (project / "chapters/second/index.md").write_text(CHAPTER % code)
    (project / "helpers/exercises").mkdir()
    (project / "helpers/exercises/__init__.py").touch()
    (project / "chapters/second" / file).touch()
    before = digests(project)[1]
    (project / "chapters/second" / file).write_text("\n")
    assert digests(project)[1] != before


def test_the_package_of_a_module_counts(project):
    (project / "helpers/maps").mkdir()
    for name in ("__init__", "views"):
        (project / f"helpers/maps/{name}.py").touch()
    code = "from helpers.maps.views import draw"
    (project / "chapters/second/index.md").write_text(CHAPTER % code)
    before = digests(project)[1]
    (project / "helpers/maps/__init__.py").write_text("changed = 1")
    assert digests(project)[1] != before


def test_the_number_of_a_chapter_counts_where_it_is_shown(project):
    for name in ("first", "second"):
        page = project / f"chapters/{name}/index.md"
        page.write_text(CHAPTER % f'check("{name}.1")')
    before = digests(project)
    toc = project / "_toc.yml"
    lines = toc.read_text().splitlines()
    toc.write_text("\n".join([*lines[:-2], lines[-1], lines[-2]]))
    after = digests(project)
    assert not set(before) & set(after)


def test_nothing_changed_reuses_the_cache(project):
    first = configured(project).config.nb_execution_cache_path
    (project / "helpers/__pycache__").mkdir()
    (project / "helpers/__pycache__/senses.pyc").write_text("compiled")
    (project / "README.md").write_text("not an input")
    assert configured(project).config.nb_execution_cache_path == first
    assert os.path.isdir(first)


def test_pages_without_code_are_not_executed(project):
    pages = execution.executable_pages(project)
    assert [page.parent.name for page in pages] == ["first", "second"]


def executed(project):
    (project / "chapters/first/index.md").write_text(CHAPTER % "print(6 * 7)")
    app = configured(project)
    execution.execute_chapters(app)
    return app


def test_an_executed_chapter_is_found_by_myst_nb(project):
    from jupyter_cache import get_cache

    from build_tools.dependencies import read_chapter

    app = executed(project)
    cache = get_cache(app.config.nb_execution_cache_path)
    chapter = read_chapter(project / "chapters/first/index.md")
    record, notebook = cache.merge_match_into_notebook(chapter)
    assert notebook.cells[1].outputs[0].text == "42\n"
    assert cache.get_cache_record(record).data["execution_seconds"] > 0


def test_kernels_say_nothing_of_their_own(project, capfd):
    executed(project)
    assert "WARNING" not in capfd.readouterr().err


def test_only_a_changed_chapter_is_executed_again(project, monkeypatch):
    executed(project)
    again = []
    monkeypatch.setattr(
        execution, "run_one", lambda path, *_: again.append(path.parent.name)
    )
    with pytest.raises(FileNotFoundError):  # the stand-in writes nothing
        (project / "chapters/first/index.md").write_text(CHAPTER % "print(1 / 2)")
        execution.execute_chapters(configured(project))
    assert again == ["first"]


def test_a_chapter_that_fails_is_named_and_leaves_nothing(project):
    (project / "chapters/first/index.md").write_text(CHAPTER % "1 / 0")
    with pytest.raises(ExtensionError) as error:
        execution.execute_chapters(configured(project))
    assert "first failed" in str(error.value)
    assert "ZeroDivisionError" in str(error.value)
    assert "\x1b" not in str(error.value) and len(str(error.value)) < 1500
    runs = list((project / "_build/.executed").iterdir())
    assert [run.name[:6] for run in runs] == ["second"]
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
