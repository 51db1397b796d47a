"""The record of completion: what was passed, and what that does not prove."""

import json
import re
from datetime import date
from xml.etree import ElementTree

import pandas as pd
import pytest

from helpers.exercises import passed, record_of_completion
from helpers.exercises.chapters import chapter_named


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Let some exercises be passed on this machine; returns a folder for records."""
    path = tmp_path / "progress.json"
    monkeypatch.setenv("INSIDE_BERT_PROGRESS", str(path))
    path.write_text(
        json.dumps(
            {
                "word-senses.1": ["passed", "2026-03-01"],
                "word-senses.2": ["not yet", "2026-03-02"],
                "attention.3": ["passed", "2026-02-01"],
            }
        )
    )
    return tmp_path


def test_it_lists_what_was_passed_by_chapter_and_day(kept):
    text = record_of_completion("Ada", kept / "new/record.html").read_text()
    rows = ElementTree.fromstring(re.search("<table.*</table>", text)[0]).iter("tr")
    head, *rows = [[cell.text for cell in row] for row in rows]
    table = pd.DataFrame(rows, columns=head)
    numbers = [chapter_named(slug).number for slug in ("attention", "word-senses")]
    assert [int(row.split(".")[0]) for row in table["chapter"]] == numbers
    assert [*table["passed"]] == ["1 of 3", "1 of 3"]
    assert f"{numbers[1]}.1 (2026-03-01)" in table.iloc[1, 2]
    assert (
        f"had passed 2 of {len(passed.exercises())} exercises on {date.today()}" in text
    )


def test_it_says_what_it_does_not_prove_and_asks_no_other_host(kept):
    text = record_of_completion("Ada", kept / "record.html").read_text()
    assert "What this does not prove" in text and "neither is signed" in text
    assert "http" not in text and "<script" not in text


def test_a_name_is_shown_as_it_was_typed(kept):
    name = '<b>Åsa "Bo" O\'Neil</b> & =1+1'
    text = record_of_completion(name, kept / "record.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;Åsa &quot;Bo&quot; O&#x27;Neil&lt;/b&gt; &amp; =1+1" in text
    assert "<b>" not in text


def test_an_older_record_is_replaced_and_another_file_is_not(kept):
    path = record_of_completion("Ada", kept / "record.html")
    assert "Bo" in record_of_completion("Bo", path).read_text()
    (kept / "mine.html").write_text("mine")
    with pytest.raises(ValueError, match="another file"):
        record_of_completion("Ada", kept / "mine.html")
    assert (kept / "mine.html").read_text() == "mine"


@pytest.mark.parametrize("name", ["", "  ", None, 5, "x" * 201])
def test_a_name_is_needed(kept, name):
    with pytest.raises(ValueError, match="give your name"):
        record_of_completion(name, kept / "record.html")


def test_nothing_passed_gives_no_record(kept, monkeypatch):
    monkeypatch.setenv("INSIDE_BERT_PROGRESS", "off")
    with pytest.raises(ValueError, match="no exercise is passed yet"):
        record_of_completion("Ada", kept / "record.html")
    assert not (kept / "record.html").exists()
