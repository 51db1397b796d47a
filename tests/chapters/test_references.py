"""The list of references: what pages cite is there, and a reader can look it up."""

import re
from pathlib import Path

import pytest
from pybtex.database import parse_file

ROOT = Path(__file__).resolve().parents[2]
# Works without an address, and why.
PRINTED = {"firth1957synopsis": "a chapter of a printed book"}
CITED = re.compile(r"\{cite(?::\w+)?\}`([^`]+)`")
ARXIV = re.compile(r"(?:arXiv:|https://arxiv\.org/abs/)(\d{4}\.\d{4,5})")
WORKS = parse_file(ROOT / "references.bib").entries  # a key that stands twice: an error


def test_what_is_cited_is_listed_and_what_is_listed_is_cited():
    pages = [ROOT / "index.md", *(ROOT / "chapters").rglob("*.md")]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    lists = [keys for text in texts for keys in CITED.findall(text)]
    cited = {key.strip() for keys in lists for key in keys.split(",")}
    assert cited - set(WORKS) == set(), "cited, but not in references.bib"
    assert set(WORKS) - cited == set(), "in references.bib, but no page cites them"


@pytest.mark.parametrize("key", WORKS)
def test_a_work_can_be_looked_up(key):
    fields, people = WORKS[key].fields, WORKS[key].persons
    assert people.get("author") or people.get("editor")
    assert re.fullmatch(r"\d{4}", fields["year"]), "letters are added by the build"
    assert ("doi" in fields or "url" in fields) != (key in PRINTED)
    assert re.fullmatch(r"10\.\d{4,5}/\S+", fields.get("doi", "10.1000/x")), "bare DOI"
    assert re.fullmatch(r"https?://\S+\.\S+", fields.get("url", "https://a.b"))
    numbers = {n for text in fields.values() for n in ARXIV.findall(text)}
    assert len(numbers) <= 1, "the note and the address name different papers"
