"""Claims that the chapter makes, and the functions lifted out of it."""

import numpy as np
import pandas as pd
import pytest

from chapters.judging_a_classifier import mail
from helpers import spam

# Published or made-up figures that the text holds.
TYPED = "0.13 0.87 4.0 0.5 0.667 0.7 0.8 0.9 0.6 1.2 0.3"


@pytest.fixture
def calibrated(cells):
    """The functions of the page, and perfect probabilities of 200,000 messages."""
    rng = np.random.default_rng(0)
    p = rng.random(200_000)
    labels = (rng.random(len(p)) < p).astype(int)
    return cells.defined(labels=labels) | {"p": p, "labels": labels}


# The functions of the chapter


def test_a_temperature_divides_the_logit(cells):
    page = cells.defined()
    p = np.array([0.1, 0.5, 0.9])
    logit = np.log(p / (1 - p))
    expected = 1 / (1 + np.exp(-logit / 2))
    assert np.allclose(page["temper"](p, 2.0), expected)
    assert np.allclose(page["temper"](p, 1.0), p)


def test_the_temperature_that_was_hidden_is_found(calibrated):
    too_sure = calibrated["temper"](calibrated["p"], 0.5)
    found = calibrated["fitted"](too_sure, calibrated["labels"])
    assert found == pytest.approx(2, rel=0.1)


def test_no_threshold_and_no_temperature_is_chosen_on_what_it_judges():
    _, _, judged = mail.parts()
    assert 150 < judged.half.sum() < 170
    assert (judged.half.groupby(judged.twin).nunique() == 1).all()


def test_the_threshold_chosen_is_the_lowest_that_keeps_the_promise(calibrated):
    p, labels = calibrated["p"], calibrated["labels"]
    t = calibrated["strict_enough"](p, labels, 0.13)
    at, below = (
        calibrated["precision"](*mail.rates(p, labels, x), 0.13) for x in (t, t - 0.005)
    )
    assert below < 0.9 <= at


def test_precision_is_that_of_counted_messages(cells):
    precision = cells.defined()["precision"]
    # of 1,000 messages 130 are spam: 65 found; 87 of 870 ham are lost
    assert precision(0.5, 0.1, 0.13) == pytest.approx(65 / (65 + 87))
    assert precision(0.3, 0.3, 0.5) == 0.5
    # the curve of an inbox lies below that of the test, whatever the filter
    assert all(
        precision(a, b, 0.13) < precision(a, b, 0.5)
        for a, b in [(0.9, 0.1), (0.2, 0.01)]
    )


def test_the_threshold_in_closed_form_is_the_cheapest(calibrated):
    """Of calibrated probabilities, for the price of three, half of them spam."""
    tried = (0.6, 0.7, 0.75, 0.8, 0.9)
    costs = [calibrated["cost"](calibrated["p"], t, spam=0.5) for t in tried]
    assert np.argmin(costs) == 2


def test_moved_probabilities_have_the_cheapest_threshold_there(calibrated):
    moved = calibrated["moved"](calibrated["p"], 0.13)
    tried = (0.6, 0.7, 0.75, 0.8, 0.9)
    costs = [calibrated["cost"](moved, t) for t in tried]
    assert np.argmin(costs) == 2
    assert calibrated["cost"](moved, 1) == pytest.approx(13)


def test_no_message_is_judged_by_what_learned_from_it():
    _, train, judged = mail.parts()
    assert (len(train), len(judged)) == (160, 318)
    assert train.label.mean() == judged.label.mean() == 0.5  # twins stay together
    whole = pd.concat([train, judged])
    assert len(set(spam.families(whole.text))) == len(whole)


# The data
