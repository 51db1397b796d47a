"""The merges of the live page: those of the chapter's own functions."""

import random
from collections import Counter
from pathlib import Path

import pytest

from chapters.vocabularies import learner
from helpers import DATA
from helpers.corpus import read_documents
from tests.lifted import Cells

ROOT = Path(__file__).resolve().parents[2]
ODD = [
    "aaaa aaa aa a bbbb abab baba",
    "3.14159 2653 58979 3238 31415",
    "👩‍👩‍👧 🦩🦩 flamingo🦩 flamingo",
    "e\u0301e\u0301 née ne\u0301e İstanbul ß Straße STRASSE",
    "أختي تشرب الماء والماء بارد",
    "<script>alert('alert')</script> a_b a-b ##ing ## #",
    "我的姐姐在喝水 我的姐姐\u00a0在\u2003喝水\u3000水",
    "\ufb01ne \ufb02our 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝔘𝔫𝔦 z\u200bz ΟΔΟΣ ΟΔΟΣΑ",
]
RULES = {"count": "frequent", "ratio": "ratio", "likelihood": "likelihood"}
RUN = """
import {readFileSync} from "node:fs";
import {learn, RULES, wordsOf} from "./live/model/merges.js";
const texts = JSON.parse(readFileSync(0));
const found = texts.map(text => Object.fromEntries(Object.entries(RULES).map(
  ([name, rule]) => [name, learn(wordsOf(text), rule)])));
console.log(JSON.stringify(found));
"""


def _texts():
    """Odd ones, two short of letters and so full of ties, and running text."""
    rng = random.Random(0)
    drawn = ["".join(rng.choices("ab ", k=300)), "".join(rng.choices("abc é  ", k=300))]
    alice = " ".join(read_documents(DATA / "vocabularies/alice.txt.gz")[0])
    parallel = (DATA / "vocabularies/parallel.tsv").read_text(encoding="utf-8")
    return [*ODD, *drawn, alice[:700], parallel[-700:]]


@pytest.fixture(scope="module")
def pages(node):
    """For each text, what the live page learns from it by each rule."""
    return node("--input-type=module", "--eval", RUN, given=_texts())


@pytest.fixture(scope="module")
def chapter(chapter_cells):
    """The functions with which the chapter learns, by name."""
    return Cells(chapter_cells(ROOT / "chapters/vocabularies/index.md")).defined()


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_joins_what_the_chapter_joins(pages, chapter, rule):
    score = chapter[RULES[rule]]
    for text, page in zip(_texts(), pages, strict=True):
        counts = Counter(learner.words(text.lower()))
        own = learner.learn(counts, score, len(text), mark="##")
        for step, pair in zip(page[rule], own, strict=True):
            assert tuple(step["pair"]) == pair, text
            numbers = [step[name] for name in ("n", "first", "second", "total")]
            twice = pair[0] == pair[1]
            assert step["score"] == pytest.approx(score(*numbers, twice))
