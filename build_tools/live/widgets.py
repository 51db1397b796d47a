"""The kinds of live widgets: each is one entry of `WIDGETS`.

A new kind needs an entry here and `live/widgets/<kind>.js`, which draws it for the page
and for its reader; a new question to the model, a method of `live/model/reader.js`.
"""

from dataclasses import dataclass

TOKENIZER = ("tokenizer",)
MODEL = ("tokenizer", "runtime", "model")


@dataclass(frozen=True)
class Widget:
    """One kind of widget.

    parts: what the live page needs before the widget answers. texts: its options that
    the page says above the answer. more: its other options. late: whether
    `book_search` draws it, once all pages are written. offer: what the button says.
    without: what a reader without scripts misses.
    """

    title: str
    parts: tuple[str, ...]
    texts: tuple[str, ...] = ("text",)
    more: tuple[str, ...] = ()
    late: bool = False
    offer: str = "Type your own"
    without: str = "type a text of your own"


PAIR = ("first", "second")
TOUCHES = ("second", "off", "closed", "place", "after")
WIDGETS = {
    "tokens": Widget("Live: text to tensors", TOKENIZER, PAIR),
    "masked": Widget("Live: hidden words", MODEL, more=("also",)),
    "next": Widget("Live: does it follow?", MODEL, PAIR),
    "attention": Widget("Live: attention", MODEL, PAIR, ("pattern",)),
    "board": Widget("Live: switch heads off", MODEL, more=TOUCHES),
    "senses": Widget("Live: the sense of a word", (*MODEL, "maps"), more=("word",)),
    "merges": Widget("Live: two rules join pairs", (), more=("rule",)),
    "learning": Widget(
        "Live: a BERT that learns",
        ("snapshots",),
        (),
        ("step", "sentence"),
        offer="Move through the training",
        without="move through the training",
    ),
    "answers": Widget(
        "Live: a passage and a question",
        ("tokenizer", "runtime", "answers"),
        ("question",),
        ("passage",),
    ),
    "search": Widget("Live: search this book", (*MODEL, "search"), late=True),
    "book": Widget("Live: ask this book", (*MODEL, "answers", "search"), late=True),
}
