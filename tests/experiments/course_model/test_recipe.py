"""The recipe: what is trained, on which batches, and the same for the same seed."""

import json
import shutil
from functools import partial

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from experiments.course_model import recipe
from experiments.course_model.batches import Batches, filled_up
from helpers import models
from helpers import training as loop
from helpers.corpus import encode_files, text_files
from helpers.corpus.masking import IGNORED, sentence_pair
from tests.experiments.course_model.small import (
    WEIGHTS,
    assert_refused,
    bare_base,
    contents,
    train,
)

SETTINGS = {"steps": 4, "rank": 2, "learning_rate": 0.01, "rate": 0.2, "seed": 0}


def test_training_writes_weights_and_settings(trained, corpus):
    assert contents(trained.folder).keys() == WEIGHTS | {"settings.json"}
    assert [path.name for path in trained.folder.parent.iterdir()] == ["model"]
    settings = json.loads((trained.folder / "settings.json").read_text())
    held_out = settings.pop("held_out")
    assert settings == SETTINGS | {"shares": {}, "batch": 256, "length": 128}
    assert len(held_out) == 1 and (corpus / held_out[0]).is_file()


def test_all_learn_but_the_tables_of_words_and_places(trained, tiny_bert_folder):
    bare = trained.model.bare_weights()
    after = {f"bert.{n}": p for n, p in trained.model.encoder.named_parameters()}
    places = "bert.embeddings.position_embeddings.weight"
    for name, weight in after.items():
        if "embeddings.word_embeddings" not in name:
            assert torch.equal(weight, bare[name]) == (name == places), name
    table = bare["bert.embeddings.word_embeddings.weight"]
    assert torch.equal(trained.model.words.weight, table)
    assert all(factor.abs().sum() > 0 for factor in trained.model.words.parameters())


def test_the_word_table_and_the_decoder_are_one(trained):
    words = trained.model.words
    table = words(torch.arange(len(words.weight)))
    assert not torch.equal(table, words.weight)
    hidden = torch.randn(3, table.shape[1], generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(words.logits(hidden), hidden @ table.T)


def test_a_resumed_training_writes_the_same_bytes(
    trained, corpus, tmp_path, monkeypatch
):
    monkeypatch.setattr(loop, "train", partial(loop.train, every=1))
    settings = SETTINGS | {"shares": {}}
    where = (corpus, tmp_path / "out", settings, tmp_path / "checkpoints")
    recipe.train_course_model(*where, stop_at=2)
    assert not (tmp_path / "out").exists()
    assert (tmp_path / "checkpoints" / "step-0000002").is_dir()
    history = recipe.train_course_model(*where)
    assert [row["step"] for row in history] == [0, 1, 2, 3]
    assert contents(tmp_path / "out") == contents(trained.folder)


def test_the_history_tells_each_loss(corpus, tmp_path):
    settings = SETTINGS | {"steps": 9}
    history = recipe.train_course_model(corpus, tmp_path / "out", settings)
    for row in history:
        parts = [row[name] for name in ("masked", "next", "drift") if name in row]
        assert row["loss"] == pytest.approx(sum(parts), rel=1e-5)
    assert [n for n, row in enumerate(history) if "next" in row] == [0, 2, 4, 6, 8]
    # both kinds of batches have the third loss, which costs a reading of its own
    assert [n for n, row in enumerate(history) if "drift" in row] == [2, 5]
    rates = [row["learning_rate"] for row in history]
    assert max(rates) == rates[3] == rates[4] > rates[-1] > 0


@pytest.fixture(scope="module")
def new_model(tiny_bert_folder):
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    texts = {"": [[np.array([5, 5, 5]), np.array([7])]]}
    return recipe.new_model(tiny_bert_folder, texts, tokenizer, SETTINGS)


def test_a_new_model_starts_at_the_frequencies_of_the_pieces(new_model):
    shares = new_model.heads.predictions.bias.exp()
    assert shares.sum().item() == pytest.approx(1, rel=1e-4)
    assert (shares[[5, 7]] / shares[0]).tolist() == pytest.approx([4, 2], rel=1e-4)


def test_every_trained_parameter_is_in_one_group(new_model):
    rest, own = new_model.groups(1.0)
    grouped = [id(p) for group in (rest, own) for p in group["params"]]
    trained = [id(p) for p in new_model.parameters() if p.requires_grad]
    assert sorted(grouped) == sorted(trained)
    assert "lr" not in rest and 0 < own["lr"] < 1
    pooler = new_model.encoder.pooler.dense.weight
    assert id(pooler) in {id(p) for p in own["params"]}


def test_batches_are_the_same_for_the_same_step_only(tiny_bert_folder, corpus):
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    texts = {"": encode_files(text_files(corpus), tokenizer)}
    batches = Batches(texts, {"": 1}, tokenizer, 0.2, seed=0)
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


def test_places_that_fill_up_change_no_loss(new_model, tiny_bert_folder, corpus):
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    texts = {"": encode_files(text_files(corpus), tokenizer)}
    batch = Batches(texts, {"": 1}, tokenizer, 0.2, seed=0)(1)
    chosen = batch["labels"] != IGNORED
    places = filled_up(chosen)
    assert len(places) % 64 == 0 < chosen.sum() < len(places)
    assert set(chosen.flatten().nonzero()[:, 0].tolist()) < set(places.tolist())
    asked = {k: v for k, v in batch.items() if k != "original_ids"}
    loss = new_model(**asked)["masked"]
    states = new_model.encoder(batch["input_ids"], batch["attention_mask"])
    logits = new_model.predictions(states.last_hidden_state[chosen])
    wanted = cross_entropy(logits.float(), batch["labels"][chosen])
    assert torch.allclose(loss, wanted, atol=1e-5)


def test_the_kinds_of_text_have_their_shares_of_the_pieces(tokenizer):
    """However long their sentences are; one without pairs is in no batch of pairs."""
    texts = {
        "short": [[np.full(5, 2001)] * 60] * 40,
        "long": [[np.full(50, 2002)] * 6] * 40,
        "single": [[np.full(20, 2003)]] * 40,
    }
    shares = {"short": 2, "long": 1, "single": 1}
    batches, pieces = Batches(texts, shares, tokenizer, 0.2, seed=0), np.zeros((2, 3))
    for step in range(200):
        batch = batches(step)
        whole = torch.where(
            batch["labels"] == IGNORED, batch["input_ids"], batch["labels"]
        )
        pieces[step % 2] += [(whole == piece).sum() for piece in (2001, 2002, 2003)]
    of_pairs, of_sentences = pieces / pieces.sum(1, keepdims=True)
    assert of_sentences == pytest.approx([0.5, 0.25, 0.25], abs=0.1)
    assert of_pairs == pytest.approx([2 / 3, 1 / 3, 0], abs=0.1)


def test_shares_are_read_from_folders_and_files(shelves, tmp_path):
    train(shelves, tmp_path / "all", "--steps", "1")
    train(shelves, tmp_path / "some", "--steps", "1", "--share", "ballads=2")
    settings = json.loads((tmp_path / "some" / "settings.json").read_text())
    assert settings["shares"] == {"ballads": 2}
    name = "weights.safetensors"
    all_texts, some = (contents(tmp_path / folder)[name] for folder in ("all", "some"))
    assert all_texts != some
    train(shelves, tmp_path / "file", "--steps", "1", "--share", "ballads/1=2")
    assert contents(tmp_path / "file")[name] == some


def test_sentences_near_a_cloze_sentence_are_not_trained_on(tokenizer):
    runs = recipe.cloze_runs(tokenizer)
    lines = ["The dog wagged its tail.", "So the dog wagged its tail wildly.", "A dog."]
    documents = [
        [np.array(tokenizer(x, add_special_tokens=False)["input_ids"])] for x in lines
    ]
    (kept,) = recipe.away_from(documents, runs)
    assert tokenizer.decode(kept[0]) == "a dog."


def test_second_parts_are_often_of_the_same_book(tiny_bert_folder):
    """Of 20 books of 10 documents each, 6 or 7 are near; at random, one of 20 is."""
    books = [[np.full(5, 1000 + book)] * 3 for book in range(20) for _ in range(10)]
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    batches = Batches({"": books}, {"": 1}, tokenizer, 0, 0)
    rng, same, strangers = np.random.default_rng(0), 0, 0
    for _ in range(600):
        first, second, is_next = sentence_pair(batches._near(0, rng), rng, 10)
        if not is_next:
            strangers += 1
            same += first[0] == second[0]
    assert 0.09 < same / strangers < 0.25


def test_checkpoints_of_other_settings_are_refused(corpus, earlier, tmp_path, capsys):
    checkpoints = ["--checkpoints", str(tmp_path / "checkpoints")]
    train(corpus, tmp_path / "first", *checkpoints)
    arguments = ["train", "--corpus", corpus, "--out", earlier, *checkpoints]
    assert_refused(capsys, earlier, "checkpoints of other settings", arguments)


def test_training_can_go_on_from_earlier_weights(
    trained, corpus, tiny_bert_folder, tmp_path
):
    out, start = tmp_path / "further", ["--start", str(trained.folder)]
    train(corpus, out, *start, "--steps", "1", "--learning-rate", "1e-30")
    settings = json.loads((out / "settings.json").read_text())
    first = json.loads((trained.folder / "settings.json").read_text())
    assert (settings["steps"], settings.pop("start")) == (1, first)
    # a learning rate of nothing leaves the weights that it started from
    first, second = bare_base(tiny_bert_folder), bare_base(tiny_bert_folder)
    models.apply_weights(first, trained.folder)
    models.apply_weights(second, out)
    for name, weight in first.state_dict().items():
        error = (second.state_dict()[name] - weight).norm()
        assert error <= 0.01 * weight.norm(), name


def test_further_training_may_have_more_texts(trained, corpus, tmp_path):
    held_out = json.loads((trained.folder / "settings.json").read_text())["held_out"]
    shutil.copytree(corpus, tmp_path / "grown")
    for number in range(60):  # so many that a draw would hold out others
        (tmp_path / "grown" / f"more-{number}.txt").write_text("New text.\n\nMore.")
    out, start = tmp_path / "further", ["--start", str(trained.folder)]
    train(tmp_path / "grown", out, *start, "--steps", "1")
    assert json.loads((out / "settings.json").read_text())["held_out"] == held_out
