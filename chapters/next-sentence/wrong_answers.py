"""Typical wrong answers to the exercises of the chapter, and what is said to them."""

import numpy as np


def wrong_1(names):
    def softmax(logits, axis):
        powers = np.exp(logits)
        return powers / powers.sum(axis=axis, keepdims=True)

    yield (lambda logits: softmax(logits, 1)[:, 1]), "order of labels"
    yield (lambda logits: softmax(logits, 0)[:, 0]), "over the pairs"
    yield (lambda logits: softmax(logits, 1)[:, 0]), "e to the 1000"
    yield (lambda logits: 1 / (1 + np.exp(-logits[:, 0]))), "first logit alone"
    yield (lambda logits: logits[:, 0]), "between 0 and 1"
    yield (lambda logits: softmax(logits, 1)), "shape (6,)"
    yield (lambda logits: logits[:, 0] > logits[:, 1]), "softmax of each row"
    yield 0.5, "function itself"


def wrong_2(names):
    yield _pairs(same_document=True), "same document"
    yield _pairs(any_document=True), "same document"
    yield _pairs(labels_swapped=True), "wrong way round"
    yield _pairs(share=0.85), "half of the pairs"
    yield _pairs(alternate=True), "same choice"
    yield _pairs(always_first=True), "a few places"
    yield _pairs(numbers=True), "True or False"
    yield (lambda documents, rng: _pairs()(documents[:-1], rng)), "has a successor"
    yield (lambda documents, rng: documents), "list of tuples"
    yield _with_last_sentences, "no successor"


def _pairs(share=0.5, **slip):
    """The right function, but for the slips that are named."""

    def make(documents, rng):
        made = []
        for i, document in enumerate(documents):
            for first, successor in zip(document, document[1:], strict=False):
                real = rng.random() < share
                if slip.get("alternate"):
                    real = len(made) % 2 == 0
                second = successor if real else negative(documents, i, first, rng)
                label = not real if slip.get("labels_swapped") else real
                made.append((first, second, int(label) if "numbers" in slip else label))
        return made

    def negative(documents, i, first, rng):
        if slip.get("same_document"):
            return first
        if slip.get("always_first"):
            return documents[0 if i else 1][0]
        other = rng.integers(len(documents) - 1)
        other += 0 if slip.get("any_document") else other >= i
        return documents[other][rng.integers(len(documents[other]))]

    return make


def _with_last_sentences(documents, rng):
    flat = [sentence for document in documents for sentence in document]
    return [(a, b, True) for a, b in zip(flat, flat[1:], strict=False)]


def wrong_3(names):
    pairs, model = names["pairs"], names["model"]
    kinds = ("other topic", "same topic", "swapped")

    def coarse(first, second):  # many ties
        return second.count(" he ") - first.count(" he ")

    def shares(values, win=lambda true, false: (true > false) + (true == false) / 2):
        return {k: float(win(values["true"], values[k]).mean()) for k in kinds}

    scores = pairs.map(lambda pair: coarse(*pair))
    right = {
        "rule": coarse,
        "rule_shares": shares(scores),
        "model_shares": shares(model),
    }
    lost, won = shares(scores, np.greater), shares(scores, np.greater_equal)
    percent = {kind: 100 * share for kind, share in shares(scores).items()}
    turned = {kind: 1 - share for kind, share in shares(model).items()}
    told = right["model_shares"]["other topic"]
    strange = next(  # neither the model's share nor the rest
        share
        for share in (0.1, 0.2, 0.3)
        if abs(abs(share - 0.5) - abs(told - 0.5)) > 0.04
    )
    yield right | {"rule_shares": lost}, "not as lost"
    yield right | {"rule_shares": won}, "not as won"
    yield right | {"rule_shares": percent}, "per cent"
    yield right | {"rule": lambda first, second: 1}, "decides none"
    yield right | {"rule": lambda first: 1}, "stopped with TypeError"
    yield right | {"rule": 0.5}, "function of two texts"
    yield right | {"model_shares": dict.fromkeys(kinds, strange)}, "scores higher"
    yield right | {"model_shares": {"swapped": 0.5}}, "keys other topic"
    yield right | {"rule_shares": dict.fromkeys(kinds, "x")}, "must be a number"
    if abs(turned["other topic"] - told) > 0.06:
        yield right | {"model_shares": turned}, "false pair is preferred"
