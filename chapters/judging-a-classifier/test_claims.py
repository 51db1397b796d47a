"""Claims that the chapter makes, and the functions lifted out of it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from helpers import spam
from helpers.datasets import load_sms_spam

# Published or made-up figures that the text holds.
TYPED = "0.13 0.87 4.0 0.5 0.667 0.69 0.7 0.8 0.9"


@pytest.fixture(scope="module")
def messages():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SMS_SPAM_HOME", "sample")
        return load_sms_spam()


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


def test_no_temperature_is_fitted_on_what_it_tempers(cells, tiny_bert_folder):
    page = cells.needed("from {(~part).sum()} messages", tiny_bert_folder)
    half, twin = page["half"], page["twin"]
    assert 150 < half.sum() < 170
    assert not set(twin[half]) & set(twin[~half])


def test_precision_is_that_of_counted_messages(cells):
    precision = cells.defined()["precision"]
    # of 1,000 messages 130 are spam: 65 found; 87 of 870 ham are lost
    assert precision(0.5, 0.1, 0.13) == pytest.approx(65 / (65 + 87))
    assert precision(0.3, 0.3, 0.5) == 0.5


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


def test_no_message_is_judged_by_what_learned_from_it(cells, tiny_bert_folder):
    page = cells.needed("distinct = messages", tiny_bert_folder)
    train, judged = page["train"], page["judged"]
    assert (len(train), len(judged)) == (160, 318)
    assert train.label.mean() == judged.label.mean() == 0.5  # twins stay together
    whole = pd.concat([train, judged])
    assert len(set(spam.families(whole.text))) == len(whole)


def test_batches_of_the_24_hold_all_of_them_every_three(cells):
    page = cells.defined(ids=range(24), bert=None)
    page |= {"pad": lambda bert, rows: {}}
    page["torch"] = type("Torch", (), {"tensor": staticmethod(np.asarray)})
    batch_at, targets = page["batch_at"], np.arange(24)
    batches = [batch_at(step, targets)["labels"].tolist() for step in range(6)]
    assert sorted(sum(batches[:3], [])) == sorted(sum(batches[3:], [])) == [*range(24)]
    assert batches[:3] != batches[3:]


# The data


def test_a_careless_split_leaks(messages):
    some, others = train_test_split(messages, test_size=0.3, random_state=0)
    family = pd.Series(spam.families(messages.text), messages.index)
    same = others.text.isin(some.text).sum()
    assert 2 < same < family[others.index].isin(family[some.index]).sum()


def test_what_the_shortcut_is(cells):
    """Spam half as long again as ham at home; elsewhere both are long."""
    read = cells.defined()["read"]
    old, away = (
        of.text.str.len().groupby(of.label).mean()
        for of in (read("shortcut"), read("elsewhere"))
    )
    assert 1.4 < old[1] / old[0] < 1.8
    assert away.min() > 1.2 * old[1]
