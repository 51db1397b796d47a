"""Checks of the chapter, next sentence prediction."""

import numbers
from functools import lru_cache

import numpy as np
import torch

from helpers import DATA
from helpers.corpus import read_documents
from helpers.exercises import NotYet
from helpers.models import load_bert

KINDS = ("other topic", "same topic", "swapped")


def check_1(answer):
    """A function: logits (n, 2) -> the n probabilities of IsNext."""
    if not callable(answer):
        raise NotYet("Pass the function itself, without brackets: is_next_probability.")
    logits = np.random.default_rng(7).normal(0, 3, (6, 2))
    truth = 1 / (1 + np.exp(logits[:, 1] - logits[:, 0]))
    got = _vector(answer(logits), len(logits))
    if not np.allclose(got, truth, atol=1e-5):
        _name_mistake(got, logits, truth)
    large = np.array([[1000.0, 0.0], [0.0, 1000.0], [1000.0, 1000.0]])
    with np.errstate(all="ignore"):
        got = _vector(answer(large), 3)
    if not np.allclose(got, [1, 0, 0.5]):
        raise NotYet(
            f"For logits of 1000 it gives {got.tolist()}: e to the 1000 is too large a "
            "number. Take the largest logit of each row away first."
        )
    return "Column 0 is IsNext, and large logits do no harm."


def _vector(result, length):
    try:
        values = np.asarray(result, dtype=float)
    except (TypeError, ValueError):
        raise NotYet("Return an array of probabilities.") from None
    if values.shape != (length,):
        raise NotYet(
            f"For {length} pairs expected the shape ({length},), one probability a "
            f"pair; yours is {values.shape}."
        )
    return values


def _name_mistake(got, logits, truth):
    if np.allclose(got, 1 - truth, atol=1e-5):
        raise NotYet("This is the probability of NotNext: the order of labels.")
    powers = np.exp(logits)
    if np.allclose(got, (powers / powers.sum(axis=0))[:, 0], atol=1e-5):
        raise NotYet(
            "Your softmax runs over the pairs. It belongs to the two logits of one "
            "pair, which are a row."
        )
    if np.allclose(got, 1 / (1 + np.exp(-logits[:, 0])), atol=1e-5):
        raise NotYet("You use the first logit alone; the second has its say too.")
    if np.any((got < 0) | (got > 1)):
        raise NotYet("Probabilities lie between 0 and 1: turn the logits into some.")
    raise NotYet("Expected the softmax of each row, and its entry for IsNext.")


def check_2(answer):
    """A function: documents, rng -> a list of (first, second, is_next)."""
    if not callable(answer):
        raise NotYet("Pass the function itself, without brackets: make_pairs.")
    documents = [
        [f"document {d}, sentence {s}" for s in range(2 + d % 5)] for d in range(300)
    ]
    made = _triples(answer(documents, np.random.default_rng(1)))
    _compare_firsts(made, documents)
    _compare_seconds(made, documents)
    share = np.mean([is_next for *_, is_next in made])
    if abs(share - 0.5) > 4 * 0.5 / np.sqrt(len(made)):
        raise NotYet(f"Expected half of the pairs to be real; yours are {share:.0%}.")
    again = _triples(answer(documents, np.random.default_rng(2)))
    if [t[2] for t in made] == [t[2] for t in again]:
        raise NotYet(
            "Two generators gave the same choice of real pairs. Draw each choice from "
            "rng."
        )
    sources = {second for _, second, is_next in made if not is_next}
    if len(sources) < 200:
        raise NotYet(
            "The false second texts come from a few places only. Draw them from all "
            "sentences of the other documents."
        )
    return "Half and half, and every false text comes from another document."


def _triples(result):
    if not isinstance(result, list | tuple) or not all(
        isinstance(item, list | tuple) and len(item) == 3 for item in result
    ):
        raise NotYet("Return a list of tuples (first, second, is_next).")
    if not all(isinstance(text, str) for item in result for text in item[:2]):
        raise NotYet("first and second must be sentences, which are strings here.")
    if not all(isinstance(item[2], bool | np.bool_) for item in result):
        raise NotYet("is_next must be True or False.")
    return [(first, second, bool(is_next)) for first, second, is_next in result]


def _compare_firsts(made, documents):
    expected = [sentence for document in documents for sentence in document[:-1]]
    firsts = [first for first, *_ in made]
    if last := set(firsts) & {document[-1] for document in documents}:
        raise NotYet(
            f"{min(last)!r} ends its document: it has no successor and opens no pair."
        )
    if sorted(firsts) != sorted(expected):
        raise NotYet(
            f"Expected one pair for each sentence that has a successor, "
            f"{len(expected)} in all; yours are {len(firsts)}."
        )


def _compare_seconds(made, documents):
    place = {s: (d, i) for d, doc in enumerate(documents) for i, s in enumerate(doc)}
    if strange := [second for _, second, _ in made if second not in place]:
        raise NotYet(f"{strange[0]!r} is in none of the documents.")
    follows = [place[b] == (place[a][0], place[a][1] + 1) for a, b, _ in made]
    labels = [is_next for *_, is_next in made]
    if not any(f == label for f, label in zip(follows, labels, strict=True)):
        raise NotYet("Your labels are the wrong way round: True is for real pairs.")
    for (first, second, is_next), real in zip(made, follows, strict=True):
        if is_next and not real:
            raise NotYet("A pair is labelled True whose second text is no successor.")
        if real and not is_next:
            raise NotYet("A pair is labelled False whose second text is the successor.")
        if not is_next and place[first][0] == place[second][0]:
            raise NotYet(
                "A false second text comes from the same document. Draw it from "
                "another one, so that it surely does not belong there."
            )


def check_3(answer):
    """A dict: a rule, its shares for three kinds of false pairs, and the model's."""
    keys = ("rule", "rule_shares", "model_shares")
    if not isinstance(answer, dict) or not set(keys) <= set(answer):
        raise NotYet(f"Pass a dict with the keys {', '.join(keys)}.")
    if not callable(answer["rule"]):
        raise NotYet("rule must be a function of two texts, without brackets.")
    got = {key: _shares(answer[key], key) for key in keys[1:]}
    scores = {
        kind: np.array([_score(answer["rule"], *pair) for pair in pairs])
        for kind, pairs in _pairs().items()
    }
    if all(np.ptp(values) == 0 for values in scores.values()):
        raise NotYet("Your rule gives every pair the same number, so it decides none.")
    for kind in KINDS:
        _compare_share("rule", kind, got["rule_shares"][kind], scores, 1e-6)
    model = _model_scores(load_bert().name)
    for kind in KINDS:  # batches of another size round differently: one story is free
        _compare_share("model", kind, got["model_shares"][kind], model, 0.026)
    return "Both were asked about the same pairs, so the shares can be compared."


def _shares(values, name):
    if not isinstance(values, dict) or not set(KINDS) <= set(values):
        raise NotYet(f"{name} must be a dict with the keys {', '.join(KINDS)}.")
    if not all(isinstance(values[kind], numbers.Real) for kind in KINDS):
        raise NotYet(f"Each share in {name} must be a number.")
    return {kind: float(values[kind]) for kind in KINDS}


def _score(rule, first, second):
    try:
        return float(rule(first, second))
    except Exception as error:
        shown = f"{type(error).__name__}: {error}"
        raise NotYet(f"Your rule stopped with {shown}") from None


def _compare_share(who, kind, got, scores, tolerance):
    true, false = scores["true"], scores[kind]
    truth = np.mean((true > false) + 0.5 * (true == false))
    if abs(got - truth) <= tolerance:
        return
    where = f"The share of the {who} for {kind!r} is not right"
    if truth > 0.05 and abs(got / 100 - truth) <= tolerance:
        raise NotYet(f"{where}: this is per cent; give a share between 0 and 1.")
    if abs(got - np.mean(true > false)) <= tolerance:
        raise NotYet(f"{where}: a tie counts one half, not as lost.")
    if abs(got - np.mean(true >= false)) <= tolerance:
        raise NotYet(f"{where}: a tie counts one half, not as won.")
    if abs(1 - got - truth) <= tolerance:
        raise NotYet(
            f"{where}: this is how often the false pair is preferred. A higher score "
            "must mean that the second text follows."
        )
    raise NotYet(
        f"{where}: expected the share of stories in which the true pair scores higher "
        "than the false one."
    )


def _pairs():
    """The pairs of the chapter: one true and three false ones from each story."""
    stories = read_documents(DATA / "next-sentence.txt")
    pairs = {kind: [] for kind in ("true", *KINDS)}
    for number, story in enumerate(stories):
        twin = stories[number + 1 if number % 2 == 0 else number - 1]
        far = stories[(number + 20) % len(stories)]
        first, second = " ".join(story[:2]), " ".join(story[2:4])
        pairs["true"].append((first, second))
        pairs["swapped"].append((second, first))
        pairs["same topic"].append((first, " ".join(twin[2:4])))
        pairs["other topic"].append((first, " ".join(far[2:4])))
    return pairs


@lru_cache(maxsize=2)
def _model_scores(name):
    bert, scores = load_bert(), {}
    for kind, pairs in _pairs().items():
        found = []
        for start in range(0, len(pairs), 16):
            texts = [
                list(part) for part in zip(*pairs[start : start + 16], strict=True)
            ]
            batch = bert.tokenizer(*texts, padding=True, return_tensors="pt")
            with torch.inference_mode():
                logits = bert.nsp(**batch.to(bert.device)).logits
            found.append(logits.softmax(dim=-1)[:, 0].cpu().numpy())
        scores[kind] = np.concatenate(found)
    return scores
