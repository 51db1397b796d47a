"""The machine's places in the book, and what its page takes from there."""

import json
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from build_tools.machine import page, places, readings
from build_tools.print import markdown_twins
from tests.sphinx_book import sphinx_book

SOURCE = """# Steps

::::::{machine}
:pairs: A [MASK]. / The [MASK].; One [MASK]. / Two [MASK].

:::::{machine-step} pieces Text <b> to pieces
It cuts them. {ref}`More <there>`.

```python
tokens = cut("<b>")
```
:::::
::::::

(there)=
## There
"""
CONF = """
import sys
sys.path.insert(0, {root!r})
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
def setup(app):
    from build_tools.machine import places
    places.setup(app)
"""
STILLS = {
    "layers": 6,
    "still": {"svg": "<svg></svg>", "words": "“A” & more"},
    "hero": {"svg": "<svg></svg>", "words": "“A”"},
}


@pytest.fixture
def built(tmp_path, monkeypatch):
    """Build a book of two pages; returns them, and what the page is written of."""
    source, written = tmp_path / "source", {}
    (source / "chapters").mkdir(parents=True)
    (source / "index.md").write_text(
        "# Book\n\n```{machine-front}\n```\n\n```{toctree}\nchapters/steps\n"
        "chapters/using-this-course\n```\n"
    )
    (source / "chapters/steps.md").write_text(SOURCE)
    (source / "chapters/using-this-course.md").write_text("# Start\n")
    (source / "conf.py").write_text(CONF.format(root=str(page.payload.ROOT)))
    asked = []
    monkeypatch.setattr(
        places, "stills", lambda root, pairs: asked.append(pairs) or STILLS
    )
    monkeypatch.setattr(page, "write", lambda *values: written.update(values=values))
    with sphinx_book(source, tmp_path / "out", conf=source) as app:
        app.build()
    read = lambda name: (tmp_path / f"out/{name}.html").read_text("utf-8")  # noqa: E731
    return SimpleNamespace(
        front=BeautifulSoup(read("index"), "html.parser"),
        steps=BeautifulSoup(read("chapters/steps"), "html.parser"),
        written=written["values"],
        asked=asked,
    )


def test_the_book_shows_the_machine_and_leads_to_it(built):
    pairs = [["A [MASK].", "The [MASK]."], ["One [MASK].", "Two [MASK]."]]
    assert built.asked[0] == pairs
    links = [link["href"] for link in built.front.select(".machine-front a")]
    assert links == [
        "machine.html#tour-1",
        "chapters/using-this-course.html",
        "machine.html",
    ]
    assert "Six layers later" in built.front.select_one(".machine-front").text
    assert built.steps.select_one("figure a")["href"] == "../machine.html"
    assert built.steps.figcaption.text == "“A” & more"
    _, _, given, steps, _ = built.written
    assert (given, steps) == (pairs, "chapters/steps")


def test_its_page_takes_words_code_and_links_of_each_step(built):
    told = BeautifulSoup(built.written[-1], "html.parser")
    [step] = told.select("[data-step=pieces]")
    assert step["data-title"] == "Text <b> to pieces"
    assert step.pre.text == 'tokens = cut("<b>")'
    assert step.a["href"] == "chapters/#there"
    assert not step.select("h2, button, .headerlink")


def test_a_page_for_programs_does_not_take_it_for_a_page_of_the_book(built):
    text = markdown_twins.twin_of(str(built.steps.select_one("section")))
    assert "(../machine.html)" in text and "machine.md" not in text


def test_a_text_with_another_number_of_pieces_is_told_in_one_line(
    tmp_path, monkeypatch
):
    problem = {"problem": "“a” and “b” have different numbers of pieces"}
    node = SimpleNamespace(ask=lambda **_: problem)
    monkeypatch.setattr(readings.drawing, "NODE", node)
    monkeypatch.setattr(readings.payload, "places", lambda root: {})
    with pytest.raises(readings.ExtensionError, match="different numbers of pieces"):
        readings.made(tmp_path, [["a", "b"]])
    assert not list(tmp_path.rglob("machine-*"))


def test_what_the_script_is_told_cannot_end_its_element():
    told = page.in_html({"text": "</script><b>"})
    assert "<" not in told and json.loads(told) == {"text": "</script><b>"}
