"""What a page asks the reader to predict, it answers before it goes on."""

import re

import pytest

from build_tools.book.dependencies import name_of
from build_tools.notebooks.exporter import chapters

BOX = re.compile(r"^(`{3,})\{admonition\} Predict first\n.*?^\1$", re.M | re.S)
HEADING = re.compile(r"^#{2,3} ", re.M)
# A number, a picture, or words that the run bears out.
ANSWER = re.compile(
    r"\{glue:|\{admonition\} What came out|\bclaim\(|\bdraw\(|\bclaims\.|\bfigures\."
)


def unanswered(text):
    """Return the predictions of a page that it does not answer."""
    left = []
    for box in BOX.finditer(text):
        rest = text[box.end() :]
        heading = HEADING.search(rest)
        if not ANSWER.search(rest[: heading.start() if heading else None]):
            left.append(box[0])
    return left


@pytest.mark.parametrize("page", chapters(), ids=name_of)
def test_every_prediction_is_answered_before_the_next_heading(page):
    assert unanswered(page.read_text(encoding="utf-8")) == []
