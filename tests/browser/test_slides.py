"""A deck as it is shown: whole, legible and on its own."""

import os
import subprocess
import sys
from urllib.parse import unquote

import pytest

from build_tools.book.execution import DEFAULTS
from helpers.exercises.chapters import ROOT
from teaching.slides import __main__ as command

pytestmark = pytest.mark.browser
SIZES = """() => [...document.querySelectorAll("section[id]")].map(slide => [
  slide.scrollHeight - slide.clientHeight, slide.scrollWidth - slide.clientWidth,
  [...slide.querySelectorAll("img")].every(picture => picture.naturalWidth > 0)])"""
TEXT = """() => [...document.querySelectorAll("section[id]")]
  .map(slide => slide.innerText).join(" ")"""


@pytest.fixture(scope="module")
def decks(tmp_path_factory, book, chromium_path):
    """Decks as `make slides` writes them: with formulas, with pictures of cells."""
    folder = tmp_path_factory.mktemp("slides")
    # Another process: Playwright runs in this one.
    program = [
        sys.executable,
        "-m",
        "teaching.slides",
        folder,
        "word-vectors",
        "tensors",
    ]
    environment = os.environ | DEFAULTS | {"CHROMIUM": chromium_path}
    subprocess.run(program, cwd=ROOT, env=environment, check=True, timeout=300)
    return sorted(folder.glob("*.html"))


def test_nothing_is_cut_off_and_nothing_is_asked_of_elsewhere(decks, chromium):
    formulas, asked = 0, []
    for deck in decks:
        page = chromium.new_page()
        page.on("request", lambda request: asked.append(unquote(request.url)))
        page.goto(deck.as_uri())
        page.emulate_media(media="print")  # all slides at once, as on paper
        slides, text = page.evaluate(SIZES), page.evaluate(TEXT)
        formulas += page.locator("section mjx-container").count()
        page.close()
        assert 12 <= len(slides) <= 20
        assert all(slide == [0, 0, True] for slide in slides)
        assert "$" not in text
    assert len(decks) == 2 and len(asked) > 4 and formulas
    assert all(url.startswith(f"{decks[0].parent.as_uri()}/") for url in asked)


def test_who_changes_the_text_beside_a_deck_can_draw_it_again(decks):
    deck = decks[0]
    source = deck.with_suffix(".md")
    changed = source.read_text(encoding="utf-8").replace("The way", "The road")
    source.write_text(changed, encoding="utf-8")
    command.draw(deck.parent)
    assert "The road" in deck.read_text(encoding="utf-8")
