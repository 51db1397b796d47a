"""Executed chapters are reused until something they depend on changes."""

import os
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from sphinx.errors import ExtensionError

from build_tools.book import execution, fresh_pages
from build_tools.book.dependencies import (
    chapter_digest,
    code_in,
    code_of,
    name_of,
    read_chapter,
)

ROOT = Path(__file__).resolve().parents[2]

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
    "chapters/first/job/shards.py": "",
    "chapters/first/job/test_shards.py": "",
    "chapters/terms.md": "# Terms\n\nNo code here.",
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


def pages_of(app):
    return [
        path.relative_to(app.srcdir).with_suffix("").as_posix()
        for path in app.chapter_digests
    ]


def executing(app):
    execution.execute_chapters(app, None, pages_of(app))


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
        ("chapters/first/job/shards.py", "second", FIRST),  # which the page runs
        ("chapters/first/job/test_shards.py", "second", NONE),
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


def test_a_page_counts_for_the_chapter_whose_code_names_it(project):
    code = 'print(open("../terms.md").read())'
    (project / "chapters/second/index.md").write_text(CHAPTER % code)
    before = digests(project)
    (project / "chapters/terms.md").write_text("# Terms\n\nOther terms.")
    after = digests(project)
    assert [a != b for a, b in zip(after, before, strict=True)] == [False, True]


@pytest.mark.parametrize("page", execution.executable_pages(ROOT), ids=name_of)
def test_the_cells_of_a_page_are_those_that_myst_nb_executes(page):
    cells = code_of(read_chapter(page))
    assert code_in(page.read_text(encoding="utf-8")) == cells.strip("\n")


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


def test_no_change_moves_the_cache_since_every_page_would_be_read_again(project):
    first = configured(project).config.nb_execution_cache_path
    (project / "helpers/__init__.py").write_text("second = 2")
    assert configured(project).config.nb_execution_cache_path == first


def test_pages_without_code_are_not_executed(project):
    pages = execution.executable_pages(project)
    assert [page.parent.name for page in pages] == ["first", "second"]


def executed(project):
    (project / "chapters/first/index.md").write_text(CHAPTER % "print(6 * 7)")
    app = configured(project)
    executing(app)
    return app


def test_an_executed_chapter_is_found_by_myst_nb(project):
    from jupyter_cache import get_cache

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
        executing(configured(project))
    assert again == ["first"]


def test_a_chapter_that_fails_is_named_and_leaves_nothing(project):
    (project / "chapters/first/index.md").write_text(CHAPTER % "1 / 0")
    with pytest.raises(ExtensionError) as error:
        executing(configured(project))
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


def outputs_in_cache(app):
    """What myst-nb finds for the first chapter."""
    from jupyter_cache import get_cache

    cache = get_cache(app.config.nb_execution_cache_path)
    chapter = read_chapter(app.srcdir / "chapters/first/index.md")
    return cache.merge_match_into_notebook(chapter)[1].cells[1].outputs[0].text


def test_a_changed_helper_replaces_the_outputs_of_the_same_cells(project):
    code = CHAPTER % "from helpers.reading import FILE\nprint(FILE)"
    (project / "chapters/first/index.md").write_text(
        code.replace("from", "import sys\nsys.path.insert(0, '../..')\nfrom")
    )
    executing(app := configured(project))
    assert outputs_in_cache(app) == "sample.tsv\n"
    (project / "helpers/reading.py").write_text('FILE = "other.tsv"')
    executing(app := configured(project))
    assert outputs_in_cache(app) == "other.tsv\n"


def test_only_pages_that_are_read_are_executed(project):
    app = configured(project)
    execution.execute_chapters(app, None, ["index", "chapters/second/index"])
    runs = [run.name[:6] for run in (project / "_build/.executed").iterdir()]
    assert runs == ["second"]


def outdated(project, env):
    return fresh_pages.with_other_outputs(configured(project), env, set(), set(), set())


def test_a_page_is_read_again_when_what_it_executes_has_changed(project):
    env = SimpleNamespace()
    pages = ["chapters/first/index", "chapters/second/index"]
    assert outdated(project, env) == pages
    assert outdated(project, env) == []
    (project / "helpers/reading.py").write_text('FILE = "other.tsv"')
    assert outdated(project, env) == pages[:1]
    assert outdated(project, env) == []


def choices(project):
    app = configured(project)
    fresh_pages.configure(app, app.config)
    return app.config.choices_and_tools


@pytest.mark.parametrize("name", sorted(execution.DEFAULTS))
def test_another_model_or_data_set_lets_every_page_be_read_again(
    project, monkeypatch, name
):
    before = choices(project)
    assert choices(project) == before
    monkeypatch.setenv(name, "another")
    assert choices(project) != before


def test_a_changed_tool_of_the_build_lets_every_page_be_read_again(project):
    (project / "build_tools/book").mkdir(parents=True)
    (project / "build_tools/book/views_to_files.py").touch()
    before = choices(project)
    (project / "build_tools/book/views_to_files.py").write_text("WIDTH = 3")
    assert choices(project) != before
