"""A small corpus and a model trained on it, once for all tests."""

from types import SimpleNamespace

import pytest

from experiments.course_model import recipe
from tests.experiments.course_model.small import shrink, train, write_corpus


@pytest.fixture(autouse=True)
def small_scale(monkeypatch, tiny_bert_folder):
    shrink(monkeypatch, tiny_bert_folder)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "texts")


@pytest.fixture(scope="session")
def trained(corpus, tiny_bert_folder, tmp_path_factory):
    """The folder that a short training wrote, and the model it saved."""
    made = []

    def new_model(*arguments):
        made.append(original(*arguments))
        return made[-1]

    original = recipe.new_model
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch, tiny_bert_folder)
        patch.setattr(recipe, "new_model", new_model)
        folder = train(corpus, tmp_path_factory.mktemp("trained") / "model")
    return SimpleNamespace(folder=folder, model=made[0])
