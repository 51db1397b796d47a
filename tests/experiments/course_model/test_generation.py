"""A training: its losses, what it leaves out, what it writes over and what not."""

import json
import shutil

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
from tests.experiments.course_model.small import bare_base, contents, train

SETTINGS = recipe.SETTINGS | {"steps": 4, "rank": 2, "learning_rate": 0.01}


def refused(capsys, *arguments, **places):
    """The one line with which a training ends."""
    with pytest.raises(SystemExit) as end:
        train(*arguments, **places)
    assert end.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


# The losses


@pytest.fixture
def made(tiny_bert_folder, corpus):
    """A model before its first step, and its batches."""
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    texts = {"": encode_files(text_files(corpus), tokenizer)}

    def make(**changes):
        settings = SETTINGS | changes
        model = recipe.new_model(tiny_bert_folder, texts, tokenizer, settings)
        return model, Batches(texts, {"": 1}, tokenizer, 0.2, seed=0)

    return make


def test_the_losses_are_those_of_transformers(made, tiny_bert_folder):
    """Masked words at the chosen places alone, however many fill the batch up."""
    model, batches = made()
    base = bare_base(tiny_bert_folder)
    base.cls.predictions.bias.data.copy_(model.heads.predictions.bias)
    batch = {k: v for k, v in batches(4).items() if k != "original_ids"}
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


def test_the_next_sentence_loss_has_its_weight_and_its_layers_their_rate(made):
    (plain, batches), (heavy, _) = made(), made(next_weight=3, next_rate=0.4)
    with torch.no_grad():
        losses = [model(**batches(0)) for model in (plain, heavy)]
    assert losses[1]["next"].item() == pytest.approx(3 * losses[0]["next"].item())
    assert losses[1]["masked"] == losses[0]["masked"]
    rest, own = heavy.groups(0.1)
    assert own["lr"] == pytest.approx(0.04) and "lr" not in rest
    grouped = [id(p) for group in (rest, own) for p in group["params"]]
    trained = [id(p) for p in heavy.parameters() if p.requires_grad]
    assert sorted(grouped) == sorted(trained)


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
        kept = batch["labels"] == IGNORED
        whole = torch.where(kept, batch["input_ids"], batch["labels"])
        pieces[step % 2] += [(whole == piece).sum() for piece in (2001, 2002, 2003)]
    of_pairs, of_sentences = pieces / pieces.sum(1, keepdims=True)
    assert of_sentences == pytest.approx([0.5, 0.25, 0.25], abs=0.1)
    assert of_pairs == pytest.approx([2 / 3, 1 / 3, 0], abs=0.1)


# The leak


def test_sentences_near_a_cloze_sentence_are_not_trained_on(tokenizer):
    lines = ["The dog wagged its tail.", "So the dog wagged its tail wildly.", "A dog."]
    documents = [
        [np.array(tokenizer(x, add_special_tokens=False)["input_ids"])] for x in lines
    ]
    (kept,) = recipe.away_from(documents, recipe.cloze_runs(tokenizer))
    assert tokenizer.decode(kept[0]) == "a dog."


def test_held_out_files_stay_held_out_when_there_are_more_texts(
    trained, corpus, tmp_path, monkeypatch
):
    first = json.loads((trained.folder / "settings.json").read_text())
    shutil.copytree(corpus, tmp_path / "grown")
    for number in range(60):  # so many that a draw would hold out others
        (tmp_path / "grown" / f"more-{number}.txt").write_text("New text.\n\nMore.")
    read, read_texts = [], recipe.read_texts

    def noted(files, *others):
        read.extend(file.relative_to(tmp_path / "grown").as_posix() for file in files)
        return read_texts(files, *others)

    monkeypatch.setattr(recipe, "read_texts", noted)
    out = train(tmp_path / "grown", tmp_path / "further", start=trained.folder)
    settings = json.loads((out / "settings.json").read_text())
    assert settings["held_out"] == first["held_out"] and settings["start"] == first
    assert len(read) == 63 and not set(read) & set(first["held_out"])


# What is written, and what is not written over


@pytest.mark.parametrize("lost", [False, True])
def test_checkpoints_of_other_settings_are_not_gone_on_from(tmp_path, lost):
    recipe._claim(tmp_path, SETTINGS)
    (tmp_path / "step-0000002").touch()
    if lost:
        (tmp_path / "settings.json").unlink()
    with pytest.raises(ValueError, match="another folder"):
        recipe._claim(tmp_path, SETTINGS | {"seed": 9})


def test_the_shipped_weights_are_not_written_over(corpus, tmp_path, capsys):
    """No recipe makes them again: their settings have keys that none knows."""
    shipped = shutil.copytree(DATA / "course-model", tmp_path / "course-model")
    before = contents(shipped)
    said = refused(capsys, corpus, shipped)
    assert "cannot make again" in said and "mean" in said and "another folder" in said
    assert contents(shipped) == before


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("mean = 1", "unknown settings: mean"),
        ("rate = 1.5", "rate is 1.5"),
        ("seed = 'x'", "'x' among the settings is no number"),
        ("shares = {ballads = 0}", "a share of 0"),
        ("shares = {ballads = 2}", "no folder or file of training texts"),
        ("start_sha256 = 'ab'", "name their folder, --start"),
        ("next_rate = ", "is no file of settings"),
        ("warm_up = 1e400", "inf among the settings is no number"),
    ],
)
def test_bad_settings_spoil_nothing(more, message, trained, corpus, tmp_path, capsys):
    out = shutil.copytree(trained.folder, tmp_path / "out")
    (out / "scores.json").write_text("{}")
    before = contents(out)
    assert message in refused(capsys, corpus, out, more)
    assert contents(out) == before
