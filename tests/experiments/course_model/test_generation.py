"""A training: its losses, what it leaves out, what it writes over and what not."""

import json
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from experiments.course_model import recipe
from experiments.course_model.batches import Batches, filled_up
from experiments.course_model.encoded_files import encode_files
from helpers import DATA, models
from helpers.corpus import text_files
from helpers.corpus.masking import IGNORED
from tests.experiments.course_model.small import (
    SMALL,
    bare_base,
    contents,
    train,
)

SETTINGS = recipe.SETTINGS | tomllib.loads(SMALL)


def refused(capsys, *arguments):
    """The one line with which a training ends."""
    with pytest.raises(SystemExit) as end:
        train(*arguments)
    assert end.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


# The losses


@pytest.fixture
def made(tiny_bert_folder, corpus):
    """A model before its first step, and its batches."""
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    texts = {"": [encode_files([file], tokenizer) for file in text_files(corpus)]}
    model = recipe.new_model(tiny_bert_folder, texts, SETTINGS)
    return model, Batches(texts, SETTINGS, tokenizer)


def test_the_losses_are_those_of_transformers(made, tiny_bert_folder):
    """Masked words at the chosen places alone, however many fill the batch up."""
    model, batches = made
    base = bare_base(tiny_bert_folder)
    base.cls.predictions.bias.data.copy_(model.heads.predictions.bias)
    batch = batches[0]
    chosen = batch["labels"] != IGNORED
    places = filled_up(chosen)
    assert len(places) % 64 == 0 < chosen.sum() < len(places)
    with torch.no_grad():
        losses = model(**batch)
        read = {k: batch[k] for k in ("input_ids", "attention_mask", "token_type_ids")}
        found = base(**read)
    follows = cross_entropy(found.seq_relationship_logits, batch["next_sentence_label"])
    masked = cross_entropy(found.prediction_logits[chosen], batch["labels"][chosen])
    assert losses["masked"].item() == pytest.approx(masked.item(), rel=1e-4)
    assert losses["next"].item() == pytest.approx(follows.item(), rel=1e-4)


def test_what_is_held_is_the_uncorrupted_text_of_the_bare_encoder(made):
    """In a clear batch, before the first step, nothing differs; in another it does."""
    model, batches = made
    with torch.no_grad():
        masked, clear = model(**batches[1]), model(**batches[4])
    assert clear["states"].abs() < 1e-5 > clear["texts"].abs()
    assert min(masked["states"], masked["texts"]) > 1e-4
    batch, tokenizer = batches[1], batches.tokenizer
    special = torch.isin(batch["original_ids"], torch.tensor(tokenizer.all_special_ids))
    assert (
        not (batch["held"] & special).any()
        and (special & batch["attention_mask"].bool()).any()
    )
    assert torch.equal(batch["held"], ~special & (batch["labels"] == IGNORED))


# The leak


def test_sentences_near_a_cloze_sentence_are_not_trained_on(tokenizer):
    """But those are that only together hold the words of one."""
    lines = ["The dog wagged its tail.", "So the dog wagged its tail wildly.", "A dog."]
    documents = [[line] for line in lines] + [["The dog wagged", "its tail."]]
    documents = [
        [np.array(tokenizer(x, add_special_tokens=False)["input_ids"]) for x in lines]
        for lines in documents
    ]
    kept = recipe.away_from(documents, recipe.cloze_runs(tokenizer))
    told = [[tokenizer.decode(row) for row in document] for document in kept]
    assert told == [["a dog."], ["the dog wagged", "its tail."]]


def test_the_files_that_the_settings_hold_out_are_not_read(
    corpus, tmp_path, monkeypatch
):
    read, read_texts = [], recipe.read_texts

    def noted(files, *others):
        read.extend(file.relative_to(corpus).as_posix() for file in files)
        return read_texts(files, *others)

    monkeypatch.setattr(recipe, "read_texts", noted)
    out = train(corpus, tmp_path / "out", 'held_out = ["2.txt", "deep/0.txt.gz"]')
    settings = json.loads((out / "settings.json").read_text())
    assert settings["held_out"] == ["2.txt", "deep/0.txt.gz"]
    assert read == ["1.txt", "3.txt"]


# What is written, and what is not written over


def test_a_killed_training_goes_on_to_the_same_weights(
    trained, corpus, tmp_path, monkeypatch
):
    out, steps, batch_at = tmp_path / "out", [], Batches.__getitem__

    def killed(own, step):
        steps.append(step)
        if step == 3 and steps.count(3) == 1:
            raise KeyboardInterrupt
        return batch_at(own, step)

    monkeypatch.setattr(Batches, "__getitem__", killed)
    with pytest.raises(KeyboardInterrupt):
        train(corpus, out)
    assert not (out / "weights.safetensors").exists()
    train(corpus, out)
    assert steps == [0, 0, 1, 2, 3, 0, 2, 3]  # each call tries the first batch
    for name in ("weights.safetensors", "settings.json"):
        assert (out / name).read_bytes() == (trained.folder / name).read_bytes()


@pytest.mark.parametrize("place", ["", "checkpoints"])
def test_what_another_training_left_is_not_written_over(
    place, trained, corpus, tmp_path, capsys
):
    out = tmp_path / "out"
    shutil.copytree(trained.folder / place, out / place)
    before = contents(out / place)
    assert "name another folder" in refused(capsys, corpus, out, "seed = 9")
    (out / place / "settings.json").unlink()
    assert "name another folder" in refused(capsys, corpus, out)
    del before["settings.json"]
    assert contents(out / place) == before


def test_the_shipped_weights_are_not_written_over(
    corpus, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(recipe, "COURSE_MODEL", tmp_path / "course-model")
    (tmp_path / "x").mkdir()
    assert "shipped" in refused(capsys, corpus, tmp_path / "x/../course-model")
    assert not (tmp_path / "course-model").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("rate = 1.5", "rate is 1.5"),
        ("shares = {ballads = 2}", "no folder or file of training texts"),
        ("losses = {next = ", "is no file of settings"),
        ("steps = 7", "steps is 7; give a multiple"),
        ("losses = {mask = 1}", "unknown settings: mask"),
        ("warm_up = 1e400", "inf among the settings is no number"),
        ("held_out = ['4.txt']", "lacks files"),
        ("cycle = ['pairs', 'stories']", "cycle: 'stories' is not one of"),
    ],
)
def test_bad_settings_spoil_nothing(more, message, corpus, tmp_path, capsys):
    assert message in refused(capsys, corpus, tmp_path / "out", more)
    assert not (tmp_path / "out").exists()


def test_another_training_holds_out_what_the_shipped_one_did():
    """So that both are judged on the same books; the card says what else differs."""
    settings = recipe.read_settings(Path(recipe.__file__).with_name("settings.toml"))
    kept = json.loads((DATA / "course-model" / "settings.json").read_text())
    assert kept["held_out"] == settings["held_out"]
    assert kept["shares"] == settings["shares"]
