"""Claims that the chapter makes, and the functions lifted out of it."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from sklearn.model_selection import train_test_split

from helpers import spam
from helpers.datasets import load_sms_spam
from tests.lifted import three

# Published or made-up figures that the text holds.
TYPED = "0.5 0.667 0.7 0.8 0.9 4.0"

MORE, LESS, SAME = 1, -1, 0
FILTERS = ["TF-IDF", "frozen [CLS]", "frozen mean", "fine-tuned"]


@pytest.fixture(scope="module")
def messages():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SMS_SPAM_HOME", "sample")
        return load_sms_spam()


# The functions of the chapter


def test_a_temperature_divides_the_logit(cells):
    page = cells.defined()
    p = np.array([0.1, 0.5, 0.9])
    logit = np.log(p / (1 - p))
    expected = 1 / (1 + np.exp(-logit / 2))
    assert np.allclose(page["temper"](p, 2.0), expected)
    assert np.allclose(page["temper"](p, 1.0), p)


def test_the_temperature_that_was_hidden_is_found(cells):
    rng = np.random.default_rng(0)
    p = rng.random(20_000)
    validation = pd.DataFrame({"label": (rng.random(len(p)) < p).astype(int)})
    page = cells.defined(validation=validation)
    too_sure = page["temper"](p, 0.5)
    assert page["fitted"](too_sure) == pytest.approx(2, rel=0.1)


def test_the_threshold_in_closed_form_is_the_cheapest(cells):
    """Of calibrated probabilities, and for the price of three."""
    rng = np.random.default_rng(0)
    p = rng.random(200_000)
    page = cells.defined(labels=rng.random(len(p)) < p, sure={"ours": p})
    costs = [page["costs"]("ours", t).sum() for t in (0.6, 0.7, 0.75, 0.8, 0.9)]
    assert np.argmin(costs) == 2


def test_no_message_is_judged_by_what_learned_from_it(cells):
    page = cells.needed("distinct = messages")
    parts = [page[name] for name in ("train", "validation", "judged")]
    assert [len(part) for part in parts[:2]] == [80, 60] and len(parts[2]) > 300
    whole = pd.concat(parts)
    assert len(set(spam.families(whole.text))) == len(whole)
    shares = [part.label.mean() for part in parts]
    assert max(shares) - min(shares) < 0.02


def test_batches_of_the_noisy_messages_hold_all_of_them_every_three(cells):
    page = cells.defined(ids=range(24), targets=np.arange(24), bert=None)
    page |= {"pad": lambda bert, rows: {}}
    batches = [page["batch_at"](step)["labels"].tolist() for step in range(6)]
    assert sorted(sum(batches[:3], [])) == sorted(sum(batches[3:], [])) == [*range(24)]
    assert batches[:3] != batches[3:]


# The verdicts turn with the results


def scattered(shift, n=60, seed=0):
    return np.random.default_rng(seed).normal(0.5 + 0.3 * shift, 0.2, n)


def learned_by_heart(shift):
    late = {12: scattered(0), 60: scattered(shift, seed=1)}
    others = {"training": [1, 0.1, 0.1], "stored": 6, "wrong": np.ones(6), "model": 0}
    others["binomtest"] = binomtest
    return {"measured": late, "long": 60, **others}


def surely(shift):
    """Confidence 0.8, and right more often, less often, or as often."""
    right = np.arange(100) % 10 < {MORE: 5, LESS: 10, SAME: 8}[shift]
    p = dict.fromkeys([*FILTERS, "fine-tuned, tempered"], np.full(100, 0.8))
    rows = {name: [0.1, 0.05 - 0.1 * shift, 0, 0] for name in p}
    return {"sure": p, "labels": right.astype(int), "rows": rows}


def priced(shift, cells):
    """Ham at 0.6 is lost at 0.5 only; spam there is let in at 3/4."""
    p, labels = np.full(100, 0.6), np.arange(100) % 4 == 0
    if shift == LESS:
        labels = np.ones(100, bool)
    if shift == SAME:
        p = np.full(100, 0.9)
    sure = dict.fromkeys(["fine-tuned", "fine-tuned, tempered"], p)
    made_up = {"sure": sure, "labels": labels.astype(int)}
    tried = [("fine-tuned", 0.5), None, ("fine-tuned, tempered", 0.75)]
    return {"costs": cells.defined(**made_up)["costs"], "tried": tried}


@three("has risen", "has fallen", "cannot be told")
def test_what_the_validation_loss_did_turns(cells, by, word):
    said = cells.glued('"turned"', **learned_by_heart(by))
    assert word in said["turned"]


@three("too sure", "not sure enough", "about as sure")
def test_how_sure_a_filter_is_turns(cells, by, word):
    said = cells.glued("surety", **surely(by))
    assert word in said["sure_tuned"] and word in said["sure_tempered"]
    luck = "more than luck explains" if by == MORE else "no more than luck"
    assert by == SAME or said["luck_tuned"] == luck


@three("is cheaper", "costs more", "cannot be told apart")
def test_what_the_other_threshold_costs_turns(cells, by, word):
    assert word in cells.glued('"cheaper"', **priced(by, cells))["cheaper"]


@three("by heart", "nothing shows", "nothing shows", by=(6, 3, 0))
def test_wrong_labels_given_back_show_memory_or_not(cells, by, word):
    made_up = learned_by_heart(SAME) | {"stored": by}
    assert word in cells.glued('"turned"', **made_up)["memory"]


def test_who_leads_and_who_falls_is_named(cells):
    home = {name: scattered(0, seed=i) for i, name in enumerate(FILTERS)}
    home["fine-tuned"] = np.ones(60)
    away = {name: scattered(0, seed=i) for i, name in enumerate(FILTERS)}
    low = [-0.2, 0.1, -0.1, 0.2, 0.2]
    falls = pd.DataFrame({"fall": 0.3, "fall low": low}, [*FILTERS, "always ham"])
    falls.loc[FILTERS[1], "fall"] = 0.4
    falls["fall high"] = [-0.1, 0.2, 0.1, 0.3, 0.4]
    said = cells.glued("home_best", home=home, away=away, falls=falls)
    assert said["home_best"] == "fine-tuned"
    assert " and " in said["away_best"]
    one, two, three, four = FILTERS
    assert said["fell"] == f"is lower for {two} and {four}"
    assert said["rose"] == f"higher for {one}"
    assert said["ham_fall"] == pytest.approx(30)
    assert said["fell_most"] == two
    assert said["fell_most_by"] == "+0.40, interval +0.10 to +0.20"
    none = falls.assign(**{"fall low": -0.1, "fall high": 0.1})
    said = cells.glued("home_best", home=home, away=away, falls=none)
    assert (said["fell"], said["rose"]) == (
        "is lower for none of them",
        "higher for none",
    )


def test_what_families_on_both_sides_add_is_said(cells):
    splits = {"families together": [0.9, 0.8], "repeats dropped": [0.95, np.nan]}
    both = pd.DataFrame(splits, index=["frozen mean", "LoRA"])
    said = cells.glued("real_cost", by_split=both)["real_cost"]
    assert said.endswith("+0.050 for frozen mean")
    alone = both[["repeats dropped"]]
    said = cells.glued("real_cost", by_split=alone)["real_cost"]
    assert "keep no families together" in said


def test_the_weakest_slice_is_named(cells):
    slices = {"short": [9, 0.1, 0.9, 0.8, 1.0], "long": [9, 0.6, 0.7, 0.5, 0.8]}
    said = cells.glued("weakest", by_slice=slices)
    assert (said["weakest"], said["weakest_score"]) == ("long", 0.7)
    assert (said["weakest_low"], said["weakest_high"]) == (0.5, 0.8)
    assert said["weakest_spam"] == pytest.approx(60)


# The data


def test_a_careless_split_leaks(messages):
    some, others = train_test_split(messages, test_size=0.3, random_state=0)
    family = pd.Series(spam.families(messages.text), messages.index)
    same = others.text.isin(some.text).sum()
    assert 2 < same <= family[others.index].isin(family[some.index]).sum()
