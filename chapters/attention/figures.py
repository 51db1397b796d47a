"""What "Attention" draws; what it teaches stands in the page."""

import math

import pandas as pd
import torch
from IPython.display import Markdown

from chapters.attention.same_sense import same_and_other
from chapters.attention.two_kinds import (
    cosines_of,
    cosines_of_dog,
    nearest_is_own,
    stand_out,
)
from helpers.plotting.pictures import (
    Matrix,
    arrows,
    draw,
    matrices,
    slide,
)

AXES = ("water", "money")


def draw_kinds(states, texts):
    """Cosines of the eight *bank*: first what came out, then what went in."""
    ends = [text.split()[-1] for text in texts]
    said = {
        "coming out": (states[-1], "higher within water and within money"),
        "going in": (states[0], "all are 1"),
    }
    draw(
        *(
            matrices(
                Matrix(
                    f"bank, {when}",
                    cosines_of(vectors),
                    ends,
                    ends,
                    "query",
                    ".2f",
                    31,
                    0.65,
                ),
                words=f"Cosines of bank, {when}: {what}",
            )
            for when, (vectors, what) in said.items()
        )
    )


def sentences(texts, word):
    return Markdown("  \n".join(text.replace(word, f"**{word}**") for text in texts))


def draw_average(three, small, mixed):
    stood = dict(zip(three, small.tolist(), strict=True))
    draw(
        arrows(
            stood,
            AXES,
            "river lies along water, bank between water and money, the is a dot at 0.",
            title="going in",
        ),
        arrows(
            stood | {"bank": mixed[2].tolist()},
            AXES,
            "bank has turned to river; it stood where dashed.",
            before=stood,
            title="coming out",
        ),
    )


def draw_plain(weights, pieces):
    words = "Weights of a plain average: the strong squares lie on the diagonal."
    table = Matrix("x times x, divided", weights, pieces, pieces, "weights", "", 26)
    draw(matrices(table, words=words))


def draw_by_hand(query, key, value, scores, weights, three):
    draw(
        matrices(
            Matrix("query", query, three, (), "query", ".0f", 38),
            "×",
            Matrix("key, turned", key.T, (), three, "key", ".0f", 38),
            "÷ √2  =",
            Matrix("scores", scores, three, three, "weights", ".1f", 38),
            "\n",
            Matrix("softmax of a row", weights, three, three, "weights", ".2f", 38),
            "×",
            Matrix("value", value, three, (), "value", ".0f", 38),
            "=",
            Matrix("mixed", weights @ value, three, (), "plain", ".1f", 38),
            words="Queries times keys give scores, a row for each word that asks; the "
            "softmax makes weights of a row, and these average the values.",
        )
    )


def asking(loud, key, value, three):
    """What bank takes and becomes where `loud` stands in to_query."""
    row = torch.tensor([[loud, 0.0]]) @ key.T / math.sqrt(2)
    shares = row.softmax(dim=-1)
    water, money = (shares @ value)[0].tolist()
    said = (
        f"With {loud:g}, bank takes {shares[0, 0]:.2f} of river and comes "
        f"out with {water:.1f} of water and {money:.1f} of money."
    )
    stood = dict(zip(three, value.tolist(), strict=True))
    picture = arrows(
        stood | {"bank": (water, money)},
        AXES,
        said,
        before=stood,
        title="what bank becomes",
    ) + matrices(
        Matrix("its scores", row, (), three, form=".1f", high=6),
        Matrix("its weights", shares, (), three, high=1),
        words="its scores",
    )
    return said, picture


def slide_asking(key, value, three):
    frames = [asking(half / 2, key, value, three) for half in range(9)]
    slide("the 2 in to_query, from 0 to 4:", frames, start=4)


def slide_widths(sharing):
    """sharing: {width: (2, 12) weights, undivided and divided, largest first}"""
    frames = []
    for width, both in sharing.items():
        raw, divided = both[:, 0]
        said = (
            f"Width {width}: of twelve keys the first gets {raw:.2f} "
            f"undivided, {divided:.2f} divided."
        )
        rows = ("undivided", "divided")
        table = Matrix("weights, largest first", both, rows, form="", cell=22, high=1)
        frames.append((said, matrices(table, words=said)))
    slide("width of the head, 4 to 1024:", frames, start=3)


def draw_masks(seen):
    places = ["1", "2", "3", "pad", "pad"]
    closed = (
        "two columns are closed",
        "the triangle on the right is closed",
        "columns and triangle are closed",
    )
    draw(
        *(
            matrices(
                Matrix(
                    name,
                    table.masked_fill(table == 0, math.nan),
                    places,
                    places,
                    cell=34,
                ),
                words=f"{name}: {said}",
            )
            for (name, table), said in zip(seen.items(), closed, strict=True)
        )
    )


def draw_split(right, wrong):
    named = (
        ("split_heads", right, "0, 1, 2 and 3"),
        ("plain reshape", wrong, "0, 0, 0 and 1"),
    )
    draw(
        *(
            matrices(
                Matrix(
                    f"{name}, first head", cut[0, 0], hue="plain", form=".0f", cell=36
                ),
                words=f"{name}: rows {said}",
            )
            for name, cut, said in named
        )
    )


def draw_little_words(meaning, little):
    words = (
        "Cosines of pairs of bank, by meaning and by two little words. Either way "
        "most pairs of one group are more alike than all pairs of two."
    )
    draw(same_and_other({"meaning": meaning, "little words": little}, words, 0.6))


def table_of_words(states):
    """states: {word: (layers + 1, 8, hidden)}; pairs of 12, nearest of 8."""
    rows = {
        word: {
            "stand out, layer 0": stand_out(of[1]),
            "stand out, last layer": stand_out(of[-1]),
            "nearest is its own kind": nearest_is_own(of[-1]),
        }
        for word, of in states.items()
    }
    return pd.DataFrame(rows).T


def table_of_shares(heard):
    rows = {f"{asks} to {end}": share for (asks, end), share in heard.items()}
    return pd.Series(rows).round(2).to_frame("weight")


def table_of_cosines(vector_of_dog, texts):
    columns = {
        "all in place 1": cosines_of_dog(vector_of_dog, texts, same_place=True),
        "true places": cosines_of_dog(vector_of_dog, texts, same_place=False),
    }
    return pd.DataFrame(columns, index=texts[1:]).round(3)
