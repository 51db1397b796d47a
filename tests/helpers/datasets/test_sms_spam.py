"""The SMS Spam Collection: how its file is read, and what is refused."""

import hashlib

import pytest

from helpers import datasets
from helpers.datasets import load_sms_spam
from tests.bad_input import one_line

pytestmark = pytest.mark.usefixtures("fresh_process")


# the traps of the official file: an open quote, quotes in a row, Windows-1252 read as
# Latin-1, a line separator, CR LF, a space at the end, a missing final line end
LINES = (
    'ham\t"Back ""soon\nspam\tWIN \x91cash\x92 \x96 now\r\nham\tone\u2028line \nham\tok'
)
KAGGLE = 'v1,v2,,,\nham,"Go, now",,,\n'
MORE_COLUMNS = "ham\tOk lar\t26\t3\nspam\tWin\t3\t0\n"
DOUBLED = 'ham\tHi\nham\t"He said ""hi"""\nspam\t"""Win"" it"\n'
REFUSED = {
    "header": ("label\tmessage\nham\tHi\n", "line 1: expected ham or spam"),
    "more columns": (MORE_COLUMNS, "line 1 has a second TAB: keep label and message"),
    "doubled": (DOUBLED, "was written by a CSV program, which doubles quotes"),
    "kaggle's, renamed": (KAGGLE, "line 1: expected ham or spam, a TAB"),
    "nothing": ("", "is empty"),
    "an empty line": ("ham\tone\n\nham\ttwo\n", "line 2: expected"),
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SMS_SPAM_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", ["SMSSpamCollection", "SMSSpamCollection.tsv"])
def test_traps_of_the_official_file(home, name):
    (home / name).write_bytes(LINES.encode())
    frame = load_sms_spam()
    assert frame.text.tolist() == [
        '"Back ""soon',
        "WIN ‘cash’ – now",
        "one\u2028line ",
        "ok",
    ]
    assert frame.kind.tolist() == ["ham", "spam", "ham", "ham"]
    assert frame.label.tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_is_another_is_named(home, case):
    content, words = REFUSED[case]
    (home / "SMSSpamCollection").write_text(content)
    message = one_line(ValueError, load_sms_spam)
    assert words in message and str(home / "SMSSpamCollection") in message


def test_kaggles_file_is_told_from_a_missing_one(home):
    (home / "spam.csv").write_text(KAGGLE)
    message = one_line(FileNotFoundError, load_sms_spam)
    assert "Kaggle's spam.csv will not do" in message and "official" in message


def test_official_set_is_read_whole(official_messages):
    folder, official = official_messages
    assert official.kind.value_counts().to_dict() == {"ham": 4827, "spam": 747}
    assert not official.text.str.contains("[\x80-\x9f]").any()
    # 403 repeat an earlier message to the letter, one more but for its quotes
    assert official.text.duplicated().sum() == 404
    [path] = [p for p in folder.iterdir() if p.name.startswith("SMSSpam")]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest == datasets.SMS_SPAM_SHA256
