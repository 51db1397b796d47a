"""Slides: what a deck holds, and that it needs nothing from elsewhere."""

import html
import os
import re
from unittest import mock

import pytest

from build_tools.book.execution import DEFAULTS, run_of
from build_tools.print.pictures import Picture, pictures_of
from build_tools.print.plots import EXECUTED, plots_of
from helpers.exercises.chapters import ROOT, chapters
from teaching.slides import __main__ as command
from teaching.slides.deck import BESIDE, _clipped
from teaching.slides.outline import Reader

SLUGS = list(chapters())
OBJECTIVES = re.compile(r"^`{3}\{admonition\} After this .*?^`{3}$", re.M | re.S)
MARKUP = re.compile(
    r"\{(?:glue|ref|cite|doc|term|numref|math)[:}]|\{admonition|`{3}\w* \S"
)


@pytest.fixture(scope="module", autouse=True)
def settings_of_the_book():
    """Those of a book that was built with no choice; what a deck sets is undone."""
    with mock.patch.dict(os.environ, DEFAULTS):
        yield


@pytest.fixture(scope="module")
def decks():
    """{slug: Deck} of all chapters."""
    return dict(zip(SLUGS, command.decks(), strict=True))


def words(text):
    return re.findall(r"[a-z]+", text.lower())


@pytest.mark.parametrize("slug", SLUGS)
def test_a_deck_has_12_to_20_slides_and_every_objective(decks, slug):
    text = decks[slug].markdown()
    body = text.split("---\n", 2)[2]
    assert len(re.split(r"^---$", body, flags=re.M)) == len(decks[slug].slides)
    assert 12 <= len(decks[slug].slides) <= 20
    [box] = OBJECTIVES.findall(chapters()[slug].page.read_text(encoding="utf-8"))
    said = " ".join(words(text))
    objectives = re.split(r"^- ", box, flags=re.M)[1:]
    assert objectives
    for objective in objectives:
        plain = re.sub(r"\{\w+\}`([^`<]+?)(?: <[^`]*>)?`|`{3}$", r"\1", objective)
        assert " ".join(words(plain)) in said, objective


@pytest.mark.parametrize("slug", SLUGS)
def test_a_deck_has_no_markup_of_the_book_and_describes_its_pictures(decks, slug):
    text = decks[slug].markdown()
    assert not MARKUP.search(text)
    pictures = decks[slug].pictures.keys() | decks[slug].plots.keys()
    shown = dict(re.findall(r'<img src="pictures/([^"]+)" alt="([^"]+)">', text))
    assert shown.keys() == pictures
    said = {html.unescape(alt) for alt in shown.values()}
    assert said <= {block.alt for block in decks[slug].blocks if len(block.alt) > 20}
    page = chapters()[slug].page.read_text(encoding="utf-8").split("\n## Quiz\n")[0]
    assert said >= set(re.findall(r"^:alt: (.+)$", page, re.M))


def test_no_plot_of_a_page_is_overlooked():
    """Each script that draws in an executed page is a Plot with a description."""
    found = {}
    for slug, chapter in chapters().items():
        cells = run_of(chapter.page, ROOT).cells
        outputs = [cell.get("outputs", []) for cell in cells]
        scripts = [EXECUTED in o.get("data", {}) for part in outputs for o in part]
        found[slug] = [plot for part in outputs for plot in plots_of(part)]
        assert len(found[slug]) == sum(scripts), slug
    assert sum(map(len, found.values())) > 40
    assert all(len(plot.alt) > 20 for plots in found.values() for plot in plots)


def test_no_picture_of_a_page_is_overlooked(decks):
    """The outline has each that a cell before the quiz has drawn, a deck some."""
    counts = {}
    for slug, chapter in chapters().items():
        drawn = [
            picture
            for cell in cells_before_the_quiz(run_of(chapter.page, ROOT).cells)
            for output in cell.get("outputs", [])
            for picture in pictures_of(output.get("data", {}).get("text/html", ""))
        ]
        views = [(b.source, b.alt) for b in decks[slug].blocks if b.kind == "view"]
        assert [view for view in views if Picture(*view) in drawn] == [
            (picture.svg, picture.alt) for picture in drawn
        ], slug
        shown = b"".join(decks[slug].pictures.values())
        assert not drawn or any(p.svg[5:].encode() in shown for p in drawn), slug
        counts[slug] = len(drawn)
    assert counts["tensors"] > 5


def cells_before_the_quiz(cells):
    for cell in cells:
        if re.search("^## Quiz$", cell.source, re.M):
            return
        yield cell


def test_predictions_and_two_questions_are_asked_before_they_are_answered(decks):
    for deck in decks.values():
        titles = [re.search(r"^# (.+)$", s, re.M)[1] for s in deck.slides]
        asked = [n for n, title in enumerate(titles) if title == "Predict first"]
        assert asked and all(titles[n + 1] == "What came out" for n in asked)
        assert titles[-4:] == ["Which one?", "Which one: the answer"] * 2
        assert all(slide.count("Right.**") == 1 for slide in deck.slides[-3::2])


def test_text_is_cut_between_sentences_and_is_never_empty():
    sentence = "This is one sentence of a good length. "
    cut = _clipped(sentence * 40, BESIDE)
    assert len(cut) <= BESIDE and cut.endswith("length.")
    assert _clipped("x" * 1000, BESIDE) == "x" * 1000


def test_a_directive_of_no_slide_is_left_out():
    chapter = chapters()["attention"]
    reader = Reader(chapter.page, ROOT, "")
    text = '# A\n\n```{admonition} "Box"\nIt is {glue:text}`n:.1f`.\n```\n\n'
    text += "```{exercise-start} 1\n:label: x\n```\n"
    heading, box = reader.blocks(text, {"n": 0.25})
    assert (heading.kind, box.text, box.glued) == ("heading", "It is 0.2.", True)


@pytest.mark.parametrize(
    "arguments, said",
    [(["no-such-chapter"], "there is no chapter 'no-such-chapter'"), ([], "make book")],
)
def test_bad_input_gets_one_line(tmp_path, capsys, monkeypatch, arguments, said):
    if not arguments:
        monkeypatch.setattr(
            command, "run_of", lambda page, root: run_of(page, tmp_path)
        )
        monkeypatch.setattr("build_tools.book.execution.chapter_digest", lambda *_: "0")
    with pytest.raises(SystemExit):
        command.main([str(tmp_path / "slides"), *arguments])
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
    assert not list(tmp_path.iterdir())
