"""A small corpus, once for all tests, and an encoder that scores a few pairs of it."""

import pytest

from experiments.course_model import next_sentence_scores
from helpers import models
from tests.experiments.course_model.small import write_corpus


@pytest.fixture(autouse=True)
def small_scale(monkeypatch, tiny_bert_folder):
    monkeypatch.setattr(models, "embedded_encoder", lambda: tiny_bert_folder)
    monkeypatch.setattr(next_sentence_scores, "PAIRS", 40)
    monkeypatch.setattr(next_sentence_scores, "BASELINE_PAIRS", 200)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "texts")


@pytest.fixture
def tiny_bert(tiny_bert_folder):
    return models.load_bert(tiny_bert_folder)
