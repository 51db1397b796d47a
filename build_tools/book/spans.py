"""Words of a page that bear names of claims: `[It *turns*]{.claim-turns}`.

Found in the source, where MyST finds them: brackets in code, in formulas and after a
backslash are none.
"""

import re
from dataclasses import dataclass

PREFIX = "claim-"  # of the class that binds words to a claim
NOT_READ = re.compile(
    r"(?<!`)(?P<ticks>`{1,2})(?!`).+?(?<!`)(?P=ticks)(?!`)"  # code, text of a role
    r"|\\.|\$\$.*?\$\$|\$(?:[^$\n]|\n(?!\n))+\$",
    re.S,
)
CELL = re.compile(r"^(`{3,})\{code-cell\}.*?^\1`*$", re.M | re.S)
CLASSES = re.compile(
    r"\{\s*(?P<classes>\.claim-[a-z0-9-]+(?:\s+\.claim-[a-z0-9-]+)*)\s*\}"
)


@dataclass(frozen=True)
class Span:
    """Words and the claims that hold them; `text[start:end]` is all of the span."""

    start: int
    end: int
    words: str
    claims: tuple


def spans_in(text):
    """Return the Spans of a text in MyST Markdown, in the order of their ends."""
    hidden = CELL.sub(_blank, text)
    hidden = NOT_READ.sub(_blank, hidden)
    open_at, spans = [], []
    for bracket in re.finditer(r"[\[\]]", hidden):
        if bracket[0] == "[":
            open_at.append(bracket.start())
        elif open_at:
            start = open_at.pop()
            if named := CLASSES.match(hidden, bracket.end()):
                claims = tuple(c[1:].removeprefix(PREFIX) for c in named[1].split())
                words = text[start + 1 : bracket.start()]
                spans.append(Span(start, named.end(), words, claims))
    return spans


def words_of(text):
    """Return {name: words} of the claims of a page's text, the first place of each."""
    spans = sorted(spans_in(text), key=lambda span: -span.start)
    return {name: " ".join(s.words.split()) for s in spans for name in s.claims}


def _blank(found):
    return re.sub(r"[^\n]", " ", found[0])
