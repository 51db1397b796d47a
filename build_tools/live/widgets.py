"""The kinds of live widgets: each is one entry of `WIDGETS`.

A new kind needs an entry here, a function in `answers` (or another module beside it),
what both sides draw with in `looks`, and `live/widgets/<kind>.js`; a new question to
the model, a method of `live/model/reader.js`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from build_tools.live import EIGHT_WORD, looks
from helpers.datasets import coarse_wsd_words

NOTHING = ()
TOKENIZER = ("tokenizer",)
MODEL = ("tokenizer", "runtime", "model")


def no_choices(settings):
    return {}


def patterns(settings):
    return {"pattern": ["", *looks.ATTENTION["patterns"]]}  # none: a head by hand


def rules(settings):
    return {"rule": [rule for rule in looks.MERGES["rules"] if rule != "count"]}


def touches(settings):
    """What is done to the run: heads as in "0.3 5.11", and numbers of places."""
    return dict.fromkeys(("off", "closed", "place", "after"))


def mapped_words():
    """Return the words that have a map, in alphabetical order."""
    return sorted([EIGHT_WORD, *coarse_wsd_words()])


def words(settings):
    """The words that a widget of senses knows: its own, or all."""
    chosen = settings.get("choose")
    return {"word": mapped_words() if chosen else [settings["word"]]}


def steps(settings):
    """Step, layer and head, as many as the model has."""
    numbers = {n: settings.get(f"{n}s", 0) for n in ("layer", "head")}
    chosen = {n: [str(i) for i in range(many)] for n, many in numbers.items()}
    return {"step": [*looks.STEPS["steps"]], "piece": None} | chosen


@dataclass(frozen=True)
class Widget:
    """One kind of widget.

    parts: what the live page needs before the widget answers. task: the function of
    `module` that draws its answer. look: what both sides draw with. texts: names of
    its options and of what a link may set. choices: settings => {name: what a link may
    choose}. late: whether `book_search` draws it, once all pages are written.
    """

    title: str
    parts: tuple[str, ...]
    task: str
    look: dict
    texts: tuple[str, ...]
    choices: Callable[[dict], dict] = no_choices
    module: str = "answers"
    late: bool = False

    def answer(self, bert, **texts):
        """Return the answer to the texts, as HTML; bert: None if it needs none."""
        # Imported late: answers loads PyTorch, which takes a second or more.
        module = import_module(f"build_tools.live.{self.module}")
        return getattr(module, self.task)(bert, **texts)

    def fields(self, settings):
        """What a link may set: {name: its values, None for any text}."""
        return dict.fromkeys(self.texts) | self.choices(settings)


PAIR = ("first", "second")
WIDGETS = {
    "tokens": Widget("Live: text to tensors", TOKENIZER, "tokens", looks.TOKENS, PAIR),
    "masked": Widget("Live: hidden words", MODEL, "masked", looks.MASKED, ("text",)),
    "next": Widget("Live: does it follow?", MODEL, "next_sentence", looks.NEXT, PAIR),
    "attention": Widget(
        "Live: attention", MODEL, "attention", looks.ATTENTION, PAIR, patterns
    ),
    "board": Widget(
        "Live: switch heads off",
        MODEL,
        "board",
        looks.BOARD,
        ("text", "second"),
        touches,
    ),
    "senses": Widget(
        "Live: the sense of a word",
        (*MODEL, "maps"),
        "senses",
        looks.SENSES,
        ("text",),
        words,
    ),
    "merges": Widget(
        "Live: two rules join pairs",
        NOTHING,
        "merges",
        looks.MERGES,
        ("text",),
        rules,
        "merges",
    ),
    "steps": Widget(
        "Live: step by step",
        MODEL,
        "answer",
        looks.STEPS,
        ("text", "other"),
        steps,
        "steps",
    ),
    "search": Widget(
        "Live: search this book",
        (*MODEL, "search"),
        "search",
        looks.SEARCH,
        ("text",),
        late=True,
    ),
}
