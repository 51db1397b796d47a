"""Checks of the chapter, next sentence prediction."""

from functools import lru_cache

import numpy as np
import torch

from helpers import DATA
from helpers.corpus import read_documents
from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_text,
    an_array,
    name_mistake,
)
from helpers.models import load_bert

KINDS = ("other topic", "same topic", "swapped")


def check_1(answer):
    """A function: logits (n, 2) -> the n probabilities of IsNext."""
    a_function(answer, "is_next_probability")
    logits = np.random.default_rng(7).normal(0, 3, (6, 2))
    truth = 1 / (1 + np.exp(logits[:, 1] - logits[:, 0]))
    got = _probabilities(answer(logits), 6)
    if not np.allclose(got, truth, atol=1e-5):
        _name_mistake(got, logits, truth)
    large = np.array([[1000.0, 0.0], [0.0, 1000.0], [1000.0, 1000.0]])
    with np.errstate(all="ignore"):
        got = _probabilities(answer(large), 3)
    if not np.allclose(got, [1, 0, 0.5]):
        raise NotYet(
            f"For logits of 1000 it gives {got.tolist()}: e to the 1000 is too large a "
            "number. Take the largest logit of each row away first."
        )
    return "Column 0 is IsNext, and large logits do no harm."


def _probabilities(result, n):
    hint = "Give one probability a pair, from the softmax of each row."
    return an_array(result, (n,), "The answer", finite=False, hint=hint)


def _name_mistake(got, logits, truth):
    powers, first = np.exp(logits), logits[:, 0]
    mistakes = {
        "This is the probability of NotNext: the order of labels.": 1 - truth,
        "Your softmax runs over the pairs. It belongs to the two logits of one pair, "
        "which are a row.": (powers / powers.sum(axis=0))[:, 0],
        "You use the first logit alone; the second has its say too.": 1
        / (1 + np.exp(-first)),
    }
    name_mistake(got, mistakes, atol=1e-5)
    if np.any((got < 0) | (got > 1)):
        raise NotYet("Probabilities lie between 0 and 1: turn the logits into some.")
    raise NotYet("Expected the softmax of each row, and its entry for IsNext.")


def check_2(answer):
    """A function: documents, rng -> a list of (first, second, is_next)."""
    a_function(answer, "make_pairs")
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
    hint = "Return a list of tuples (first, second, is_next)."

    def triple(item, what):
        first, second, is_next = a_list(item, what, 3, hint=hint)
        if not isinstance(is_next, bool | np.bool_):
            raise NotYet("is_next must be True or False.")
        return a_text(first, "first"), a_text(second, "second"), bool(is_next)

    return a_list(result, "The answer", each=triple, hint=hint)


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
    rule, of_rule, of_model = a_dict(answer, keys)
    a_function(rule, "rule, a function of two texts")
    of_rule, of_model = _shares(of_rule, keys[1]), _shares(of_model, keys[2])
    scores = {
        kind: np.array([_score(rule, *pair) for pair in pairs])
        for kind, pairs in _pairs().items()
    }
    if all(np.ptp(values) == 0 for values in scores.values()):
        raise NotYet("Your rule gives every pair the same number, so it decides none.")
    for kind in KINDS:
        _compare_share("rule", kind, of_rule[kind], scores, 1e-6)
    model = _model_scores(load_bert().name)
    for kind in KINDS:  # batches of another size round differently: one story is free
        _compare_share("model", kind, of_model[kind], model, 0.026)
    return "Both were asked about the same pairs, so the shares can be compared."


def _shares(values, name):
    shares = a_list(a_dict(values, KINDS, name), name, each=a_number)
    return dict(zip(KINDS, shares, strict=True))


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
    mistakes = {
        "a tie counts one half, not as lost.": np.mean(true > false),
        "a tie counts one half, not as won.": np.mean(true >= false),
        "this is how often the false pair is preferred. A higher score must mean that "
        "the second text follows.": 1 - truth,
    }
    mistakes = {f"{where}: {said}": wrong for said, wrong in mistakes.items()}
    name_mistake(got, mistakes, rtol=0, atol=tolerance)
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
