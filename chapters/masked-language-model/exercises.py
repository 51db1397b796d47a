"""Checks of the chapter, the masked language model."""

import string

import numpy as np
import torch

from helpers.exercises import NotYet
from helpers.models import load_bert

IGNORED = -100
MOST_TEMPLATES = 200
TRIALS = (  # text, k
    ("The cat sat on the [MASK] .", 0),
    ("[MASK] sat on the old [MASK] in the garden .", 1),
    ("A [MASK] and a [MASK] were [MASK]", 2),
)


def check_1(answer):
    """A function: text, k, n -> the n likeliest (piece, probability) of letters."""
    if not callable(answer):
        raise NotYet("Pass the function itself, without brackets: top_words.")
    for text, k in TRIALS:
        logits = _mask_logits(text)  # (masks, vocabulary)
        n = _beyond_the_first_non_word(logits[k])
        _compare_guesses(_guesses(answer(text, k, n)), logits, text, k, n)
    return "Filtered first, cut afterwards, and the probabilities left as they were."


def _guesses(result):
    """Return the answer as a list of (str, float)."""
    try:
        return [(str(piece), float(p)) for piece, p in result]
    except (TypeError, ValueError):
        raise NotYet("Return a list of (piece, probability) tuples.") from None


def _beyond_the_first_non_word(logits):
    """How many guesses to ask for, so that some piece must be filtered out."""
    tokenizer = load_bert().tokenizer
    order = logits.argsort(descending=True).tolist()
    letters = [piece.isalpha() for piece in tokenizer.convert_ids_to_tokens(order)]
    return letters.index(False) + 6


def _compare_guesses(got, logits, text, k, n):
    truth = _best_words(logits[k].softmax(-1), n)
    if len(got) != n:
        raise NotYet(
            f"Expected {n} words for mask {k} of {text!r}, got {len(got)}. If you cut "
            "before you filter, too few are left."
        )
    if not all(piece.isalpha() for piece, _ in got):
        raise NotYet("There are pieces in your list that are not letters only.")
    shares = np.array([p for _, p in got])
    if np.allclose(shares, [p for _, p in truth], rtol=1e-3, atol=1e-9):
        _compare_words([piece for piece, _ in got], shares, logits[k])
        return
    best = [value for _, value in _best_words(logits[k], n)]
    if np.allclose(shares, best, rtol=1e-3) or (shares <= 0).any():
        raise NotYet(
            "These are no probabilities but logits or their logarithms: take the "
            "softmax over the vocabulary."
        )
    _name_mistake(shares, logits, truth, k, n)
    raise NotYet(
        f"Expected the probabilities of mask {k} of {text!r} over the whole "
        "vocabulary, largest first; yours are others."
    )


def _compare_words(words, shares, logits):
    """Each word must have its share; so two that are equally likely may be swapped."""
    own = logits.softmax(-1)[load_bert().tokenizer.convert_tokens_to_ids(words)]
    if len(set(words)) < len(words) or not np.allclose(own.numpy(), shares, 1e-3, 1e-9):
        raise NotYet(
            "The probabilities are right, but the words beside them are others: keep "
            "each word together with its own."
        )


def _name_mistake(shares, logits, truth, k, n):
    right = np.array([p for _, p in truth])
    others = [
        [p for _, p in _best_words(row.softmax(-1), n)]
        for place, row in enumerate(logits)
        if place != k
    ]
    if any(np.allclose(shares, other, rtol=1e-3) for other in others):
        raise NotYet(
            f"These are the guesses for another mask. Count the masks from 0: k = {k}."
        )
    if np.isclose(shares.sum(), 1, atol=1e-3) and not np.isclose(right.sum(), 1):
        raise NotYet(
            "Your probabilities add up to 1 among themselves; they must stay shares "
            "of the whole vocabulary, so do not normalise them again."
        )
    if np.allclose(np.sort(shares), np.sort(right), rtol=1e-3):
        raise NotYet("The right words, but not in order: the likeliest comes first.")


def _best_words(values, n):
    tokenizer = load_bert().tokenizer
    found = []
    for i in values.argsort(descending=True).tolist():
        piece = tokenizer.convert_ids_to_tokens(i)
        if piece.isalpha():
            found.append((piece, values[i].item()))
        if len(found) == n:
            break
    return found


@torch.inference_mode()
def _mask_logits(text):
    """Return the logits at each [MASK], (masks, vocabulary)."""
    bert = load_bert()
    encoding = bert.tokenizer(text, return_tensors="pt").to(bert.device)
    is_mask = encoding["input_ids"] == bert.tokenizer.mask_token_id
    return bert.mlm(**encoding).logits[is_mask].cpu()


def check_2(answer):
    """A function: ids, word_ids, rng -> (corrupted, labels), whole words chosen."""
    if not callable(answer):
        raise NotYet("Pass the function itself, without brackets: mask_words.")
    for n_words, seed in ((60_000, 1), *((20, seed) for seed in range(40))):
        ids, word_ids = _made_up_text(n_words)
        result = answer(ids, word_ids, np.random.default_rng(seed))
        corrupted, labels = _two_arrays(result, ids.shape)
        words = np.array([-1 if word is None else word for word in word_ids])
        chosen = labels != IGNORED
        _check_labels(ids, words, corrupted, chosen, labels)
        _check_words(words, chosen)
        if n_words > 20:
            _check_shares(ids, corrupted, words, chosen)
    return (
        "Whole words, four shares within the bounds of chance, and labels only there."
    )


def _made_up_text(n_words):
    """Random pieces in words of 1 to 3, with a [SEP] and a [CLS] here and there."""
    tokenizer, rng = load_bert().tokenizer, np.random.default_rng(6)
    ordinary = np.setdiff1d(np.arange(len(tokenizer)), tokenizer.all_special_ids)
    lengths = rng.choice([1, 2, 3], n_words, p=[0.7, 0.2, 0.1])
    word_ids = np.repeat(np.arange(n_words), lengths)
    ids = rng.choice(ordinary, len(word_ids))
    cuts = np.flatnonzero(np.diff(word_ids))[5::40] + 1  # between two words
    specials = np.tile([tokenizer.sep_token_id, tokenizer.cls_token_id], len(cuts))
    places = np.repeat(cuts, 2)
    ids = np.insert(ids, places, specials)
    word_ids = np.insert(word_ids, places, -1)
    return ids, [None if word < 0 else int(word) for word in word_ids]


def _two_arrays(result, shape):
    try:
        corrupted, labels = (np.asarray(part) for part in result)
    except (TypeError, ValueError):
        raise NotYet("Return two arrays: corrupted, labels.") from None
    for name, part in (("corrupted", corrupted), ("labels", labels)):
        if part.shape != shape or not np.issubdtype(part.dtype, np.integer):
            raise NotYet(
                f"Expected {name} to be integers of the shape of ids, {shape}; got "
                f"{part.dtype} of shape {part.shape}."
            )
    return corrupted, labels


def _check_labels(ids, words, corrupted, chosen, labels):
    mask_id = load_bert().tokenizer.mask_token_id
    if len(ids) > 1000 and not chosen.any():
        raise NotYet("No token is chosen: labels hold -100 everywhere.")
    if (words < 0)[chosen].any():
        raise NotYet(
            "A special token was chosen. Their entry in word_ids is None; beware that "
            "an index of -1 means the last word."
        )
    changed = corrupted != ids
    if (changed & ~chosen).any():
        if not (chosen & ~changed).any():
            raise NotYet(
                "Some changed tokens have no label, and no kept token has one. Every "
                "target needs its label: masked, replaced and kept alike."
            )
        raise NotYet(
            "Tokens were changed that are no targets. The 80, 10 and 10 % are shares "
            "of the chosen tokens, not of all tokens."
        )
    if len(ids) > 1000 and (corrupted == mask_id)[chosen].all():
        raise NotYet(
            "Only masks have labels. Every target needs one: masked, replaced and kept "
            "alike."
        )
    if (labels != ids)[chosen].any():
        raise NotYet("A label must be the original id, before the token was changed.")


def _check_words(words, chosen):
    pieces = np.bincount(words[words >= 0])
    hidden = np.bincount(words[chosen], minlength=len(pieces))
    if ((hidden > 0) & (hidden < pieces)).any():
        raise NotYet(
            "Some words are chosen in part. One draw must decide for all the pieces of "
            "a word."
        )


def _check_shares(ids, corrupted, words, chosen):
    """Within 4.5 sigma, so that hardly one right answer in 20,000 is turned down."""
    mask_id = load_bert().tokenizer.mask_token_id
    n_words = words.max() + 1
    hidden_words = len(np.unique(words[chosen]))
    _within("of the words were chosen", hidden_words / n_words, 0.15, n_words)
    masked = chosen & (corrupted == mask_id)
    kept = chosen & (corrupted == ids)
    shares = {
        "became [MASK]": (masked, 0.8),
        "stayed": (kept, 0.1),
        "became another token": (chosen & ~masked & ~kept, 0.1),
    }
    for what, (fate, rule) in shares.items():
        share = fate.sum() / chosen.sum()
        _within(f"of the chosen pieces {what}", share, rule, hidden_words)
    new = corrupted[shares["became another token"][0]]
    if len(np.unique(new)) < 0.5 * len(new):
        raise NotYet(
            "The random tokens repeat themselves: draw a new one for each place, from "
            "the whole vocabulary."
        )


def _within(what, share, rule, n):
    if abs(share - rule) > 4.5 * np.sqrt(rule * (1 - rule) / n):
        raise NotYet(
            f"{share:.1%} {what}; the rule says {rule:.0%}, and so large a distance is "
            "no accident."
        )


def check_3(answer):
    """A dict: templates, pair, targets, differences, mean and interval of a probe."""
    keys = ("templates", "pair", "targets", "differences", "mean", "interval")
    if not isinstance(answer, dict) or not set(keys) <= set(answer):
        raise NotYet(f"Pass a dict with the keys {', '.join(keys)}.")
    templates = _templates(answer["templates"])
    pair, targets = _pair(answer["pair"]), _targets(answer["targets"])
    given = _numbers(answer["differences"], "differences")
    truth = np.subtract(*(_log_odds(templates, name, targets) for name in pair))
    _compare_differences(given, truth, templates, pair, targets)
    mean = _numbers([answer["mean"]], "mean")[0]
    if not np.isclose(mean, truth.mean(), atol=2e-3):
        raise NotYet(
            f"The mean of your differences is {truth.mean():.4f}, not {mean:.4f}."
        )
    _compare_interval(_numbers(answer["interval"], "interval"), truth)
    return (
        f"{len(templates)} templates, mean {truth.mean():+.2f}. And what would a "
        "control pair have given?"
    )


def _templates(templates):
    if isinstance(templates, str):
        raise NotYet("templates must be a list of strings, not one string.")
    try:
        templates = [str(template) for template in templates]
    except TypeError:
        raise NotYet("templates must be a list of strings.") from None
    if len(templates) > MOST_TEMPLATES or max(map(len, templates), default=0) > 500:
        raise NotYet(
            f"Take at most {MOST_TEMPLATES} templates, each of at most 500 letters."
        )
    for template in templates:
        fields = [field for _, *field in _fields(template) if field[0] is not None]
        plain = [["", "", None]]  # no name, no format, no conversion
        if fields != plain or template.count("[MASK]") != 1:
            raise NotYet(f"Each template needs one {{}} and one [MASK]: {template!r}.")
    if len(set(templates)) < 20:
        raise NotYet(
            f"There are {len(set(templates))} different templates; 20 or more are "
            "needed, for one sentence is an anecdote."
        )
    return templates


def _fields(template):
    try:
        return list(string.Formatter().parse(template))
    except ValueError:
        raise NotYet(f"This template cannot be filled: {template!r}.") from None


def _fill(template, name):
    """Put the name into the one field of a template; its text is no format."""
    return "".join(
        text + (name if field is not None else "")
        for text, field, *_ in _fields(template)
    )


def _pair(pair):
    if isinstance(pair, str) or len(pair) != 2 or len(set(map(str, pair))) != 2:
        raise NotYet("pair must hold two different words or names.")
    if max(len(str(name)) for name in pair) > 100:
        raise NotYet("Each name of the pair must be at most 100 letters long.")
    return [str(name) for name in pair]


def _targets(targets):
    """Return the ids of the two lists of words."""
    if isinstance(targets, str) or len(targets) != 2:
        raise NotYet("targets must be two lists of words.")
    for words in targets:
        if isinstance(words, str) or not len(words):
            raise NotYet("targets must be two lists of words, neither of them empty.")
    first, second = ([_single_piece(word) for word in words] for words in targets)
    if set(first) & set(second):
        raise NotYet("The two target lists share a word.")
    return first, second


def _single_piece(word):
    ids = load_bert().tokenizer.encode(str(word), add_special_tokens=False)
    if len(ids) != 1:
        raise NotYet(f"{word!r} is no single piece, so no [MASK] can return it.")
    return ids[0]


def _numbers(values, name):
    try:
        values = np.asarray(values, float).ravel()
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if not len(values) or not np.isfinite(values).all():
        raise NotYet(f"Expected numbers under {name!r}.")
    return values


@torch.inference_mode()
def _log_odds(templates, name, targets):
    """Return, for each template, log of (first list / second list), summed."""
    p = _filled(templates, name)
    first, second = (p[:, ids].logsumexp(-1) for ids in targets)
    return (first - second).numpy()


@torch.inference_mode()
def _filled(templates, name):
    """Log-probabilities at the mask of each template, (templates, vocabulary)."""
    bert = load_bert()
    texts = [_fill(template, name) for template in templates]
    encoding = bert.tokenizer(texts, padding=True, return_tensors="pt").to(bert.device)
    is_mask = encoding["input_ids"] == bert.tokenizer.mask_token_id
    if (is_mask.sum(dim=1) != 1).any():
        raise NotYet("Each filled template must hold exactly one [MASK].")
    states = bert.mlm.bert(**encoding).last_hidden_state
    return bert.mlm.cls(states[is_mask]).log_softmax(-1).cpu()


def _compare_differences(given, truth, templates, pair, targets):
    if len(given) != len(templates):
        raise NotYet(
            f"Expected one difference a template, {len(templates)}; got {len(given)}."
        )
    if np.allclose(given, truth, atol=2e-3):
        return
    if np.allclose(given, -truth, atol=2e-3):
        raise NotYet(
            "Your differences have the wrong sign: first of the pair minus second."
        )
    if np.allclose(given, _log_odds(templates, pair[0], targets), atol=2e-3):
        raise NotYet(
            "These are the log-odds for the first word alone. Without the second "
            "version of each sentence nothing is compared."
        )
    if np.allclose(given, _share_differences(templates, pair, targets), atol=1e-5):
        raise NotYet(
            "These are differences of probabilities. Take the log-odds of the first "
            "list against the second, then their difference."
        )
    far = int(np.abs(given - truth).argmax())
    raise NotYet(
        f"The difference for {templates[far]!r} is not the one that this model gives. "
        "Log-odds: log of (sum over the first list / sum over the second)."
    )


def _share_differences(templates, pair, targets):
    shares = [_filled(templates, name)[:, targets[0]].exp().sum(-1) for name in pair]
    return (shares[0] - shares[1]).numpy()


def _compare_interval(interval, truth):
    if len(interval) != 2 or interval[0] > interval[1]:
        raise NotYet("interval must be two numbers, the lower one first.")
    rng = np.random.default_rng(0)
    means = rng.choice(truth, (10_000, len(truth))).mean(axis=1)
    expected = np.quantile(means, [0.025, 0.975])
    slack = 0.15 * (expected[1] - expected[0]) + 1e-4
    if np.abs(interval - expected).max() <= slack:
        return
    if np.allclose(interval, np.quantile(truth, [0.025, 0.975]), atol=slack):
        raise NotYet(
            "Your interval holds 95 % of the templates. Wanted is the interval of the "
            "mean: draw the templates again with replacement and take means."
        )
    raise NotYet(
        f"For these differences the bootstrap interval of the mean is not "
        f"[{interval[0]:.3f}, {interval[1]:.3f}]: draw as many templates again, with "
        "replacement, and take the 2.5 and 97.5 % quantiles of the means."
    )
