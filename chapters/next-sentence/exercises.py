"""Checks of the chapter, next sentence prediction."""

from collections import Counter
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
    first_wrong,
    is_right_to,
)
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.running import FUNCTIONS, guarded, without
from helpers.exercises.seeds import rng
from helpers.models import load_bert

KINDS = ("other topic", "same topic", "swapped")
FREE = np.repeat([0, 0.021], 3)  # one story of the model: batches round differently


def check_1(answer):
    """A function: logits (n, 2), is_next (n,) -> the n losses of the right answers."""
    cases = []
    for number, n in enumerate((6, 2, 1, 6)):
        logits = rng(number).normal(0, 3, (n, 2))
        cases.append((logits, rng(number).permutation(n) % 2 == 0))
    large = np.array([[1000, 0], [0, 1], [1000, 999], [-1000, -999.5], [40, 0]])
    which = [True] * 5, [False] * 5, [False, True, False, True, False]
    hint = "Give one loss a pair."
    far = [(large, np.array(is_next)) for is_next in which]
    TABLES[1].ask("next_losses", answer, cases, far, hint=hint, otherwise=_no_loss)
    return "Column 0 is IsNext, and a sure mistake costs much, but a finite amount."


def _true_losses(logits, is_next):
    return np.logaddexp(*logits.T) - np.where(is_next, *logits.T)


def _near_losses(got, wanted, logits, is_next):
    return is_right_to(got, wanted, 3, slack=_slack(logits))


def _slack(logits):
    return 1e-3 if abs(logits).max() >= 1000 else 1e-5


def _no_loss(got, wanted, logits, is_next):
    [row] = first_wrong(got, wanted, 3, slack=_slack(logits))
    return (
        f"Expected {wanted[row]:.4g} for the logits {logits[row].round(3).tolist()} "
        f"and {bool(is_next[row])}; yours is {got[row]:.6g}. Give minus the logarithm "
        "of the right answer's share, for each pair; e to the 1000 is too large a "
        "number, and log(0) is infinite."
    )


LOSS_MISTAKES = {
    "Column 0 is for IsNext, and True counts as 1: you took the other.": (
        lambda logits, is_next: _true_losses(logits, ~is_next)
    ),
    "These are probabilities; the loss is minus their logarithm.": (
        lambda logits, is_next: np.exp(-_true_losses(logits, is_next))
    ),
    "The loss is minus the logarithm; yours has the other sign.": (
        lambda logits, is_next: -_true_losses(logits, is_next)
    ),
    "These are bits; use the natural logarithm.": (
        lambda logits, is_next: _true_losses(logits, is_next) / np.log(2)
    ),
    "You take every pair as a real one; look at is_next.": (
        lambda logits, is_next: _true_losses(logits, np.ones_like(is_next))
    ),
    "Your softmax runs over the pairs. It belongs to the two logits of one pair, "
    "which are a row.": lambda logits, is_next: np.where(
        is_next, *(np.log(np.exp(logits).sum(axis=0)) - logits).T
    ),
}


def check_2(answer):
    """A function: documents, rng -> a list of (first, second, is_next)."""
    a_function(answer, "make_pairs")
    documents = [
        [f"document {d}, sentence {s}" for s in range(1 + d % 6)] for d in range(600)
    ]
    made = _made(answer, documents, 1)
    _check_pairs(made, documents)
    coins = [is_next for *_, is_next in made]
    _require_half(coins)
    if coins == [is_next for *_, is_next in _made(answer, documents, 2)]:
        raise NotYet(
            "Two generators gave the same choice of real pairs. Draw each choice from "
            "rng."
        )
    small = [[f"{name}{i}" for i in range(3)] for name in "abc"]
    runs = [_made(answer, small, 100 + run) for run in range(200)]
    if any(runs[run] != _made(answer, small, 100 + run) for run in range(8)):
        raise NotYet(
            "Two generators with the same seed gave different pairs. Take every draw "
            "from rng, so that the pairs can be made again."
        )
    for run in runs:
        _check_pairs(run, small)
    coins += [is_next for run in runs for *_, is_next in run]
    _require_half(coins)
    _compare_draws(runs, small)
    _compare_together(runs)
    _require_short_documents(answer)
    return "Half and half, and every false text comes from another document."


def _require_half(coins):
    if abs(np.mean(coins) - 0.5) > 4 * 0.5 / np.sqrt(len(coins)):
        raise NotYet(
            f"Expected half of the pairs to be real; yours are {np.mean(coins):.0%}."
        )


def _compare_draws(runs, documents):
    """Each first sentence must meet all those of other documents, equally often."""
    met = {(a, b) for run in runs for a, b, is_next in run if not is_next}
    for document in documents:
        others = [s for other in documents if other != document for s in other]
        for first in document[:-1]:
            if never := [s for s in others if (first, s) not in met]:
                raise NotYet(
                    f"In 200 runs with {documents} the false second text for {first!r} "
                    f"was never {never[0]!r}. Any sentence of any other document may "
                    "be drawn."
                )
    pairs = [pair for run in runs for *pair, is_next in run if not is_next]
    following = np.mean([(ord(b[0]) - ord(a[0])) % 3 == 1 for a, b in pairs])
    places = np.bincount([int(b[1]) for _, b in pairs]) / len(pairs)
    for share, fair in ((following, 1 / 2), *((place, 1 / 3) for place in places)):
        if abs(share - fair) > 5 * np.sqrt(fair * (1 - fair) / len(pairs)):
            raise NotYet(
                f"In 200 runs with {documents} some false texts come much more often "
                "than others. Each other document is as likely as the next, and so is "
                "each of its sentences."
            )


def _compare_together(runs):
    """The pairs of one document must be drawn one by one."""
    twins = [
        [(b, is_next) for a, b, is_next in run if a[0] == name]
        for run in runs
        for name in "abc"
    ]
    alike = np.mean([first[1] == second[1] for first, second in twins])
    if not 0.2 < alike < 0.7:
        raise NotYet(
            f"The pairs of a document are alike, all real or all false, {alike:.0%} of "
            "the time; expected about half. Draw for each pair anew."
        )
    false = [(a[0], b[0]) for a, b in twins if not a[1] and not b[1]]
    same_text = np.mean([a == b for a, b in false])
    same_document = np.mean([a[0] == b[0] for a, b in false])
    if same_text < 0.04 or not 0.2 <= same_document <= 0.8:
        raise NotYet(
            "Two false texts of one document come always, or hardly ever, from the "
            "same place. Draw the other document and its sentence for each pair anew; "
            "a text that was drawn may come up again."
        )


def _require_short_documents(answer):
    """A document of one sentence has no pair, but may be drawn from."""
    documents = [["a0", "a1"], ["b0"], ["c0", "c1"]]
    runs = [_made(answer, documents, 400 + run) for run in range(80)]
    if "b0" not in {second for run in runs for _, second, _ in run}:
        raise NotYet(
            f"With {documents} the sentence 'b0' was never drawn. A document of one "
            "sentence opens no pair, but its sentence may be a false second text."
        )


def _made(answer, documents, seed):
    hint = "Return a list of tuples (first, second, is_next)."

    def triple(item, what):
        first, second, is_next = a_list(item, what, 3, hint=hint)
        if not isinstance(is_next, bool | np.bool_):
            raise NotYet("is_next must be True or False.")
        return a_text(first, "first"), a_text(second, "second"), bool(is_next)

    pairs = answer(documents, rng(seed))
    return a_list(pairs, "The answer", each=triple, hint=hint)


def _check_pairs(made, documents):
    place = {s: (d, i) for d, doc in enumerate(documents) for i, s in enumerate(doc)}
    if strange := [s for *pair, _ in made for s in pair if s not in place]:
        raise NotYet(f"{strange[0]!r} is in none of the documents.")

    def follows(first, second):
        return place[second] == (place[first][0], place[first][1] + 1)

    if any(real and follows(second, first) for first, second, real in made):
        raise NotYet("A pair is the wrong way round: the successor comes second.")
    expected = Counter(s for document in documents for s in document[:-1])
    firsts = Counter(first for first, *_ in made)
    if other := [*(firsts - expected), *(expected - firsts)]:
        raise NotYet(
            "Expected one pair for each sentence that has a successor, "
            f"{expected.total()} in all, and none for the last of a document; yours "
            f"are {len(made)}. Look at {other[0]!r}."
        )
    kinds = [(real, follows(a, b), place[a][0] == place[b][0]) for a, b, real in made]
    mistakes = {
        "A false second text comes from the same document. Draw it from another one, "
        "so that it surely does not belong there.": (False, False, True) in kinds,
        "Your labels are the wrong way round: True is for real pairs.": (
            all(real != follow for real, follow, _ in kinds)
        ),
        "A pair is labelled True whose second text is no successor.": (
            any(real > follow for real, follow, _ in kinds)
        ),
        "A pair is labelled False whose second text is the successor; draw it from "
        "another document.": any(real < follow for real, follow, _ in kinds),
    }
    if named := [message for message, found in mistakes.items() if found]:
        raise NotYet(named[0])


def check_3(answer):
    """A dict: a rule, its shares for three kinds of false pairs, and the model's."""
    keys = ("rule", "rule_shares", "model_shares")
    rule, of_rule, of_model = a_dict(answer, keys)
    a_function(rule, "rule, a function of two texts")
    if not isinstance(rule, FUNCTIONS):  # an object that can be called
        rule = guarded(rule, "rule")
    of_rule, of_model = _shares(of_rule, keys[1]), _shares(of_model, keys[2])
    with without("helpers.predict_next", "torch._call_impl"):  # runs of a network
        scores = _scores(rule)
        _require_a_rule(rule, scores)
        if [_score(rule, *pair) for pair in _pairs()["true"]] != [*scores["true"]]:
            raise NotYet(
                "Your rule gives one pair now this number, now that. Let it look at "
                "the two texts alone."
            )
    trial = (scores, _model_scores(load_bert().name)), of_rule + of_model
    TABLES[3].judge([trial], _no_share)
    return "Both were asked about the same pairs, so the shares can be compared."


def _require_a_rule(rule, scores):
    if np.ptp(np.concatenate(list(scores.values()))) == 0:
        raise NotYet("Your rule gives every pair the same number, so it decides none.")
    if (scores["true"] == scores["swapped"]).all():
        raise NotYet(
            "Your rule gives each pair and the swapped one the same number. Look at "
            "something that depends on the order of the two texts."
        )
    stories = read_documents(DATA / "next-sentence.txt")
    single = [pair for story in stories for pair in zip(story, story[1:], strict=False)]
    if len({_score(rule, *pair) for pair in single}) == 1:
        raise NotYet(
            "Your rule knows the pairs of the table alone: for every other pair of "
            "sentences of these stories it gives the same number."
        )


def _shares(values, name):
    return a_list(a_dict(values, KINDS, name), name, each=a_number)


def _scores(rule):
    return {
        kind: np.array([_score(rule, *pair) for pair in pairs])
        for kind, pairs in _pairs().items()
    }


def _score(rule, first, second):
    value = rule(first, second)
    value = int(value) if isinstance(value, bool | np.bool_) else value
    return a_number(value, "What your rule returns")


def _preferred(true, false):
    return np.mean((true > false) + 0.5 * (true == false))


def _both(of_rule, of_model=None):
    """The six shares, as two functions of a true and a false score have them."""

    def shares(rule, model):
        return [
            share(scores["true"], scores[kind])
            for share, scores in ((of_rule, rule), (of_model or of_rule, model))
            for kind in KINDS
        ]

    return shares


def _of_model(share):
    return _both(_preferred, share)


def _no_share(got, wanted, *arguments):
    [place] = first_wrong(got, wanted, 2, FREE)
    who, kind = ("rule", "model")[place // len(KINDS)], KINDS[place % len(KINDS)]
    return (
        f"The share of the {who} for {kind!r} is not {got[place]:.6g}: expected, to "
        "two decimals, the share of stories in which the true pair scores higher than "
        "the false one."
    )


SHARE_MISTAKES = {
    "These are per cent; give shares between 0 and 1.": _both(
        lambda true, false: 100 * _preferred(true, false)
    ),
    "A tie counts one half, neither as lost nor as won.": (
        _both(lambda true, false: np.mean(true > false)),
        _both(lambda true, false: np.mean(true >= false)),
    ),
    "This is how often the false pair is preferred. A higher score must mean that the "
    "second text follows.": (
        _both(lambda true, false: 1 - _preferred(true, false)),
        _of_model(lambda true, false: 1 - _preferred(true, false)),
    ),
    "This is how often the model gives one pair more than 0.5, or less; compare the "
    "true pair with the false one.": (
        _of_model(lambda true, false: np.mean(true > 0.5)),
        _of_model(lambda true, false: np.mean(false > 0.5)),
        _of_model(lambda true, false: np.mean(false <= 0.5)),
    ),
}


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


TABLES = {
    1: Mistakes(_true_losses, LOSS_MISTAKES, "Each loss", 3, _near_losses),
    3: Mistakes(_both(_preferred), SHARE_MISTAKES, "Each share", 2, slack=FREE),
}
