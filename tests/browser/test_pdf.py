"""The PDF: what a page hides is printed, views become pictures, links stay."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader

from build_tools import pdf
from helpers.attention.views import PAGE_STYLE

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]

PAGE = f"""<!doctype html><html lang="en"><title>Book</title><body>
<h1>The book</h1><a href="#there">onwards</a>
<details><summary>Quiz</summary><p>the explanation</p></details>
<div class="attention-view"><iframe srcdoc="<p>the live view</p>"></iframe>
<svg width="200" height="30"><text y="20">the picture</text></svg>{PAGE_STYLE}</div>
<h2 id="there">The end</h2></body></html>"""


@pytest.fixture(scope="module")
def reader(chromium_path, tmp_path_factory):
    """Print the page as `make pdf` does; returns a reader of the PDF."""
    folder = tmp_path_factory.mktemp("print")
    (folder / "page.html").write_text(PAGE)
    command = [sys.executable, "-m", "build_tools.pdf", "page.html", "book.pdf"]
    environment = os.environ | {"CHROMIUM": chromium_path, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=120)
    assert sorted(path.name for path in folder.iterdir()) == ["book.pdf", "page.html"]
    return PdfReader(folder / "book.pdf")


def test_nothing_is_hidden_in_print(reader):
    assert "the explanation" in reader.pages[0].extract_text()


def test_a_view_is_printed_as_its_picture(reader):
    text = reader.pages[0].extract_text()
    assert "the picture" in text and "the live view" not in text


def test_links_and_headings_lead_on(reader):
    links = [note.get_object() for note in reader.pages[0]["/Annots"]]
    assert any(link["/Subtype"] == "/Link" for link in links)
    assert "The end" in str(reader.outline)


def test_without_a_page_it_says_what_to_run(tmp_path, capsys):
    with pytest.raises(SystemExit):
        pdf.main([str(tmp_path / "none.html"), str(tmp_path / "book.pdf")])
    assert "run make pdf" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
