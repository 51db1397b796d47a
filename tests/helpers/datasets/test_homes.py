"""Both sets: which folder is read, and what is refused."""

from types import SimpleNamespace

import pytest

from helpers._support import downloads
from helpers.datasets import coarse_wsd_senses, load_coarse_wsd, load_sms_spam
from tests.bad_input import one_line
from tests.helpers.datasets.coarse_wsd import write_word

pytestmark = pytest.mark.usefixtures("fresh_process")


def write_messages(folder, name="SMSSpamCollection"):
    folder.mkdir()
    (folder / name).write_text("ham\tone\nspam\ttwo\nham\tthree\n")


SETS = {
    "COARSE_WSD_HOME": SimpleNamespace(
        load=lambda: load_coarse_wsd("crane"),
        columns=["sentence", "word_pos", "label", "sense"],
        write=write_word,
        file="crane/train.data.txt",
    ),
    "SMS_SPAM_HOME": SimpleNamespace(
        load=load_sms_spam,
        columns=["text", "label", "kind"],
        write=write_messages,
        file="SMSSpamCollection",
    ),
}


@pytest.fixture(params=SETS)
def of(request, monkeypatch):
    """One of the sets, with `name_home`, which names a folder of it, or the sample."""
    of = SETS[request.param]
    of.variable = request.param
    of.name_home = lambda home: monkeypatch.setenv(request.param, str(home))
    return of


def test_home_chooses_the_sample_without_a_word(of, capsys):
    of.name_home("sample")
    frame = of.load()
    assert frame.attrs["source"] == "sample" and list(frame.columns) == of.columns
    assert capsys.readouterr().out == ""


def test_without_a_choice_the_sample_is_read_and_no_network_asked(
    of, monkeypatch, capsys
):
    monkeypatch.delenv(of.variable)
    monkeypatch.setattr(downloads, "_download", None)  # to call it is an error
    assert of.load().attrs["source"] == "sample" and capsys.readouterr().out == ""


def test_home_names_a_folder(of, tmp_path, capsys):
    of.write(tmp_path / "mine")
    of.name_home(tmp_path / "mine")
    frame = of.load()
    assert frame.attrs["source"] == str(tmp_path / "mine") and len(frame) == 3
    assert capsys.readouterr().out == ""


def test_file_of_messages_may_end_in_tsv(tmp_path, monkeypatch):
    write_messages(tmp_path / "mine", "SMSSpamCollection.tsv")
    monkeypatch.setenv("SMS_SPAM_HOME", str(tmp_path / "mine"))
    assert len(load_sms_spam()) == 3


@pytest.mark.parametrize("kind", ["absent", "empty", "a file"])
def test_wrong_home_is_named(of, tmp_path, capsys, kind):
    home = tmp_path / "home"
    if kind == "empty":
        home.mkdir()
    elif kind == "a file":
        home.touch()
    of.name_home(home)
    message = one_line(FileNotFoundError, of.load)
    assert str(home) in message and f"{of.variable} must name" in message
    assert ("is not a folder" in message) == (kind != "empty")
    assert capsys.readouterr().out == ""


def test_senses_of_a_wrong_home_are_refused_as_well(monkeypatch, tmp_path):
    write_word(tmp_path / "home", "mole")
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path / "home"))
    message = one_line(FileNotFoundError, lambda: coarse_wsd_senses("crane"))
    assert "classes_map.txt is missing: COARSE_WSD_HOME must name" in message


@pytest.mark.parametrize("home", ["", "sample"])
def test_absent_data_folder_is_named(of, monkeypatch, tmp_path, home):
    monkeypatch.setattr(downloads, "DATA", tmp_path / "nowhere")
    of.name_home(home)
    message = one_line(FileNotFoundError, of.load)
    assert "nowhere" in message and "pip install -e ." in message


@pytest.mark.parametrize(
    ("content", "said"), [(b"ham\tone \xff\n", "is not UTF-8"), (b"", "is empty")]
)
def test_file_that_cannot_be_read_is_named(of, tmp_path, content, said):
    of.write(tmp_path / "mine")
    (tmp_path / "mine" / of.file).write_bytes(content)
    of.name_home(tmp_path / "mine")
    assert f"{of.file} {said}" in one_line(ValueError, of.load)
