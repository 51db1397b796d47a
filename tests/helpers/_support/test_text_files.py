"""Files that people give as text: read or refused, in one line that names the file."""

import codecs
import gzip
import io

import pandas as pd
import pytest

from helpers.corpus import read_documents, read_words, text_files
from helpers.datasets import load_sms_spam
from tests.bad_input import one_line

PROSE = "A cat sleeps.\nIt purrs.\n\nA dog barks.\n"
ROWS = pd.DataFrame({"id": [1, 2], "text": ["two\nlines", "plain"]})


def parquet():
    file = io.BytesIO()
    ROWS.to_parquet(file)
    return file.getvalue()


READ = {
    "a.txt": PROSE.encode(),
    "b.txt.gz": gzip.compress(PROSE.encode()),
    "compressed, by another name.txt": gzip.compress(PROSE.encode()),
    "unpacked by the browser.txt.gz": PROSE.encode(),
    "mark.txt": codecs.BOM_UTF8 + PROSE.encode(),
    "windows.txt": PROSE.replace("\n", "\r\n").encode(),
    "old mac.txt": PROSE.replace("\n", "\r").encode(),
}
REFUSED = {
    "part.txt": (parquet(), "not UTF-8 text"),
    "notepad.txt": (PROSE.encode("utf-16"), "not UTF-8 text from byte 0 on"),
    "latin.txt": ("Straße\n".encode("latin-1"), "not UTF-8 text from byte 4 on"),
    "table.txt": (ROWS.to_csv(index=False).encode(), "holds a table"),
    "german.txt": (ROWS.to_csv(sep=";", index=False).encode(), "holds a table"),
    "tabs.txt.gz": (
        gzip.compress(ROWS.to_csv(sep="\t", index=False).encode()),
        "holds a table",
    ),
    "lines.txt": (ROWS.to_json(orient="records", lines=True).encode(), "JSON lines"),
}


@pytest.mark.parametrize("name", READ)
def test_text_is_read_whatever_its_name(tmp_path, name):
    (tmp_path / name).write_bytes(READ[name])
    expected = [["A cat sleeps.", "It purrs."], ["A dog barks."]]
    assert read_documents(tmp_path / name) == expected


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_text_is_named(tmp_path, name):
    content, words = REFUSED[name]
    (tmp_path / name).write_bytes(content)
    message = one_line(ValueError, lambda: read_words(tmp_path))
    assert words in message and str(tmp_path / name) in message


@pytest.mark.parametrize("text", ["Yes,no\nperhaps\n", "Well,then\n", '{"said": he\n'])
def test_prose_that_begins_like_a_table_is_read(tmp_path, text):
    (tmp_path / "a.txt").write_text(text)
    assert len(read_documents(tmp_path / "a.txt")[0]) == text.count("\n")


def test_notes_that_a_system_puts_beside_texts_are_left_out(tmp_path):
    for name in ("a.txt", "._a.txt", ".ipynb_checkpoints/a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(PROSE)
    assert text_files(tmp_path) == [tmp_path / "a.txt"]


# Spam messages


KAGGLE = 'v1,v2,,,\nham,"Go, now",,,\n'
MORE_COLUMNS = "ham\tOk lar\t26\t3\nspam\tWin\t3\t0\n"
DOUBLED = 'ham\tHi\nham\t"He said ""hi"""\nspam\t"""Win"" it"\n'
SPAM_FILES = {
    "header": ("label\tmessage\nham\tHi\n", "line 1: expected ham or spam"),
    "more columns": (MORE_COLUMNS, "line 1 has a second TAB: keep label and message"),
    "doubled": (DOUBLED, "was written by a CSV program, which doubles quotes"),
    "kaggle's, renamed": (KAGGLE, "line 1: expected ham or spam, a TAB"),
    "an empty line": ("ham\tone\n\nham\ttwo\n", "line 2: expected"),
    "latin": (b"ham\t\xa3100\n", "is not UTF-8 text"),
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SMS_SPAM_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("case", SPAM_FILES)
def test_a_file_of_spam_that_is_another_is_named(home, case):
    content, words = SPAM_FILES[case]
    content = content.encode() if isinstance(content, str) else content
    (home / "SMSSpamCollection").write_bytes(content)
    message = one_line(ValueError, load_sms_spam)
    assert words in message and str(home / "SMSSpamCollection") in message


def test_kaggles_file_is_told_from_a_missing_one(home):
    (home / "spam.csv").write_text(KAGGLE)
    message = one_line(FileNotFoundError, load_sms_spam)
    assert "Kaggle's spam.csv will not do" in message and "official" in message


@pytest.mark.parametrize(
    "text", ['"Back soon', 'A "quoted" word', '"Hi"', '"" hi', "''"]
)
def test_quotes_of_a_message_are_its_own(home, text):
    (home / "SMSSpamCollection").write_text(f'ham\t{text}\nham\t"Back ""soon\n')
    assert load_sms_spam().text[0] == text


def test_a_compressed_file_of_spam_is_read(home):
    (home / "SMSSpamCollection").write_bytes(gzip.compress(b"ham\tone\nspam\ttwo\n"))
    assert load_sms_spam().text.tolist() == ["one", "two"]
