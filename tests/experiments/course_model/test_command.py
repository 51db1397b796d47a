"""The command: what it prints and writes, and what it refuses in one line."""

import gzip
import json

import pytest

from experiments.course_model import __main__ as command
from experiments.course_model import scores as course_scores
from helpers import DATA
from tests.experiments.course_model.small import (
    assert_refused,
    contents,
    train,
    write_corpus,
)


@pytest.mark.parametrize(
    ("share", "message"),
    [
        ("ballads", "'ballads' is not FOLDER=SHARE"),
        ("ballads=often", "'ballads=often' is not FOLDER=SHARE"),
        ("ballads=0", "'ballads=0' is not FOLDER=SHARE"),
        ("ballads=nan", "'ballads=nan' is not FOLDER=SHARE"),
        ("ball=2", "share: 'ball' is no folder or file of training texts"),
    ],
)
def test_a_share_of_unknown_texts_or_of_nothing_is_refused(
    share, message, shelves, tmp_path, capsys
):
    with pytest.raises(SystemExit):
        train(shelves, tmp_path / "out", "--share", share)
    assert capsys.readouterr().err.splitlines()[-1].endswith(message)
    assert not (tmp_path / "out").exists()


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


def test_a_full_disk_spoils_nothing(corpus, earlier, monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("safetensors.torch.save_file", full)
    arguments = ["train", "--corpus", corpus, "--out", earlier]
    arguments += ["--steps", 1, "--rank", 2]
    assert_refused(capsys, earlier, "No space left", arguments)


LONG = "The <unk> of the old harbour was <unk> by a storm , so that the boats of the "
LONG += "village lay on the sand for many weeks ."
WIKITEXT = f" \n = Harbour = \n \n {LONG} \n Too short . \n = = {LONG} = = \n \n"


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
    parts = ["masked", "printed", "next", "senses", "cloze", "everyday"]
    assert list(scores) == [*about, *parts]
    assert scores["model"] == str(tiny_bert_folder) and scores["seed"] == 0
    assert scores["versions"].keys() == {"python", "torch", "transformers"}
    assert scores["cloze"]["sentences"] == 40 and scores["next"]["pairs"] == 40
    assert scores["everyday"]["sentences"] == 200
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
