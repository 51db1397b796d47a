"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np
import pandas as pd
import torch

from helpers import DATA
from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("sentence-embeddings.1").right

    def mean_of_all_for_empty(states, mask, special):
        left = (mask * (1 - special)).sum(1, keepdim=True)
        return right(states, mask, special) + states.mean(1) * (left == 0)

    def one_empty_alone(states, mask, special):
        left = (mask * (1 - special)).sum(1, keepdim=True)
        return right(states, mask, special) * torch.where(
            left.sum() > 0, left / left, 1
        )

    def of_first_row(states, mask, special):
        return states[:, (mask * (1 - special))[0] == 1].mean(1)

    def drops_empty(states, mask, special):
        full = (mask * (1 - special)).sum(1) > 0
        return right(states[full], mask[full], special[full])

    yield mean_of_all_for_empty, "give zeros there"
    yield one_empty_alone, "gives nan"
    yield of_first_row, "Row 1 is not the mean of its words"
    yield drops_empty, "shape"
    yield lambda states, mask, special: states.mean(dim=2), "axis 1"


def wrong_2(names):
    right = mistakes_of("sentence-embeddings.2").right

    def cosine(query, vectors):
        lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
        return vectors @ query / lengths

    def turned_round(query, vectors, k):
        return np.argsort(cosine(query, vectors), kind="stable")[::-1][:k]

    def of_columns(query, vectors, k):
        return right(query, vectors / np.linalg.norm(vectors, axis=0), k)

    def centred(query, vectors, k):
        return right(query - query.mean(), vectors - vectors.mean(1, keepdims=True), k)

    def zero_as_last(query, vectors, k):
        found = right(query, vectors, k)
        return np.where(found == 0, len(vectors), found)

    def filled_up(query, vectors, k):
        found = list(right(query, vectors, k))
        return found + [-1] * (k - len(found))

    def never_the_question(query, vectors, k):
        found = right(query, vectors, len(vectors))
        return [i for i in found if (vectors[i] != query).any()][:k]

    yield never_the_question, "row 5 comes at place 0"
    yield turned_round, "smaller index must come first"
    yield lambda *given: sorted(right(*given)), "in another order"
    yield of_columns, "in another order"
    yield centred, "by cosine"
    yield zero_as_last, "Row 80 is none of 80 rows"
    yield filled_up, "no -1"
    yield (
        lambda query, vectors, k: np.resize(right(query, vectors, k), k),
        "yours are 9",
    )
    yield lambda query, vectors, k: right(query, vectors, len(vectors)), "Expected 30"
    yield lambda query, vectors, k: right(query, vectors, k + 1), "yours are 31"
    yield lambda *given: right(*given)[:-1], "yours are 29"
    yield lambda q, v, k: np.sort(cosine(q, v))[::-1][:k], "not the cosines"
    yield lambda *given: [right(*given)], "one flat list"


def wrong_3(names):
    encode, pool, spearman = names["encode"], names["pool"], names["spearman"]
    table = mistakes_of("sentence-embeddings.3")
    right = table.answer(table.right)
    pairs, found = right["pairs"], right["spearman"]
    first, second, grades = zip(*pairs, strict=True)
    sides = [encode(first), encode(second)]

    def by_layer(layer):
        made = {}
        for how in found:
            vectors = (pool(s[:, layer], mask, how) for s, mask in sides)
            made[how] = float(spearman(grades, torch.cosine_similarity(*vectors)))
        return right | {"spearman": made}

    def correlations(**changes):
        return right | {"spearman": found | changes}

    yield by_layer(0) | {"spearman": by_layer(0)["spearman"] | {"cls": 0}}, "input emb"
    yield by_layer(1), "first layer"
    yield correlations(cls=-1.0), "correlation for cls"
    yield correlations(max=np.nan), "spearman holds nan"
    yield right | {"spearman": {"mean": found["mean"]}}, "keys"
    rounded = {how: round(float(value), 1) for how, value in found.items()}
    yield right | {"spearman": rounded}, "two decimals"
    page = pd.read_csv(DATA / "sentence-pairs.tsv", sep="\t", quoting=3, header=None)
    many = [(f"{i} {a}", b, grade) for i in range(250) for a, b, grade in pairs]
    same = [(b, b, grade) for a, b, grade in pairs]
    for others, said in (
        (pairs[:11], "11 pairs"),
        (many, "4000 pairs; take at most"),
        ([(a + " again" * 100, b, grade) for a, b, grade in pairs], "300 letters"),
        ([(a, b, 3) for a, b, _ in pairs], "three different"),
        ([(a, b, 9) for a, b, _ in pairs], "from 0 to 5"),
        (pairs[:1] + pairs[:11], "comes twice"),
        (pairs[:6] + [(b, a, grade) for a, b, grade in pairs[:6]], "turned round"),
        (page[[1, 2, 0]].to_numpy().tolist(), "of your own"),
        (same + pairs[:8], "of your own"),
        ([(a, b) for a, b, _ in pairs], "(first, second, grade)"),
        (pd.DataFrame(pairs)[[2, 0, 1]], "(first, second, grade)"),
    ):
        yield right | {"pairs": others}, said
