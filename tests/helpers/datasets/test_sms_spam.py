"""The SMS Spam Collection: which folder is read, and how its file is."""

import hashlib
import os
from pathlib import Path

import pytest

from helpers import datasets
from helpers._support import downloads
from helpers.datasets import load_sms_spam
from tests.bad_input import one_line
from tests.official import official_folder

pytestmark = pytest.mark.usefixtures("fresh_process")

HOME = os.environ.get("SMS_SPAM_HOME", "sample")
# the traps of the official file: an open quote, Windows-1252 read as Latin-1, a line
# separator, CR LF, a space at the end, a missing final line end
LINES = (
    'ham\t"Back soon\nspam\tWIN \x91cash\x92 \x96 now\r\nham\tone\u2028line \nham\tok'
)


@pytest.fixture
def load():
    """`load_sms_spam` of the modules as they are now."""
    return lambda **arguments: datasets.load_sms_spam(**arguments)


def write(folder, content=LINES, name="SMSSpamCollection"):
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content.encode())
    return folder


def test_home_chooses_the_sample_without_a_word(monkeypatch, load, capsys):
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    frame = load()
    assert frame.attrs["source"] == "sample"
    assert list(frame.columns) == ["text", "label", "kind"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["SMSSpamCollection", "SMSSpamCollection.tsv"])
def test_home_names_a_folder(monkeypatch, tmp_path, load, name):
    home = write(tmp_path / "mine", name=name)
    monkeypatch.setenv("SMS_SPAM_HOME", str(home))
    frame = load()
    assert frame.attrs["source"] == str(home) and len(frame) == 4


@pytest.mark.parametrize("kind", ["absent", "empty", "a file"])
def test_wrong_home_is_named(monkeypatch, tmp_path, load, kind):
    home = tmp_path / "home"
    if kind == "empty":
        home.mkdir()
    elif kind == "a file":
        home.touch()
    monkeypatch.setenv("SMS_SPAM_HOME", str(home))
    message = one_line(FileNotFoundError, load)
    assert str(home) in message and "SMS_SPAM_HOME must name" in message


def test_absent_data_folder_is_named(monkeypatch, tmp_path, load):
    monkeypatch.setattr(downloads, "DATA", tmp_path / "nowhere")
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    message = one_line(FileNotFoundError, load)
    assert "nowhere" in message and "pip install -e ." in message


def test_traps_of_the_official_file(monkeypatch, tmp_path, load):
    monkeypatch.setenv("SMS_SPAM_HOME", str(write(tmp_path / "home")))
    frame = load()
    assert frame.text.tolist() == [
        '"Back soon',
        "WIN ‘cash’ – now",
        "one\u2028line ",
        "ok",
    ]
    assert frame.kind.tolist() == ["ham", "spam", "ham", "ham"]
    assert frame.label.tolist() == [0, 1, 0, 0]


def test_n_samples_are_drawn_by_seed(monkeypatch, load):
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    full, drawn = load(), load(n_samples=30, seed=1)
    assert drawn.index.tolist() == list(range(30))
    assert drawn.attrs["source"] == "sample"
    assert set(drawn.text) <= set(full.text)
    assert drawn.equals(load(n_samples=30, seed=1))
    assert not drawn.equals(load(n_samples=30, seed=2))
    for wrong in (0, -1, 2.0, True, len(full) + 1):
        assert "n_samples" in one_line(ValueError, lambda n=wrong: load(n_samples=n))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("ham\tone\nhello\ttwo\n", "line 2: expected ham or spam, a TAB"),
        ("ham\tone\n\nham\ttwo\n", "line 2: expected"),
        ("ham one\n", "line 1: expected"),
        ("ham\t \n", "line 1: expected"),
        ("spam\n", "line 1: expected"),
        ("", "is empty"),
    ],
)
def test_malformed_line_is_named(monkeypatch, tmp_path, load, content, words):
    monkeypatch.setenv("SMS_SPAM_HOME", str(write(tmp_path / "home", content)))
    assert words in one_line(ValueError, load)


def test_file_that_is_not_utf8_is_named(monkeypatch, tmp_path, load):
    (write(tmp_path / "home") / "SMSSpamCollection").write_bytes(b"ham\tone \xff\n")
    monkeypatch.setenv("SMS_SPAM_HOME", str(tmp_path / "home"))
    assert "is not UTF-8" in one_line(ValueError, load)


@pytest.fixture
def official(monkeypatch):
    official_folder("The SMS Spam Collection", "SMS_SPAM_HOME", HOME)
    monkeypatch.setenv("SMS_SPAM_HOME", HOME)
    return load_sms_spam()


def test_official_set_is_read_whole(official):
    assert official.kind.value_counts().to_dict() == {"ham": 4827, "spam": 747}
    assert not official.text.str.contains("[\x80-\x9f]").any()
    # 403 repeat an earlier message to the letter, one more but for its quotes
    assert official.text.duplicated().sum() == 404


def test_official_checksum_is_that_of_the_file(official):
    [path] = [p for p in Path(HOME).iterdir() if p.name.startswith("SMSSpam")]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest == datasets.SMS_SPAM_SHA256
