"""What "The road to BERT" draws; what it teaches stands in the page."""

import numpy as np
import torch

from helpers.plotting import COLORS, new_figure, show
from helpers.plotting.pictures import Matrix, covered, draw, matrices, slide

ENDS = {
    "phone": "dialed the number",
    "gun": "fired at the men",
    "book": "began to read",
    "pen": "began to write",
}
SIDES = {"left alone": range(4), "right alone": range(5, 99), "both sides": range(99)}
WORDS = "we will stick to the plan".split()


def slide_sides(bert):
    """Draw what is guessed from each side; returns {(hidden, side): its rank}."""
    places, frames = {}, []
    for hidden, end in ENDS.items():
        words, cards = f"He picked up the [MASK] and {end} .".split(), ""
        for side, sight in SIDES.items():
            seen = [i in (*sight, 4, len(words) - 1) for i in range(len(words))]
            rank, best = _guessed(bert, words, seen, hidden)
            places[hidden, side] = rank
            said = f"{hidden}: place {rank}"
            cards += covered(side, words, 4, seen, best, hidden, said, full=0.25)
        frames.append((f"… and {end}. What was hidden: {hidden}.", cards))
    slide("the end of the sentence:", frames)
    return places


def _guessed(bert, words, seen, hidden):
    """The rank of the hidden word and the five best guesses from what is seen."""
    number = bert.tokenizer.convert_tokens_to_ids(hidden)
    encoding = bert.encode(" ".join(words))
    for piece, word in enumerate(encoding.word_ids()):
        encoding["attention_mask"][0, piece] = word is None or seen[word]
    with torch.inference_mode():
        shares = bert.mlm(**encoding).logits[0, 5].softmax(-1)
    top = shares.topk(5)
    names = bert.tokenizer.convert_ids_to_tokens(top.indices)
    rank = int((shares > shares[number]).sum()) + 1
    return rank, dict(zip(names, top.values, strict=True))


def square(title, seen, names=WORDS):
    """A boolean (n, n): filled may be seen, dashed may not."""
    values = np.where(seen, 1.0, np.nan)
    return Matrix(title, values, names, names, form="", cell=19)


def draw_seen(seen):
    """seen: {name of a network: boolean (n, n)}"""
    draw(
        *(
            matrices(
                square(name, each),
                words=f"{name}: {each.sum()} of {each.size} cells are filled.",
            )
            for name, each in seen.items()
        )
    )


def draw_halves(apart, mixed):
    draw(
        matrices(
            square("ELMo, forward", apart), words="ELMo's forward half sees a triangle."
        )
        + matrices(
            square("mixed, forward", mixed),
            words="The forward half of the mixed network sees all words.",
        )
    )


def draw_products(left, two_left, others, two_others):
    for name, one, two, words in (
        (
            "left",
            left,
            two_left,
            "The left triangle times itself is the left triangle.",
        ),
        (
            "others",
            others,
            two_others,
            "All but the diagonal, times itself, is full everywhere.",
        ),
    ):
        last = square("two layers", two)
        draw(
            matrices(square(name, one), "@", square(name, one), "=", last, words=words)
        )


def draw_masked(two_layers, shown, two_open):
    draw(
        matrices(
            square("two open layers", two_layers),
            "@",
            square("the input", shown),
            "=",
            square("seen", two_open),
            words="Two layers that are open everywhere, times an input that lacks "
            "stick: all columns are full but that of stick, which is empty.",
        )
    )


def draw_ranks(ranks, texts):
    """ranks: a row for each text, columns left, right and both."""
    plot = new_figure(
        f"{len(texts)} hidden words; below the line two sides help",
        "rank from one side",
        "rank from both sides",
        height=380,
        x_axis_type="log",
        y_axis_type="log",
        tooltips="@text (@word)",
        tools="",
    )
    sides = (("left", "circle", COLORS[0]), ("right", "triangle", COLORS[1]))
    for side, marker, color in sides:
        source = {"one": ranks[side], "both": ranks["both"]}
        plot.scatter(
            "one",
            "both",
            marker=marker,
            color=color,
            size=8,
            alpha=0.7,
            legend_label=f"{side}, median {ranks[side].median():.0f}",
            source=source | {"text": texts, "word": [*ranks.index]},
        )
    plot.line([1, 2e4], [1, 2e4], color="gray", line_dash="dashed")
    plot.legend.location = "top_left"
    show(plot)
