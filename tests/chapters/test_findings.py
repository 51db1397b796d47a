"""What a page says of its run was written by a person, stands there, and holds."""

import re
from functools import cache

import jupytext
import pytest

import helpers
from build_tools.book import findings, glued_values
from build_tools.book.dependencies import name_of, read_chapter
from build_tools.book.execution import DEFAULTS, run_of
from build_tools.notebooks.exporter import ROOT, chapters
from build_tools.notebooks.needed_cells import needed_cells
from helpers import models, plotting
from tests.fixtures import save_random_bert
from tests.lifted import statements

PAGES = [page for page in chapters() if findings.findings_of(page)]
CELL = re.compile(r"^```\{code-cell\}.*?^```$", re.M | re.S)
MARKUP = re.compile(r"[*`>]|\{[a-z]+\}")
KINDS = {"model", "mathematics", "data", "results"}
LOADS = re.compile(r"\bload_(?:bert|sentence_encoder)\(")
WORDS_GLUED = 3
each_page = pytest.mark.parametrize("page", PAGES, ids=name_of)
# What they claim counts bytes or multiplications, or needs the width to fail.
AS_WIDE = {
    "architecture",
    "encoders-today",
    "inputs",
    "scaling",
    "seeing-attention",
    "semantic-search",
}
# A direction alone every second random model has by luck: one that fails all is enough.
SEEDS = {"judging-a-classifier": 2, "sentence-embeddings": 2, "word-senses": 2}


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
    """For width and seed, a folder with a random BERT else as the embedded model."""
    from transformers import BertConfig

    from helpers.models import embedded_encoder

    @cache
    def folder_of(wide, seed):
        config = BertConfig.from_pretrained(
            embedded_encoder(), hidden_size=wide, intermediate_size=4 * wide
        )
        folder = tmp_path_factory.mktemp(f"random-{wide}-{seed}")
        return save_random_bert(config, folder, seed)

    return folder_of


def each_run():
    """Yield each page with a model as wide as ours; weekly where a narrow one does."""
    slow, weekly = pytest.mark.slow, pytest.mark.weekly
    assert {*AS_WIDE, *SEEDS} <= {name_of(page) for page in PAGES}
    for page in PAGES:
        name = name_of(page)
        mark = slow if name in AS_WIDE else weekly
        yield pytest.param(page, 384, 0, marks=mark, id=name)
        if name not in AS_WIDE:
            seed = SEEDS.get(name, 0)
            yield pytest.param(page, 96, seed, marks=slow, id=f"{name}, narrow")


@pytest.mark.parametrize("page, wide, seed", list(each_run()))
def test_a_random_model_fails_what_is_said_of_the_trained_one(
    page, wide, seed, random_folder, monkeypatch
):
    """And nothing else: mathematics, data and kept results are as they were.

    What comes after the last claim that a model reaches has run with the book.
    """
    monkeypatch.setenv("BERT_COURSE_MODEL", str(random_folder(wide, seed)))
    monkeypatch.setenv("TQDM_DISABLE", "1")
    monkeypatch.setattr(plotting, "show", lambda plot: None)
    monkeypatch.setattr(helpers, "_glued", {})
    monkeypatch.chdir(page.parent)
    models._load_cached.cache_clear()  # a page may train it
    names, sources = {"__name__": "__main__"}, reached_by_a_model(page)
    for source in sources:
        exec(source, names)
    told = {n: t for n, t in helpers._glued.items() if n.startswith(glued_values.CLAIM)}
    assert bool(told) == bool(sources)
    for name, claim in told.items():
        assert claim["holds"] != (claim["about"] == "model"), name


def reached_by_a_model(page):
    """The cells of a page up to the last with a claim which a model has a say in."""
    cells = before_exercises(read_chapter(page).cells)
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    pairs = [(o, part) for o, s in enumerate(sources) for part in statements(s)]
    owners, parts = zip(*pairs, strict=True)
    last = -1
    for place, part in enumerate(parts):
        if not part.startswith("def ") and (said := findings.claims_in(part)):
            needed = {place, *needed_cells(parts, place)}
            if any(LOADS.search(parts[index]) for index in needed):
                last = owners[place]
            else:
                assert all(found.about != "model" for found in said), part
    return sources[: last + 1]


def before_exercises(cells):
    """Yield the cells of a page but those of its quiz and exercises."""
    left_out = False
    for cell in cells:
        for title in re.findall(r"^## (.+)$", cell.source, re.M):
            left_out = title in ("Quiz", "Exercises")
        if cell.cell_type != "code" or not left_out:
            yield cell
