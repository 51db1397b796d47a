"""The EPUB: what becomes of scripts, what its files declare, and that it is checked."""

import io
import re
import shutil
import zipfile
from types import SimpleNamespace
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image
from sphinx.errors import ExtensionError

from build_tools.print.epub import __main__ as command
from build_tools.print.epub import builder, checker, pages, strict
from helpers.exercises.chapters import ROOT
from helpers.plotting.pictures import slide
from tests.sphinx_book import sphinx_book

FORMULA = r'<p>Take <span class="math">\(\frac{a}{b} < 1\)</span>.</p>'
PLOT = '<div class="dark-with-page" id="u1" data-root-id="p1"></div>'
SCRIPT = """const docs_json = {"roots": [{"type": "object", "name": "Title",
 "attributes": {"text": "Loss"}}, {"type": "object", "name": "LinearAxis",
 "attributes": {"axis_label": "step"}}]};"""
CHAPTER = r"""
First
=====

.. math:: a^2

Part one
--------

Text.

.. raw:: html

   <svg viewbox="0 0 9 9" aria-hidden="true"><path d="M0 0"/></svg>
   <p><a href="second.html#part-two">on</a></p><script>alert(1)</script>
"""
SECOND = "Second\n======\n\nPart two\n--------\n\nText.\n"


def soup_of(html):
    return BeautifulSoup(html.replace(" < ", " &lt; "), "html.parser")


def cleaned(html):
    soup = soup_of(html)
    strict.clean(soup)
    return str(soup)


def test_formulas_become_mathml_that_keeps_its_tex():
    soup = soup_of(
        FORMULA + '<div class="math"><span class="eqno">(1)</span>\\[x^2\n+ y\\]</div>'
    )
    pages.put_formulas(soup, ROOT)
    inline, displayed = soup.select("math")
    assert inline.find("mfrac") and displayed.find("msup")
    assert displayed["display"] == "block" and inline.get("display") != "block"
    assert inline["alttext"] == r"\frac{a}{b} < 1"
    assert displayed["alttext"] == "x^2 + y"
    assert "\\" not in soup.get_text() and "(1)" in soup.get_text()
    with pytest.raises(ExtensionError, match=r"cannot read \\frac\{a\}\{b < 1"):
        pages.put_formulas(soup_of(FORMULA.replace("{b}", "{b")), ROOT)


def a_run():
    """An executed notebook that has drawn one plot."""
    script = {"application/javascript": SCRIPT, pages.plots.EXECUTED: ""}
    outputs = [
        new_output("display_data", {"text/html": PLOT}),
        new_output("display_data", script),
    ]
    return new_notebook(cells=[new_code_cell("", outputs=outputs)])


def test_a_plot_becomes_a_described_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(
        pages.plots, "draw", lambda plots: {plot.place: b"drawn" for plot in plots}
    )
    soup = soup_of(f"<p>before</p>{PLOT}")
    pages.put_pictures(soup, a_run(), tmp_path / "_images", "../_images", "attention")
    assert soup.img["src"] == "../_images/plot-attention-1.png"
    assert soup.img["alt"] == "Plot: Loss. Axes: step."
    assert (tmp_path / "_images/plot-attention-1.png").read_bytes() == b"drawn"
    assert not soup.select("[data-root-id]")
    soup = soup_of(PLOT.replace("u1", "u2"))  # it has not run
    with pytest.raises(ExtensionError, match="attention: the page shows a plot"):
        pages.put_pictures(soup, a_run(), tmp_path, "_images", "attention")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>a<script>b</script><button>c</button><!-- d --></p>", "<p>a</p>"),
        ("<p hidden>a<noscript>b</noscript></p>", "<p>a</p>"),
        ('<p id="a"></p><p id="a">b</p>', '<p id="a"></p><p>b</p>'),
        ('<td valign="top" width="50%"></td>', '<td style="width: 50%; "></td>'),
        ('<p style="color:var(--c, #111)"></p>', '<p style="color:#111"></p>'),
        ('<a href="../b.html#c">d</a>', '<a href="../b.xhtml#c">d</a>'),
        ('<a href="https://e.org/b.html">d</a>', '<a href="https://e.org/b.html">d</a>'),
        ('<a href="https://doi.org/1(2)6&lt;3:A;2-9">d</a>',
         '<a href="https://doi.org/1(2)6%3C3:A;2-9">d</a>'),
        ('<svg viewbox="0 0 1 1"><lineargradient></lineargradient></svg>',
         '<svg viewBox="0 0 1 1" xmlns="http://www.w3.org/2000/svg">'
         "<linearGradient></linearGradient></svg>"),
        ('<div class="admonition dropdown"><p class="admonition-title">'
         'To <a href="#e">it</a></p><p>a</p></div>',
         '<details class="admonition dropdown"><summary class="admonition-title">'
         "To it</summary><p>a</p></details>"),
        ('<summary><p class="collapsed">Show</p><p class="expanded">Hide</p></summary>',
         '<summary><span class="collapsed">Show</span></summary>'),
        ('<details name="a" open=""></details>', '<details open=""></details>'),
        ('<li>much<span class="live-bar" style="--share:0.92"></span>92 %</li>',
         '<li>much <span class="live-bar" style="width: 46%"></span> 92 %</li>'),
        ('<math><mtable halign="left"></mtable></math>',
         "<math><mtable></mtable></math>"),
    ],
)  # fmt: skip
def test_a_page_needs_no_script_and_is_strict(before, after):
    assert cleaned(before) == after


def test_a_slider_is_still_and_shows_the_state_that_it_starts_with():
    frames = [(f"Step {n}.", f"<svg><title>{n}</title></svg>") for n in "123"]
    with mock.patch("IPython.display.display") as display:
        slide("rate:", frames, start=1)
    soup = soup_of(cleaned(display.call_args.args[0].data))
    assert soup.get_text(" ", strip=True) == "2 Step 2."
    assert not soup.select("script, input, label, [hidden]")
    assert "var(" not in str(soup)


def small_book(folder):
    """The path of the EPUB of a book with two chapters, built in a folder."""
    source = folder / "source"
    (source / "chapters").mkdir(parents=True)
    shutil.copy(ROOT / builder.PICTURE, source / "chapters")
    pages.mathml([["x", False]], ROOT)  # fetches MathJax if it is not there
    (source / "node_modules").symlink_to(ROOT / "node_modules")
    contents = ".. toctree::\n   :hidden:\n   :numbered:\n\n   first\n   second\n"
    (source / "index.rst").write_text(f"Small\n=====\n\n{contents}")
    (source / "first.rst").write_text(CHAPTER)
    (source / "second.rst").write_text(SECOND)
    stale = folder / "epub/gone.xhtml"  # of an earlier build
    stale.parent.mkdir()
    stale.write_text("<p>old</p>")
    settings = {
        "extensions": ["build_tools.print.epub"],
        "html_title": "A small book",
        "html_baseurl": "https://example.org/small/",
        "author": "Ada & Co",
        "copyright": "2026",
    }
    with sphinx_book(source, folder / "epub", settings, "epub") as app:
        app.build()
    return folder / "epub/inside-bert.epub"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The EPUB of a small book, and {name: text} of its files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder, "draw_cover", lambda page: a_picture())
        epub = small_book(tmp_path_factory.mktemp("small"))
    with zipfile.ZipFile(epub) as files:
        texts = {n: files.read(n) for n in files.namelist() if not n.endswith("png")}
    return SimpleNamespace(
        path=epub, texts={name: text.decode() for name, text in texts.items()}
    )


def a_picture():
    made = io.BytesIO()
    Image.new("RGB", (6, 9)).save(made, "PNG")
    return made.getvalue()


def test_the_package_names_the_book_and_what_its_files_hold(small):
    _, _, package = small.texts["content.opf"].partition("?>")
    package = soup_of(package)
    assert package.find("dc:creator").text == "Ada & Co"
    held = {item["href"]: item.get("properties") for item in package.select("item")}
    assert held["first.xhtml"] == "mathml svg" and held["second.xhtml"] is None
    assert held[builder.COVER] == "cover-image" and "gone.xhtml" not in held
    assert ':accessibilityFeature">MathML</meta>' in small.texts["content.opf"]
    identifier = package.find("dc:identifier").text
    assert f'name="dtb:uid" content="{identifier}"' in small.texts["toc.ncx"]


def test_the_contents_are_numbered_and_hold_sections_in_their_order(small):
    nav = soup_of(small.texts["nav.xhtml"]).nav
    assert [(link.text, link["href"]) for link in nav.select("a")] == [
        ("Title page", "title.xhtml"),
        ("Small", "index.xhtml"),
        ("1. First", "first.xhtml"),
        ("Part one", "first.xhtml#part-one"),
        ("2. Second", "second.xhtml"),
        ("Part two", "second.xhtml#part-two"),
    ]
    assert [link.text for link in nav.select("ol ol a")] == ["Part one", "Part two"]


def with_a_broken_link(epub, target):
    """Copy an EPUB, with a link that leads nowhere."""
    with zipfile.ZipFile(epub) as old, zipfile.ZipFile(target, "w") as new:
        for item in old.infolist():
            new.writestr(item, old.read(item).replace(b"#part-two", b"#nowhere"))


def test_epubcheck_is_content_or_nothing_is_replaced(
    epubcheck, small, tmp_path, capsys
):
    page = small.texts["first.xhtml"]
    assert "<script" not in page and not re.search(r"\\[(\[]", page)
    assert "Ada &amp; Co" in small.texts["title.xhtml"]
    book = tmp_path / "book.epub"
    command.main([str(small.path), str(book)])
    assert "no errors, no warnings" in capsys.readouterr().out
    assert book.read_bytes() == small.path.read_bytes()
    with_a_broken_link(small.path, tmp_path / "built.epub")
    with pytest.raises(SystemExit) as stopped:
        command.main([str(tmp_path / "built.epub"), str(book)])
    error = capsys.readouterr().err
    assert stopped.value.code == 1 and "ERROR(RSC-012)" in error
    assert error.endswith("error: epubcheck is not content\n")
    assert book.read_bytes() == small.path.read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def test_without_epubcheck_or_without_an_epub_one_line_says_so(
    small, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(checker, "JAR", tmp_path / "none.jar")
    command.main([str(small.path), str(tmp_path / "book.epub")])
    first, *_ = capsys.readouterr().out.splitlines()
    assert first == "not checked: no epubcheck: install Debian's package"
    built, other = tmp_path / "built.epub", tmp_path / "other.epub"
    for half in (None, b"PK half of it"):
        if half:
            built.write_bytes(half)
        with pytest.raises(SystemExit):
            command.main([str(built), str(other)])
        error = capsys.readouterr().err
        assert "run make epub" in error and error.count("\n") == 1
        assert not other.exists()
