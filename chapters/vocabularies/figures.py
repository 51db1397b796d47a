"""The pictures of "Vocabularies": texts in pieces, curves, and what a gap costs."""

import re
from itertools import chain

import numpy as np

from chapters.vocabularies.claims import SAID
from chapters.vocabularies.learner import by_joining, length, texts, words
from helpers.corpus import read_documents, split_sentences
from helpers.plotting import lines as curves
from helpers.plotting import show
from helpers.plotting.pictures import Matrix, draw, matrices, slide
from helpers.plotting.pictures.svg import FONT, drawing, letters, mixed

SIZE, LINE = 13, 28
LETTER = 0.55 * SIZE  # a letter's usual width
SHOWN = 1600  # merges of the first picture
STEPS = (0, 10, 30, 100, 200, 400, 800, SHOWN, 3200)
GAPS = {
    "unhappiness": ("Money did not end her ", "."),
    "saxophone": ("He plays the ", " in a jazz band."),
}


def cut_text(title, cuts, width=330, lines=1, mark="##", unknown="[UNK]"):
    """Return a text as boxes: grey for a word in one piece, purple for parts of one.

    cuts: the pieces of each word, a list a word. lines: for which there is room at
    least, so that pictures of the same height can take turns. What is `unknown` is a
    dashed box with a question mark.

    >>> picture = cut_text("a", [["the"], ["un", "##well"], ["[UNK]"]])
    >>> picture.count("<rect"), picture.count("stroke-dasharray")
    (4, 1)
    """
    x, y, parts = 2.0, 46, [letters(width / 2, 15, title, FONT, bold=True)]
    for cut in cuts:
        shown = ["?" if p == unknown else p.removeprefix(mark) for p in cut]
        widths = [LETTER * max(1, len(piece)) + 6 for piece in shown]
        if x + sum(widths) + 2 * len(cut) > width and x > 2:
            x, y = 2.0, y + LINE
        for piece, name, wide in zip(cut, shown, widths, strict=True):
            if x + wide > width - 2 and x > 2:
                x, y = 2.0, y + LINE
            hidden = piece == unknown
            look = (
                'fill="none" stroke-dasharray="3 3" stroke-opacity="0.7"'
                if hidden
                else mixed("plain" if len(cut) == 1 else "weights", 0.5)
                + ' stroke-opacity="0.4"'
            )
            parts.append(
                f'<rect x="{x:.1f}" y="{y - 16}" width="{wide:.1f}" height="22" rx="3"'
                f' stroke="currentColor" {look}/>'
            )
            parts.append(letters(x + wide / 2, y, name, SIZE))
            x += wide + 2
        x += 6
    shown = " ".join("·".join(p.removeprefix(mark) for p in cut) for cut in cuts)
    height = max(y, 46 + LINE * (lines - 1)) + 14
    return drawing(parts, width, height, f"{title}: {shown}")


def draw_four_texts(merges, parallel, clinic):
    """A slider over the merges; returns {name: pieces of each word} as it starts."""
    alphabet = sorted(set("".join(words(" ".join(texts()[0])))))
    shown = {
        "English": parallel["English"][15],
        "a clinic's note": clinic["notes"][1],
        "German": parallel["German"][15],
        "Russian": parallel["Russian"][15],
    }
    frames, started = [], {}
    for n in STEPS:
        cut = by_joining(merges[:n], alphabet)
        cuts = {
            name: [cut(word) for word in words(text)] for name, text in shown.items()
        }
        said = ", ".join(f"{name} {sum(map(len, one))}" for name, one in cuts.items())
        picture = "".join(cut_text(name, one, lines=3) for name, one in cuts.items())
        frames.append((f"After {n:,} merges. Pieces: {said}.", picture))
        started = cuts if n == SHOWN else started
    slide("merges:", frames, start=STEPS.index(SHOWN))
    return started


def draw_rules(by_rule, alphabet, kept_out):
    """Returns {rule: characters per piece of each kept-out text}."""
    cutters = {name: by_joining(merges, alphabet) for name, merges in by_rule.items()}
    draw(
        *(
            cut_text(name, [cut(word) for word in words(SAID)], width=215, lines=3)
            for name, cut in cutters.items()
        )
    )
    return {
        name: [length(text) / len(cut(text)) for text in kept_out]
        for name, cut in cutters.items()
    }


def draw_curves(sizes, of):
    """of: {text: pieces per word by merges}."""
    show(
        curves(
            {name: (sizes, values) for name, values in of.items()},
            "Pieces per word, from an English book",
            "merges",
            "pieces per word",
        )
    )


def draw_losses(sizes, by_piece, by_character):
    show(
        curves(
            {"per piece": (sizes, by_piece), "per character": (sizes, by_character)},
            "Loss on the same text (lower is better)",
            "merges",
            "nats",
        )
    )


def draw_leak(bert, costs):
    """Returns {word: its pieces' losses one at a time, and from the left}."""
    of = {
        word: [costs(before, word, after, from_left) for from_left in (False, True)]
        for word, (before, after) in GAPS.items()
    }
    per_character = [[sum(ways[n]) / len(w) for w, ways in of.items()] for n in (0, 1)]
    pieces = [p.replace("##", "-") for p in bert.tokenizer.tokenize("unhappiness")]
    ways = ("one at a time", "from the left")
    draw(
        matrices(
            Matrix(
                "unhappiness (nats)",
                of["unhappiness"],
                ways,
                pieces,
                form=".1f",
                high=10,
            ),
            Matrix("saxophone", of["saxophone"], (), ("whole",), form=".1f", high=10),
            Matrix(
                "per character", per_character, (), ("unh.", "sax."), "plain", high=4
            ),
            words="Loss of each piece in nats, one at a time and from the left; at "
            "the right the loss per character of both words.",
        )
    )
    return of


def long_words(bert, path, most=50):
    """Words of several pieces of a book, as (text before, word, text after)."""
    parts, seen = [], set()
    for sentence in chain.from_iterable(
        map(split_sentences, chain(*read_documents(path)))
    ):
        for match in re.finditer(r"(?<!\w)[a-z]{7,}(?!\w)", sentence):
            word, (start, end) = match.group(), match.span()
            fits = len(sentence) < 200 and word not in seen
            if fits and len(bert.tokenizer.tokenize(word)) > 1:
                seen.add(word)
                parts.append((sentence[:start], word, sentence[end:]))
    order = np.random.default_rng(0).permutation(len(parts))
    return [parts[i] for i in order[:most]]
