"""Ways to tell spam from ham: their pieces, and the error of a probability."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from chapters.judging_a_classifier import filters
from helpers import spam
from tests.bad_input import answered
from tests.strategies import many


def test_calibration_error_is_the_one_by_hand():
    # bins of 0.1: {0.05, 0.09} with no spam, {0.75} with spam, {1.0} with none
    error = filters.expected_calibration_error([0, 0, 1, 0], [0.05, 0.09, 0.75, 1.0])
    assert error == pytest.approx((0.05 + 0.09 + 0.25 + 1.0) / 4)
    assert filters.expected_calibration_error([0, 1], [0.5, 0.5]) == 0  # one bin


def test_classifier_starts_from_the_encoder_and_a_seeded_head(tiny):
    model = filters.classifier(tiny, 0)
    for name, weight in tiny.model.state_dict().items():
        assert torch.equal(model.bert.state_dict()[name], weight), name
    same, other = filters.classifier(tiny, 0), filters.classifier(tiny, 1)
    assert torch.equal(model.classifier.weight, same.classifier.weight)
    assert not torch.equal(model.classifier.weight, other.classifier.weight)
    model.bert.pooler.dense.weight.data += 1  # a copy: the course's own stays
    assert not torch.equal(
        model.bert.pooler.dense.weight, tiny.model.pooler.dense.weight
    )


def test_lora_starts_as_the_model_was_and_trains_little(tiny):
    texts = ["win a prize", "see you"]
    full, thin = filters.classifier(tiny, 0), filters.classifier(tiny, 0, lora=True)
    for model in (full, thin):
        model.eval()
    assert np.allclose(
        spam.spam_probability(tiny, full, texts),
        spam.spam_probability(tiny, thin, texts),
        atol=1e-6,
    )
    wanted = {name for name, p in thin.named_parameters() if p.requires_grad}
    kinds = ("lora_A", "lora_B", "pooler.modules", "classifier.modules")
    assert all(any(kind in name for kind in kinds) for name in wanted)
    assert all(any(kind in name for name in wanted) for kind in kinds)
    assert sum("lora" in name for name in wanted) == 2 * 6 * tiny.n_layers


@pytest.mark.parametrize("lora", [False, True])
def test_training_changes_what_it_should_and_learns(tiny, lora):
    before = {n: p.clone() for n, p in tiny.model.state_dict().items()}
    texts = ["win a big prize"] * 24 + ["see you at home"] * 24
    labels = [1] * 24 + [0] * 24
    so_narrow = {"rate": 1e-2, "epochs": 8, "size": 8}
    model = filters.fine_tune(tiny, texts, labels, 0, lora, **so_narrow)
    probability = spam.spam_probability(tiny, model, texts[::24])
    assert probability[0] > probability[1] + 0.2
    after = tiny.model.state_dict()
    assert all(torch.equal(after[name], weight) for name, weight in before.items())
    frozen = [n for n, p in model.named_parameters() if not p.requires_grad]
    assert bool(frozen) == lora


@many
@given(rows=st.lists(st.tuples(st.integers(0, 1), st.floats()), max_size=6))
def test_calibration_error_is_a_share_or_refused(rows):
    labels, shares = [row[0] for row in rows], [row[1] for row in rows]
    error = answered(
        lambda: filters.expected_calibration_error(labels, shares), ValueError
    )
    fits = rows and all(0 <= share <= 1 for share in shares)
    assert (error is not None) == bool(fits) and (error is None or 0 <= error <= 1)
