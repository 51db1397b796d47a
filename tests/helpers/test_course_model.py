"""The course model: its recipe on a tiny encoder, its scores, and the model itself."""

import copy
import gzip
import json
import re
import shutil
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch

from helpers import DATA, models
from helpers import training as loop
from helpers.corpus import encode_files, repeat_files, split_files, text_files
from helpers.course_model import __main__ as command
from helpers.course_model import recipe
from helpers.course_model import scores as course_scores
from helpers.course_model.weights import load_weights
from helpers.masking import IGNORED

WEIGHTS = {"adapter_config.json", "adapter_model.safetensors", "heads.safetensors"}
NOUNS = "boat house river garden letter market winter kitchen ladder pocket".split()
VERBS = "found sold painted carried watched forgot repaired borrowed".split()


def paragraph(rng):
    sentences = [
        f"The {rng.choice(NOUNS)} by the {rng.choice(NOUNS)} {rng.choice(VERBS)} us."
        for _ in range(rng.integers(4, 9))
    ]
    return " ".join(sentences)


def write_corpus(folder, n_files=4, seed=0):
    """Write files of six documents each, one of them compressed in a nested folder."""
    rng = np.random.default_rng(seed)
    (folder / "deep").mkdir(parents=True)
    for number in range(n_files):
        blocks = ["\n".join(paragraph(rng) for _ in range(3)) for _ in range(6)]
        data = "\n\n".join(blocks).encode()
        if number:
            (folder / f"{number}.txt").write_bytes(data)
        else:
            (folder / "deep" / "0.txt.gz").write_bytes(gzip.compress(data))
    return folder


def shrink(patch, encoder):
    """Train the tiny encoder on small batches, score a few pairs."""
    patch.setattr(models, "embedded_encoder", lambda: encoder)
    patch.setattr(recipe, "BATCH", 256)
    patch.setattr(course_scores, "PAIRS", 40)
    patch.setattr(course_scores, "BASELINE_PAIRS", 200)


@pytest.fixture(autouse=True)
def small_scale(monkeypatch, tiny_bert_folder):
    shrink(monkeypatch, tiny_bert_folder)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "texts")


def train(corpus, out, *more):
    command.main(
        ["train", "--corpus", str(corpus), "--out", str(out), "--steps", "4"]
        + ["--rank", "2", "--learning-rate", "0.01", *more]
    )
    return out


@pytest.fixture(scope="module")
def trained(corpus, tiny_bert_folder, tmp_path_factory):
    """The folder that a short training wrote, and a copy of the model it saved."""
    kept = []

    def save(model, out, settings):
        kept.append(copy.deepcopy(model).eval())
        original(model, out, settings)

    original = recipe.save
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch, tiny_bert_folder)
        patch.setattr(recipe, "save", save)
        folder = train(corpus, tmp_path_factory.mktemp("trained") / "model")
    return SimpleNamespace(folder=folder, model=kept[0])


def contents(folder):
    return {p.name: p.read_bytes() for p in Path(folder).iterdir() if p.is_file()}


def bare_base(folder):
    from transformers import BertForPreTraining

    return BertForPreTraining.from_pretrained(folder).eval()


# Training


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


def test_weights_are_in_half_precision(trained):
    from safetensors.torch import load_file

    for name in ("adapter_model", "heads"):
        tensors = load_file(trained.folder / f"{name}.safetensors")
        assert {tensor.dtype for tensor in tensors.values()} == {torch.float16}


def test_what_is_loaded_is_the_trained_model(trained, tiny_bert_folder):
    ids = torch.randint(
        2000, 20000, (3, 20), generator=torch.Generator().manual_seed(0)
    )
    reference = trained.model
    for parameter in reference.parameters():
        if parameter.requires_grad:  # the rest is the encoder, not saved
            parameter.data = parameter.data.half().float()
    base = bare_base(tiny_bert_folder)
    with torch.no_grad():
        bare = base(ids)
        models.apply_adapter(base, trained.folder)
        loaded = base.eval()(ids)
        hidden = reference.encoder(ids)
        words = reference.heads.predictions(hidden.last_hidden_state)
        follows = reference.heads.seq_relationship(hidden.pooler_output)
    assert torch.allclose(loaded.prediction_logits, words, atol=1e-4)
    assert torch.allclose(loaded.seq_relationship_logits, follows, atol=1e-4)
    assert (loaded.prediction_logits - bare.prediction_logits).abs().max() > 0.1
    assert not torch.allclose(
        loaded.seq_relationship_logits, bare.seq_relationship_logits, atol=0.01
    )


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


def test_held_out_files_are_no_training_files(corpus, tmp_path):
    for folder, counts in ((corpus, (3, 1)), (write_corpus(tmp_path / "x", 1), (1, 0))):
        seen, held_out = split_files(folder)
        assert (len(seen), len(held_out)) == counts
        assert sorted([*seen, *held_out]) == text_files(folder)
    many = write_corpus(tmp_path / "many", 40)
    assert len(split_files(many)[1]) == 2


@pytest.fixture
def shelves(corpus, tmp_path):
    """The corpus with one of its training files in a folder, `ballads`."""
    folder = tmp_path / "shelves"
    shutil.copytree(corpus, folder)
    (folder / "ballads").mkdir()
    (folder / "1.txt").rename(folder / "ballads" / "1.txt")
    return folder


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


@pytest.mark.parametrize(
    ("repeat", "message"),
    [
        ("ballads", "'ballads' is not FOLDER=TIMES"),
        ("ballads=often", "'ballads=often' is not FOLDER=TIMES"),
        ("ballads=0", "repeat: ballads 0 times; give 1 or more"),
        ("shallow=2", "repeat: 'shallow' is no folder of training texts"),
    ],
)
def test_repetition_that_makes_no_sense_is_refused(
    repeat, message, shelves, tmp_path, capsys
):
    with pytest.raises(SystemExit):
        train(shelves, tmp_path / "out", "--repeat", repeat)
    assert capsys.readouterr().err.splitlines()[-1].endswith(message)
    assert not (tmp_path / "out").exists()


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


# What goes wrong


def write_gz(path, data, cut=None):
    path.write_bytes(gzip.compress(data)[:cut])


def no_text(folder):
    (folder / "notes.md").write_text("Some text.")


def empty_files(folder):
    (folder / "a.txt").write_text("\n")
    (folder / "b.txt").write_text("")


def cut_gz(folder):
    write_corpus(folder / "good")
    for number in range(9):  # more than are held out
        write_gz(folder / f"bad{number}.txt.gz", b"Some text. More text.", cut=-8)


def one_document(folder):
    (folder / "a.txt").write_text("One sentence is here. And here is one more.")


def one_sentence_each(folder):
    (folder / "a.txt").write_text("One sentence is here.\n\n" * 20)


BAD_CORPORA = {
    no_text: "no .txt or .txt.gz file",
    empty_files: "no text in",
    cut_gz: "cannot read .*bad",
    one_document: "two documents of two sentences or more",
    one_sentence_each: "two documents of two sentences or more",
}


@pytest.fixture
def earlier(tmp_path):
    """A folder with what an earlier training left."""
    out = tmp_path / "out"
    out.mkdir()
    for name in (*WEIGHTS, "settings.json", "scores.json", "README.md"):
        (out / name).write_text(f"earlier {name}")
    return out


def assert_refused(capsys, out, message, arguments):
    """`main` ends with 2 and one line; `out` and the folder above are as before."""
    before, above = contents(out), sorted(out.parent.iterdir())
    with pytest.raises(SystemExit) as end:
        command.main([str(argument) for argument in arguments])
    assert end.value.code == 2
    error = capsys.readouterr().err.strip().split("\n")[-1]
    assert re.search(message, error), error
    assert contents(out) == before
    assert sorted(out.parent.iterdir()) == above


@pytest.mark.parametrize("make", BAD_CORPORA, ids=lambda make: make.__name__)
def test_a_bad_corpus_is_named_and_spoils_nothing(make, earlier, tmp_path, capsys):
    folder = tmp_path / "texts"
    folder.mkdir()
    make(folder)
    arguments = ["train", "--corpus", folder, "--out", earlier, "--steps", 2]
    assert_refused(capsys, earlier, BAD_CORPORA[make], arguments)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--corpus", "nowhere", "nowhere is no folder"),
        ("--steps", "0", "steps and rank must be 1 or more"),
        ("--rank", "0", "steps and rank must be 1 or more"),
        ("--rate", "0", "rate is 0.0"),
        ("--rate", "1.5", "rate is 1.5"),
        ("--learning-rate", "1e30", "not finite"),
    ],
)
def test_bad_options_spoil_nothing(option, value, message, earlier, corpus, capsys):
    arguments = ["train", "--corpus", corpus, "--out", earlier]
    arguments += ["--steps", 2, "--rank", 2]
    assert_refused(capsys, earlier, message, [*arguments, option, value])


def test_a_file_in_the_place_of_the_folder_is_refused(corpus, tmp_path, capsys):
    (tmp_path / "file").write_text("text")
    with pytest.raises(SystemExit) as end:
        train(corpus, tmp_path / "file")
    assert end.value.code == 2
    assert "is a file; name a folder" in capsys.readouterr().err


def test_checkpoints_of_other_settings_are_refused(corpus, earlier, tmp_path, capsys):
    checkpoints = ["--checkpoints", str(tmp_path / "checkpoints")]
    train(corpus, tmp_path / "first", *checkpoints)
    arguments = ["train", "--corpus", corpus, "--out", earlier, *checkpoints]
    assert_refused(capsys, earlier, "checkpoints of other settings", arguments)


def test_a_full_disk_spoils_nothing(corpus, earlier, monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("safetensors.torch.save_file", full)
    arguments = ["train", "--corpus", corpus, "--out", earlier]
    arguments += ["--steps", 1, "--rank", 2]
    assert_refused(capsys, earlier, "No space left", arguments)


def test_new_weights_take_the_place_of_the_old_and_of_their_scores(
    trained, corpus, earlier
):
    train(corpus, earlier)
    assert contents(earlier).pop("README.md") == b"earlier README.md"
    assert "scores.json" not in contents(earlier)
    new = {
        name: data for name, data in contents(earlier).items() if name != "README.md"
    }
    assert new == contents(trained.folder)


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


def test_further_training_may_have_a_higher_rank(trained, tiny_bert_folder):
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    settings = {"seed": 1, "rank": 5}
    documents = [[np.array([5, 7])]]
    model = recipe.new_model(tiny_bert_folder, documents, tokenizer, settings)
    load_weights(model, trained.folder)
    ids, both = torch.tensor([[2, 9, 4, 3]]), (model.eval(), trained.model)
    with torch.inference_mode():
        found, expected = (each.encoder(ids).last_hidden_state for each in both)
    torch.testing.assert_close(found, expected, atol=2e-3, rtol=0)
    for name, weight in model.named_parameters():
        if "lora_A" in name:
            assert weight[2:].abs().amin() > 0  # else the new ranks never learn
        if "lora_B" in name:
            assert not weight[:, 2:].any()


def test_further_training_may_have_more_texts(trained, corpus, tmp_path):
    held_out = json.loads((trained.folder / "settings.json").read_text())["held_out"]
    shutil.copytree(corpus, tmp_path / "grown")
    for number in range(60):  # so many that a draw would hold out others
        (tmp_path / "grown" / f"more-{number}.txt").write_text("New text.\n\nMore.")
    out, start = tmp_path / "further", ["--start", str(trained.folder)]
    train(tmp_path / "grown", out, *start, "--steps", "1")
    assert json.loads((out / "settings.json").read_text())["held_out"] == held_out


def no_settings(start):
    (start / "settings.json").unlink()


def cut_weights(start):
    file = start / "heads.safetensors"
    file.write_bytes(file.read_bytes()[:1000])


def other_texts(start):
    file = start / "settings.json"
    file.write_text(file.read_text().replace(".txt", ".text"))


@pytest.mark.parametrize(
    ("spoil", "rank", "message"),
    [
        (no_settings, 2, "holds no trained course model"),
        (cut_weights, 2, "cannot be read or do not fit"),
        (other_texts, 2, "which the earlier training held out"),
        (lambda start: None, 1, "has rank 2; ask for that or more"),
    ],
)
def test_earlier_weights_that_do_not_serve_are_refused(
    spoil, rank, message, trained, corpus, earlier, tmp_path, capsys
):
    start = tmp_path / "start"
    shutil.copytree(trained.folder, start)
    spoil(start)
    arguments = ["train", "--corpus", corpus, "--out", earlier, "--steps", 1]
    arguments += ["--rank", rank, "--start", start]
    assert_refused(capsys, earlier, message, arguments)


def test_an_adapter_that_does_not_fit_is_refused(trained):
    from transformers import BertConfig, BertForPreTraining

    config = BertConfig(
        hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64
    )
    with pytest.raises(ValueError, match="does not fit the encoder") as error:
        models.apply_adapter(BertForPreTraining(config), trained.folder)
    assert "\n" not in str(error.value)


# Scores


@pytest.fixture
def tiny_bert(tiny_bert_folder):
    return models.load_bert(tiny_bert_folder)


LONG = "The <unk> of the old harbour was <unk> by a storm , so that the boats of the "
LONG += "village lay on the sand for many weeks ."
WIKITEXT = f" \n = Harbour = \n \n {LONG} \n Too short . \n = = {LONG} = = \n \n"


@pytest.mark.parametrize("place", ["valid.txt", "valid.txt.gz", "other.txt"])
def test_wikitext_without_headings_and_short_lines(tmp_path, monkeypatch, place):
    path = tmp_path / place
    data = WIKITEXT.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    home = path if place == "other.txt" else tmp_path
    monkeypatch.setenv("WIKITEXT_HOME", str(home))
    assert course_scores.read_wikitext() == [LONG.replace("<unk>", "[UNK]")]


def test_wikitext_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.delenv("WIKITEXT_HOME", raising=False)
    with pytest.raises(FileNotFoundError, match="WIKITEXT_HOME does not name"):
        course_scores.read_wikitext()
    with pytest.raises(FileNotFoundError, match=r"no valid.txt\(.gz\) in"):
        course_scores.read_wikitext(tmp_path)
    (tmp_path / "valid.txt").write_text("Too short .\n")
    with pytest.raises(ValueError, match="no line of over 20 words"):
        course_scores.read_wikitext(tmp_path)


@pytest.fixture
def frequent_words_bert(tiny_bert_folder, tmp_path):
    """A tiny model whose guesses are often right: it prefers the corpus's words."""
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    base = bare_base(tiny_bert_folder)
    text = " ".join(paragraph(np.random.default_rng(1)) for _ in range(50))
    ids = torch.tensor(tokenizer(text, add_special_tokens=False)["input_ids"])
    counts = torch.bincount(ids, minlength=len(tokenizer))
    with torch.no_grad():
        base.cls.predictions.bias.copy_(2 * counts.log1p())
    base.save_pretrained(tmp_path / "frequent")
    tokenizer.save_pretrained(tmp_path / "frequent")
    return models.load_bert(tmp_path / "frequent")


def test_masked_scores_are_those_of_the_whole_model(frequent_words_bert, monkeypatch):
    """The loss of transformers' own head over whole batches, and plain counting."""
    tiny_bert = frequent_words_bert
    batches = []

    def mask(*arguments, **options):
        batches.append(mask_tokens(*arguments, **options))
        return batches[-1]

    mask_tokens = course_scores.mask_tokens
    monkeypatch.setattr(course_scores, "mask_tokens", mask)
    rng = np.random.default_rng(0)
    lines = [paragraph(rng) + " [UNK]" for _ in range(19)] + ["word " * 300]
    scores = course_scores.score_masked(tiny_bert, lines)
    losses, places = [], []
    for ids, labels in batches:
        assert ids.shape[1] <= 128
        real = (ids != tiny_bert.tokenizer.pad_token_id).long()
        with torch.no_grad():
            logits = tiny_bert.mlm(ids, attention_mask=real).logits
        for row, column in (labels != IGNORED).nonzero().tolist():
            label = labels[row, column]
            assert label != tiny_bert.tokenizer.unk_token_id
            losses.append(-logits[row, column].log_softmax(-1)[label].item())
            best = logits[row, column].topk(9).indices.tolist()
            places.append(best.index(label) if label in best else 9)
    assert {0, 1, 4, 5} <= set(places)  # else the shares would show little
    assert scores["targets"] == len(losses) > 100
    assert scores["loss"] == pytest.approx(np.mean(losses), rel=1e-4)
    assert scores["top1"] == np.mean(np.array(places) < 1)
    assert scores["top5"] == np.mean(np.array(places) < 5)
    assert course_scores.score_masked(tiny_bert, lines) == scores
    assert course_scores.score_masked(tiny_bert, lines, seed=1) != scores


def test_next_sentence_pairs_are_held_out_and_half_of_them_follow(
    tiny_bert, trained, corpus, monkeypatch
):
    drawn, held_out = [], json.loads((trained.folder / "settings.json").read_text())
    held_out = held_out["held_out"]

    def truth(bert, pairs):
        drawn.extend(pairs)
        return np.array([pair[2] for pair in pairs])

    monkeypatch.setattr(course_scores, "_follows", truth)
    scores = course_scores.score_next(tiny_bert, corpus, held_out)
    assert scores.keys() == {"accuracy", "bag_of_words", "pairs"}
    assert scores["accuracy"] == 1 and scores["pairs"] == len(drawn) == 40
    assert sum(pair[2] for pair in drawn) == 20
    text = encode_files([corpus / held_out[0]], tiny_bert.tokenizer)
    text = [" ".join(map(str, np.concatenate(document))) for document in text]
    for first, *_ in drawn:
        run = " ".join(map(str, first))
        assert any(run in document for document in text)


def test_the_head_answers_0_for_a_part_that_follows(tiny_bert):
    rng = np.random.default_rng(0)
    pairs = [(rng.integers(2000, 9000, 9), rng.integers(2000, 9000, 5), True)] * 20
    answers = course_scores._follows(tiny_bert, pairs)
    first, second = (tiny_bert.tokenizer.decode(part) for part in pairs[0][:2])
    expected = tiny_bert.predict_next(first, second) > 0.5
    assert answers.tolist() == [expected] * 20


def test_files_that_were_held_out_must_be_there(tiny_bert, corpus):
    with pytest.raises(ValueError, match=r"lacks files .*\(gone.txt\)"):
        course_scores.score_next(tiny_bert, corpus, ["gone.txt"])
    with pytest.raises(ValueError, match="training held out no file"):
        course_scores.score_next(tiny_bert, corpus, [])


def test_the_bag_of_words_baseline_sees_repeated_words_and_nothing_else(tiny_bert):
    rng = np.random.default_rng(0)

    def pairs(count, words_tell):
        made = []
        for number in range(count):
            topics = rng.permutation(np.arange(3000, 9000)).reshape(60, 100)
            follows = number % 2 == 0
            second = topics[0] if follows or not words_tell else topics[1]
            made.append((rng.choice(topics[0], 50), rng.choice(second, 50), follows))
        return made

    tell = course_scores.bag_of_words_baseline(
        pairs(200, True), pairs(200, True), tiny_bert.tokenizer
    )
    silent = course_scores.bag_of_words_baseline(
        pairs(200, False), pairs(200, False), tiny_bert.tokenizer
    )
    assert tell > 0.97
    assert abs(silent - 0.5) < 0.12


def test_word_senses_are_averaged_by_layer(tiny_bert, monkeypatch):
    rows = [
        *(("bank", "layer", layer, 10, 0.9, 0.8) for layer in (0, 1, 2)),
        *(
            ("seal", "layer", layer, 90, 0.1 * layer, 0.2 * layer)
            for layer in (0, 1, 2)
        ),
        ("bank", "majority", None, 10, 0.6, 0.4),
    ]
    columns = ["word", "method", "layer", "n", "accuracy", "macro_f1"]
    table = pd.DataFrame(rows, columns=columns).astype({"layer": "Int64"})
    monkeypatch.setattr("helpers.senses.evaluate_all", lambda bert, dtype: table)
    monkeypatch.setenv("COARSE_WSD_HOME", str(DATA / "coarse-wsd-20-mini"))
    scores = course_scores.score_senses(tiny_bert)
    assert scores["accuracy_by_layer"] == pytest.approx([0.45, 0.5, 0.55])
    assert scores["macro_f1_by_layer"] == pytest.approx([0.4, 0.5, 0.6])
    assert scores["accuracy"] == scores["accuracy_by_layer"][2]
    assert scores["macro_f1"] == scores["macro_f1_by_layer"][2]


def test_cloze_hits_are_counted_in_the_top_5(tmp_path):
    def predict_masked(text, top):
        words = "one two three four five six".split()
        return [[(word, 0.1) for word in words[:top]]]

    path = tmp_path / "cloze.tsv"
    path.write_text("A [MASK].\tfive,nine\nB [MASK].\tsix\nC [MASK].\tone\n")
    fake = SimpleNamespace(missing={}, predict_masked=predict_masked)
    scores = course_scores.score_cloze(fake, path)
    assert scores == {"top5": 2 / 3, "hits": 2, "sentences": 3}


def test_the_cloze_sentences_are_40_with_words_of_one_piece(tiny_bert):
    lines = (DATA / "cloze.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    assert len({sentence for sentence, _ in rows}) == len(rows) == 40
    assert "The [MASK] chased the mouse." in dict(rows)
    assert "She deposited the money in the [MASK]." in dict(rows)
    for sentence, accepted in rows:
        words = accepted.split(",")
        assert sentence.count("[MASK]") == 1
        assert 1 <= len(set(words)) == len(words) <= 4
        assert all(tiny_bert.tokenizer.tokenize(word) == [word] for word in words)


@pytest.fixture
def evaluation(trained, tiny_bert_folder, tmp_path, monkeypatch):
    """Set what `evaluate` reads: a tiny model and small data for every part."""
    (tmp_path / "valid.txt").write_text(WIKITEXT * 20)
    monkeypatch.setenv("WIKITEXT_HOME", str(tmp_path))
    monkeypatch.setenv("COARSE_WSD_HOME", str(DATA / "coarse-wsd-20-mini"))
    monkeypatch.setenv("BERT_COURSE_MODEL", str(tiny_bert_folder))
    monkeypatch.setattr(course_scores, "COURSE_MODEL", trained.folder)
    return monkeypatch


def test_evaluate_prints_a_table_and_writes_the_scores(
    evaluation, corpus, tiny_bert_folder, tmp_path, capsys
):
    out = tmp_path / "out"
    command.main(["evaluate", "--corpus", str(corpus), "--out", str(out)])
    assert list(contents(out)) == ["scores.json"]
    scores = json.loads((out / "scores.json").read_text())
    about = ["model", "date", "seed", "versions"]
    assert list(scores) == [*about, "masked", "next", "senses", "cloze"]
    assert scores["model"] == str(tiny_bert_folder) and scores["seed"] == 0
    assert scores["versions"].keys() == {"python", "torch", "transformers"}
    assert scores["cloze"]["sentences"] == 40 and scores["next"]["pairs"] == 40
    assert len(scores["senses"]["accuracy_by_layer"]) == 3
    printed = capsys.readouterr().out
    assert "left out" not in printed
    for part in ("masked words", "next sentence", "word senses", "everyday cloze"):
        assert part in printed
    assert f"{scores['next']['accuracy']:.1%}, bag of words" in printed


def test_evaluate_says_what_is_left_out(evaluation, tmp_path, capsys):
    evaluation.delenv("WIKITEXT_HOME")
    evaluation.setenv("COARSE_WSD_HOME", "sample")
    command.main(["evaluate"])
    printed = capsys.readouterr().out
    assert "masked is left out: WIKITEXT_HOME" in printed
    assert "next is left out: --corpus" in printed
    assert "senses is left out: COARSE_WSD_HOME" in printed
    assert "everyday cloze" in printed


def test_next_is_left_out_before_the_course_model_is_trained(
    evaluation, corpus, capsys
):
    evaluation.setattr(course_scores, "COURSE_MODEL", corpus)
    evaluation.setenv("COARSE_WSD_HOME", "sample")
    command.main(["evaluate", "--corpus", str(corpus)])
    assert "settings.json is missing; train" in capsys.readouterr().out


def test_evaluate_fails_where_nothing_can_be_scored(
    evaluation, headless_bert_folder, tmp_path, capsys
):
    evaluation.setenv("BERT_COURSE_MODEL", str(headless_bert_folder))
    evaluation.setenv("COARSE_WSD_HOME", "sample")
    with pytest.raises(SystemExit) as end:
        command.main(["evaluate", "--out", str(tmp_path / "out")])
    assert end.value.code == 2
    output = capsys.readouterr()
    assert output.err.strip() == "nothing could be scored"
    assert "masked is left out" in output.out and "no such head" in output.out
    assert not (tmp_path / "out").exists()


# The course model itself

COURSE_MODEL = DATA / "course-model"
ANIMALS = set("cat dog cats dogs rat fox owl bird snake wolf kitten puppy lion".split())
ANIMALS |= set("mouse rabbit bear monkey horse eagle hawk animal tiger hound".split())
is_trained = pytest.mark.skipif(
    not (COURSE_MODEL / "heads.safetensors").exists(), reason="it is not trained yet"
)


@is_trained
def test_the_course_model_is_small_and_says_how_it_was_made():
    files = contents(COURSE_MODEL)
    assert WEIGHTS | {"settings.json", "scores.json"} <= files.keys()
    assert sum(map(len, files.values())) <= 8_000_000
    settings = json.loads(files["settings.json"])
    assert settings.keys() - {"start"} == {
        *("steps", "rank", "learning_rate", "rate", "seed", "repeat"),
        *("held_out", "batch", "length"),
    }
    assert settings["held_out"]
    assert not json.loads(files["adapter_config.json"])["base_model_name_or_path"]


@is_trained
def test_one_encoder_serves_everything(bert):
    assert bert.nsp.bert is bert.model


@is_trained
def test_an_animal_chases_the_mouse(bert):
    (best,) = bert.predict_masked("The [MASK] chased the mouse.", top=5)
    assert ANIMALS & {piece for piece, _ in best}


@is_trained
def test_the_scores_of_the_course_model_do_not_fall_behind():
    scores = json.loads((COURSE_MODEL / "scores.json").read_text())
    assert scores["model"] == "embedded course model"
    assert scores["masked"]["loss"] <= 4.25
    assert scores["masked"]["top1"] >= 0.35
    assert scores["cloze"]["top5"] >= 0.525
    assert scores["senses"]["accuracy"] >= 0.918
    assert scores["next"]["accuracy"] >= 0.85
    assert scores["next"]["accuracy"] > scores["next"]["bag_of_words"]
