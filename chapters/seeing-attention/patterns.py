"""The six patterns of attention that Jesse Vig saw in BERT, as tables of targets.

Vig, "Deconstructing BERT: Distilling 6 Patterns from 100 Million Parameters" (2018),
and "A Multiscale Visualization of Attention in the Transformer Model" (ACL 2019).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from helpers.attention import read_attention

PATTERNS = (
    "next word",
    "previous word",
    "same or related word",
    "same word, other sentence",
    "predictive word",
    "delimiter",
)

_LINES = Path(__file__).with_name("pairs.tsv").read_text("utf-8").splitlines()
PAIRS = tuple(  # first sentence, second sentence, related words
    (first, second, [tuple(pair.split()) for pair in related.split(", ")])
    for first, second, related in (line.split("\t") for line in _LINES)
)


def head_scores(attention, targets):
    """Return the mean weight that each head puts on its targets, (layers, heads).

    attention: (layers, heads, n, n). targets: (n, n) booleans, True at (i, j) where
    the pattern says that token i looks at token j. Tokens without a target, such as
    the first word of a sentence for "previous word", do not count; where no token has
    a target, the scores are nan. "Seeing attention" builds it.

    >>> one_head = np.array([[[[0.2, 0.8], [0.5, 0.5]]]])  # 1 layer, 1 head, 2 tokens
    >>> head_scores(one_head, targets=[[False, True], [False, False]]).tolist()
    [[0.8]]
    """
    targets = np.asarray(targets, bool)
    looking = targets.any(axis=1)
    weight = np.where(targets, attention, 0).sum(axis=-1)  # (layers, heads, n)
    if not looking.any():
        return np.full(weight.shape[:-1], np.nan)
    return weight[..., looking].mean(axis=-1)


def pattern_targets(reading, related=(), predictors=None):
    """Return where each of the six patterns says that tokens look.

    related: pairs of words that count as related. predictors: (n,) places, as from
    `most_predictive`; without it, no "predictive word". Returns a dict of pattern ->
    (n, n) booleans. Special tokens look at nothing, and only "delimiter" has them as
    targets. A word is never its own target. Punctuation counts as a word for "next
    word" and "previous word" only. Raises ValueError for predictors of another length.

    >>> targets = pattern_targets(read_attention(bert, "a cat sat"))
    >>> [(int(i), int(j)) for i, j in np.argwhere(targets["previous word"])]
    [(2, 1), (3, 2)]
    """
    content = ~reading.special
    follows = np.eye(len(content), k=1, dtype=bool)
    inside = np.outer(content, content)
    same = _same_or_related(reading, related)
    other_sentence = reading.segments[:, None] != reading.segments
    targets = {
        "next word": follows & inside,
        "previous word": follows.T & inside,
        "same or related word": same,
        "same word, other sentence": same & other_sentence,
        "predictive word": np.zeros_like(same),
        "delimiter": np.outer(content, reading.special),
    }
    if predictors is None:
        del targets["predictive word"]
    else:
        places = np.asarray(predictors)
        if places.shape != content.shape or (places >= len(content)).any():
            raise ValueError(
                f"predictors do not fit {len(content)} tokens; give each a place or -1"
            )
        looking = np.flatnonzero(places >= 0)
        targets["predictive word"][looking, places[looking]] = True
    return targets


def _same_or_related(reading, related):
    words = _words(reading)
    alike = {frozenset(pair) for pair in related} | {frozenset([w]) for w in words}
    same = np.array([[frozenset((a, b)) in alike for b in words] for a in words])
    same &= reading.owners[:, None] != reading.owners[None, :]
    return same & np.outer(_in_words(reading), _in_words(reading))


def _in_words(reading):
    """True for the pieces of words, False for punctuation and special tokens."""
    return np.array([word.isalnum() for word in _words(reading)]) & ~reading.special


def _words(reading):
    """The whole word, in small letters, of each piece; "" for special tokens."""
    owners = reading.owners.tolist()
    joined = dict.fromkeys(owners, "")
    for token, owner in zip(reading.tokens, owners, strict=True):
        joined[owner] += token.removeprefix("##").lower()
    joined[-1] = ""
    return [joined[owner] for owner in owners]


@torch.inference_mode()
def most_predictive(bert, sentence):
    """Return, for each token of a sentence, the place of the token that predicts it.

    Token i is masked, then i and j together: the j that predicts i best is the one
    whose masking lowers the log-probability of i most. Only pieces of words count.
    Returns n places, an array; a token that is no piece of a word, or the only one,
    has -1. Raises RuntimeError where the model has no masked-word head.

    >>> most_predictive(bert, "cats sleep").tolist()  # [CLS], cats, sleep, [SEP]
    [-1, 2, 1, -1]
    """
    places = np.flatnonzero(_in_words(read_attention(bert, sentence))).tolist()
    encoding = bert.encode(sentence)
    truth = encoding["input_ids"][0]  # (n,)
    best = np.full(len(truth), -1)
    pairs = np.array([(i, j) for i in places for j in places if i < j])
    if not len(pairs):
        return best
    ids = truth.repeat(len(pairs), 1)
    for row, pair in enumerate(pairs):
        ids[row, pair] = bert.tokenizer.mask_token_id
    states = bert.mlm.bert(input_ids=ids)[0]  # (pairs, n, hidden)
    left = np.full((len(truth), len(truth)), np.inf)  # log p(i) with i and j masked
    rows = range(len(pairs))
    for i, j in (pairs.T, pairs[:, ::-1].T):
        logits = bert.mlm.cls(states[rows, i])  # (pairs, vocabulary)
        left[i, j] = logits.log_softmax(-1)[rows, truth[i]].cpu()
    best[places] = left[places].argmin(axis=1)
    return best


@dataclass
class Example:
    """A sentence pair as the model read it, and what each pattern says of it.

    tokens: n pieces. segments: (n,) of 0 and 1. attention: (layers, heads, n, n).
    targets: pattern -> (n, n) booleans.
    """

    tokens: list
    segments: np.ndarray
    attention: np.ndarray
    targets: dict


def pattern_examples(bert, pairs=PAIRS):
    """Read sentence pairs and find their targets; returns a list of Example.

    pairs: (first, second, related words).

    >>> [example] = pattern_examples(bert, [("A cat sat.", "The cat ran.", [])])
    >>> same = example.targets["same word, other sentence"]  # (n, n), n = 11 pieces
    >>> same.shape, [(int(i), int(j)) for i, j in np.argwhere(same)]
    ((11, 11), [(2, 7), (7, 2)])
    """
    examples = []
    for first, second, related in pairs:
        reading = read_attention(bert, first, second)
        predictors = _predictors_of_pair(bert, first, second)
        targets = pattern_targets(reading, related, predictors)
        parts = reading.tokens, reading.segments, reading.attention, targets
        examples.append(Example(*parts))
    return examples


def _predictors_of_pair(bert, first, second):
    """Predictors within each sentence, as places in the pair."""
    first, second = most_predictive(bert, first), most_predictive(bert, second)[1:]
    offset = len(first) - 1  # the second sentence has no [CLS] of its own
    return np.concatenate([first, np.where(second < 0, -1, second + offset)])
