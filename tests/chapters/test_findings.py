"""What a page says of its run was written by a person, stands there, and holds."""

import re

import jupytext
import pytest

from build_tools.book import findings, glued_values
from build_tools.book.dependencies import name_of, read_chapter
from build_tools.book.execution import DEFAULTS, run_of
from build_tools.notebooks.exporter import ROOT, chapters
from tests.fixtures import save_random_bert

PAGES = [page for page in chapters() if findings.findings_of(page)]
CELL = re.compile(r"^```\{code-cell\}.*?^```$", re.M | re.S)
MARKUP = re.compile(r"[*`>]|\{[a-z]+\}")
KINDS = {"model", "mathematics", "data", "results"}
WORDS_GLUED = 3
each_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


@pytest.fixture(autouse=True)
def of_the_book(monkeypatch):
    """The book that anyone gets, whatever data the tests run on themselves."""
    for name, value in DEFAULTS.items():
        monkeypatch.setenv(name, value)


def plain(text):
    """Text without cells and markup, its words one blank apart."""
    return " ".join(MARKUP.sub("", CELL.sub("", text)).split())


@each_page
def test_the_words_of_each_claim_stand_on_the_page_below_it(page):
    after = [""]
    for cell in reversed(jupytext.read(page).cells):
        if cell.cell_type != "code":
            after.append(plain(cell.source) + " " + after[-1])
        elif "claim(" in cell.source:
            for said in findings.claims_in(cell.source):
                assert said.words, f"no literal words: {said.condition}"
                assert plain(said.words) in after[-1], said.words
                assert said.about in KINDS


@each_page
def test_no_claim_is_made_twice(page):
    words = [found.words for found in findings.findings_of(page)]
    assert len(words) == len(set(words))


@each_page
def test_all_claims_hold_in_the_book(page):
    told = findings.held_in(run_of(page, ROOT))
    assert set(told) == {found.words for found in findings.findings_of(page)}
    assert {w: t["found"] for w, t in told.items() if not t["holds"]} == {}


@each_page
def test_no_sentence_is_put_together_by_the_run(page):
    values = glued_values.values_of(run_of(page, ROOT))
    texts = [value for value in values.values() if isinstance(value, str)]
    assert [t for t in texts if len(t.split()) > WORDS_GLUED] == []


@pytest.fixture(scope="module")
def random_folder(tmp_path_factory):
    """A folder with a random BERT of the size of the embedded model."""
    from transformers import BertConfig

    from helpers.models import embedded_encoder

    config = BertConfig.from_pretrained(embedded_encoder())
    return save_random_bert(config, tmp_path_factory.mktemp("random"))


@pytest.mark.slow
@each_page
def test_a_random_model_fails_what_is_said_of_the_trained_one(
    page, random_folder, monkeypatch
):
    """And nothing else: mathematics, data and kept results are as they were."""
    from jupyter_cache.executors.utils import single_nb_execution

    monkeypatch.setenv("BERT_COURSE_MODEL", str(random_folder))
    source = read_chapter(page)
    source.cells = list(before_exercises(source.cells))
    ran = single_nb_execution(
        source, cwd=str(page.parent), timeout=600, allow_errors=False
    )
    assert ran.err is None, ran.exc_string[-2000:]
    for words, told in findings.held_in(ran.nb).items():
        assert told["holds"] == (told["about"] != "model"), words


def before_exercises(cells):
    """Yield the cells of a page but those of its quiz and exercises."""
    left_out = False
    for cell in cells:
        for title in re.findall(r"^## (.+)$", cell.source, re.M):
            left_out = title in ("Quiz", "Exercises")
        if cell.cell_type != "code" or not left_out:
            yield cell
