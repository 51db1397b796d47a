"""What the widget of merges shows first, computed by the chapter's own functions."""

import math
import re
from collections import Counter
from functools import cache
from html import escape
from itertools import zip_longest
from types import SimpleNamespace

from tokenizers import pre_tokenizers

from build_tools.live import looks
from build_tools.live.chapter_functions import functions_of

CHAPTER = "vocabularies"
MARK = "##"
NAMES = {"words", "tally", "learn", "frequent", "ratio", "likelihood"}


def merges(bert, text, rule="ratio"):
    """A table of all merges of a text, by the count and by another rule."""
    columns = [
        [(" ".join(step.pair), formula(name, step)) for step in learned(text, name)]
        for name in ("count", rule)
    ]
    rows = enumerate(zip_longest(*columns, fillvalue=("", "")), start=1)
    lines = "".join(
        f'<tr><th scope="row">{number}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for pair in row for cell in pair)
        + "</tr>"
        for number, row in rows
    )
    look = looks.MERGES
    names = [look["rules"][name] for name in ("count", rule)]
    titles = [look["merge"], *(t for name in names for t in (name, look["score"]))]
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    return (
        f'<p class="live-text">{escape(text)}</p>'
        '<div class="live-scroll live-merges" tabindex="0" role="group" '
        f'aria-label="{look["table"]}"><table class="live-pieces"><thead><tr>{head}'
        f"</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def learned(text, name):
    """Yield the merges of a text by a rule: pair, n, first, second, total, score.

    The chapter's learner yields pairs; the numbers behind them are counted anew.
    """
    page = of_the_chapter()
    rule = page["frequent" if name == "count" else name]
    counts = Counter(page["words"](text.lower()))
    cuts = {word: f" {MARK}".join(word) for word in counts}
    for pair in page["learn"](counts, rule, len(text), mark=MARK):
        single, pairs = Counter(), Counter()
        for word, n in counts.items():
            page["tally"](cuts[word], n, single, pairs)
        numbers = pairs[pair], *(single[piece] for piece in pair), single.total()
        keys = ("n", "first", "second", "total")
        told = dict(zip(keys, numbers, strict=True))
        yield SimpleNamespace(pair=pair, score=rule(*numbers), **told)
        cuts = {word: with_joined(cut, pair) for word, cut in cuts.items()}


def with_joined(cut, pair):
    """Return a cut word, its pieces set off by spaces, with a pair made one."""
    joined = pair[0] + pair[1].removeprefix(MARK)
    both = rf"(?<!\S){re.escape(' '.join(pair))}(?!\S)"
    return re.sub(both, lambda _: joined, cut)


def formula(name, step):
    """How the score of a merge comes about, in the words of the live widget."""
    if name == "count":
        return str(step.n)
    if name == "ratio":
        return f"{step.n} / ({step.first} · {step.second}) = {step.score:#.3g}"
    inside = f"{step.n} · {step.total} / ({step.first} · {step.second})"
    return f"{step.n} · ln({inside}) = {step.score:.2f}"


@cache
def of_the_chapter():
    """The functions with which the chapter learns, by name."""
    tools = {"re": re, "math": math, "Counter": Counter}
    return functions_of(CHAPTER, NAMES, pre_tokenizers=pre_tokenizers, **tools)
