"""What "Seeing attention" draws and tabulates; what it teaches stands in the page."""

import numpy as np
import pandas as pd

from helpers.plotting import heat_map, lines, show
from helpers.plotting.pictures import Matrix, draw, matrices

# Of BERT-base, as "What Does BERT Look At?" (2019) tells it; layers counted from 0.
SOME = "some, most of them in early layers"
CLARK = {
    "share on [SEP], middle layers": "over 0.5, layers 5 to 9",
    "heads, half on the token before": SOME,
    "heads, half on the token after": SOME,
}


def draw_maps(tokens, maps, head):
    """One head, once for each of the maps: {name: (layers, heads, n, n)}."""
    draw(
        *(
            matrices(
                Matrix(name, of[head], tokens, tokens, "weights", "", 21, high=1),
                words=f"Layer {head[0]}, head {head[1]}, {name}. "
                + where_rows_look(tokens, of[head]),
            )
            for name, of in maps.items()
        )
    )


def where_rows_look(tokens, weights):
    """The words of a picture, made from its numbers, so that they cannot be wrong.

    >>> where_rows_look(["a", "cat"], np.array([[0.9, 0.1], [0.2, 0.8]]))
    'a looks most at a, 0.90; cat most at cat, 0.80.'
    """
    rows = [
        f"most at {tokens[row.argmax()]}, {row.max():.2f}"
        for row in np.asarray(weights)
    ]
    said = [f"{token} {row}" for token, row in zip(tokens, rows, strict=True)]
    return "; ".join([f"{tokens[0]} looks {rows[0]}", *said[1:]]) + "."


def draw_scores(scores, title):
    """A map of all heads: one row a layer, one column a head, both from 0."""
    show(heat_map(scores, *map(range, scores.shape), title, "layer", "head"))


def table_of_patterns(results):
    """One row a pattern: the head, its score, and what each control gets."""
    columns = {
        "other half": "score",
        "words equal": "no words",
        "places equal": "no places",
        "best distance": "distance",
    }
    rows = {}
    for pattern, of in results.items():
        means = {name: f"{of[key].mean():.2f}" for name, key in columns.items()}
        first = {"head": of["head"], "other half": means.pop("other half")}
        moved = {"best of 199 moved": f"{max(of['moved']):.2f}"}
        rows[pattern] = first | moved | means
    return pd.DataFrame(rows).T


def draw_shares(shares):
    """For each layer, the special tokens' share of the weights and of what arrives."""
    names = {"weights": "of the weights", "arrives": "of what arrives"}
    layers = list(range(shares["weights"].shape[1]))
    series = {said: (layers, shares[key].mean(axis=0)) for key, said in names.items()}
    show(lines(series, "The share of [CLS] and [SEP]", "layer", "share"))


def draw_products(inside, tokens):
    """The twelve numbers of a head whose products differ most between the keys."""
    decisive = np.abs(inside - inside.mean(axis=0)).max(axis=0)
    chosen = np.sort(decisive.argsort()[::-1][:12])
    names = [f"{token} ({place})" for place, token in enumerate(tokens)]
    title = "Query times keys, by number"
    label = "number within the head"
    show(heat_map(inside[:, chosen], names, chosen, title, "key", label))


def draw_widths(widths):
    """How many tokens words and [CLS] look at, layer by layer."""
    layers = list(range(len(widths["words"])))
    series = {name: (layers, width) for name, width in widths.items()}
    show(lines(series, "How many tokens a row looks at", "layer", "tokens"))
