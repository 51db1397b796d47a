"""What "Contextual embeddings" draws and tabulates."""

import pandas as pd

from chapters.contextual_embeddings.controls import nearest_other
from helpers.plotting import bars, lines, sentence_scatter, show
from helpers.plotting.pictures import Matrix, draw, matrices, slide
from helpers.senses import bootstrap_interval, unit

EIGHT = "striker rugby baseball barley wheat law linguistics error".split()
FORMS = ["A V B", "B was V by A", "A who V B", "B who A V"]
DEPTH = "layers passed (0: the embeddings)"


def draw_eight(senses, fields):
    """A slider over the layers: the cosines of eight fields (8, layers + 1, hidden)."""
    rows = [f"{sense}: {name}" for sense, name in zip(senses, EIGHT, strict=True)]
    n_layers, frames = fields.shape[1] - 1, []
    for layer in range(n_layers + 1):
        at = unit(fields[:, layer])
        count = (nearest_other(at, senses) == senses).sum()
        when = f"After {layer} of {n_layers} layers" if layer else "Going in"
        said = f"{when}, {count} of the eight fields lie nearest to one of their "
        said += "own sense."
        grid = Matrix(when, at @ at.T, rows, EIGHT, "query", "", 26, low=0.5, high=1)
        words = f"Cosines of eight fields. {said}"
        frames.append((said, matrices(grid, words=words)))
    slide("layers passed:", frames, n_layers)


def draw_plane(points, senses, sentences, positions):
    title = "Eight fields, last layer"
    show(sentence_scatter(points, senses, sentences, positions, title))


def draw_pairs(pairs, baseline):
    """Three curves over the layers: one sense, two senses, strangers."""
    mean, layers = pairs.groupby("layer").mean(), range(len(baseline))  # over the words
    curves = {
        "same word, same sense": (layers, mean.within),
        "same word, two senses": (layers, mean.across),
        "strangers": (layers, baseline),
    }
    show(lines(curves, "Mean cosine by layer, twenty words", DEPTH, "cosine"))


def table_of(people):
    """One row for each form: a sentence, the noun asked about, whether it does it."""
    plain = people[people.words.str[0] != "yesterday"]
    rows = plain.groupby("form").sample(1, random_state=2)
    nouns = [words[place] for words, place in zip(rows.words, rows.place, strict=True)]
    columns = {"sentence": rows.words.str.join(" "), "noun": nouns}
    return pd.DataFrame(columns | {"does it?": rows.does}).set_index("sentence")


def table_by_layer(hits):
    """hits: {name: (layers + 1, rows)}; their means, a row for each name."""
    return pd.DataFrame({name: of.mean(axis=1) for name, of in hits.items()}).T.round(2)


def draw_forms(form, seen, unseen, blank):
    """Accuracy by form and layer. form: of the tested rows; then come hits on them."""
    numbers = [str(layer) for layer in range(len(seen))]

    def picture(title, hits, words):
        values = [hits[:, form == n].mean(axis=1) for n in range(len(FORMS))]
        grid = Matrix(title, values, FORMS, numbers, cell=36, high=1)
        return matrices(grid, words=words)

    draw(
        picture(
            "form met",
            seen,
            "Accuracy of the probe by form and layer, on forms it has met.",
        ),
        picture(
            "form not met",
            unseen,
            "The same on the form that was left out: the passive is seldom right after "
            "two layers or more.",
        ),
        picture(
            "form not met, untrained network",
            blank,
            "The same for a network of random weights.",
        ),
    )


def draw_ways(right, most_common):
    """right: {way: accuracy of each word}."""
    show(
        bars(
            right,
            [r.mean() for r in right.values()],
            "Word senses, six ways, this run",
            "accuracy, mean of the words",
            intervals=[bootstrap_interval(r) for r in right.values()],
            references=[("majority", most_common.mean())],
        )
    )
