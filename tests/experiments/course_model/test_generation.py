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

    def make(**changes):
        settings = SETTINGS | changes
        model = recipe.new_model(tiny_bert_folder, texts, settings)
        return model, Batches(texts, settings, tokenizer)

    return make


def test_the_losses_are_those_of_transformers(made, tiny_bert_folder):
    """Masked words at the chosen places alone, however many fill the batch up."""
    model, batches = made()
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


def test_the_losses_have_their_weights_and_the_layers_their_rates(made):
    plain, batches = made()
    heavy, _ = made(
        losses=dict.fromkeys(SETTINGS["losses"], 6), rates={"next": 2, "words": 3}
    )
    asked = {0: "masked next", 1: "masked states texts", 2: "next", 4: "states texts"}
    for step, names in asked.items():
        batch = batches[step]
        with torch.no_grad():
            one, other = plain(**batch), heavy(**batch)
        assert one.keys() == {"loss", *names.split()}
        for name in names.split():
            times = 6 / SETTINGS["losses"][name]
            assert other[name].item() == pytest.approx(times * one[name].item())
    rest, *own = heavy.groups(0.1)
    rates = [group["lr"] for group in (rest, *own)]
    assert rates == pytest.approx([0.1, 0.2, 0.3])
    grouped = [id(p) for group in (rest, *own) for p in group["params"]]
    trained = [id(p) for p in heavy.parameters() if p.requires_grad]
    assert sorted(grouped) == sorted(trained)


def test_what_is_held_is_the_uncorrupted_text_of_the_bare_encoder(made):
    """In a clear batch, before the first step, nothing differs; in another it does."""
    model, batches = made()
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


def of_two_works(pieces):
    """Two files of ten documents each; a piece tells the file and the document."""
    number = np.arange(20).reshape(2, 10)
    return [[[np.full(pieces, 2000 + n)] * 200 for n in file] for file in number]


def documents_of_parts(batch):
    """The numbers of the documents that both parts of each pair begin and end in."""
    ends = batch["attention_mask"].sum(1, keepdim=True) - 2
    last = batch["input_ids"].gather(1, ends)[:, 0]
    return batch["input_ids"][:, 1] - 2000, last - 2000


def test_false_parts_come_from_the_same_file_in_the_share_that_is_set(tokenizer):
    """Counted: none at the first step, `near` of them after `near_after`."""
    changes = {"cycle": ["clear pairs"], "near": 0.6, "near_after": 0.5, "steps": 400}
    batches = Batches({"": of_two_works(40)}, SETTINGS | changes, tokenizer)
    same = {0: [], 100: [], 200: [], 390: []}
    for start in same:
        for step in range(start, start + 10):
            batch = batches[step]
            first, last = documents_of_parts(batch)
            false = batch["next_sentence_label"] == 1
            same[start] += (first // 10 == last // 10)[false].tolist()
            assert not (first == last)[false].any()
            assert (first == last)[~false].all()
    shares = [np.mean(found) for found in same.values()]
    assert shares == pytest.approx([0, 0.3, 0.6, 0.6], abs=0.12)


def test_some_pairs_are_short_and_some_of_one_sentence_each(tokenizer):
    """Counted: of a file of sentences of 20 pieces, whose long pairs fill the row."""
    changes = {"cycle": ["clear pairs"], "short": 0.3, "single": 0.2, "batch": 2048}
    batches = Batches({"": of_two_works(20)}, SETTINGS | changes, tokenizer)
    lengths = torch.cat([batches[step]["attention_mask"].sum(1) for step in range(40)])
    assert (lengths == 128).float().mean() == pytest.approx(0.5, abs=0.06)
    assert (lengths == 43).float().mean() == pytest.approx(0.2, abs=0.05)


def test_the_masked_share_falls_from_the_first_rate_to_the_last(made):
    _, batches = made(cycle=["runs"], rate=0.4, last_rate=0.1, steps=100)
    shares = []
    for start in (0, 90):
        found = [batches[step] for step in range(start, start + 10)]
        chosen = sum(int((batch["labels"] != IGNORED).sum()) for batch in found)
        shares.append(
            chosen / sum(int(batch["attention_mask"].sum()) for batch in found)
        )
    assert shares == pytest.approx([0.4, 0.1], abs=0.06)


def test_a_kind_takes_part_by_what_of_it_qualifies(tokenizer):
    """Of pairs and running text; of single sentences it has its share of the pieces,
    however long they are. "single" has no document of two sentences, "few" few."""
    texts = {
        "short": [[[np.full(5, 2001)] * 60] * 40],
        "long": [[[np.full(50, 2002)] * 6] * 40],
        "single": [[[np.full(20, 2003)]] * 40],
        "few": [[[np.full(20, 2004)] * 10] * 4 + [[np.full(20, 2004)]] * 40],
    }
    settings = SETTINGS | {
        "batch": 1024,
        "cycle": ["pairs", "clear sentences held", "runs"],
        "shares": {"short": 2, "long": 1, "single": 1, "few": 1},
        "short": 0,
        "single": 0,
    }
    batches, pieces = Batches(texts, settings, tokenizer), np.zeros((3, 4))
    for step in range(900):
        batch = batches[step]
        whole = batch["input_ids"]
        if "labels" in batch:
            kept = batch["labels"] == IGNORED
            whole = torch.where(kept, whole, batch["labels"])
        pieces[step % 3] += [(whole == piece).sum() for piece in range(2001, 2005)]
    of_pairs, of_sentences, of_runs = pieces / pieces.sum(1, keepdims=True)
    assert of_sentences == pytest.approx([0.4, 0.2, 0.2, 0.2], abs=0.1)
    assert of_pairs == pytest.approx([4 / 7, 2 / 7, 0, 1 / 7], abs=0.1)
    assert of_runs == pytest.approx([4 / 7, 2 / 7, 0, 1 / 7], abs=0.1)


def test_terms_are_short_and_of_whole_words(tokenizer):
    text = "A salamander unhappily mistook the rhododendrons for a saxophone"
    row = np.array(tokenizer(text, add_special_tokens=False)["input_ids"])
    settings = SETTINGS | {"cycle": ["clear terms held", "pairs"]}
    batches = Batches({"": [[[row] * 30] * 2]}, settings, tokenizer)
    ids = batches[0]["input_ids"]
    terms = set(tokenizer.batch_decode(ids, skip_special_tokens=True))
    assert all(f" {term} " in f" {tokenizer.decode(row)} " for term in terms)
    assert len(terms) > 10
    assert ids.shape[1] <= 2 + settings["term"] + 5  # to the end of "rhododendrons"


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


def test_matrices_decay_and_biases_and_layer_norms_do_not(made):
    model, _ = made()
    groups = recipe.without_decay_of_vectors(model.groups(0.1))
    for group in groups:
        vectors = {p.ndim <= 1 for p in group["params"]}
        assert vectors == {"weight_decay" in group}


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
        ("mean = 1", "unknown settings: mean"),
        ("rate = 1.5", "rate is 1.5"),
        ("near = 'x'", "'x' among the settings is no number"),
        ("precision = 'half'", "precision is 'half'; choose"),
        ("short = 0.95", "shares of the same pairs"),
        ("shares = {ballads = 0}", "a share of 0"),
        ("shares = {ballads = 2}", "no folder or file of training texts"),
        ("losses = {next = ", "is no file of settings"),
        ("steps = 7", "steps is 7; give a multiple"),
        ("losses = {mask = 1}", "unknown settings: mask"),
        ("warm_up = 1e400", "inf among the settings is no number"),
        ("held_out = ['4.txt']", "lacks files"),
    ],
)
def test_bad_settings_spoil_nothing(more, message, corpus, tmp_path, capsys):
    assert message in refused(capsys, corpus, tmp_path / "out", more)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["stories", "clear runs", "pairs runs", "pairs wet"])
def test_a_batch_that_is_none_is_refused(name):
    with pytest.raises(ValueError, match="cycle"):
        recipe._check(SETTINGS | {"cycle": ["pairs", name]})


def test_steps_that_no_checkpoints_divide_are_refused():
    with pytest.raises(ValueError, match="steps is 7; give a multiple"):
        recipe._check(SETTINGS | {"steps": 7})


def test_another_training_holds_out_what_the_shipped_one_did():
    """So that both are judged on the same books; the card says what else differs."""
    settings = recipe.read_settings(Path(recipe.__file__).with_name("settings.toml"))
    kept = json.loads((DATA / "course-model" / "settings.json").read_text())
    assert kept["held_out"] == settings["held_out"]
    assert kept["shares"] == settings["shares"]
