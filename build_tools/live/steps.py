"""The steps from a text to a guess: what each of them shows, as the script shows it.

A view is {"boxes": [(text, below)], "strips": [(name, values)], "columns": [names of
the values], "bars": [(name, value)], "words": sentences}, none of which need be there.
"""

from types import SimpleNamespace

import numpy as np

from build_tools.live import looks
from build_tools.live.step_pictures import html_of
from build_tools.live.tensors import read_by_head, tensors

LOOK = looks.STEPS
SAY, FEW, SOME, MANY = (LOOK[name] for name in ("say", "few", "some", "many"))


def answer(bert, text, other=""):
    """Return what the page holds: the settings of the widget, a picture a step."""
    j = journey(bert, text, other)
    return {
        "settings": {
            "text": text, "other": other, "step": next(iter(LOOK["steps"])),
            "piece": str(j.piece), "layer": str(j.layer), "head": str(j.head),
            "layers": bert.n_layers, "heads": bert.n_heads,
        },
        "pictures": {name: html_of(view) for name, view in views(j).items()},
    }  # fmt: skip


def journey(bert, text, other="", piece=None, layer=None, head=None):
    """Return all that the views of a text show.

    Without a piece it is the hidden one, without a layer and a head those in which
    that piece gives most weight to one piece of the text that is not beside it.
    """
    tokens = bert.tokenizer(text).tokens()
    found = tensors(bert, text)
    if piece is None:
        mask = bert.tokenizer.mask_token
        piece = tokens.index(mask) if mask in tokens else len(tokens) - 2
    if layer is None:
        weights = found["attention"][:, :, piece].copy()
        weights[..., [0, -1, *range(max(0, piece - 1), piece + 2)]] = 0
        layer, head, _ = np.unravel_index(weights.argmax(), weights.shape)
    transformed, logits = read_by_head(bert, found["states"][:, piece])
    return SimpleNamespace(
        **found,
        tokens=tokens,
        ids=bert.tokenizer(text)["input_ids"],
        piece=piece,
        layer=int(layer),
        head=int(head),
        size=bert.hidden_size // bert.n_heads,
        transformed=transformed,
        guesses=[best(bert, row) for row in logits],
        other=journey(bert, other, "", piece, layer, head) if other else None,
    )


def best(bert, logits, top=10):
    """The likeliest pieces with their shares."""
    powers = np.exp(logits - logits.max())
    shares = powers / powers.sum()
    order = np.argsort(-shares)[:top]
    return [(bert.tokenizer.convert_ids_to_tokens(int(i)), shares[i]) for i in order]


def views(j):
    """Return {step: view} of a journey."""
    return {name: VIEWS[name](j) for name in LOOK["steps"]}


def pieces(j):
    return boxes(j, [""] * len(j.tokens))


def ids(j):
    return boxes(j, [str(number) for number in j.ids])


def boxes(j, below):
    """The pieces of the text, the first of them with what stands below each."""
    pairs = list(zip(j.tokens, below, strict=True))
    left = len(pairs) - MANY
    words = SAY["more pieces"].format(n=left) if left > 0 else ""
    return {"boxes": pairs[:MANY], "words": words}


def inputs(j):
    total = j.words + j.segments_added + j.places_added
    parts = [j.words, j.segments_added, j.places_added, total, j.states[0]]
    return strips(LOOK["inputs"], [part[j.piece] for part in parts], FEW)


def projections(j):
    rows = [of_head(j, name)[j.piece] for name in ("query", "key", "value")]
    return strips(LOOK["projections"], rows, SOME)


def products(j):
    to = j.attention[j.layer, j.head, j.piece].argmax()
    query, key = of_head(j, "query")[j.piece], of_head(j, "key")[to]
    each = query * key
    shown = np.sort(np.argsort(-np.abs(each), kind="stable")[:SOME])
    words = SAY["products"].format(
        to=j.tokens[to], n=len(each) - len(shown),
        rest=f"{each.sum() - each[shown].sum():.3f}", sum=f"{each.sum():.3f}",
    )  # fmt: skip
    found = query[shown], key[shown], each[shown]
    rows = list(zip(LOOK["products"], found, strict=True))
    return {"columns": [str(i) for i in shown], "strips": rows, "words": words}


def weights(j):
    scores = of_head(j, "key") @ of_head(j, "query")[j.piece]
    share = j.attention[j.layer, j.head, j.piece]
    shown = np.sort(np.argsort(-share, kind="stable")[:SOME])
    rows = [scores[shown], scores[shown] / np.sqrt(j.size), share[shown]]
    left = f"{1 - share[shown].sum():.3f}"
    hidden = SAY["weights"].format(n=len(share) - len(shown), rest=left)
    words = hidden if len(share) > len(shown) else SAY["all weights"]
    names = [j.tokens[i] for i in shown]
    rows = list(zip(LOOK["weights"], rows, strict=True))
    return {"columns": names, "strips": rows, "words": words}


def mixed(j):
    share, values = j.attention[j.layer, j.head, j.piece], of_head(j, "value")
    most = np.argsort(-share, kind="stable")[:3]
    parts = [share[i] * values[i] for i in most]
    names = [SAY["of piece"].format(share=f"{share[i]:.3f}", piece=j.tokens[i])
             for i in most]  # fmt: skip
    total = of_head(j, "mixed")[j.piece]
    rows = [*parts, total - sum(parts), total]
    return strips([*names, *LOOK["mixed"]], rows, FEW)


def heads(j):
    rows = j.attention[j.layer, :, j.piece]
    to = rows.argmax(axis=1)
    bars = [(SAY["head"].format(head=h, piece=j.tokens[i]), rows[h, i])
            for h, i in enumerate(to)]  # fmt: skip
    return {"bars": bars, "words": SAY["heads"]}


def projected(j):
    rows = (j.mixed, j.projected)
    return strips(LOOK["projected"], [row[j.layer, j.piece] for row in rows], SOME)


def between(j):
    before, change = j.states[j.layer, j.piece], j.projected[j.layer, j.piece]
    after = j.between[j.layer, j.piece]
    return strips(LOOK["residual"], [before, change, before + change, after], FEW)


def wide(j):
    row = j.wide[j.layer, j.piece]
    most = np.argsort(-row, kind="stable")[:SOME]
    words = SAY["wide"].format(fire=int((row > 0).sum()), n=len(row))
    names = [str(i) for i in most]
    return {"columns": names, "strips": [(LOOK["wide"], row[most])], "words": words}


def narrow(j):
    before, change = j.between[j.layer, j.piece], j.narrow[j.layer, j.piece]
    after = j.states[j.layer + 1, j.piece]
    return strips(LOOK["residual"], [before, change, before + change, after], FEW)


def layers(j):
    return {
        "bars": [
            (f"{layer_name(number)}: {guesses[0][0]}", guesses[0][1])
            for number, guesses in enumerate(j.guesses)
        ],
        "words": "",
    }


def transform(j):
    rows = [j.states[-1, j.piece], j.transformed[-1]]
    return strips(LOOK["transform"], rows, SOME)


def guesses(j):
    return {"bars": j.guesses[-1], "words": ""}


def parting(j):
    if j.other is None:
        return {"words": SAY["no second"]}
    if len(j.other.tokens) != len(j.tokens):
        return {"words": SAY["unequal"].format(a=len(j.tokens), b=len(j.other.tokens))}
    length = np.linalg.norm(j.states, axis=-1)
    distance = np.linalg.norm(j.states - j.other.states, axis=-1) / length
    after = distance[j.layer + 1]
    shown = np.sort(np.argsort(-after, kind="stable")[:SOME])
    (one, share), (two, other_share) = j.guesses[-1][0], j.other.guesses[-1][0]
    words = SAY["parting"].format(
        one=one, share=percent(share), two=two, other=percent(other_share)
    )
    rows = [(SAY["distance"].format(layer=j.layer), after[shown])]
    return {
        "bars": [(layer_name(n), row[j.piece]) for n, row in enumerate(distance)],
        "columns": [j.tokens[i] for i in shown],
        "strips": rows,
        "words": words,
    }


def strips(names, rows, n):
    """The first n numbers of each row."""
    words = SAY["first"].format(n=n, all=len(rows[0])) if len(rows[0]) > n else ""
    columns = [str(i) for i in range(min(n, len(rows[0])))]
    pairs = [(name, row[:n]) for name, row in zip(names, rows, strict=True)]
    return {"columns": columns, "strips": pairs, "words": words}


def of_head(j, name):
    """Its part of a tensor of the layer: (n, size)."""
    start = j.head * j.size
    return getattr(j, name)[j.layer][:, start : start + j.size]


def layer_name(number):
    return SAY["layer"].format(layer=number - 1) if number else SAY["embedded"]


def percent(share):
    return f"{100 * share:.1f} %"


VIEWS = {
    "pieces": pieces,
    "ids": ids,
    "inputs": inputs,
    "projections": projections,
    "products": products,
    "weights": weights,
    "mixed": mixed,
    "heads": heads,
    "projected": projected,
    "between": between,
    "wide": wide,
    "narrow": narrow,
    "layers": layers,
    "transform": transform,
    "guesses": guesses,
    "parting": parting,
}
