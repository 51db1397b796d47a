"""What "Word vectors" draws; what it teaches stands in the page."""

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA

from chapters.word_vectors.pair_arrows import pair_arrows
from chapters.word_vectors.relations import SHOWN, as_pairs, table_of
from helpers.plotting.pictures import (
    Matrix,
    arrows,
    draw,
    matrices,
    slide,
)
from helpers.senses import unit
from helpers.verdicts import AHEAD


def points_of(bert, text):
    """The words of a relation in the plane that shows most of them: (words, 2)."""
    rows = table_of(bert)[bert.tokenizer.convert_tokens_to_ids(text.split())]
    return PCA(2, random_state=0).fit_transform(unit(rows))


def draw_relations(bert):
    titles = ("capital → country", "past → present")
    parts = []
    for text, title, length in zip(SHOWN, titles, (225, 270), strict=True):
        points = dict(zip(text.split(), points_of(bert, text), strict=True))
        said = ", ".join(f"{a} to {b}" for a, b in as_pairs(text))
        words = f"Six arrows that all lean the same way: {said}."
        parts.append(pair_arrows(points, as_pairs(text), words, title, length))
    draw(*parts)


def draw_toy(small, table, U, sizes, Vt):
    names, beside = "coin euro boat ship".split(), "the pay buy row sail".split()
    two = ["1st", "2nd"]
    draw(
        matrices(
            Matrix("counts", small, names, beside, "plain", ".0f", 36),
            "→",
            Matrix("PPMI", table, names, beside, "weights", ".1f", 36),
            "\n",
            "=",
            Matrix("U", np.abs(U[:, :2]), names, two, "query", ".1f", 36),
            "×",
            Matrix("S", np.diag(sizes[:2]), two, two, "plain", ".1f", 36),
            "×",
            Matrix("V, turned", np.abs(Vt[:2]), two, beside, "key", ".1f", 36),
            words="Counts of four words beside five. After PPMI the column of the is "
            "empty. The table is a product of U, with coin and euro in the first "
            "column and boat and ship in the second, of S, 2.4 and 1.6, and of V, "
            "with pay and buy in the first row, row and sail in the second.",
        )
    )


def draw_planted(vectors, row, planted):
    """The first six pairs of two planted relations."""
    parts = []
    titles = {"capital": "country → capital", "young": "animal → young"}
    for name, title in titles.items():
        pairs = planted[name][:6]
        names = [word for pair in pairs for word in pair]
        points = PCA(2, random_state=0).fit_transform(
            unit(vectors[[row[word] for word in names]])
        )
        words = f"{title}: an arrow for each pair of {', '.join(names)}"
        parts.append(
            pair_arrows(dict(zip(names, points, strict=True)), pairs, words, title)
        )
    draw(*parts)


def slide_window(sentence, size=2):
    """The window of skip-gram, moving over a sentence: a frame for each word."""
    frames = []
    for place, word in enumerate(sentence):
        low, high = max(0, place - size), min(len(sentence), place + size + 1)
        beside = [sentence[i] for i in range(low, high) if i != place]
        said = f"The word is {word}; its company is {', '.join(beside)}."
        frames.append((said, _window(sentence, place, low, high, said)))
    slide("the window:", frames, start=len(sentence) // 2)


def _window(sentence, place, low, high, said):
    kinds = ["company" if low <= i < high else "" for i in range(len(sentence))]
    kinds[place] = "word"
    shade = [[{"word": 1.0, "company": 0.4, "": 0.0}[kind] for kind in kinds]]
    table = Matrix("", shade, (), sentence, "query", "", 44, high=1)
    return matrices(table, words=said)


def draw_nearest(target, words):
    """The five words nearest to king − man + woman; target: their cosines."""
    nearest = np.argsort(-target)[:5]
    said = ", ".join(f"{words[i]} {target[i]:.2f}" for i in nearest)
    names = [words[i] for i in nearest]
    title = "near king − man + woman"
    table = Matrix(title, [target[nearest]], (), names, "query", cell=56, high=1)
    draw(matrices(table, words=f"Cosines with king − man + woman: {said}"))


def table_of_contests(contests):
    """One row a relation: pairs, the lead in points, its interval, and the verdict."""
    rows = {
        name: (
            v.n,
            round(v.difference),
            v.interval("+.0f"),
            "yes" if v.word == AHEAD else "",
        )
        for name, v in contests.items()
    }
    return pd.DataFrame(rows, index=["pairs", "points", "interval", "ahead"]).T


def draw_bank(bank, money, river):
    """Three vectors of length 1 in the plane of the two senses."""
    across = float(money @ river)
    up = np.sqrt(1 - across**2)
    plane = {
        "money": (1, 0),
        "river": (across, up),
        "bank": (bank @ money, (bank @ river - across * (bank @ money)) / up),
    }
    words = (
        "Two arrows at nearly a right angle, bank/money and bank/river, and bank "
        "between the two."
    )
    axes = ("bank/money", "away from it")
    draw(arrows(plane, axes, unit=190, reach=1.1, words=words))


def draw_learned(theory, learned, row):
    names, beside = "coin loan boat shore".split(), "cheap bank wet muddy the".split()
    part = np.ix_([row[w] for w in names], [row[w] for w in beside])
    tables = {"counted: PMI − log k": theory, "learned: product": learned}
    draw(
        matrices(
            *[
                Matrix(title, table[part], names, beside, form=".1f", high=4)
                for title, table in tables.items()
            ],
            words="Two tables for coin, loan, boat and shore beside cheap, bank, wet, "
            "muddy and the. Their numbers are nearly the same.",
        )
    )
