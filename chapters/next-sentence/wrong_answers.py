"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import random

import numpy as np

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    losses = mistakes_of("next-sentence.1").right

    def by_shares(logits, is_next, largest):
        powers = np.exp(logits - largest)
        shares = powers / powers.sum(axis=1, keepdims=True)
        return np.where(is_next, *shares.T)

    def of_a_row(logits):
        return logits.max(axis=1, keepdims=True)

    yield (lambda x, y: -np.log(by_shares(x, y, 0))), "e to the 1000"
    yield (lambda x, y: -np.log(by_shares(x, y, x.max()))), "a maximum of its own"
    yield (lambda x, y: -np.log(by_shares(x, y, of_a_row(x)))), "log(0)"
    yield (lambda x, y: -np.log(by_shares(x, y, of_a_row(x)) + 1e-9)), "large logits"
    yield (lambda x, y: losses(x.clip(-500, 500), y)), "large logits"
    yield (lambda x, y: losses(x - np.log(np.exp(x).sum(0)), y)), "yours is"
    yield (lambda x, y: np.minimum(losses(x, y), 4)), "yours is 4. "
    yield (lambda x, y: losses(x, y).mean()), "one loss a pair"
    yield (lambda x, y: losses(x, y).squeeze()), "one loss a pair"


def wrong_2(names):
    for turned in ((True, False), (True,), (False,)):
        yield _turned(turned), "comes second"
    yield _pairs(first=lambda text: f"{text} "), "in none of the documents"
    yield (lambda d, rng: _pairs()(d, rng)[:-1]), "none opens with"
    yield (lambda d, rng: _pairs()(d, rng) + _pairs()(d[-1:] * 2, rng)), "too many"
    yield _pairs(always_true=True), "is no successor"
    yield _pairs(same_document=True), "same document"
    yield _pairs(any_document=True), "document"
    yield _pairs(labels_swapped=True), "wrong way round"
    yield _pairs(alternate=True), "same choice"
    yield _pairs(always_first=True), "was never"
    yield _pairs(draw=lambda i, n, rng: (i + 1) % n), "was never"
    yield _pairs(draw=_one_further), "more often"
    yield _pairs(draw=_step_where_equal), "was never"
    yield _pairs(sentence=lambda n, rng: 0), "was never"
    yield _pairs(sentence=lambda n, rng: rng.integers(max(1, n - 1))), "was never"
    yield _pairs(coin=lambda rng: random.random() < 0.5), "same seed"
    yield (lambda d, rng: _pairs()(d, np.random.default_rng())), "same seed"
    yield (lambda d, rng: _pairs()(d, np.random.default_rng(0))), "same choice"
    yield (lambda d, rng: _pairs()([s for s in d if s[1:]], rng)), "'b0' was never"
    yield _one_coin_a_document, "all real or all false"
    yield _one_text_a_document, "the same place"
    for pools in (_pool_a_document, _one_pool, _documents_in_turn):
        yield _without_return(pools), "a new draw"
    yield _pairs(share=0.6), "half of the pairs"
    yield _pairs(numbers=True), "True or False"
    yield (lambda documents, rng: _pairs()(documents[:-1], rng)), "has a successor"
    yield _with_last_sentences, "no successor"
    yield _round_and_round, "no successor"
    yield _neither_itself_nor_successor, "document"


def _pairs(share=0.5, **slip):
    """The right function, but for the slips that are named."""

    def make(documents, rng):
        made = []
        for i, document in enumerate(documents):
            for first, successor in zip(document, document[1:], strict=False):
                real = rng.random() < share
                if "coin" in slip:
                    real = bool(slip["coin"](rng))
                if slip.get("alternate"):
                    real = len(made) % 2 == 0
                second = successor if real else negative(documents, i, first, rng)
                label = not real if slip.get("labels_swapped") else real
                label = label or "always_true" in slip
                first = slip.get("first", str)(first)
                made.append((first, second, int(label) if "numbers" in slip else label))
        return made

    def negative(documents, i, first, rng):
        if slip.get("same_document"):
            return first
        if slip.get("always_first"):
            return documents[0 if i else 1][0]
        other = rng.integers(len(documents) - 1)
        other += 0 if slip.get("any_document") else other >= i
        if "draw" in slip:
            other = slip["draw"](i, len(documents), rng)
        sentence = slip.get("sentence", lambda n, rng: rng.integers(n))
        return documents[other][sentence(len(documents[other]), rng)]

    return make


def _turned(which):
    """The two texts exchanged where is_next is one of `which`."""

    def make(documents, rng):
        made = _pairs()(documents, rng)
        return [(b, a, real) if real in which else (a, b, real) for a, b, real in made]

    return make


def _one_further(i, n, rng):
    """Draws any document, and takes the next where it is the own."""
    other = rng.integers(n)
    return (other + (other == i)) % n


def _step_where_equal(i, n, rng):
    other = rng.integers(n - 1)
    return other + (other == i)


def _neither_itself_nor_successor(documents, rng):
    made, every = [], [text for document in documents for text in document]
    for document in documents:
        for first, successor in zip(document, document[1:], strict=False):
            second, real = successor, bool(rng.random() < 0.5)
            while not real and second in (first, successor):
                second = every[rng.integers(len(every))]
            made.append((first, second, real))
    return made


def _other(documents, i, rng):
    document = documents[(i + rng.integers(1, len(documents))) % len(documents)]
    return document[rng.integers(len(document))]


def _one_coin_a_document(documents, rng):
    made = []
    for i, document in enumerate(documents):
        real = bool(rng.integers(2))
        for first, successor in zip(document, document[1:], strict=False):
            second = successor if real else _other(documents, i, rng)
            made.append((first, second, real))
    return made


def _one_text_a_document(documents, rng):
    made = []
    for i, document in enumerate(documents):
        false = _other(documents, i, rng)
        for first, successor in zip(document, document[1:], strict=False):
            real = bool(rng.integers(2))
            made.append((first, successor if real else false, real))
    return made


def _round_and_round(documents, rng):
    return [(d[i - 1], d[i], True) for d in documents for i in range(len(d))]


def _with_last_sentences(documents, rng):
    flat = [sentence for document in documents for sentence in document]
    return [(a, b, True) for a, b in zip(flat, flat[1:], strict=False)]


def _without_return(pools):
    """False texts are dealt from shuffled pools; `pools` makes one a document."""

    def make(documents, rng):
        made, packs = [], pools(documents, rng)
        for i, document in enumerate(documents):
            for first, successor in zip(document, document[1:], strict=False):
                real = bool(rng.random() < 0.5)
                if not real:
                    place = next(n for n, (d, _) in enumerate(packs[i]) if d != i)
                    packs[i].append(dealt := packs[i].pop(place))
                made.append((first, successor if real else dealt[1], real))
        return made

    return make


def _every(documents):
    return [(d, text) for d, document in enumerate(documents) for text in document]


def _pool_a_document(documents, rng):
    every = _every(documents)
    places = [rng.permutation(len(every))[:40] for _ in documents]
    return [[every[place] for place in some] for some in places]


def _one_pool(documents, rng):
    every = _every(documents)
    pool = [every[place] for place in rng.permutation(len(every))]
    return [pool] * len(documents)


def _documents_in_turn(documents, rng):
    """Another document for each pair; its sentence is drawn."""
    order = rng.permutation(len(documents))
    pool = [(d, documents[d][rng.integers(len(documents[d]))]) for d in order]
    return [pool] * len(documents)


def wrong_3(names):
    table = mistakes_of("next-sentence.3")
    right = table.answer(table.right)
    pairs, shares = names["pairs"], right["rule_shares"]
    kinds = list(shares)
    tenths = {kind: round(share, 1) for kind, share in shares.items()}
    known = set(pairs["true"])
    yield right | {"rule_shares": tenths}, "expected, to two decimals"
    yield right | {"rule_shares": shares | {"swapped": 0.123}}, "for 'swapped'"
    yield right | {"model_shares": dict.fromkeys(kinds, 0.111)}, "of the model"
    yield right | {"model_shares": {"swapped": 0.5}}, "keys other topic"
    for rule, said in (
        (lambda first, second: 1, "decides none"),
        (lambda first, second: len(first + second), "swapped one"),
        (lambda first, second: (first, second) in known, "of the table alone"),
        (names["bert"].predict_next, "calls predict_next"),
        (lambda first, second: _logit(names["bert"], first, second), "runs a network"),
        (lambda first, second: np.nan, "yours is nan"),
        (lambda first, second: {}[first], "stopped with KeyError"),
    ):
        yield right | {"rule": rule}, said


def _logit(bert, first, second):
    batch = bert.tokenizer(first, second, return_tensors="pt").to(bert.device)
    return bert.nsp(**batch).logits[0, 0].item()
