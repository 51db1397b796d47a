"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    bert, torch = names["bert"], names["torch"]
    right = mistakes_of("masked-language-model.1").right

    def first_of(top):
        """Cuts before it filters."""

        def guesses(text, k, n):
            most = min(top(n), len(bert.tokenizer))
            found = bert.predict_masked(text, top=most)[k]
            return [(piece, p) for piece, p in found if piece.isalpha()][:n]

        return guesses

    def all_words(of):
        def guesses(text, k, n):
            found = bert.predict_masked(text, top=len(bert.tokenizer))[k]
            return [(piece, p) for piece, p in found if of(piece)][:n]

        return guesses

    def next_words(text, k, n):
        pieces, shares = zip(*right(text, k, n), strict=True)
        return list(zip(pieces[1:] + pieces[:1], shares, strict=True))

    def at_place(place):
        def guesses(text, k, n):
            encoding = bert.encode(text)
            with torch.inference_mode():
                shares = bert.mlm(**encoding).logits[0].softmax(-1)
            row = shares[place(text, encoding["input_ids"][0], k)]
            best = row.sort(descending=True)
            pieces = bert.tokenizer.convert_ids_to_tokens(best.indices.tolist())
            found = zip(pieces, best.values.tolist(), strict=True)
            return [(piece, p) for piece, p in found if piece.isalpha()][:n]

        return guesses

    def index_of_word(text, ids, k):
        return [i for i, w in enumerate(text.split(), start=1) if "[MASK]" in w][k]

    def without_start(text, ids, k):
        return (ids == bert.tokenizer.mask_token_id).nonzero()[k, 0] - 1

    def one_by_one(text, k, n):
        for _ in range(k):
            text = text.replace("[MASK]", bert.predict_masked(text, top=1)[0][0][0], 1)
        return right(text, 0, n)

    def by_name(text, k, n):
        return sorted(right(text, k, n))

    yield first_of(lambda n: n + 100), "before you filter"
    yield (lambda text, k, n: bert.predict_masked(text, top=n)[k]), "not letters only"
    yield all_words(str.isalnum), "not letters only"
    yield all_words(lambda piece: piece.isascii() and piece.isalpha()), "words for mask"
    yield (lambda text, k, n: right(text, k, n + 1)), "words for mask"
    yield at_place(index_of_word), "a probability over the whole"
    yield at_place(without_start), "a probability over the whole"
    yield one_by_one, "a probability over the whole"
    yield by_name, "the likeliest comes first"
    yield next_words, "keep each word together with its own"
    yield (lambda *given: [("wrong", p) for _, p in right(*given)]), "are others"


def _by_words(pick):
    """Which pieces are chosen, where `pick` draws for the words: pick(n, rng)."""
    return lambda words, rng: pick(words.max() + 1, rng)[words] & (words >= 0)


def _draws(n, rng):
    return rng.random(n) < 0.15


def _with_neighbour(n, rng):
    some = rng.random(n) < 0.078
    return some | np.roll(some, 1)


_fair = _by_words(_draws)
CHOICES = {
    "the same chance": (
        _by_words(lambda n, rng: np.r_[False, _draws(n - 1, rng)]),
        _by_words(lambda n, rng: np.r_[_draws(n - 1, rng), False]),
    ),
    "Neighbouring words": (_by_words(_with_neighbour),),
    "same words": (lambda words, rng: _fair(words, np.random.default_rng(0)),),
    "same seed": (lambda words, rng: _fair(words, np.random.default_rng()),),
    "chosen in part": (lambda words, rng: _draws(words.shape, rng) & (words >= 0),),
    "special token was chosen": (
        lambda words, rng: _draws(words.max() + 2, rng)[words],
        lambda words, rng: _fair(words, rng) | (words < 0),
    ),
    "the rule says 15%": (_by_words(lambda n, rng: rng.random(n) < 0.5),),
}


def wrong_2(names):
    mask_id, ordinary = names["bert"].tokenizer.mask_token_id, names["ordinary_ids"]

    def of_ordinary(rng, ids):
        return rng.choice(ordinary, ids.shape)

    def labelled(ids, new, chosen):
        return new, np.where(chosen, ids, -100)

    def masking(choose=_fair, draw=of_ordinary, give=labelled):
        def answer(ids, word_ids, rng):
            words = np.array([-1 if word is None else word for word in word_ids])
            chosen, fate = choose(words, rng), rng.random(ids.shape)
            new = np.where(chosen & (fate < 0.8), mask_id, ids)
            new = np.where(chosen & (fate >= 0.9), draw(rng, ids), new)
            return give(ids, new, chosen)

        return answer

    def beside_targets(ids, new, chosen):
        other = ~chosen & (np.arange(len(ids)) % 10 == 0)
        return labelled(ids, np.where(other, ordinary[0], new), chosen)

    for said, choices in CHOICES.items():
        for choose in choices:
            yield masking(choose), said
    size, special = len(names["bert"].tokenizer), "special token stands in"
    for draw, said in (
        (lambda rng, ids: rng.integers(size, size=ids.shape), special),
        (lambda rng, ids: rng.integers(1, size, ids.shape), special),
        (lambda rng, ids: rng.choice(ids[ids > 999], ids.shape), "repeat themselves"),
        (lambda rng, ids: np.full(ids.shape, rng.choice(ordinary)), "repeat themselv"),
        (lambda rng, ids: rng.choice(ordinary[:9000], ids.shape), "first half of ids"),
    ):
        yield masking(draw=draw), said
    for give, said in (
        (lambda ids, new, chosen: (new, ids), "nearly everywhere"),
        (lambda *given: labelled(*given)[::-1], "which is a label"),
        (beside_targets, "not of all tokens"),
        (lambda ids, new, _: labelled(ids, new, new == mask_id), "Every target needs"),
        (lambda ids, _, at: labelled(ids, np.where(at, mask_id, ids), at), "became ["),
        (lambda _, new, at: labelled(new, new, at), "must be the original id"),
        (lambda ids, new, chosen: (ids[:5], ids[:5]), "of the shape of ids"),
        (lambda ids, new, chosen: (ids, np.full(ids.shape, -100)), "No token is"),
        (lambda ids, new, chosen: ids, "Return two arrays"),
    ):
        yield masking(give=give), said


def wrong_3(names):
    distribution, piece_id = names["distribution"], names["piece_id"]
    table = mistakes_of("masked-language-model.3")
    answer = table.answer(table.right)
    templates, pair, targets, right, mean, (low, high) = answer.values()

    def sums(word, templates=templates):
        p = distribution([template.format(word) for template in templates])
        return [p[:, [piece_id(w) for w in words]].sum(axis=1) for words in targets]

    for changed, said in (
        (templates[:5] * 4, "5 different templates"),
        ([*templates[:19], "The {} is."], "one {} and one [MASK]"),
        ([f"{i} {t}" for i in range(20) for t in templates], "at most"),
        ([t + " and" * 200 for t in templates], "500 letters"),
        *(
            ([t.replace("{}", field) for t in templates], "one {} and one [MASK]")
            for field in ("{:>300000000}", "{!r}", "{0}", "{name}", "{.__class__}")
        ),
    ):
        yield answer | {"templates": changed}, said
    fewer = {"templates": templates[:19], "differences": right[:19]}
    yield answer | fewer, "is an anecdote"
    yield answer | {"pair": ("garden" * 50, "prison")}, "100 letters"
    yield answer | {"pair": ("garden", "garden")}, "two different words"
    yield answer | {"targets": (["caterpillar"], ["fear"])}, "no single piece"
    yield answer | {"targets": (["joy"], ["joy", "pain"])}, "share a word"
    yield answer | {"targets": (["joy", "love", "joy"], ["fear"])}, "stands twice"
    shares = sums(pair[0])[0] - sums(pair[1])[0]
    for changed, said in (
        (right * np.nan, "differences holds nan"),
        (shares, "differences of probabilities"),
        (np.zeros(20), "yours, to two decimals, is 0.000"),
        (np.roll(right, 1), "another order"),
        (right.round(1), "right to two decimals"),
        (right[:10], "one difference a template"),
    ):
        yield answer | {"differences": changed}, said
    yield answer | {"mean": right.sum()}, "The mean of your differences"
    yield answer | {"mean": np.median(right)}, "is the median"
    yield answer | {"mean": mean + 0.002}, "to three decimals"
    for changed, said in (
        (np.quantile(right, [0.025, 0.975]), "95 % of the templates"),
        ((low - 1, high + 1), "bootstrap interval of the mean is not"),
        ((high, low), "the lower one first"),
    ):
        yield answer | {"interval": changed}, said
