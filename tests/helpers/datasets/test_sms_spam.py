"""The SMS Spam Collection: how its file is read, and what is refused."""

import hashlib

import pytest

from helpers import datasets
from helpers.datasets import load_sms_spam

pytestmark = pytest.mark.usefixtures("fresh_process")


# the traps of the official file: an open quote, Windows-1252 read as Latin-1, a line
# separator, CR LF, a space at the end, a missing final line end
LINES = (
    'ham\t"Back soon\nspam\tWIN \x91cash\x92 \x96 now\r\nham\tone\u2028line \nham\tok'
)


def write(folder, content=LINES):
    folder.mkdir()
    (folder / "SMSSpamCollection").write_bytes(content.encode())
    return folder


def test_traps_of_the_official_file(monkeypatch, tmp_path):
    monkeypatch.setenv("SMS_SPAM_HOME", str(write(tmp_path / "home")))
    frame = load_sms_spam()
    assert frame.text.tolist() == [
        '"Back soon',
        "WIN ‘cash’ – now",
        "one\u2028line ",
        "ok",
    ]
    assert frame.kind.tolist() == ["ham", "spam", "ham", "ham"]
    assert frame.label.tolist() == [0, 1, 0, 0]


def test_official_set_is_read_whole(official_messages):
    _, official = official_messages
    assert official.kind.value_counts().to_dict() == {"ham": 4827, "spam": 747}
    assert not official.text.str.contains("[\x80-\x9f]").any()
    # 403 repeat an earlier message to the letter, one more but for its quotes
    assert official.text.duplicated().sum() == 404


def test_official_checksum_is_that_of_the_file(official_messages):
    folder, _ = official_messages
    [path] = [p for p in folder.iterdir() if p.name.startswith("SMSSpam")]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest == datasets.SMS_SPAM_SHA256
