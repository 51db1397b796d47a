"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np
import pandas as pd
import torch
from scipy.stats import kendalltau

from helpers import DATA


def wrong_1(names):
    def mean(weights, count=None):
        def pooled(states, mask, special):
            chosen = weights(mask, special).unsqueeze(-1)
            number = chosen.sum(1) if count is None else count(states, mask)
            return (states * chosen).sum(1) / number

        return pooled

    def words(mask, special):
        return mask * (1 - special)

    yield mean(words), "no piece left gives nan"
    yield lambda states, mask, special: states.mean(dim=1), "padding included"
    yield mean(lambda mask, special: mask), "[CLS] and [SEP] count"
    yield mean(lambda mask, special: 1 - special), "padding is still counted"
    yield mean(words, lambda states, mask: states.shape[1]), "length of the padded row"
    yield mean(words, lambda states, mask: mask.sum(1, keepdim=True)), "not in the sum"
    yield mean(words, lambda states, mask: 1), "This is the sum"
    yield mean(lambda mask, special: mask & ~special), "nan"
    yield mean(lambda mask, special: mask * ~special), "~1 is -2"
    yield lambda states, mask, special: states.mean(dim=2), "axis 1"
    yield lambda states, mask, special: states[mask.bool()], "shape"
    yield lambda states, mask, special: "mean", "one tensor"
    yield torch.zeros(3, 4), "without brackets"

    def between_ends(states, mask, special):
        rows = [own[real == 1][1:-1] for own, real in zip(states, mask, strict=True)]
        return torch.stack([x.mean(0) if len(x) else x.sum(0) for x in rows])

    def one_empty_alone(states, mask, special):
        counted = words(mask, special).unsqueeze(-1)
        if counted.sum() == 0:
            return torch.zeros(len(states), states.shape[2])
        return (states * counted).sum(1) / counted.sum(1)

    def of_first_row(states, mask, special):
        return states[:, words(mask, special)[0] == 1].mean(1)

    def highest(states, mask, special):
        counted = words(mask, special).unsqueeze(-1) == 1
        return states.masked_fill(~counted, -torch.inf).amax(1)

    def no_first(states, mask, special):
        return (states * mask.unsqueeze(-1))[:, 1:].sum(1) / (mask.sum(1) - 1)[:, None]

    def one_more(states, mask):
        return words(mask, (mask < 0).long()).sum(1, keepdim=True) - 1

    def drops_empty(states, mask, special):
        full = words(mask, special).sum(1) > 0
        return mean(words)(states[full], mask[full], special[full])

    def mean_of_all_for_empty(states, mask, special):
        own = mean(words)(states, mask, special)
        return torch.where(own.isnan(), states.mean(1), own)

    yield mean_of_all_for_empty, "give zeros there"
    yield lambda s, mask, special: s[:, 0], "expected"
    yield between_ends, "in the middle"
    yield one_empty_alone, "nan"
    yield of_first_row, "Row 1 is not the mean"
    yield highest, "the maximum"
    yield mean(lambda mask, special: mask * special), "mean of the special pieces"
    yield no_first, "not the mean of its words"
    yield mean(words, one_more), "not the mean of its words"
    yield drops_empty, "shape"
    yield (
        lambda *given: mean(words)(*given).round(decimals=2),
        "right to four decimals",
    )


def wrong_2(names):
    def cosine(query, vectors):
        lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
        return vectors @ query / lengths

    def turned_round(query, vectors, k):
        return np.argsort(cosine(query, vectors), kind="stable")[::-1][:k]

    def nearest(query, vectors, k):
        return np.argsort(np.linalg.norm(vectors - query, axis=1))[:k]

    yield lambda q, v, k: np.argsort(-(v @ q))[:k], "largest dot products"
    yield lambda q, v, k: np.argsort(cosine(q, v))[:k], "lowest cosines"
    yield lambda q, v, k: np.argsort(cosine(q, v))[-k:], "best one comes last"
    yield turned_round, "smaller index must come first"
    yield nearest, "smallest distances"
    yield lambda q, v, k: np.sort(cosine(q, v))[::-1][:k], "not the cosines"
    yield lambda q, v, k: np.argsort(-cosine(q, v)), "Expected 30 rows"
    yield lambda q, v, k: [np.argsort(-cosine(q, v))[:k]], "one flat list"
    yield lambda q, v, k: list(range(k))[: len(v)], "by cosine"
    yield lambda q, v, k: "first", "list of row numbers"
    yield [0, 1], "without brackets"

    def best(scores, k):
        return np.argsort(-np.asarray(scores).round(9), kind="stable")[:k]

    def of_columns(query, vectors, k):
        return best((vectors / np.linalg.norm(vectors, axis=0)) @ query, k)

    def by_sums(query, vectors, k):
        return best(vectors @ query / np.abs(vectors).sum(1), k)

    def partitioned(query, vectors, k):
        k = min(k, len(vectors))
        return np.argpartition(-cosine(query, vectors), k - 1)[:k]

    def no_fewer(query, vectors, k):
        return np.resize(best(cosine(query, vectors), k), k)

    def centred(query, vectors, k):
        return best(
            cosine(query - query.mean(), vectors - vectors.mean(1, keepdims=True)), k
        )

    def filled_up(query, vectors, k):
        found = list(best(cosine(query, vectors), k))
        return found + [-1] * (k - len(found))

    yield filled_up, "no -1"
    yield lambda q, v, k: best(cosine(q, v), k) + 1, "count from"
    yield lambda q, v, k: best(cosine(q, v), k + 1)[1:], "begin with the second"
    yield lambda q, v, k: best(cosine(q, v), k + 1), "yours are 31"
    yield lambda q, v, k: best(cosine(q, v), k)[:-1], "yours are 29"
    yield lambda q, v, k: best(np.abs(cosine(q, v)), k), "no absolute values"
    yield lambda q, v, k: sorted(best(cosine(q, v), k)), "in another order"
    yield of_columns, "by cosine"
    yield by_sums, "cosine"
    yield partitioned, "cosine"
    yield no_fewer, "yours are 9"
    yield centred, "cosine"


def wrong_3(names):
    encode, pool = names["encode"], names["pool"]
    pairs = [
        ("The dog bit the man.", "The man bit the dog.", 2),
        ("The dog bit the man.", "A man was bitten by a dog in the old park.", 5),
        ("It is not raining.", "The sky is dry.", 4),
        ("It is not raining.", "It is raining in most of the country today.", 2),
        ("He can't stand opera.", "He hates opera.", 5),
        ("He can't stand opera.", "He sang in an opera.", 1),
        ("The key is in the lock.", "The key to the song is minor.", 0),
        ("The key is in the lock.", "Somebody left the key in the door.", 4),
        ("She paid the bill.", "The bill was settled by her.", 5),
        ("She paid the bill.", "The duck has a yellow bill.", 0),
        ("Few people came.", "Many people came.", 2),
        ("Few people came.", "Hardly anybody turned up for the first night.", 5),
    ]
    first, second, grades = zip(*pairs, strict=True)
    sides = [encode(first), encode(second)]

    def correlations(layer=-1, masked=True, ranked=True, dots=False):
        found = {}
        for how in ("cls", "mean", "max"):
            u, v = (
                pool(s[:, layer], m if masked else torch.ones_like(m), how).numpy()
                for s, m in sides
            )
            scores = (u * v).sum(1)
            if not dots:
                scores /= np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1)
            rows = [np.array(grades, float), scores]
            if ranked:
                rows = [ranks(row) for row in rows]
            found[how] = float(np.corrcoef(*rows)[0, 1])
        return found

    def answer(found, **change):
        return {"pairs": pairs, "spearman": found} | change

    right = correlations()
    yield answer(correlations(ranked=False)), "Pearson"
    yield answer(correlations(masked=False)), "counts the padding"
    yield answer(correlations(layer=1)), "first layer"
    rounded_elsewhere = {"cls": 0.0}  # there its cosines differ by rounding alone
    yield answer(correlations(layer=1) | rounded_elsewhere), "first layer"
    yield answer({how: -value for how, value in right.items()}), "signs are turned"
    yield answer({how: 2.0 for how in right}), "correlation for cls"
    yield answer(right | {"cls": right["max"], "max": right["cls"]}), "wrong names"
    yield answer({"mean": right["mean"]}), "keys"
    yield answer(right | {"max": "high"}), "must be a number"
    yield answer(right | {"max": np.nan}), "spearman holds nan"
    many = [(f"{i} {a}", b, grade) for i in range(250) for a, b, grade in pairs]
    yield answer(right, pairs=many), "3000 pairs; take at most"
    long = [(a + " again" * 100, b, grade) for a, b, grade in pairs]
    yield answer(right, pairs=long), "300 letters"
    yield answer(right, pairs=pairs[:11]), "11 pairs"
    yield answer(right, pairs=[(a, b, 3) for a, b, _ in pairs]), "three different"
    yield answer(right, pairs=[(a, b, 9) for a, b, _ in pairs]), "from 0 to 5"
    yield answer(right, pairs=pairs[:1] + pairs[:11]), "comes twice"
    yield answer(right, pairs=[(a, b) for a, b, _ in pairs]), "(first, second, grade)"
    yield [right], "keys pairs"
    table = pd.read_csv(DATA / "sentence-pairs.tsv", sep="\t", quoting=3, header=None)
    page = table[[1, 2, 0]].to_numpy().tolist()
    yield answer(right, pairs=page), "of your own"
    yield (
        answer(right, pairs=[(b, b, grade) for a, b, grade in pairs] + pairs[:8]),
        ("of your own"),
    )
    twice = [*pairs[:6], *((b, a, grade) for a, b, grade in pairs[:6])]
    yield answer(right, pairs=twice), "turned round"
    shuffled = pd.DataFrame(pairs)[[2, 0, 1]]
    yield answer(right, pairs=shuffled), "(first, second, grade)"
    by_squares, n = {}, len(pairs)
    by_kendall = {}
    by_order, by_distance = {}, {}
    for how in right:
        u, v = (pool(s[:, -1], m, how).numpy() for s, m in sides)
        near = (u * v).sum(1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)
        by_kendall[how] = kendalltau(grades, near).statistic
        order = np.argsort(grades, kind="stable").argsort()
        by_order[how] = np.corrcoef(order, ranks(near))[0, 1]
        squares = ((ranks(np.array(grades)) - ranks(near)) ** 2).sum()
        by_squares[how] = 1 - 6 * squares / (n * (n * n - 1))
        far = np.linalg.norm(u - v, axis=1)
        by_distance[how] = np.corrcoef(ranks(np.array(grades)), ranks(-far))[0, 1]
    yield answer(by_kendall), "Kendall"
    yield answer(by_order), "argsort"
    yield answer(by_squares), "squared differences"
    yield answer({how: round(v, 1) for how, v in right.items()}), "two decimals"
    yield answer(by_distance), "distances"
    yield answer({how: 100 * value for how, value in right.items()}), "per cent"


def ranks(values):
    """Ranks, equal values sharing their mean rank."""
    return np.array([np.mean(np.flatnonzero(np.sort(values) == v)) for v in values])
