"""What a page says of its run was written by a person, stands there, and holds."""

import ast
import linecache
import re
from collections import defaultdict
from functools import cache

import pytest

import helpers
from build_tools.book import findings, glued_values
from build_tools.book.dependencies import code_in, modules_beside, name_of, read_chapter
from build_tools.book.execution import run_of
from build_tools.book.spans import spans_in
from build_tools.notebooks.exporter import ROOT, chapters
from build_tools.notebooks.needed_cells import needed_cells
from helpers import models, plotting
from tests.fixtures import save_random_bert, save_scrambled_bert
from tests.lifted import LOADS, statements

PAGES = [page for page in chapters() if findings.findings_of(page)]
KINDS = {"model", "mathematics", "data", "results"}
WORDS_GLUED = 3
# Claims that weights in random order pass by luck, until their page is written anew.
STILL_PASS = {
    "architecture": {"check-catches-nine", "mask-scale-matter"},
    "word-vectors": {"twice-wrong-pairs"},
}
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
LONG = {"encoders-today", "scaling"}  # of these, 40 seconds each
pytestmark = pytest.mark.usefixtures("of_the_book")
# A direction alone every second random model has by luck: one that fails all is enough.
SEEDS = {"judging-a-classifier": 2, "sentence-embeddings": 2, "word-senses": 2}


@each_page
def test_each_claim_stands_above_its_words_and_says_what_it_is_about(page):
    """So that a notebook, run from the top, can fill the words."""
    functions, made = functions_beside(page), set()
    for cell in read_chapter(page).cells:
        if cell.cell_type == "code":
            made |= {found.name for found in made_in(cell.source, functions)}
        else:
            bound = {name for span in spans_in(cell.source) for name in span.claims}
            assert bound <= made, f"no claim above: {bound - made}"
    assert {found.about for found in findings.findings_of(page)} <= KINDS


@each_page
def test_all_claims_hold_in_the_book_and_no_sentence_is_put_together_by_it(page):
    run = run_of(page, ROOT)
    held = findings.held_in(run)
    assert {n: r["found"] for n, r in held.items() if not r["holds"]} == {}
    values = glued_values.values_of(run).values()
    texts = [value for value in values if isinstance(value, str)]
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
    """Yield each page with a model as wide as ours, weekly where a narrow one does."""
    slow, weekly = pytest.mark.slow, pytest.mark.weekly
    assert {*AS_WIDE, *SEEDS} <= {name_of(page) for page in PAGES}
    for page in PAGES:
        name = name_of(page)
        mark = slow if name in AS_WIDE - LONG else weekly
        yield pytest.param(page, 384, 0, marks=mark, id=name)
        if name not in AS_WIDE:
            seed = SEEDS.get(name, 0)
            yield pytest.param(page, 96, seed, marks=slow, id=f"{name}, narrow")


@pytest.mark.parametrize("page, wide, seed", list(each_run()))
def test_a_random_model_fails_what_is_said_of_the_trained_one(
    page, wide, seed, random_folder, monkeypatch
):
    """And nothing else: mathematics, data and kept results are as they were."""
    for name, record in records_with(random_folder(wide, seed), page, monkeypatch):
        assert record["holds"] != (record["about"] == "model"), name


@pytest.fixture(scope="module")
def scrambled_folder(tmp_path_factory):
    return save_scrambled_bert(tmp_path_factory.mktemp("scrambled"))


@pytest.mark.weekly
@each_page
def test_weights_in_random_order_fail_what_is_said_of_the_trained_ones(
    page, scrambled_folder, monkeypatch
):
    """The better opponent: it looks as sharply as the trained model."""
    records = records_with(scrambled_folder, page, monkeypatch)
    passed = {n for n, r in records if r["holds"] and r["about"] == "model"}
    assert passed <= STILL_PASS.get(name_of(page), set())


def records_with(folder, page, monkeypatch):
    """Run a page with the model of a folder; return (name, record) of its claims.

    That of sentences and that beneath the reader too, which no variable changes. What
    comes after the last claim that a model reaches has run with the book.
    """
    monkeypatch.setenv("BERT_COURSE_MODEL", str(folder))
    monkeypatch.setattr(models, "embedded_encoder", lambda: folder)
    monkeypatch.setattr(models, "COURSE_MODEL", folder / "no weights of ours")
    monkeypatch.setenv("TQDM_DISABLE", "1")
    monkeypatch.setattr(plotting, "show", lambda plot: None)
    monkeypatch.setattr(helpers, "_glued", {})
    monkeypatch.chdir(page.parent)
    models._load_cached.cache_clear()  # a page may train it
    names, sources = {"__name__": "__main__"}, reached_by_a_model(page)
    for number, source in enumerate(sources):
        cell = f"<cell {number}>"  # where inspect finds a function's source
        linecache.cache[cell] = (len(source), None, source.splitlines(True), cell)
        exec(compile(source, cell, "exec"), names)
    made = [(n, r) for n, r in helpers._glued.items() if n.startswith(helpers.CLAIM)]
    assert bool(made) == bool(sources)
    return [(name.removeprefix(helpers.CLAIM), record) for name, record in made]


def reached_by_a_model(page):
    """The cells of a page up to the last with a claim which a model has a say in."""
    cells = before_exercises(read_chapter(page).cells)
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    pairs = [(o, part) for o, s in enumerate(sources) for part in statements(s)]
    owners, parts = zip(*pairs, strict=True)
    functions, last = functions_beside(page), -1
    for place, part in enumerate(parts):
        if not part.startswith("def ") and (made := made_in(part, functions)):
            needed = {place, *needed_cells(parts, place)}
            if any(LOADS.search(parts[index]) for index in needed):
                last = owners[place]
            else:
                assert all(found.about != "model" for found in made), part
    return sources[: last + 1]


def functions_beside(page):
    """Return {name: sources} of the functions beside a page, alone and by module."""
    code, found = code_in(page.read_text(encoding="utf-8")), defaultdict(list)
    for path in modules_beside(page, code):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                for name in (node.name, f"{path.stem}.{node.name}"):
                    found[name].append(ast.get_source_segment(source, node))
    return dict(found)


def made_in(part, functions):
    """The claims that a statement makes, itself or by functions beside the page."""
    tree = ast.parse(findings.without_magics(part))
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {name_in(call, functions) for call in calls}
    others = {name: codes for name, codes in functions.items() if name not in called}
    inner = [code for name in called & {*functions} for code in functions[name]]
    made = [claim for code in inner for claim in made_in(code, others)]
    return findings.claims_in(part) + made


def name_in(call, functions):
    """The name of a called function: `claims.sixteen` is not `texts.sixteen`."""
    full, name = ast.unparse(call), getattr(call, "attr", getattr(call, "id", None))
    return full if full in functions else name


def before_exercises(cells):
    """Yield the cells of a page but those of its quiz and exercises."""
    left_out = False
    for cell in cells:
        for title in re.findall(r"^## (.+)$", cell.source, re.M):
            left_out = title in ("Quiz", "Exercises")
        if cell.cell_type != "code" or not left_out:
            yield cell
