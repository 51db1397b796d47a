"""Wrong answers to the exercises of the chapter, with words of the reply."""

import numpy as np


def wrong_1(names):
    bert, torch = names["bert"], names["torch"]

    def words(guesses):
        return [(piece, p) for piece, p in guesses if piece.isalpha()]

    def first_mask(text, k, n):
        return words(bert.predict_masked(text, top=5000)[0])[:n]

    def cut_first(text, k, n):
        return words(bert.predict_masked(text, top=n)[k])

    def unfiltered(text, k, n):
        return bert.predict_masked(text, top=n)[k]

    def normalised(text, k, n):
        best = words(bert.predict_masked(text, top=5000)[k])[:n]
        return [(piece, p / sum(p for _, p in best)) for piece, p in best]

    def right(text, k, n):
        return words(bert.predict_masked(text, top=5000)[k])[:n]

    def backwards(text, k, n):
        return right(text, k, n)[::-1]

    def logits(text, k, n):
        encoding = bert.tokenizer(text, return_tensors="pt")
        place = (encoding["input_ids"][0] == bert.tokenizer.mask_token_id).nonzero()[k]
        with torch.inference_mode():
            best = bert.mlm(**encoding).logits[0, place[0]].topk(5000)
        pieces = bert.tokenizer.convert_ids_to_tokens(best.indices.tolist())
        return words(zip(pieces, best.values.tolist(), strict=True))[:n]

    def other_words(text, k, n):
        return [("wrong", p) for _, p in right(text, k, n)]

    def next_words(text, k, n):
        best = right(text, k, n)
        pieces = [piece for piece, _ in best]
        return list(zip(pieces[1:] + pieces[:1], [p for _, p in best], strict=True))

    def all_words(text, k, n, of=str.isalpha):
        guesses = bert.predict_masked(text, top=len(bert.tokenizer))[k]
        return [(piece, p) for piece, p in guesses if of(piece)][:n]

    def some_more(text, k, n):
        return words(bert.predict_masked(text, top=n + 100)[k])[:n]

    def last_mask(text, k, n):
        return all_words(text, -1, n)

    def with_digits(text, k, n):
        return all_words(text, k, n, str.isalnum)

    def ascii_alone(text, k, n):
        return all_words(text, k, n, lambda piece: piece.isascii() and piece.isalpha())

    def percent(text, k, n):
        return [(piece, 100 * p) for piece, p in all_words(text, k, n)]

    def one_too_many(text, k, n):
        return all_words(text, k, n + 1)

    def ten_times(text, k, n):
        top = min(10 * n, len(bert.tokenizer))
        return words(bert.predict_masked(text, top=top)[k])[:n]

    def from_the_end(text, k, n):
        return all_words(text, -k, n)

    def at_place(place):
        def guesses(text, k, n):
            encoding = bert.encode(text)
            with torch.inference_mode():
                shares = bert.mlm(**encoding).logits[0].softmax(-1)
            best = shares[place(text, encoding["input_ids"][0], k)].sort(
                descending=True
            )
            pieces = bert.tokenizer.convert_ids_to_tokens(best.indices.tolist())
            return words(zip(pieces, best.values.tolist(), strict=True))[:n]

        return guesses

    def index_of_word(text, ids, k):
        return [i for i, w in enumerate(text.split(), start=1) if "[MASK]" in w][k]

    def without_start(text, ids, k):
        return (ids == bert.tokenizer.mask_token_id).nonzero()[k, 0] - 1

    def one_by_one(text, k, n):
        for _ in range(k):
            text = text.replace("[MASK]", bert.predict_masked(text, top=1)[0][0][0], 1)
        return all_words(text, 0, n)

    def two_decimals(text, k, n):
        return [(piece, round(p, 2)) for piece, p in all_words(text, k, n)]

    yield ten_times, "got 0"
    yield from_the_end, "Count the masks from 0"
    yield at_place(index_of_word), "a probability over the whole"
    yield at_place(without_start), "a probability over the whole"
    yield one_by_one, "a probability over the whole"
    yield two_decimals, "a probability over the whole"
    yield some_more, "words for mask"
    yield last_mask, "Count the masks from 0"
    yield with_digits, "not letters only"
    yield ascii_alone, "words for mask"
    yield percent, "per cent"
    yield one_too_many, "words for mask"
    yield other_words, "the words beside them are others"
    yield next_words, "keep each word together with its own"
    yield first_mask, "Count the masks from 0"
    yield cut_first, "before you filter"
    yield unfiltered, "not letters only"
    yield normalised, "do not normalise them again"
    yield backwards, "the likeliest comes first"
    yield logits, "take the softmax"
    yield lambda text, k, n: 3, "Return a list"
    yield first_mask("A [MASK].", 0, 3), "Pass the function itself"


def wrong_2(names):
    mask_id = names["bert"].tokenizer.mask_token_id
    ordinary = names["ordinary_ids"]

    def choose(word_ids, rng):
        words = np.array([-1 if word is None else word for word in word_ids])
        return (rng.random(words.max() + 1) < 0.15)[words] & (words >= 0)

    def corrupt(ids, chosen, rng, drawn=None):
        fate = rng.random(ids.shape)
        drawn = rng.choice(ordinary, ids.shape) if drawn is None else drawn
        new = np.where(chosen & (fate < 0.8), mask_id, ids)
        return np.where(chosen & (fate >= 0.9), drawn, new)

    def of_all_tokens(ids, word_ids, rng):
        chosen = choose(word_ids, rng)
        fate = rng.random(ids.shape)
        new = np.where(chosen & (fate < 0.8), mask_id, ids)
        new = np.where(fate >= 0.9, rng.choice(ordinary, ids.shape), new)
        return new, np.where(chosen, ids, -100)

    def masks_only(ids, word_ids, rng):
        new = corrupt(ids, choose(word_ids, rng), rng)
        return new, np.where(new == mask_id, ids, -100)

    def changed_only(ids, word_ids, rng):
        new = np.where(choose(word_ids, rng), mask_id, ids)
        return new, np.where(new != ids, ids, -100)

    def new_labels(ids, word_ids, rng):
        chosen = choose(word_ids, rng)
        new = corrupt(ids, chosen, rng)
        return new, np.where(chosen, new, -100)

    def in_pieces(ids, word_ids, rng):
        words = np.array([-1 if word is None else word for word in word_ids])
        chosen = (rng.random(ids.shape) < 0.15) & (words >= 0)
        return corrupt(ids, chosen, rng), np.where(chosen, ids, -100)

    def specials_too(ids, word_ids, rng):
        words = np.array([-1 if word is None else word for word in word_ids])
        chosen = (rng.random(words.max() + 2) < 0.15)[words]
        return corrupt(ids, chosen, rng), np.where(chosen, ids, -100)

    def last_word(ids, word_ids, rng):
        chosen = np.isin(ids, names["special_ids"]) | choose(word_ids, rng)
        return corrupt(ids, chosen, rng), np.where(chosen, ids, -100)

    def half(ids, word_ids, rng):
        words = np.array([-1 if word is None else word for word in word_ids])
        chosen = (rng.random(words.max() + 1) < 0.5)[words] & (words >= 0)
        return corrupt(ids, chosen, rng), np.where(chosen, ids, -100)

    def one_random_token(ids, word_ids, rng):
        chosen = choose(word_ids, rng)
        new = corrupt(ids, chosen, rng, drawn=np.full(ids.shape, rng.choice(ordinary)))
        return new, np.where(chosen, ids, -100)

    def flat(ids, word_ids, rng):
        return ids[:5], ids[:5]

    def of_words(pick, drawn=None):
        def answer(ids, word_ids, rng):
            words = np.array([-1 if word is None else word for word in word_ids])
            chosen = pick(words.max() + 1, rng)[words] & (words >= 0)
            other = None if drawn is None else rng.choice(drawn(ids), ids.shape)
            return corrupt(ids, chosen, rng, other), np.where(chosen, ids, -100)

        return answer

    def draws(n, rng):
        return rng.random(n) < 0.15

    def not_the_first(n, rng):
        return np.r_[False, draws(n - 1, rng)]

    def not_the_last(n, rng):
        return np.r_[draws(n - 1, rng), False]

    def with_neighbour(n, rng):
        some = rng.random(n) < 0.078
        return some | np.roll(some, 1)

    def with_draws(draw):
        def answer(ids, word_ids, rng):
            chosen = choose(word_ids, rng)
            drawn = draw(rng, ids.shape)
            return corrupt(ids, chosen, rng, drawn), np.where(chosen, ids, -100)

        return answer

    vocabulary = names["bert"].tokenizer.get_vocab()
    size = len(vocabulary)
    for draw in (
        lambda rng, shape: rng.integers(size, size=shape),
        lambda rng, shape: rng.integers(1, size, shape),
        lambda rng, shape: rng.choice(size, shape),
        lambda rng, shape: rng.choice(list(vocabulary.values()), shape),
        lambda rng, shape: (size * rng.random(shape)).astype(int),
    ):
        yield with_draws(draw), "special token stands in"

    def piece_by_piece(ids, word_ids, rng):
        ids, labels = ids.tolist(), np.where(choose(word_ids, rng), ids, -100)
        for place in np.flatnonzero(labels != -100):
            fate = rng.random()
            if fate < 0.9:
                ids[place] = mask_id if fate < 0.8 else int(rng.integers(size))
        return ids, labels

    yield piece_by_piece, "special token stands in"

    def everywhere(ids, word_ids, rng):
        return corrupt(ids, choose(word_ids, rng), rng), ids

    def other_order(ids, word_ids, rng):
        return of_words(draws)(ids, word_ids, rng)[::-1]

    yield of_words(not_the_first), "the same chance"
    yield of_words(not_the_last), "the same chance"
    yield of_words(with_neighbour), "Neighbouring words"
    yield of_words(lambda n, rng: draws(n, np.random.default_rng(0))), "same words"
    yield of_words(lambda n, rng: draws(n, np.random.default_rng())), "same seed"
    yield of_words(draws, lambda ids: ids[ids > 999]), "repeat themselves"
    yield of_words(draws, lambda ids: ordinary[:9000]), "first half of ids"
    yield everywhere, "nearly everywhere"
    yield other_order, "which is a label"
    yield of_all_tokens, "not of all tokens"
    yield masks_only, "Every target needs"
    yield changed_only, "became [MASK]"
    yield new_labels, "must be the original id"
    yield in_pieces, "chosen in part"
    yield specials_too, "special token was chosen"
    yield last_word, "special token was chosen"
    yield half, "the rule says 15%"
    yield one_random_token, "repeat themselves"
    yield flat, "of the shape of ids"
    yield lambda ids, word_ids, rng: (ids, np.full(ids.shape, -100)), "No token is"
    yield lambda ids, word_ids, rng: ids, "Return two arrays"


def wrong_3(names):
    distribution, piece_id = names["distribution"], names["piece_id"]
    places = ["village", "city", "forest", "desert", "harbour", "island", "valley"]
    endings = [
        "the {} was full of [MASK].",
        "nobody saw the {} without [MASK].",
        "they left the {} with [MASK].",
        "we think of the {} with [MASK].",
    ]
    more = [f"In the {place} {ending}" for place in places for ending in endings]
    templates = more[:20]
    pair = ("garden", "prison")
    targets = (["joy", "love"], ["fear", "pain"])

    def sums(word, templates=templates):
        p = distribution([template.format(word) for template in templates])
        return [p[:, [piece_id(w) for w in words]].sum(axis=1) for words in targets]

    (joy_a, fear_a), (joy_b, fear_b) = sums(pair[0]), sums(pair[1])
    right = np.log(joy_a / fear_a) - np.log(joy_b / fear_b)
    rng = np.random.default_rng(3)
    means = rng.choice(right, (4000, len(right))).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])

    def answer(**changed):
        return {
            "templates": templates,
            "pair": pair,
            "targets": targets,
            "differences": right,
            "mean": float(right.mean()),
            "interval": (low, high),
        } | changed

    yield answer(templates=templates[:19], differences=right[:19]), "is an anecdote"
    yield answer(templates=templates[:5] * 4), "5 different templates"
    yield answer(templates=[*templates[:19], "The {} is."]), "one {} and one [MASK]"
    for field in ("{:>300000000}", "{!r}", "{0}", "{name}", "{.__class__}", "{:{}}"):
        odd = [template.replace("{}", field) for template in templates]
        yield answer(templates=odd), "one {} and one [MASK]"
    yield (
        answer(templates=[f"{i} {t}" for i in range(20) for t in templates]),
        "at most",
    )
    yield answer(templates=[t + " and" * 200 for t in templates]), "500 letters"
    yield answer(pair=("garden" * 50, "prison")), "100 letters"
    yield answer(differences=right * np.nan), "differences holds nan"
    yield answer(pair=("garden", "garden")), "two different words"
    yield answer(targets=(["caterpillar"], ["fear"])), "no single piece"
    yield answer(targets=(["joy"], ["joy", "pain"])), "share a word"
    yield answer(differences=-right), "wrong sign"
    yield answer(differences=np.log(joy_a / fear_a)), "first word alone"
    yield answer(differences=joy_a - joy_b), "differences of probabilities"
    yield answer(differences=right / np.log(2)), "in bits"
    yield answer(differences=np.exp(right)), "take their logarithm"
    yield answer(differences=np.roll(right, 1)), "another order"
    yield answer(targets=(["joy", "love", "joy"], ["fear"])), "stands twice"
    yield answer(differences=right[:10]), "one difference a template"
    yield answer(mean=float(right.sum())), "The mean of your differences"
    yield answer(mean=float(np.median(right))), "is the median"
    yield answer(mean=float(right.mean()) + 0.002), "to three decimals"
    yield answer(**_median_near_mean(more, sums, pair)), "is the median"
    spread = tuple(np.quantile(right, [0.025, 0.975]))
    yield answer(interval=spread), "95 % of the templates"
    yield answer(interval=(low - 1, high + 1)), "bootstrap interval of the mean is not"
    yield answer(interval=(high, low)), "the lower one first"
    yield answer(interval="narrow"), "Expected numbers"


def _median_near_mean(templates, sums, pair):
    """Twenty templates whose mean and median differ by 0.002 or little more."""
    (joy_a, fear_a), (joy_b, fear_b) = (sums(word, templates) for word in pair)
    all_of_them = np.log(joy_a / fear_a) - np.log(joy_b / fear_b)
    rng = np.random.default_rng(0)
    drawn = [rng.permutation(len(all_of_them))[:20] for _ in range(2000)]
    means = np.array([all_of_them[some].mean() for some in drawn])
    medians = np.array([np.median(all_of_them[some]) for some in drawn])
    gaps = abs(means - medians)
    nearest = int(np.where(gaps > 0.002, gaps, np.inf).argmin())
    return {
        "templates": [templates[place] for place in drawn[nearest]],
        "differences": all_of_them[drawn[nearest]],
        "mean": float(medians[nearest]),
    }
