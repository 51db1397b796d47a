"""Snapshots of a training: rounded evenly, packed whole, sent to the book alone."""

import numpy as np
import pytest
import torch
from transformers import BertForPreTraining

from chapters.pretraining import learning
from chapters.pretraining.kept import Training


@pytest.fixture
def states():
    rng = np.random.default_rng(0)
    start = {"table": rng.normal(size=(4, 6)), "bias": rng.normal(size=6)}
    return [{name: w * (1 + n) for name, w in start.items()} for n in range(3)]


def test_rounding_moves_a_weight_by_half_a_step_at_most(states):
    whole, scales, read = learning.in_eight_bits(states)
    assert whole.shape == (3, 30) and scales.shape == (5,)
    assert whole.min() >= -127
    for state, rounded in zip(states, read, strict=True):
        moved = np.abs(state["table"] - rounded["table"])
        assert (moved <= scales[:4, None] * 0.51).all()
        assert rounded["bias"].shape == (6,)


def test_a_row_of_zeros_stays_zero():
    _, _, [read] = learning.in_eight_bits([{"w": np.zeros((2, 3))}])
    assert not read["w"].any()


def test_the_same_snapshots_are_the_same_file(states):
    assert learning.packed(states, {}) == learning.packed(states, {})


def test_only_a_page_of_the_book_is_sent_them(states, monkeypatch):
    sent = []
    monkeypatch.setattr("IPython.display.display", lambda *a, **k: sent.append(a))
    monkeypatch.delenv("BOKEH_RESOURCES", raising=False)
    learning.send_snapshots(states, {})
    assert not sent
    monkeypatch.setenv("BOKEH_RESOURCES", "cdn")
    learning.send_snapshots(states, {})
    assert learning.SNAPSHOTS in sent[0][0]


def test_text_and_pictures_stand_between_marks_as_text(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    learning.show_learning([("<b>a</b>", ["<svg></svg>"] * 2)] * 2)
    html = shown[0].data
    assert html.count("<svg") == 4 and "<b>" not in html
    assert html.startswith(learning.ENDS[0]) and html.endswith(learning.ENDS[1])


def test_the_kept_training_begins_with_the_random_weights_of_the_page(cells):
    page = cells.defined("stories", "words", "pieces", "tokenizer", "config")
    run = Training()
    assert run.about["pieces"] == page["pieces"]
    torch.manual_seed(0)
    start = BertForPreTraining(page["config"]).state_dict()
    for name, weight in run.network(0).state_dict().items():
        step = abs(start[name]).max() / 127  # of the last states a scale may be larger
        assert abs(weight - start[name]).max() <= 12 * step, name


def test_the_live_page_gets_the_words_half():
    sent = Training().for_the_live_page()
    names = {*sent[0]}
    assert "embeddings.word_embeddings.weight" in names
    assert not any("pooler" in name or "relationship" in name for name in names)
