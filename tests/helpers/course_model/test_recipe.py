"""The recipe: what is trained, on which batches, and the same for the same seed."""

import json
import shutil
from functools import partial

import numpy as np
import pytest
import torch

from helpers import models
from helpers import training as loop
from helpers.corpus import encode_files, repeat_files, text_files
from helpers.course_model import recipe
from helpers.masking import IGNORED
from tests.helpers.course_model.small import (
    WEIGHTS,
    assert_refused,
    bare_base,
    contents,
    train,
)


def test_training_writes_adapter_heads_and_settings(trained, corpus, tiny_bert_folder):
    assert contents(trained.folder).keys() == WEIGHTS | {"settings.json"}
    assert [path.name for path in trained.folder.parent.iterdir()] == ["model"]
    settings = json.loads((trained.folder / "settings.json").read_text())
    held_out = settings.pop("held_out")
    assert settings == {
        "steps": 4,
        "rank": 2,
        "learning_rate": 0.01,
        "rate": 0.2,
        "seed": 0,
        "repeat": {},
        "batch": 256,
        "length": 128,
    }
    assert len(held_out) == 1 and (corpus / held_out[0]).is_file()
    config = (trained.folder / "adapter_config.json").read_text()
    assert str(tiny_bert_folder) not in config  # no path of this machine


def test_the_encoder_itself_stays_as_it_was(trained, tiny_bert_folder):
    bare = bare_base(tiny_bert_folder).bert.embeddings.state_dict()
    after = trained.model.encoder.base_model.model.embeddings.state_dict()
    assert all(torch.equal(bare[name], after[name]) for name in bare)
    decoder = trained.model.heads.predictions.decoder.weight
    assert torch.equal(decoder, bare["word_embeddings.weight"])


def test_the_same_seed_writes_the_same_bytes(trained, corpus, tmp_path):
    again = contents(train(corpus, tmp_path / "again"))
    assert again == contents(trained.folder)
    other = contents(train(corpus, tmp_path / "other", "--seed", "1"))
    for name in ("adapter_model.safetensors", "heads.safetensors"):
        assert other[name] != again[name]


def test_a_resumed_training_writes_the_same_bytes(
    trained, corpus, tmp_path, monkeypatch
):
    monkeypatch.setattr(loop, "train", partial(loop.train, every=1))
    settings = json.loads((trained.folder / "settings.json").read_text())
    names = ("steps", "rank", "learning_rate", "rate", "seed", "repeat")
    settings = {name: settings[name] for name in names}
    where = (corpus, tmp_path / "out", settings, tmp_path / "checkpoints")
    recipe.train_course_model(*where, stop_at=2)
    assert not (tmp_path / "out").exists()
    assert (tmp_path / "checkpoints" / "step-0000002").is_dir()
    history = recipe.train_course_model(*where)
    assert [row["step"] for row in history] == [0, 1, 2, 3]
    assert contents(tmp_path / "out") == contents(trained.folder)


def test_the_history_tells_each_loss(corpus, tmp_path):
    settings = {"steps": 4, "rank": 2, "learning_rate": 0.01, "rate": 0.2, "seed": 0}
    history = recipe.train_course_model(corpus, tmp_path / "out", settings)
    for row in history:
        parts = [row[name] for name in ("masked", "next", "drift") if name in row]
        assert row["loss"] == pytest.approx(sum(parts), rel=1e-5)
    assert ["next" in row for row in history] == [True, False, True, False]
    assert ["drift" in row for row in history] == [False, False, True, True]
    # a new adapter changes little yet, so the drift is of [MASK] above all
    assert 0 < history[2]["drift"] < 4


def test_a_new_model_starts_at_the_frequencies_of_the_pieces(tiny_bert_folder):
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    documents = [[np.array([5, 5, 5]), np.array([7])]]
    settings = {"seed": 0, "rank": 2}
    model = recipe.new_model(tiny_bert_folder, documents, tokenizer, settings)
    bias = model.heads.predictions.decoder.bias
    assert bias is model.heads.predictions.bias and bias.requires_grad
    shares = bias.exp()
    assert shares.sum().item() == pytest.approx(1, rel=1e-4)
    assert (shares[[5, 7]] / shares[0]).tolist() == pytest.approx([4, 2], rel=1e-4)


def test_every_trained_parameter_is_in_one_group(tiny_bert_folder):
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    documents = [[np.array([5, 7])]]
    settings = {"seed": 0, "rank": 2}
    model = recipe.new_model(tiny_bert_folder, documents, tokenizer, settings)
    rest, own = model.groups(1.0)
    grouped = [id(p) for group in (rest, own) for p in group["params"]]
    trained = [id(p) for p in model.parameters() if p.requires_grad]
    assert sorted(grouped) == sorted(trained)
    assert "lr" not in rest and 0 < own["lr"] < 1
    pooler = model.encoder.base_model.model.pooler.dense.weight
    assert id(pooler) in {id(p) for p in own["params"]}


def test_batches_are_the_same_for_the_same_step_only(tiny_bert_folder, corpus):
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    documents = encode_files(text_files(corpus), tokenizer)
    batches = recipe.Batches(documents, tokenizer, 0.2, seed=0)
    for step in range(6):
        one, two = batches(step), batches(step)
        assert one.keys() == two.keys()
        assert all(torch.equal(one[name], two[name]) for name in one)
        assert one["input_ids"].numel() <= 256
        kept = one["labels"] == IGNORED
        if "original_ids" in one:
            assert torch.equal(one["original_ids"][kept], one["input_ids"][kept])
            chosen = one["original_ids"][~kept]
            assert torch.equal(chosen, one["labels"][~kept])
    assert not torch.equal(batches(0)["input_ids"], batches(2)["input_ids"])


def test_texts_of_a_folder_come_as_often_as_asked(shelves, tmp_path):
    corpus, files = shelves, text_files(shelves)
    again = repeat_files(files, corpus, {"ballads": 3})
    assert again == [*files, *[corpus / "ballads" / "1.txt"] * 2]
    assert repeat_files(files, corpus, {}) == files
    first, more = (
        train(corpus, tmp_path / name, "--steps", "1", "--repeat", f"ballads={times}")
        for name, times in (("first", 1), ("more", 2))
    )
    assert json.loads((more / "settings.json").read_text())["repeat"] == {"ballads": 2}
    name = "adapter_model.safetensors"
    assert contents(first)[name] != contents(more)[name]


def test_second_parts_are_often_of_the_same_book(tiny_bert_folder):
    """Of 20 books of 10 documents each, 6 or 7 are near; at random, one of 20 is."""
    books = [[np.full(5, 1000 + book)] * 3 for book in range(20) for _ in range(10)]
    batches = recipe.Batches(books, models.load_tokenizer(tiny_bert_folder), 0, 0)
    rng, same, strangers = np.random.default_rng(0), 0, 0
    for _ in range(600):
        first, second, is_next = recipe.sentence_pair(batches._near(rng), rng, 10)
        if not is_next:
            strangers += 1
            same += first[0] == second[0]
    assert 0.09 < same / strangers < 0.25


def test_checkpoints_of_other_settings_are_refused(corpus, earlier, tmp_path, capsys):
    checkpoints = ["--checkpoints", str(tmp_path / "checkpoints")]
    train(corpus, tmp_path / "first", *checkpoints)
    arguments = ["train", "--corpus", corpus, "--out", earlier, *checkpoints]
    assert_refused(capsys, earlier, "checkpoints of other settings", arguments)


def test_training_can_go_on_from_earlier_weights(trained, corpus, tmp_path):
    out, start = tmp_path / "further", ["--start", str(trained.folder)]
    train(corpus, out, *start, "--steps", "1", "--learning-rate", "1e-30")
    settings = json.loads((out / "settings.json").read_text())
    first = json.loads((trained.folder / "settings.json").read_text())
    assert (settings["steps"], settings.pop("start")) == (1, first)
    # a learning rate of nothing leaves the weights that it started from
    assert {name: contents(out)[name] for name in WEIGHTS} == {
        name: contents(trained.folder)[name] for name in WEIGHTS
    }


def test_further_training_may_have_more_texts(trained, corpus, tmp_path):
    held_out = json.loads((trained.folder / "settings.json").read_text())["held_out"]
    shutil.copytree(corpus, tmp_path / "grown")
    for number in range(60):  # so many that a draw would hold out others
        (tmp_path / "grown" / f"more-{number}.txt").write_text("New text.\n\nMore.")
    out, start = tmp_path / "further", ["--start", str(trained.folder)]
    train(tmp_path / "grown", out, *start, "--steps", "1")
    assert json.loads((out / "settings.json").read_text())["held_out"] == held_out
