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
    an_array,
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
    a_function(answer, "next_losses")
    trials = []
    for number, n in enumerate((6, 2, 1, 6)):
        logits = rng(number).normal(0, 3, (n, 2))
        is_next = rng(number).permutation(n) % 2 == 0
        got = _losses(answer(logits, is_next), n)
        trials.append(((logits, is_next), got))
    TABLES[1].judge(trials, _no_loss)
    large = np.array([[1000, 0], [0, 1], [1000, 999], [-1000, -999.5], [40, 0]])
    for is_next in ([True] * 5, [False] * 5, [False, True, False, True, False]):
        is_next = np.array(is_next)
        got, truth = _losses(answer(large, is_next), 5), _true_losses(large, is_next)
        for mine, right, row in zip(got, truth, large, strict=True):
            if not is_right_to(mine, right, 3, slack=1e-3):
                raise NotYet(
                    f"The row {row.tolist()} of large logits costs {right:.4g} here; "
                    f"yours is {mine:.4g}. e to the 1000 is too large a number, log(0) "
                    "is infinite, and each row has a maximum of its own."
                )
    return "Column 0 is IsNext, and a sure mistake costs much, but a finite amount."


def _losses(result, n):
    hint = "Give one loss a pair."
    return an_array(result, (n,), "The answer", finite=False, hint=hint)


def _true_losses(logits, is_next):
    return np.logaddexp(*logits.T) - np.where(is_next, *logits.T)


def _near_losses(got, wanted, *arguments):
    return is_right_to(got, wanted, 3, slack=1e-5)


def _no_loss(got, wanted, logits, is_next):
    [row] = first_wrong(got, wanted, 3, slack=1e-5)
    return (
        f"Expected {wanted[row]:.3f}, to three decimals, for the logits "
        f"{logits[row].round(3).tolist()} and {bool(is_next[row])}; yours is "
        f"{got[row]:.6g}. Give minus the logarithm of the right answer's share, for "
        "each pair."
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
    _compare_firsts(made, documents)
    _compare_seconds(made, documents)
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
        _compare_firsts(run, small)
        _compare_seconds(run, small)
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
    if same_document > 0.8:
        raise NotYet(
            "The false texts of one document all come from the same place. Draw the "
            "other document and its sentence for each pair anew."
        )
    if same_text < 0.04 or same_document < 0.2:
        raise NotYet(
            "Two false texts of one document never, or hardly ever, come from the same "
            "place, as if a text that was drawn were gone. In a new draw for each pair "
            "it may come up again."
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


def _compare_firsts(made, documents):
    expected = [sentence for document in documents for sentence in document[:-1]]
    firsts = [first for first, *_ in made]
    _require_right_way_round(made, documents, firsts, expected)
    _require_known(firsts, documents)
    if last := set(firsts) & {document[-1] for document in documents}:
        raise NotYet(
            f"{min(last)!r} ends its document: it has no successor and opens no pair."
        )
    missing, more = Counter(expected), Counter(firsts)
    if missing != more:
        missing, more = list(missing - more), list(more - missing)
        slip = f"none opens with {missing[0]!r}" if missing else ""
        slip = slip or f"one too many opens with {more[0]!r}"
        raise NotYet(
            f"Expected one pair for each sentence that has a successor, "
            f"{len(expected)} in all; yours are {len(firsts)}, and {slip}."
        )


def _require_right_way_round(made, documents, firsts, expected):
    """Asked first: a pair that is turned round looks like other mistakes as well."""
    follows = {pair for d in documents for pair in zip(d, d[1:], strict=False)}
    turned = sorted(first if real else second for first, second, real in made)
    turned_round = any((b, a) in follows for a, b, real in made if real)
    turned_round |= turned == sorted(expected) != sorted(firsts)
    if turned_round and len(made) == len(expected):
        raise NotYet(
            "A pair is the wrong way round: the successor, or the sentence that is "
            "drawn in its place, comes second."
        )


def _require_known(sentences, documents):
    known = {sentence for document in documents for sentence in document}
    if strange := [sentence for sentence in sentences if sentence not in known]:
        raise NotYet(f"{strange[0]!r} is in none of the documents.")


def _compare_seconds(made, documents):
    place = {s: (d, i) for d, doc in enumerate(documents) for i, s in enumerate(doc)}
    _require_known([second for _, second, _ in made], documents)
    follows = [place[b] == (place[a][0], place[a][1] + 1) for a, b, _ in made]
    labels = [is_next for *_, is_next in made]
    own = [place[a][0] == place[b][0] and not real for a, b, real in made]
    if any(np.array(own) & ~np.array(follows)):
        raise NotYet(
            "A false second text comes from the same document. Draw it from another "
            "one, so that it surely does not belong there."
        )
    if not any(f == label for f, label in zip(follows, labels, strict=True)):
        raise NotYet("Your labels are the wrong way round: True is for real pairs.")
    for is_next, real in zip(labels, follows, strict=True):
        if is_next and not real:
            raise NotYet("A pair is labelled True whose second text is no successor.")
        if real and not is_next:
            raise NotYet(
                "A pair is labelled False whose second text is the successor; draw it "
                "from another document."
            )


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


def _near_shares(got, wanted, *arguments):
    return is_right_to(got, wanted, 2, FREE)


def _no_share(got, wanted, *arguments):
    kinds = [(who, kind) for who in ("rule", "model") for kind in KINDS]
    [place] = first_wrong(got, wanted, 2, FREE)
    who, kind = kinds[place]
    return (
        f"The share of the {who} for {kind!r} is not right: expected, to two decimals, "
        "the share of stories in which the true pair scores higher than the false one; "
        f"yours is {got[place]:.6g}."
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
    "This is the mean of the numbers; compare true and false in each story.": (
        _both(lambda true, false: np.mean(false)),
        _of_model(lambda true, false: np.mean(false)),
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


def _words_again(first, second):
    """A rule with ties: words that both texts have, and what points back."""
    again = len({*first.split()} & {*second.split()})
    return again + second.count(" he ") - first.count(" he ")


def _handed_in(function):
    """The answer to exercise 3 with what a function makes of a rule's scores."""
    shares = function(_scores(_words_again), _model_scores(load_bert().name))
    of_rule, of_model = np.reshape(shares, (2, len(KINDS))).tolist()
    return {
        "rule": _words_again,
        "rule_shares": dict(zip(KINDS, of_rule, strict=True)),
        "model_shares": dict(zip(KINDS, of_model, strict=True)),
    }


TABLES = {
    1: Mistakes(_true_losses, LOSS_MISTAKES, "Each loss", 3, _near_losses),
    3: Mistakes(
        _both(_preferred), SHARE_MISTAKES, "Each share", 2, _near_shares, _handed_in
    ),
}
