"""Exported notebooks: plain Markdown, no solutions, the same bytes each time."""

import re
import subprocess
from pathlib import Path

import nbformat
import pytest
from PIL import Image

import helpers
from build_tools.book import glued_values
from build_tools.book.dependencies import name_of
from build_tools.book.execution import place_of_run
from build_tools.book.site import Site
from build_tools.notebooks import exporter, kept, pictures
from build_tools.notebooks.markdown import ExportError
from build_tools.notebooks.needed_cells import needed_cells
from helpers import plotting
from helpers._support import hosted

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
GLOSSARY = """# Glossary

```{glossary}
:sorted:
key
  What a query
  is compared with.

MLM head
  A part.

query
  What asks.
```
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
    (tmp_path / "chapters/glossary.md").write_text(GLOSSARY)
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
        ("{cite:t}`lovelace1843notes` says", f"[Lovelace (1843)]({WORK}) says"),
        ("In {ref}`second`.", "In [The second](second.ipynb)."),
        ("In {ref}`the next <second>`.", "In [the next](second.ipynb)."),
        ("In {ref}`it <a-part>`.", 'In [it](second.ipynb#A-part "A part").'),
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
        ("(a-label)=\nText.", "Text."),
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


def test_the_opening_says_how_long_the_built_page_takes(export, tmp_path):
    keep(tmp_path, minutes={"core": 3, "quiz": 0, "exercises": 0, "deeper": 0})
    [first] = export("*Why?*\n\nWords.")
    opening = "# 1. The first\n\n*About 3 minutes to read.*\n\n*Why?*"
    assert first.source.startswith(opening)


def test_terms_that_are_mentioned_are_explained_at_the_end(export):
    *_, last = export("Each query asks a *key*.\n\n> **Tip**\n> \n> MLM heads.")
    rows = ["**key**: What a query is compared with.", "**MLM head**: A part."]
    rows += ["**query**: What asks."]
    assert last.source == "\n".join(["## Terms", "", *(f"- {row}" for row in rows)])
    _, glued, terms = export("It has {glue:text}`n` MLM heads.")
    assert "MLM head" not in glued.source.replace("MLM heads", "")
    assert terms.source == "## Terms\n\n- **MLM head**: A part."


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


def test_cited_works_are_listed_at_the_end(export):
    cells = export("{cite}`lovelace1843notes` and {cite:t}`lovelace1843notes`.")
    assert cells[-1].source == (
        "## References\n\n- Ada Lovelace. Notes on the Analytical engine. "
        "*Scientific Memoirs*, 1843. arXiv:1843.00001."
    )


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


BOX = re.compile(r"```\{live\} (?!search)")
WITH_BOX = [p for p in exporter.chapters() if BOX.search(p.read_text("utf-8"))]


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_BOX, ids=[p.parent.name for p in WITH_BOX])
def test_the_cell_of_a_widget_runs_and_changes_nothing(
    page, tiny_bert_folder, monkeypatch
):
    monkeypatch.setenv("BERT_COURSE_MODEL", str(tiny_bert_folder))
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    monkeypatch.setattr(plotting, "show", lambda plot: None)
    monkeypatch.chdir(page.parent)
    cells = [c.source for c in exporter.export(page).cells if c.cell_type == "code"]
    boxes = [number for number, source in enumerate(cells) if "box_" in source]
    assert boxes
    for box in boxes:
        names = {"__name__": "__main__"}
        for number in needed_cells(cells, box):
            exec(cells[number], names)
        before = dict(names)
        exec(cells[box], names)
        changed = {name for name in before if names[name] is not before[name]}
        assert {name for name in changed if not callable(before[name])} == set()


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


def keep(root, **kept_before):
    """Write the notebook of the first chapter as an earlier export has left it."""
    (root / "notebooks").mkdir(exist_ok=True)
    metadata = {kept.PLACE: kept_before}
    notebook = nbformat.v4.new_notebook(metadata=metadata)
    nbformat.write(notebook, root / "notebooks/first.ipynb")


def test_before_its_first_run_such_text_shows_the_values_of_the_book(export, tmp_path):
    keep(tmp_path, values={"n": 3, "word": "a*b"})
    _, cell = export("Of {glue:text}`n` it has {glue:text}`word`.")
    [output] = cell.outputs
    text, mark = output.data["text/markdown"].split("\n\n")
    assert text == r"Of 3 it has a\*b." and "of the built book" in mark
    _, cell = export("{glue:text}`n` and {glue:text}`new`.")
    assert cell.outputs == []


def run_of_first(root, *htmls, share=0):
    """Put a run of the first chapter, as it is, into the place where runs are kept.

    Each cell shows HTML; the last glues a share.
    """
    page = root / "chapters/first/index.md"
    cells = [nbformat.v4.new_markdown_cell("Why?")]
    for html in htmls:
        shown = nbformat.v4.new_output("display_data", {"text/html": html})
        line = nbformat.v4.new_output("stream", text="Model: small")
        cells.append(nbformat.v4.new_code_cell("", outputs=[line, shown]))
    glued = nbformat.v4.new_output("display_data", {glued_values.RECORD: str(share)})
    glued.metadata["scrapbook"] = {"name": "share"}
    cells.append(nbformat.v4.new_code_cell("", outputs=[glued]))
    run = place_of_run(page, root)
    run.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), run)
    (root / "notebooks").mkdir(exist_ok=True)
    return page


GLUED = cell("share = ...") + "\nIt is {glue:text}`share`.\n"


def shares(page, root):
    """The shares that a page's notebook, exported now, shows and keeps."""
    path = exporter.write_one(page, root, kept.renewed(page, root))
    notebook = nbformat.read(path, nbformat.NO_CONVERT)
    [output] = [c.outputs[0] for c in notebook.cells if c.get("outputs")]
    shown = re.search(r"It is (.+)\.", output.data["text/plain"])[1]
    return shown, notebook.metadata[kept.PLACE]["values"]["share"]


@pytest.fixture
def first(export, tmp_path, project_files):
    """The page of a chapter that glues a share, and its root."""
    export(GLUED)
    return tmp_path / "chapters/first/index.md", tmp_path


@pytest.fixture
def project_files(tmp_path):
    """What the digest of a page's run asks for."""
    (tmp_path / "helpers").mkdir()
    for name in ("helpers/__init__.py", "requirements.txt", "requirements.lock"):
        (tmp_path / name).write_text("")


def test_values_stay_as_long_as_the_code_that_made_them(first):
    page, root = first
    run_of_first(root, share=1.12345678)
    assert shares(page, root) == ("1.12346", 1.12346)
    run_of_first(root, share=2)  # by another machine
    assert shares(page, root) == ("1.12346", 1.12346)
    page.write_text(page.read_text().replace("It is", "More words. It is"))
    assert shares(page, root) == ("1.12346", 1.12346)
    page.write_text(page.read_text().replace("share = ...", "share = 3"))
    with pytest.raises(ValueError, match="make book first"):
        kept.renewed(page, root)
    run_of_first(root, share=3)
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


def test_an_exercise_says_which_cells_its_solution_uses(export):
    above = cell("import math\nx = 1", "hide-input") + "\n## Part\n\n" + cell("y = x")
    above += cell("z = 2") + "\n## Exercises\n\n"
    for solution, said in (
        ("f = y", "`` x = 1 `` (at the top), `` y = x `` (Part)"),
        ("f = math.pi", "`` x = 1 `` (at the top)"),
        ("f = 42", "none of the others"),
    ):
        cells = export(above + EXERCISE.replace("f = 42", solution))
        [task] = [c.source for c in cells if "### Exercise" in c.source]
        assert said in task.split("\n\n")[-2] and task.endswith("Do it.")


def test_a_check_brings_what_it_needs(export):
    first, second = 'check("first.1", f)', 'check("first.2", f)'
    cells = export(cell(f"from helpers.exercises import check\n{first}") + cell(second))
    sources = [c.source for c in cells if "check(" in c.source]
    assert [source.count("import check") for source in sources] == [1, 1]
    assert sources[1].endswith(second)


def test_an_open_question_has_a_place_for_words_and_a_folded_rubric(export):
    rubric = "```{admonition} A good answer\n:class: dropdown\n- names it\n```"
    question, place, folded, after = export(f"Why?\n\n{rubric}\n\n{cell('x = 1')}")
    assert question.source.endswith("Why?")
    assert place.cell_type == "markdown" and place.source.startswith("*Your answer")
    assert folded.source == (
        "<details><summary>A good answer</summary>\n\n- names it\n\n</details>"
    )
    assert after.source == "x = 1"


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


def test_hidden_cells_stay_hidden(export):
    _, hidden, open_cell = export(cell("x = 1", "remove-cell") + cell("x"))
    assert hidden.metadata["jupyter"]["source_hidden"]
    assert "jupyter" not in open_cell.metadata


def test_no_notebook_holds_what_only_sphinx_reads():
    sphinx = re.compile(r"\{[\w:-]+\}`|^`{3,}\{|^:::|^\(.*\)=$", re.M)
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        for cell in nbformat.read(path, 4).cells:
            if cell.cell_type == "markdown":
                assert not sphinx.search(cell.source), path.name


def test_notebooks_out_of_step_are_named_and_written(first, monkeypatch):
    _, root = first
    monkeypatch.setattr(exporter, "DEFAULTS", {})
    monkeypatch.setattr(exporter.pictures, "main", lambda root: None)
    (root / "notebooks").mkdir()
    (root / "notebooks/gone.ipynb").write_text("")
    assert exporter.out_of_step(root) == ["first.ipynb", "gone.ipynb"]
    exporter.write_asked([], root)
    assert exporter.out_of_step(root) == []


def test_a_notebook_of_no_page_is_told_in_a_line(capsys):
    with pytest.raises(SystemExit):
        exporter.main(["hidden-words"])
    assert "no page 'hidden-words'; there are using-this-course" in (
        capsys.readouterr().err
    )


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
