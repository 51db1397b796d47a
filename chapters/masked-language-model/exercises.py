"""Checks of the chapter, the masked language model."""

import copy
from collections.abc import ItemsView, Mapping
from functools import lru_cache

import numpy as np
import torch

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_text,
    an_array,
    is_right_to,
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng
from helpers.models import load_bert

IGNORED = -100
MOST_TEMPLATES = 200
SLACK = 2e-3  # a batch of another size rounds differently
TRIALS = (  # text, k
    ("The cat's owner, unhappily, sat on the [MASK].", 0),
    ("[MASK] sat on the old [MASK] in the garden of the [MASK] .", 1),
    ("A [MASK] and a [MASK] were [MASK]", 0),
)
YEARS = (  # where many numbers come before the first word
    "The first world war lasted from 1914 to [MASK] .",
    "He was born in 1887 and died in [MASK] .",
    "It was built between 1901 and [MASK] .",
)


def check_1(answer):
    """A function: text, k, n -> the n likeliest (piece, probability) of letters."""
    asked = []
    for text, k in TRIALS:
        letters = _order(_mask_logits((text,))[k])[1]
        n = letters.tolist().index(False) + 6  # some must be left out
        if text == TRIALS[-1][0]:
            n = int(letters.sum())  # so that no shorter list of guesses holds them
        asked.append((text, k, n))
    text, n = _longest_wait()
    cases = *asked, (text, 0, n)
    TABLES[1].ask("top_words", answer, cases, read=_shares_of_words)
    return "Filtered first, cut afterwards, and the probabilities left as they were."


def _longest_wait():
    """The text and n of which the n-th word comes latest, as a multiple of n."""
    waits = {}
    for text in YEARS:
        ranks = _order(_mask_logits((text,))[0])[1].nonzero().ravel()[:20]
        for n, rank in enumerate(ranks.tolist(), start=1):
            waits[text, n] = rank / n
    return max(waits, key=waits.get)


def _guesses(result):
    """Return the answer as a list of (str, float)."""
    hint = "Return a list of (piece, probability) tuples."

    def guess(entry, what):
        piece, probability = a_list(entry, what, 2, hint=hint)
        return a_text(piece, "piece"), a_number(probability, "probability")

    if isinstance(result, Mapping | ItemsView):
        result = list(result.items() if isinstance(result, Mapping) else result)
    return a_list(result, "The answer", each=guess, hint=hint)


def _shares(guesses):
    return np.array([share for _, share in guesses])


def _shares_of_words(result, text, k, n):
    guesses = _guesses(result)
    if others := [piece for piece, _ in guesses if not piece.isalpha()]:
        raise NotYet(
            f"There are pieces in your list that are not letters only: {others[0]!r}."
        )
    got, best = _shares(guesses), _shares(_top_words(text, k, n))
    if (m := len(guesses)) != n:
        cut = m < n and is_right_to(got, best[:m], 3)
        raise NotYet(
            f"Expected {n} word{'s' * (n > 1)} for mask {k} of {text!r}, got {m}."
            + " If you cut before you filter, too few are left." * cut
        )
    words = [piece for piece, _ in guesses]
    own = _mask_logits((text,))[k].softmax(-1)  # two equally likely may be swapped
    own = own[load_bert().tokenizer.convert_tokens_to_ids(words)].numpy()
    beside = len(set(words)) < n or not np.allclose(own, best, 1e-2, 1e-9)
    if is_right_to(got, best, 3) and beside:
        raise NotYet(
            "The probabilities are right, but the words beside them are others: keep "
            "each word together with its own."
        )
    return got


def _top(values=lambda logits: logits.softmax(-1), mask=lambda k: k):
    """A function: text, k, n -> the n best pieces of letters, with their values."""

    def top_words(text, k, n):
        row = values(_mask_logits((text,))[mask(k)])
        order, letters = _order(row)
        best = order[letters][:n]
        pieces = load_bert().tokenizer.convert_ids_to_tokens(best.tolist())
        return list(zip(pieces, row[best].tolist(), strict=True))

    return top_words


_top_words = _top()


def _normalised(of):
    def top_words(text, k, n):
        whole = _shares(_top_words(text, k, of(n))).sum()
        return [(piece, p / whole) for piece, p in _top_words(text, k, n)]

    return top_words


GUESS_MISTAKES = {
    "These are no probabilities but logits or their logarithms: take the softmax over "
    "the vocabulary.": (
        _top(lambda logits: logits),
        _top(lambda logits: logits.log_softmax(-1)),
    ),
    "These are the guesses for another mask. Count the masks from 0.": (
        _top(mask=lambda k: 0),
        _top(mask=lambda k: k - 1),
    ),
    "The right words, but not in order: the likeliest comes first.": (
        lambda text, k, n: _top_words(text, k, n)[::-1]
    ),
    "These are per cent; give probabilities between 0 and 1.": (
        _top(lambda logits: 100 * logits.softmax(-1))
    ),
    "Your probabilities add up to 1 over the words; they must stay shares of the whole "
    "vocabulary, so do not normalise them again.": (
        _normalised(lambda n: n),
        _normalised(lambda n: None),
    ),
}


def _order(values):
    """Return the ids with the largest value first, and which are letters only."""
    order = values.argsort(descending=True)
    return order, _letters(load_bert().name)[order]


@lru_cache(maxsize=2)
def _letters(name):
    tokenizer = load_bert().tokenizer
    pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    return torch.tensor([piece.isalpha() for piece in pieces])


def _mask_logits(texts):
    """Return the logits at each [MASK] of a tuple of texts, (masks, vocabulary)."""
    return _logits_of(load_bert().name, texts)


@lru_cache(maxsize=8)
@torch.inference_mode()
def _logits_of(name, texts):
    bert, texts = load_bert(), list(texts)
    encoding = bert.tokenizer(texts, padding=True, return_tensors="pt").to(bert.device)
    is_mask = encoding["input_ids"] == bert.tokenizer.mask_token_id
    states = bert.mlm.bert(**encoding).last_hidden_state
    return bert.mlm.cls(states[is_mask]).cpu()


def check_2(answer):
    """A function: ids, word_ids, rng -> (corrupted, labels), whole words chosen."""
    a_function(answer, "mask_words")
    tokenizer = load_bert().tokenizer
    ordinary = np.setdiff1d(np.arange(len(tokenizer)), tokenizer.all_special_ids)
    some = rng(7).choice(ordinary, 400, replace=False)  # the text's own vocabulary
    ids, word_ids = _made_up_text(60_000, some)
    corrupted, words, chosen = _corrupted(answer, ids, word_ids, rng(1))
    _check_shares(ids, corrupted, words, chosen)
    _check_random_tokens(ids, corrupted, chosen, some, ordinary)
    _require_ordinary_draws(answer, some, ordinary)
    ids, word_ids = _made_up_text(20, some)
    runs = [_corrupted(answer, ids, word_ids, rng(100 + run)) for run in range(120)]
    again = [_corrupted(answer, ids, word_ids, rng(100 + run)) for run in range(6)]
    if any((a[0] != b[0]).any() for a, b in zip(runs, again, strict=False)):
        raise NotYet(
            "Two generators with the same seed gave different results. Take every draw "
            "from rng."
        )
    _check_each_word(np.array([chosen for *_, chosen in runs]), runs[0][1])
    return "Whole words, shares within the bounds of chance, and labels only there."


def _corrupted(answer, ids, word_ids, generator):
    """Corrupted ids, word of each piece (-1: none) and which pieces were chosen."""
    corrupted, labels = _two_arrays(answer(ids, word_ids, generator), ids.shape)
    words = np.array([-1 if word is None else word for word in word_ids])
    chosen = labels != IGNORED
    _check_labels(ids, words, corrupted, chosen, labels)
    return corrupted, words, chosen


def _made_up_text(n_words, pieces):
    """Random pieces in words of 1 to 3, with a [SEP] and a [CLS] here and there."""
    tokenizer, draw = load_bert().tokenizer, rng(6)
    lengths = draw.choice([1, 2, 3], n_words, p=[0.7, 0.2, 0.1])
    word_ids = np.repeat(np.arange(n_words), lengths)
    ids = draw.choice(pieces, len(word_ids))
    cuts = np.flatnonzero(np.diff(word_ids))[5::40] + 1  # between two words
    specials = np.tile([tokenizer.sep_token_id, tokenizer.cls_token_id], len(cuts))
    places = np.repeat(cuts, 2)
    ids = np.insert(ids, places, specials)
    word_ids = np.insert(word_ids, places, -1)
    return ids, [None if word < 0 else int(word) for word in word_ids]


class _Loaded(np.random.Generator):
    """Draws special tokens half of the time, wherever they are among thousands.

    Nothing that it draws is impossible for a fair generator, so that whoever draws
    from ordinary tokens never gets another.
    """

    def __init__(self, bit_generator):
        super().__init__(bit_generator)
        tokenizer = load_bert().tokenizer
        self.ids, self.tokens = tokenizer.all_special_ids, tokenizer.all_special_tokens
        self.low = (np.array(tokenizer.all_special_ids) + 0.5) / len(tokenizer)

    def __deepcopy__(self, memo):
        return type(self)(copy.deepcopy(self.bit_generator, memo))

    def integers(self, low, high=None, size=None, *args, **kwargs):
        drawn = super().integers(low, high, size, *args, **kwargs)
        if np.ndim(low) or np.ndim(high):
            return drawn
        first, end = (0, low) if high is None else (low, high)
        return self._loaded(drawn, range(int(first), int(end)))

    def choice(self, a, size=None, replace=True, p=None, *args, **kwargs):
        drawn = super().choice(a, size, replace, p, *args, **kwargs)
        if p is not None or not replace or np.ndim(a) > 1:
            return drawn
        return self._loaded(drawn, range(int(a)) if np.ndim(a) == 0 else np.asarray(a))

    def random(self, size=None, *args, **kwargs):  # for int(random() * len(tokenizer))
        drawn = super().random(size, *args, **kwargs)
        return self._mixed(drawn, self.low, share=0.3)

    def _loaded(self, drawn, pool):
        if len(pool) <= 1000:
            return drawn
        of_ids = isinstance(pool, range) or pool.dtype.kind in "iu"
        special = [x for x in (self.ids if of_ids else self.tokens) if x in pool]
        return self._mixed(drawn, np.array(special), 0.5) if special else drawn

    def _mixed(self, drawn, others, share):
        others = others[super().integers(len(others), size=np.shape(drawn))]
        mixed = np.where(super().random(np.shape(drawn)) < share, others, drawn)
        return mixed.astype(np.asarray(drawn).dtype)[()]


def _require_ordinary_draws(answer, some, ordinary):
    ids, word_ids = _made_up_text(2000, some)
    generator = _Loaded(rng(8).bit_generator)
    corrupted, _, chosen = _corrupted(answer, ids, word_ids, generator)
    _require_ordinary(corrupted[chosen], ordinary)


def _require_ordinary(corrupted, ordinary):
    mask_id = load_bert().tokenizer.mask_token_id
    if not np.isin(corrupted[corrupted != mask_id], ordinary).all():
        raise NotYet("A special token stands in for a word; draw ordinary ones alone.")


def _check_random_tokens(ids, corrupted, chosen, some, ordinary):
    mask_id = load_bert().tokenizer.mask_token_id
    new = corrupted[chosen & (corrupted != mask_id) & (corrupted != ids)]
    _require_ordinary(new, ordinary)
    if len(np.unique(new)) < 0.5 * len(new) or np.isin(new, some).mean() > 0.5:
        raise NotYet(
            "The random tokens repeat themselves: draw a new one for each place, from "
            "the whole vocabulary."
        )
    low = (new < np.median(ordinary)).mean()
    _within("of the random tokens are of the first half of ids", low, 0.5, len(new))


def _check_each_word(chosen, words):
    """chosen: (runs, pieces); each word has its own draw, and the same chance."""
    firsts = [int(np.flatnonzero(words == word)[0]) for word in range(words.max() + 1)]
    chosen = chosen[:, firsts]  # (runs, words)
    if (chosen == chosen[0]).all():
        raise NotYet("Every generator chose the same words. Draw them from rng.")
    share = chosen.mean(axis=0)
    if share.min() == 0 or share.max() > 0.35:
        far = int(np.abs(share - 0.15).argmax())
        raise NotYet(
            f"Word {far} of {len(firsts)} was chosen in {share[far]:.0%} of "
            f"{len(chosen)} runs; every word has the same chance, 15 %."
        )
    if (chosen[:, 1:] & chosen[:, :-1]).mean() > 0.045:
        raise NotYet(
            "Neighbouring words are chosen together far too often. Draw for each word "
            "on its own."
        )


def _two_arrays(result, shape):
    hint = "Return two arrays of integers of the shape of ids: corrupted, labels."
    parts = a_list(result, "The answer", 2, hint=hint)
    parts = [an_array(part, shape, "Each array", hint=hint) for part in parts]
    if any((part % 1).any() for part in parts):
        raise NotYet(hint)
    return [part.astype(int) for part in parts]


def _check_labels(ids, words, corrupted, chosen, labels):
    mask_id = load_bert().tokenizer.mask_token_id
    many, changed = len(ids) > 1000, corrupted != ids
    unlabelled = (changed & ~chosen).any()
    pieces = np.bincount(words[words >= 0])
    hidden = np.bincount(words[chosen & (words >= 0)], minlength=len(pieces))
    kept = (chosen & ~changed).any()
    mistakes = {
        "No token is chosen: labels hold -100 everywhere.": many and not chosen.any(),
        "The first array holds -100, which is a label: return corrupted, labels.": (
            (corrupted == IGNORED).any()
        ),
        "Labels are -100 wherever no token was chosen; yours hold other numbers "
        "nearly everywhere.": many and chosen.mean() > 0.9,
        "A special token was chosen. Their entry in word_ids is None; beware that an "
        "index of -1 means the last word.": (words < 0)[chosen].any(),
        "Some changed tokens have no label, and no kept token has one. Every target "
        "needs its label: masked, replaced and kept alike.": unlabelled and not kept,
        "Tokens were changed that are no targets. The 80, 10 and 10 % are shares of "
        "the chosen tokens, not of all tokens.": unlabelled,
        "Every piece with a label became [MASK]: 10 % of the chosen get another token "
        "and 10 % stay, all with a label.": many
        and (corrupted == mask_id)[chosen].all(),
        "A label must be the original id, before the token was changed.": (
            (labels != ids)[chosen].any()
        ),
        "No piece with a label stayed as it was: 10 % of the chosen stay, and have a "
        "label too.": many and not kept,
        "Some words are chosen in part. One draw must decide for all the pieces of a "
        "word.": ((hidden > 0) & (hidden < pieces)).any(),
    }
    if named := [message for message, found in mistakes.items() if found]:
        raise NotYet(named[0])


def _check_shares(ids, corrupted, words, chosen):
    """Within 4.5 sigma, so that hardly one right answer in 20,000 is turned down."""
    mask_id = load_bert().tokenizer.mask_token_id
    n_words = words.max() + 1
    hidden_words = len(np.unique(words[chosen]))
    _within("of the words were chosen", hidden_words / n_words, 0.15, n_words)
    masked, kept = chosen & (corrupted == mask_id), chosen & (corrupted == ids)
    other = chosen & ~masked & ~kept
    fates = (masked, 0.8, "became [MASK]"), (kept, 0.1, "stayed")
    for fate, rule, what in (*fates, (other, 0.1, "became another token")):
        share = fate.sum() / chosen.sum()
        _within(f"of the chosen pieces {what}", share, rule, hidden_words)


def _within(what, share, rule, n):
    if abs(share - rule) > 4.5 * np.sqrt(rule * (1 - rule) / n):
        raise NotYet(
            f"{share:.1%} {what}; the rule says {rule:.0%}, and so large a distance is "
            "no accident."
        )


def check_3(answer):
    """A dict: templates, pair, targets, differences, mean and interval of a probe."""
    keys = ("templates", "pair", "targets", "differences", "mean", "interval")
    templates, pair, targets, differences, mean, interval = a_dict(answer, keys)
    probe = _templates(templates), _pair(pair), _targets(targets)
    hint = "Give one difference a template."
    got = an_array(differences, (len(probe[0]),), "differences", hint=hint)
    TABLES[3].judge([(probe, got)], _other_difference)
    truth, mean = _differences(*probe), a_number(mean, "mean")
    _compare_mean(mean, got, truth)
    _compare_interval(interval, truth)
    mean = f"{len(probe[0])} templates, mean {mean:+.2f}."
    return f"{mean} And what would a control pair have given?"


def _templates(templates):
    templates = a_list(templates, "templates", each=a_text)
    if len(templates) > MOST_TEMPLATES or max(map(len, templates), default=0) > 500:
        raise NotYet(
            f"Take at most {MOST_TEMPLATES} templates, each of at most 500 letters."
        )
    for template in templates:
        others = set("{}") & set(template.replace("{}", ""))  # {0}, {:9} and the like
        if others or template.count("{}") != 1 or template.count("[MASK]") != 1:
            raise NotYet(f"Each template needs one {{}} and one [MASK]: {template!r}.")
    if len(set(templates)) < 20:
        raise NotYet(
            f"There are {len(set(templates))} different templates; 20 or more are "
            "needed, for one sentence is an anecdote."
        )
    return templates


def _pair(pair):
    pair = a_list(pair, "pair", 2, each=a_text)
    if pair[0] == pair[1] or max(map(len, pair)) > 100 or "[MASK]" in "".join(pair):
        raise NotYet("pair must hold two different words, none above 100 letters.")
    return pair


def _targets(targets):
    """Return the ids of the two lists of words."""
    hint = "Give two lists of words."
    targets = list(targets.values()) if isinstance(targets, Mapping) else targets
    first, second = (
        a_list(words, "Each of targets", each=_single_piece, hint=hint)
        for words in a_list(targets, "targets", 2, hint=hint)
    )
    if not first or not second or set(first) & set(second):
        raise NotYet("One of the two target lists is empty, or they share a word.")
    if len(set(first)) < len(first) or len(set(second)) < len(second):
        raise NotYet("A word stands twice in one of the target lists; it counts once.")
    return first, second


def _single_piece(word, what):
    ids = load_bert().tokenizer.encode(a_text(word, what), add_special_tokens=False)
    if len(ids) != 1:
        raise NotYet(f"{word!r} is no single piece, so no [MASK] can return it.")
    return ids[0]


def _log_odds(templates, name, targets):
    """Return, for each template, log of (first list / second list), summed."""
    p = _filled(templates, name)
    first, second = (p[:, ids].logsumexp(-1) for ids in targets)
    return (first - second).numpy()


def _filled(templates, name):
    """Log-probabilities at the mask of each template, (templates, vocabulary)."""
    texts = tuple(template.replace("{}", name) for template in templates)
    return _mask_logits(texts).log_softmax(-1)


def _differences(templates, pair, targets):
    return np.subtract(*(_log_odds(templates, name, targets) for name in pair))


def _other_difference(got, wanted, templates, pair, targets):
    far = int(np.abs(got - wanted).argmax())
    return (
        f"The difference for {templates[far]!r} is {wanted[far]:.3f} with this model; "
        f"yours, to two decimals, is {got[far]:.3f}. Log-odds: log of (sum "
        "over the first list / sum over the second)."
    )


DIFFERENCE_MISTAKES = {
    "These are in bits, or logarithms to base 10; use the natural logarithm.": (
        lambda *probe: _differences(*probe) / np.log(2),
        lambda *probe: _differences(*probe) / np.log(10),
    ),
    "Your differences have the wrong sign: first of the pair minus second.": (
        lambda *probe: -_differences(*probe)
    ),
    "These are the log-odds for one word of the pair alone. Without the other version "
    "of each sentence nothing is compared.": (
        lambda templates, pair, targets: _log_odds(templates, pair[0], targets),
        lambda templates, pair, targets: _log_odds(templates, pair[1], targets),
    ),
}


def _compare_mean(mean, differences, truth):
    """The mean of the differences as they were given, or of those unrounded."""
    if is_right_to(mean, differences.mean(), 3) or is_right_to(mean, truth.mean(), 3):
        return
    if abs(mean - np.median(truth)) <= SLACK:
        raise NotYet("mean is the median; give the mean.")
    raise NotYet(
        f"The mean of your differences is {differences.mean():.4f}, not {mean:.4f}; "
        "give it to three decimals."
    )


def _compare_interval(interval, truth):
    hint = "Expected numbers, the lower one first."
    interval = an_array(interval, (2,), "interval", hint=hint)
    if interval[0] > interval[1]:
        raise NotYet(hint)
    expected = _interval_of_mean(truth)
    width, rounding = expected[1] - expected[0], 0.005  # to two decimals

    def off(other):
        return np.abs(interval - other).max()

    if off(expected) <= 0.02 * width + rounding:
        return
    if off(np.quantile(truth, [0.025, 0.975])) <= 0.1 * width:
        raise NotYet(
            "Your interval holds 95 % of the templates. Wanted is the interval of the "
            "mean: draw the templates again with replacement and take means."
        )
    near, narrow = 0.06 * width + rounding, _interval_of_mean(truth, 0.9)
    if off(narrow) < off(expected) and off(narrow) <= near:
        raise NotYet(
            "Your interval holds 90 % of the means; leave out 2.5 % at each end."
        )
    if off(narrow) < off(expected) or off(expected) > near:
        raise NotYet(
            "For these differences the bootstrap interval of the mean is not "
            f"[{interval[0]:.3f}, {interval[1]:.3f}]: draw as many templates again, "
            "with replacement, and take the 2.5 and 97.5 % quantiles of the means."
        )


def _interval_of_mean(differences, level=0.95):
    drawn = rng(9).choice(differences, (10_000, len(differences)))
    return np.quantile(drawn.mean(axis=1), [(1 - level) / 2, (1 + level) / 2])


TABLES = {
    1: Mistakes(
        _top_words,
        GUESS_MISTAKES,
        "Each probability",
        3,
        numbers=lambda words, *given: _shares(words(*given)),
    ),
    3: Mistakes(_differences, DIFFERENCE_MISTAKES, "Each difference", 2, slack=SLACK),
}
