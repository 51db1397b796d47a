"""What "From looking to causing" draws and tabulates."""

import numpy as np
import pandas as pd
import torch

from helpers.attention import heads_off
from helpers.plotting import heat_map, lines, show
from helpers.plotting.pictures import Matrix, draw, matrices
from helpers.plotting.pictures.svg import drawing, letters, mixed
from helpers.verdicts import compare

LEFT, WIDE, HIGH, LINE = 62, 92, 27, 15
ONE, MANY = {"is", "was", "has"}, {"are", "were", "have"}


@torch.inference_mode()
def guess_by_layer(bert, text, off=()):
    """The best word for [MASK], before each layer and after the last."""
    pieces = bert.encode(text)
    place = (pieces["input_ids"][0] == bert.tokenizer.mask_token_id).nonzero()
    with heads_off(bert, off):
        states = bert.model(**pieces, output_hidden_states=True).hidden_states
    found = [bert.mlm.cls(s[0, place]).argmax().item() for s in states]
    return bert.tokenizer.convert_ids_to_tokens(found)


@torch.inference_mode()
def last_guess(bert, text, off):
    """The best word for [MASK] without some heads."""
    pieces = bert.encode(text)
    place = (pieces["input_ids"][0] == bert.tokenizer.mask_token_id).nonzero()
    with heads_off(bert, off):
        best = bert.mlm.cls(bert.model(**pieces)[0][0, place]).argmax()
    return bert.tokenizer.convert_ids_to_tokens(best.item())


def draw_opening(bert, text):
    """The guess by layer, with all heads and without one; what each head does to it."""
    heads = [(i, j) for i in range(bert.n_layers) for j in range(bert.n_heads)]
    changed = [h for h in heads if last_guess(bert, text, [h]) in ONE]
    shown = (changed or heads)[0]
    columns = {
        "The keys\nto the cabinet\n[MASK] …": guess_by_layer(bert, text),
        "The keys\nto the cabinet,\none head out": guess_by_layer(bert, text, [shown]),
    }
    after = [f"{d} layer{'s' * (d != 1)}" for d in range(bert.n_layers + 1)]
    words = (
        "The guess for the hidden verb after each layer, twice. With all heads it "
        "turns from singular to plural, with one head out it stays singular."
    )
    hues = dict.fromkeys(ONE, "query") | dict.fromkeys(MANY, "key")
    draw(ladder(columns, after, words, hues))
    return list(columns.values()), changed, shown


def ladder(columns, rows, words, hues=None):
    """Return a column of words for each text, a row for each step, as a picture.

    columns: {heading: n words}; a heading may have several lines. rows: n names. hues:
    {word: query, key, value, weights or plain}; other words have no colour. Three
    columns fit on a phone.

    >>> picture = ladder({"a dog": [",", "is"]}, ["0", "1"], "is", {"is": "key"})
    >>> picture.count("<rect"), picture.count("color-mix")
    (2, 1)
    """
    hues = hues or {}
    lines = max(heading.count("\n") for heading in columns) + 1
    top = 8 + lines * LINE
    parts = []
    for i, name in enumerate(rows):
        parts.append(letters(LEFT - 7, top + (i + 0.5) * HIGH + 4, name, 12, "end"))
    for j, (heading, said) in enumerate(columns.items()):
        x = LEFT + j * WIDE
        for k, line in enumerate(heading.split("\n")):
            y = 12 + LINE * k
            parts.append(letters(x + WIDE / 2, y, line, 12, bold=k == 0))
        for i, word in enumerate(said):
            y = top + i * HIGH
            fill = mixed(hues[word], 0.8) if word in hues else 'fill="none"'
            parts.append(
                f'<rect x="{x + 3}" y="{y + 2}" width="{WIDE - 6}" height="{HIGH - 4}"'
                f' rx="4" {fill} stroke="currentColor" stroke-opacity="0.25"/>'
            )
            parts.append(letters(x + WIDE / 2, y + HIGH / 2 + 5, word, 14))
    width, height = LEFT + WIDE * len(columns) + 2, top + HIGH * len(rows) + 4
    return drawing(parts, width, height, words)


def draw_lens(subject, beside):
    """Both (depths, texts): log-odds for the form that goes with this noun."""
    depths = list(range(len(subject)))
    curves = {"the subject": subject, "the noun beside the verb": beside}
    series = {name: (depths, of.mean(axis=1)) for name, of in curves.items()}
    title, label = "Whose number the guess follows", "log-odds for that noun's form"
    show(lines(series, title, "layers run", label))


def draw_places(effects):
    """effects: {place: (depths, texts)}."""
    means = np.stack([of.mean(axis=1) for of in effects.values()])
    title = "Effect of exchanging\nthe states of a place"
    depths = list(range(means.shape[1]))
    show(heat_map(means, list(effects), depths, title, "place", "layers already run"))


def draw_heads(bert, by_head):
    """by_head: (heads, texts); one square a head."""
    layers = [f"layer {layer}" for layer in range(bert.n_layers)]
    grid = by_head.mean(axis=1).reshape(bert.n_layers, -1)
    names = [str(head) for head in range(bert.n_heads)]
    title = "Effect of exchanging one head"
    picture = Matrix(title, grid, layers, names, "weights", ".1f", 24)
    draw(matrices(picture, words="One head of one layer stands out."))


def table_of_effects(effects, nouns):
    """effects: {name: (texts,)}; intervals over the nouns."""
    verdicts = {name: compare(of, 0, nouns) for name, of in effects.items()}
    return pd.DataFrame(
        {
            name: {"effect": f"{v.difference:.2f}", "95 %": v.interval()}
            for name, v in verdicts.items()
        }
    ).T


def table_of_places(columns, places):
    """columns: {name: {place: a number}}; a row for each place."""
    return pd.DataFrame(columns, index=list(places)).round(2) + 0.0  # no "-0.00"


def table_of_losses(own, losses, nouns):
    """own: (texts,) log-odds for the right form; losses: {name: (texts,)}."""
    rows = {}
    for name, loss in losses.items():
        added = "added" in name
        rows[name] = {
            "preference": "" if added else f"{(own - loss).mean():.2f}",
            "loss": f"{loss.mean():.2f}",
            "95 %": compare(loss, 0, nouns).interval() if loss.any() else "",
            f"right, of {len(own)}": "" if added else str(int((own > loss).sum())),
        }
    return pd.DataFrame(rows).T


def kinds(part):
    """{kind of sentence: (texts,) booleans}"""
    names = {1: "singular", -1: "plural"}
    return {
        f"{names[s]} subject, {names[b]} beside": (part.sign == s) & (part.beside == b)
        for s in (1, -1)
        for b in (1, -1)
    }


def table_of_kinds(part, own, without):
    """own, without: (texts,) log-odds for the right form, with and without a head."""
    return pd.DataFrame(
        {
            kind: {
                "sentences": int(mine.sum()),
                "right with the head": int((own[mine] > 0).sum()),
                "right without it": int((without[mine] > 0).sum()),
            }
            for kind, mine in kinds(part).items()
        }
    ).T


def table_of_steering(table):
    """One row a depth: counts of answers, the most of the random ones, mean losses."""
    rows = {}
    for depth, of in table.iterrows():
        could, tested = len(of["pushed"]), len(of["probe right"])
        rows[depth] = {
            f"probe right, of {tested}": int(of["probe right"].sum()),
            f"turned at the subject, of {could}": int(of["pushed"].sum()),
            "turned beside the verb": int(of["pushed beside"].sum()),
            "turned at random, at most": max(int(one.sum()) for one in of["random"]),
            "lost": f"{of['lost'].mean() + 0.0:.2f}",
            "lost, control": f"{round(of['lost, control'].mean(), 2) + 0.0:.2f}",
        }
    return pd.DataFrame(rows).T


def draw_parts(by_part):
    """by_part: {part of a layer: one (texts,) a layer}."""
    series = {
        name: (list(range(len(of))), np.mean(of, axis=1))
        for name, of in by_part.items()
    }
    show(lines(series, "Effect of a part of a layer at [MASK]", "layer", "effect"))


def table_of_columns(losses):
    """losses: {(column, what is done): (texts,)}"""
    verdicts = {key: compare(loss, 0) for key, loss in losses.items()}
    return pd.Series(
        {
            key: f"{round(v.difference, 2) + 0.0:.2f} ({v.interval()})"
            for key, v in verdicts.items()
        }
    ).unstack()
