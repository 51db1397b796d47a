"""Text that a reader's own run fills: values, and sentences whose claim failed."""

import pytest

import helpers

HELD = {"holds": True, "found": "", "why": ""}
FAILED = {"holds": False, "found": "It is 0.2.", "why": "the model is tiny"}
TEXT = "So {claim:one}*one* is {n:.1f}{claim:/one}, and {claim:two}two{claim:/two}."


def filled(one, two):
    values = {"n": 0.25, "claim: one": one, "claim: two": two}
    return helpers.filled(TEXT, values)


def test_a_sentence_that_holds_is_text_like_any_other():
    assert filled(HELD, HELD) == "So *one* is 0.2, and two."


def test_a_sentence_that_fails_is_marked_and_what_was_found_stands_below():
    text, below = filled(FAILED, HELD).split("\n\n")
    assert text == "So <mark>*one* is 0.2</mark> *(not so in this run)*, and two."
    assert below == (
        r"> **In this run:** It is 0.2. (The page was written for another run: here "
        "the model is tiny.)"
    )


def test_words_of_two_claims_that_fail_are_marked_once():
    values = {"claim: one": FAILED, "claim: two": FAILED | {"found": "It is 0.3."}}
    text = helpers.filled("{claim:one two}Both.{claim:/one two}", values)
    assert text.startswith("<mark>Both.</mark> *(not so in this run)*\n\n>")
    assert text.count("In this run:") == 2


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "[a](javascript:b)"])
def test_text_of_others_is_shown_as_it_is(text):
    from markdown_it import MarkdownIt

    value = helpers.filled("{word}", {"word": text})
    found = filled({"holds": False, "found": f"*{text}*\n# A", "why": ""}, HELD)
    for shown in (MarkdownIt().render(value), MarkdownIt().render(found)):
        assert not any(tag in shown for tag in ("<img", "<a ", "<h1"))


def test_a_paragraph_above_its_claim_says_which_cell_lacks(monkeypatch):
    monkeypatch.setattr(helpers, "_glued", {})
    with pytest.raises(LookupError, match="claim: two.*run the cells above"):
        helpers.glued_text("{claim:two}two{claim:/two}")
