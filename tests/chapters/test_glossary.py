"""The glossary has the words of the pages."""

import re
from pathlib import Path

from build_tools.book.terms import COMPANIONS, read_glossary

ROOT = Path(__file__).parents[2]
TERMS = read_glossary(ROOT)
PAGES = [p for p in (ROOT / "chapters").rglob("*.md") if p.stem != "glossary"]
PAGES += (ROOT / "chapters").rglob("quiz.toml")
BLOCKS = [
    " ".join(block.lower().split())
    for page in PAGES
    for block in page.read_text(encoding="utf-8").split("\n\n")
]


def used(term):
    """Whether a paragraph of a page has all words of a term, with any endings."""
    words = re.findall(r"\w+", re.sub(r" \(.*\)", "", term))
    beginnings = [
        word if len(word) < 5 else word[: max(4, len(word) - 3)] for word in words
    ]
    wanted = [re.compile(rf"\b{re.escape(start)}") for start in beginnings]
    return any(all(start.search(block) for start in wanted) for block in BLOCKS)


def test_every_term_is_used_on_a_page():
    assert [term for term in TERMS if not used(term)] == []


def test_everyday_words_that_need_others_beside_them_are_terms():
    assert set(COMPANIONS) <= set(TERMS)
