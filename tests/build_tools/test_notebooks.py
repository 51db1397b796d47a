"""Exported notebooks: plain Markdown, no solutions, the same bytes each time."""

import re
import subprocess
from pathlib import Path

import nbformat
import pytest
from PIL import Image

import helpers
from build_tools.book.dependencies import name_of
from build_tools.book.site import Site
from build_tools.notebooks import exporter, kept, pictures
from build_tools.notebooks.markdown import ExportError
from helpers._support import hosted
from tests import made_runs

ROOT = Path(__file__).parents[2]
SITE = Site("v1.2.3", "https://github.com/a/b", "c" * 40)
BOOK = "https://a.github.io/b/chapters"
BIB = """@article{lovelace1843notes,
  author = {Lovelace, Ada},
  title = {Notes on the {A}nalytical Engine},
  journal = {Scientific Memoirs},
  year = {1843},
  note = {arXiv:1843.00001}
}
"""
TOC = """root: index
parts:
  - caption: Part zero
    chapters:
      - file: chapters/first/index
  - caption: Part one
    chapters:
      - file: chapters/second/index
"""
SECOND = """(second)=
# The second

*What comes
second?*

(a-part)=
## A part

Text.

```python
## no heading
```

(within)=
More text.
"""
HEADER = "---\nkernelspec:\n  name: python3\n  display_name: Python 3\n---\n\n"
WORK = f"{BOOK}/references.html#ref-lovelace1843notes"
SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'


@pytest.fixture
def export(tmp_path):
    """Export a chapter with this text, of a book with an address; returns its cells."""
    for slug in ("first", "second"):
        (tmp_path / "chapters" / slug).mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (tmp_path / "references.bib").write_text(BIB)
    (tmp_path / "_toc.yml").write_text(TOC)
    (tmp_path / "chapters/second/index.md").write_text(HEADER + SECOND)
    (tmp_path / "chapters/references.md").write_text("# References\n")
    (tmp_path / "chapters/glossary.md").write_text("# Glossary\n")
    (tmp_path / "chapters/first/a.svg").write_text(SVG)

    def run(text, site=SITE):
        path = tmp_path / "chapters/first/index.md"
        path.write_text(HEADER + "(first)=\n# The first\n\n" + text)
        cells = exporter.export(path, tmp_path, site=site).cells
        assert [c.metadata.tags for c in cells[1:3]] == [["set-up"], ["switches"]]
        return [cells[0], *cells[3:]]

    return run


def cell(code, tags=""):
    tags = f":tags: [{tags}]\n" if tags else ""
    return f"```{{code-cell}} ipython3\n{tags}{code}\n```\n"


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("See {cite}`lovelace1843notes`.", f"See ([Lovelace, 1843]({WORK}))."),
        ("In {ref}`second`.", "In [The second](second.ipynb)."),
        ("In {ref}`the next <second>`.", "In [the next](second.ipynb)."),
        ("In {ref}`a-part`.", 'In [A part](second.ipynb#A-part "A part").'),
        ("In {ref}`it <within>`.", 'In [it](second.ipynb#A-part "A part").'),
        (
            "(mine)=\n## My *own*\n\n{ref}`it <mine>`",
            '## My *own*\n\n[it](#My-own "My own")',
        ),
        (
            "```{chapters} Part one\n```",
            "| chapter | the question it answers |\n|---|---|\n"
            "| [2 · The second](second.ipynb) | What comes second? |",
        ),
        ("{doc}`/chapters/references`", f"[References]({BOOK}/references.html)"),
        (
            "Take {download}`the picture <a.svg>`.",
            "Take [the picture](../chapters/first/a.svg).",
        ),
        (
            "```{admonition} Why *x*?\n:class: tip\nSo.\n```",
            "> **Why *x*?**\n> \n> So.",
        ),
        ("The role `{doc}` stays, and ``{cite}`x` ``.", None),
        ("```python\nf({1})\n```", None),
        ("- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |", None),
    ],
)
def test_myst_becomes_plain_markdown(export, text, becomes):
    cells = export(text)
    source = "\n\n".join(c.source for c in cells if "## References" not in c.source)
    assert source == "# 1. The first\n\n" + (becomes or text)


def test_without_an_address_nothing_leads_into_the_book(export):
    text = "{cite}`lovelace1843notes`, {doc}`/chapters/references`\n\n" + EXERCISE
    cells = export(text + "```{live} search\n:text: Why?\n```", Site("v1.2.3"))
    sources = "\n".join(cell.source for cell in cells)
    assert "(Lovelace, 1843), References\n" in sources
    assert "*The solution stands in the book.*" in sources
    assert "works in the book alone" in sources
    assert "http" not in sources and "](" not in sources


def test_every_link_to_a_section_of_a_notebook_names_a_heading_as_jupyterlab_does():
    read = {p.name: nbformat.read(p, 4) for p in (ROOT / "notebooks").glob("*.ipynb")}
    texts = {n: "\n".join(c.source for c in book.cells) for n, book in read.items()}
    headings = {
        name: {h.replace(" ", "-") for h in re.findall("^#+ (.+)$", text, re.M)}
        for name, text in texts.items()
    }
    links = [
        (target or name, place)
        for name, text in texts.items()
        for target, place in re.findall(r"\]\(([\w-]+\.ipynb)?#([^ )]+)", text)
    ]
    assert len(links) > 30
    assert [link for link in links if link[1] not in headings[link[0]]] == []


FIGURE = '```{figure} a.svg\n:alt: A box "a"\n\nThe caption.\n```'


def test_a_figure_travels_within_the_notebook_as_png(export, tmp_path):
    svg = tmp_path / "chapters/first/a.svg"
    (tmp_path / pictures.FOLDER).mkdir(parents=True)
    pictures.save(Image.new("RGB", (960, 2)), svg, tmp_path)
    [first] = export(FIGURE)
    start = '<img alt="A box &quot;a&quot;" width="480" src="data:image/png;base64,iVBO'
    assert start in first.source
    assert first.source.endswith("The caption.")
    svg.write_text(SVG + " ")
    with pytest.raises(ExportError, match="a.svg has changed"):
        export(FIGURE)


def test_a_widget_becomes_a_cell_to_type_in(export):
    said, code = export("```{live} next\n:first: It's I.\n:second: You.\n```")
    assert "/chapters/first/index.html#live-next" in said.source
    assert code.cell_type == "code" and """box_first = "It's I.\"""" in code.source
    with pytest.raises(ExportError, match="no cell for the live unheard"):
        export("```{live} unheard\n```")
    [said] = export("```{live} search\n:text: Why?\n```")  # left to the book
    assert said.cell_type == "markdown"
    assert "/chapters/first/index.html#live-search" in said.source


def shown(cell):
    """What a code cell that stands for text shows."""
    assert cell.metadata["jupyter"]["source_hidden"]
    assert cell.metadata["cellView"] == "form"
    return eval(cell.source.split("\n\n", 1)[1], {"glued_text": helpers.glued_text})


def test_text_with_values_speaks_of_the_run_and_stays_in_its_box(export, monkeypatch):
    monkeypatch.setattr(helpers, "_glued", {"the score": 0.8765, "n": 3})
    text = 'Of {glue:text}`n` it has {glue:text}`the score:.2f`, {"a": `{b}`} \\alpha.'
    _, cell = export(text)
    assert shown(cell).data == 'Of 3 it has 0.88, {"a": `{b}`} \\alpha.\n'
    _, cell = export("```{admonition} Note\nA {set}.\n\nIt has {glue:text}`n`.\n```")
    assert shown(cell).data == "> **Note**\n> \n> A {set}.\n> \n> It has 3.\n"


CLAIMED = "[It *turns* to {set} and {glue:text}`n`]{.claim-turns .claim-stays}."


@pytest.mark.parametrize("holds", [True, False])
def test_a_claimed_sentence_is_marked_by_the_run_where_it_fails(
    export, monkeypatch, holds
):
    record = {"holds": True, "found": "It stays.", "why": ""}
    glued = {"n": 3, "claim: turns": record | {"holds": holds}, "claim: stays": record}
    monkeypatch.setattr(helpers, "_glued", glued)
    for text in (CLAIMED, "```{admonition} Note\n" + CLAIMED + "\n```"):
        _, cell = export(text)
        words = "It *turns* to {set} and 3"
        if holds:
            assert words + "." in shown(cell).data and "mark" not in shown(cell).data
        else:
            assert f"<mark>{words}</mark> *(not so in" in shown(cell).data
            assert "> **In this run:** It stays." in shown(cell).data


def test_before_its_first_run_a_claimed_sentence_is_text_as_in_the_book(export):
    _, cell = export("[It *turns*]{.claim-turns} to {set}.")
    [output] = cell.outputs
    assert output.data["text/markdown"] == "It *turns* to {set}."


GLUED = cell("share = ...") + "\nIt is {glue:text}`share`.\n"


def shares(page, root):
    """The shares that a page's notebook, exported now, shows and keeps."""
    path = exporter.write_one(page, root, kept.renewed(page, root))
    notebook = nbformat.read(path, nbformat.NO_CONVERT)
    [output] = [c.outputs[0] for c in notebook.cells if c.get("outputs")]
    shown = re.search(r"It is (.+)\.", output.data["text/plain"])[1]
    return shown, notebook.metadata[kept.PLACE]["values"]["share"]


def test_values_stay_as_long_as_the_code_that_made_them(export, tmp_path):
    export(GLUED)
    page, root = tmp_path / "chapters/first/index.md", tmp_path
    (root / "notebooks").mkdir()
    made_runs.save(made_runs.glued_run({"share": 1.12345678}), page, root)
    assert shares(page, root) == ("1.12346", 1.12346)
    made_runs.save(made_runs.glued_run({"share": 2}), page, root)  # by another machine
    assert shares(page, root) == ("1.12346", 1.12346)
    page.write_text(page.read_text().replace("It is", "More words. It is"))
    assert shares(page, root) == ("1.12346", 1.12346)
    page.write_text(page.read_text().replace("share = ...", "share = 3"))
    with pytest.raises(ValueError, match="make book first"):
        kept.renewed(page, root)
    made_runs.save(made_runs.glued_run({"share": 3}), page, root)
    assert shares(page, root) == ("3", 3)


@pytest.mark.parametrize("page", exporter.chapters(), ids=name_of)
def test_each_value_of_a_page_is_known(page):
    names = set(re.findall(r"\{glue:text\}`([^`:]+)", page.read_text("utf-8")))
    missing = names - kept.in_notebook(page, ROOT).values.keys()
    assert not missing, f"make book, then make notebooks: {missing}"


EXERCISE = f"""```{{exercise-start}} 1 · Write it
:label: first-exercise-1
:nonumber:
```
Do it.
```{{exercise-end}}
```
{cell("def f(): ...")}
{cell('check("first.1", f)')}
````{{solution-start}} first-exercise-1
:class: dropdown
````
The secret.
{cell("f = 42", "solution-1")}
More secret.
````{{solution-end}}
````
After.
"""


def test_solutions_are_left_out_with_a_link(export):
    sources = [cell.source for cell in export(EXERCISE)]
    assert sources[0].startswith("# 1. The first\n\n### Exercise 1.1 · Write it\n\n")
    assert sources[0].endswith("\n\nDo it.") and sources[1] == "def f(): ..."
    assert sources[2].endswith('check("first.1", f)')
    link = f"{BOOK}/first/index.html#first-exercise-1"
    assert f"]({link})" in sources[3] and sources[4] == "After."
    assert not re.search("secret|42", "".join(sources))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```{unheard-of}\n```", "no export for the directive unheard-of"),
        ("{unheard}`of`", "no export for the role unheard"),
        ("{cite}`nobody1900`", "no reference nobody1900"),
        ("{doc}`third`", "there is no page third"),
        ("{download}`it <b.svg>`", "there is no file b.svg"),
    ],
)
def test_what_is_not_known_is_named(export, text, said):
    with pytest.raises(ExportError, match=f"chapters/first/index.md: {said}"):
        export(text)


def test_no_notebook_holds_what_only_sphinx_reads():
    sphinx = re.compile(r"\{[\w:-]+\}`|^`{3,}\{|^:::|^\(.*\)=$", re.M)
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        for cell in nbformat.read(path, 4).cells:
            if cell.cell_type == "markdown":
                assert not sphinx.search(cell.source), path.name


def test_notebooks_out_of_step_are_named_and_written(export, tmp_path, monkeypatch):
    export(GLUED)
    page, root = tmp_path / "chapters/first/index.md", tmp_path
    made_runs.save(made_runs.glued_run({"share": 1}), page, root)
    monkeypatch.setattr(exporter, "DEFAULTS", {})
    monkeypatch.setattr(exporter.pictures, "main", lambda root: None)
    (root / "notebooks").mkdir()
    (root / "notebooks/gone.ipynb").write_text("")
    assert exporter.out_of_step(root) == ["first.ipynb", "gone.ipynb"]
    exporter.write_asked([], root)
    assert exporter.out_of_step(root) == []


def test_a_hosted_notebook_installs_what_is_missing_and_no_more(monkeypatch):
    asked, lacking, status = [], {"pooch", "bokeh"}, 0

    def run(command):
        asked.append({word.split("==")[0] for word in command if "==" in word})
        return subprocess.CompletedProcess(command, status)

    monkeypatch.setattr(hosted.subprocess, "run", run)
    monkeypatch.setattr(hosted, "_is_installed", lambda name: name not in lacking)
    hosted.install_missing()
    assert asked == [{"pooch", "bokeh"}]
    lacking = set()
    hosted.install_missing()
    assert len(asked) == 1
    monkeypatch.setattr(hosted, "_is_installed", lambda name: False)
    hosted.install_missing()
    assert {"torch", "transformers", "bokeh", "bertviz", "scipy"} <= asked[-1]
    assert not {"jupyter-book", "onnx", "psutil"} & asked[-1]  # for the book alone
    status = 1
    with pytest.raises(SystemExit, match="could not install .*pooch=="):
        hosted.install_missing()
