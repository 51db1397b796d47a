"""Five ways to tell spam from ham: their pieces."""

import numpy as np
import pytest
import torch

from helpers import spam
from tests.bad_input import one_line

# By hand


def test_calibration_error_is_the_one_by_hand():
    # bins of 0.1: {0.05, 0.09} with no spam, {0.75} with spam, {1.0} with none
    error = spam.expected_calibration_error([0, 0, 1, 0], [0.05, 0.09, 0.75, 1.0])
    assert error == pytest.approx((0.05 + 0.09 + 0.25 + 1.0) / 4)
    assert spam.expected_calibration_error([0, 1], [0.5, 0.5]) == 0  # one bin
    for rows in (([], []), ([0], [1.5]), ([0], [np.nan])):
        one_line(ValueError, lambda rows=rows: spam.expected_calibration_error(*rows))


def test_families_are_near_repeats_and_theirs():
    offer = "win 50 now , call 0123 today and get {} as your prize {}"
    texts = [
        offer.format("a new red car", "if you are quick and lucky"),
        "see you later then",
        offer.format("a new red car", "said nobody").upper(),
        offer.format("an old blue boat", "said nobody").replace("50", "7000!"),
        "See you later, then.",
        "see you at home tonight",
    ]
    numbers = spam.families(texts, share=0.4).tolist()
    assert numbers == [0, 1, 0, 0, 1, 2]
    first_and_last = spam.families([texts[0], texts[3]], share=0.4)
    assert first_and_last[0] != first_and_last[1]  # kin through the third only
    assert len(set(spam.families(texts, share=1))) == 5


def test_the_penalty_is_chosen_without_a_family_on_both_sides():
    """Each family has a word that gives its label away, and no other has it."""
    rng = np.random.default_rng(0)
    texts = [f"{rng.choice(['a b', 'b c', 'c a'])} word{i // 5}" for i in range(60)]
    labels = np.arange(60) // 5 % 2
    grouped, alone = (
        spam.tuned(spam.tfidf_classifier(), texts, labels, groups)
        for groups in (np.arange(60) // 5, np.arange(60))
    )
    best = [s.best_params_["logisticregression__C"] for s in (grouped, alone)]
    assert best[0] < best[1]
    assert grouped.predict_proba(texts[:1]).shape == (1, 2)


# The encoder


def test_classifier_starts_from_the_encoder_and_a_seeded_head(tiny):
    model = spam.classifier(tiny, 0)
    for name, weight in tiny.model.state_dict().items():
        assert torch.equal(model.bert.state_dict()[name], weight), name
    same, other = spam.classifier(tiny, 0), spam.classifier(tiny, 1)
    assert torch.equal(model.classifier.weight, same.classifier.weight)
    assert not torch.equal(model.classifier.weight, other.classifier.weight)
    model.bert.pooler.dense.weight.data += 1  # a copy: the course's own stays
    assert not torch.equal(
        model.bert.pooler.dense.weight, tiny.model.pooler.dense.weight
    )


@pytest.mark.parametrize("lora", [False, True])
def test_training_changes_what_it_should_and_learns(tiny, lora):
    before = {n: p.clone() for n, p in tiny.model.state_dict().items()}
    texts = ["win a big prize"] * 24 + ["see you at home"] * 24
    labels = [1] * 24 + [0] * 24
    so_narrow = {"rate": 1e-2, "epochs": 8, "size": 8}
    model = spam.fine_tune(tiny, texts, labels, 0, lora, **so_narrow)
    probability = spam.spam_probability(tiny, model, texts[::24])
    assert probability[0] > probability[1] + 0.2
    after = tiny.model.state_dict()
    assert all(torch.equal(after[name], weight) for name, weight in before.items())
    frozen = [n for n, p in model.named_parameters() if not p.requires_grad]
    assert bool(frozen) == lora


def test_probabilities_do_not_depend_on_the_company(tiny):
    model = spam.classifier(tiny, 0).eval()
    texts = ["a", "a longer message with more pieces", "win " * 100]
    together = spam.spam_probability(tiny, model, texts, size=2)
    alone = [spam.spam_probability(tiny, model, [text])[0] for text in texts]
    assert np.allclose(together, alone, atol=1e-6)
    assert len(spam.encode(tiny, texts)[2]) == spam.PIECES  # cut
