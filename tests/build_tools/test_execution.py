"""Executed chapters are reused until something they depend on changes."""

from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from sphinx.errors import ExtensionError

from build_tools.book import execution, fresh_pages
from build_tools.book.dependencies import (
    chapter_digest,
    code_in,
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
    "data/results/scores.csv": "first",
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


SECOND = "chapters/second/index.md"
CHECK = CHAPTER % 'from helpers.exercises import check\ncheck("second.1")'
MAPS = CHAPTER % "from helpers.maps.views import draw"
BESIDE = CHAPTER % "from chapters.second import figures"
TERMS = CHAPTER % 'print(open("../terms.md").read())'
RESULTS = CHAPTER % 'open("../../data/results/scores.csv")'
TOC = FILES["_toc.yml"].replace("first", "?").replace("second", "first")


@pytest.mark.parametrize(
    ("page", "name", "text", "changed"),
    [
        ("", "chapters/first/index.md", CHAPTER % "import helpers.senses", "first"),
        ("", "chapters/first/index.md", FILES["chapters/first/index.md"] + "More.", ""),
        ("", "helpers/senses.py", "import helpers.reading\nsecond = 2", "first"),
        ("", "helpers/reading.py", "second = 2", "first"),  # by what it imports
        ("", "helpers/unused.py", "second = 2", ""),
        ("", "data/sample.tsv", "second", "first"),
        ("", "helpers/__init__.py", "second = 2", "first second"),
        ("", "requirements.txt", "second==2", "first second"),
        ("", "requirements.lock", "second==2", "first second"),
        (CHECK, "chapters/second/exercises.py", "\n", "second"),
        (CHECK, "chapters/second/quiz.toml", "\n", "second"),
        (CHECK, "_toc.yml", TOC.replace("?", "second"), "second"),  # its number
        ("", "chapters/first/job/shards.py", "second = 2", "first"),
        ("", "chapters/first/job/test_shards.py", "second = 2", ""),
        (TERMS, "chapters/terms.md", "# Terms\n\nOther terms.", "second"),
        (RESULTS, "data/results/scores.csv", "second", "second"),
        (MAPS, "helpers/maps/__init__.py", "second = 2", "second"),
        (BESIDE, "chapters/second/figures.py", "second = 2", "second"),
        (BESIDE, "helpers/reading.py", "second = 2", "first second"),  # by figures.py
    ],
)
def test_a_change_concerns_the_chapters_that_use_it(project, page, name, text, changed):
    for empty in ("maps/__init__", "maps/views", "exercises/__init__"):
        (project / f"helpers/{empty}.py").parent.mkdir(exist_ok=True)
        (project / f"helpers/{empty}.py").touch()
    for empty in ("exercises.py", "quiz.toml"):
        (project / "chapters/second" / empty).touch()
    (project / "chapters/second/figures.py").write_text("import helpers.reading")
    (project / SECOND).write_text(page or FILES[SECOND])
    before = digests(project)
    (project / name).write_text(text)
    differ = [a != b for a, b in zip(digests(project), before, strict=True)]
    names = zip(("first", "second"), differ, strict=True)
    assert [chapter for chapter, differs in names if differs] == changed.split()


@pytest.mark.parametrize("name", sorted(execution.DEFAULTS))
def test_another_model_or_data_set_changes_every_chapter(project, monkeypatch, name):
    before = digests(project)
    monkeypatch.setenv(name, "another")
    assert not set(before) & set(digests(project))


@pytest.mark.parametrize("page", execution.executable_pages(ROOT), ids=name_of)
def test_the_cells_of_a_page_are_those_that_myst_nb_executes(page):
    cells = (c.source for c in read_chapter(page).cells if c.cell_type == "code")
    assert code_in(page.read_text(encoding="utf-8")) == "\n".join(cells).strip("\n")


def output_in_cache(app):
    """What myst-nb finds for the first chapter, and how long it says that it took."""
    from jupyter_cache import get_cache

    cache = get_cache(app.config.nb_execution_cache_path)
    chapter = read_chapter(app.srcdir / "chapters/first/index.md")
    record, notebook = cache.merge_match_into_notebook(chapter)
    seconds = cache.get_cache_record(record).data["execution_seconds"]
    return notebook.cells[1].outputs[0].text, seconds


def test_a_changed_helper_runs_its_chapter_again_a_folded_cell_does_not(
    project, monkeypatch, capfd
):
    code = "import sys\nsys.path.insert(0, '../..')\nfrom helpers.reading import FILE"
    page = project / "chapters/first/index.md"
    page.write_text(CHAPTER % f"{code}\nprint(FILE)")
    runs, run_one = [], execution.run_one

    def run(path, *others):
        runs.append(path.parent.name)
        return run_one(path, *others)

    monkeypatch.setattr(execution, "run_one", run)
    for name in ("sample.tsv", "other.tsv"):
        (project / "helpers/reading.py").write_text(f'FILE = "{name}"')
        executing(app := configured(project))
        text, seconds = output_in_cache(app)
        assert text == f"{name}\n" and seconds > 0
    assert sorted(runs) == ["first", "first", "second"]
    folded = page.read_text().replace("import sys", ":tags: [hide-input]\nimport sys")
    page.write_text(folded)
    executing(configured(project))
    assert len(runs) == 3
    assert "WARNING" not in capfd.readouterr().err


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


def outdated(project, env):
    return fresh_pages.with_other_outputs(configured(project), env, set(), set(), set())


def test_a_page_is_read_again_when_what_it_executes_has_changed(project):
    env = SimpleNamespace(found_docs=set())
    pages = ["chapters/first/index", "chapters/second/index"]
    assert outdated(project, env) == pages
    assert outdated(project, env) == []
    (project / "helpers/reading.py").write_text('FILE = "other.tsv"')
    assert outdated(project, env) == pages[:1]
    assert outdated(project, env) == []
