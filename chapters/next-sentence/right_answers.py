"""Right answers by other ways than the solutions: losses, pairs, a rule."""

import re

import numpy as np

KINDS = ("other topic", "same topic", "swapped")


def _softplus(logits, is_next):
    against = (logits[:, 1] - logits[:, 0]) * np.where(is_next, 1, -1)
    return np.logaddexp(0, against)


def right_1(names):
    yield _softplus


def _drawn(documents, rng, coin, false):
    for i, document in enumerate(documents):
        for first, successor in zip(document, document[1:], strict=False):
            real = bool(coin())
            yield first, successor if real else false(i), real


def _from_all_others(documents, rng):
    def false(i):
        others = [s for j, d in enumerate(documents) if j != i for s in d]
        return rng.choice(others)

    return _drawn(documents, rng, lambda: rng.integers(2), false)


def _until_another(documents, rng):
    def false(i):
        while (other := rng.integers(len(documents))) == i:
            pass
        return documents[other][rng.integers(len(documents[other]))]

    return list(_drawn(documents, rng, lambda: rng.random() < 0.5, false))


def _exactly_half(documents, rng):
    n = sum(max(0, len(document) - 1) for document in documents)
    coins = list(rng.permutation(n) < n / 2)
    others = list(documents)

    def false(i):
        other = others[(i + rng.integers(1, len(others))) % len(others)]
        return str(rng.choice(other))

    return list(_drawn(documents, rng, coins.pop, false))


def _shuffled(documents, rng):
    made = _until_another(documents, rng)
    return [list(made[i]) for i in rng.permutation(len(made))]


def right_2(names):
    yield _from_all_others
    yield _until_another
    yield _exactly_half
    yield _shuffled


def right_3(names):
    pairs, model = names["pairs"], names["model"]

    def rule(first, second):
        later = [len(re.findall(r"\b(he|she|it|they)\b", t)) for t in (first, second)]
        return later[1] - later[0]

    def shares(scores):
        true = scores["true"]
        return {k: ((true > scores[k]) + (true == scores[k]) / 2).mean() for k in KINDS}

    own, of_model = shares(pairs.map(lambda pair: rule(*pair))), shares(model)
    answer = {"rule": rule, "rule_shares": own, "model_shares": of_model}
    yield answer | {"rule_shares": {k: round(v + 1e-9, 2) for k, v in own.items()}}
    yield answer | {"rule": lambda first, second: str(rule(first, second))}
