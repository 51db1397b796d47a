"""The merges of the live page: those of the chapter's own functions."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from build_tools.book import assets
from build_tools.live import looks, merges
from helpers import DATA
from helpers.corpus import read_documents

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
RUN = """
import {learn, RULES, wordsOf} from "./live/model/merges.js";
const texts = JSON.parse(await new Promise(done => {
  let come = "";
  process.stdin.on("data", part => (come += part)).on("end", () => done(come));
}));
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
def pages():
    """For each text, what the live page learns from it by each rule."""
    run = [*assets.node_command(), "--input-type=module", "--eval", RUN]
    texts = json.dumps(_texts())
    done = subprocess.run(run, cwd=ROOT, input=texts, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("rule", looks.MERGES["rules"])
def test_each_rule_joins_what_the_chapter_joins(pages, rule):
    for text, page in zip(_texts(), pages, strict=True):
        for step, own in zip(page[rule], merges.learned(text, rule), strict=True):
            assert tuple(step["pair"]) == own.pair, text
            numbers = own.n, own.first, own.second, own.total
            assert tuple(step[k] for k in ("n", "first", "second", "total")) == numbers
            assert step["score"] == pytest.approx(own.score)


def test_the_rules_of_the_page_are_those_of_the_chapter(chapter_text):
    source = chapter_text(ROOT / f"chapters/{merges.CHAPTER}/index.md")
    for name in merges.NAMES:
        assert f"def {name}(" in source
