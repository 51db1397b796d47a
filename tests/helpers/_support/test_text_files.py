"""Files that people give as text: read or refused, in one line that names the file."""

import codecs
import gzip
import io

import numpy as np
import pandas as pd
import pytest

from helpers.corpus import read_documents, read_words
from tests.bad_input import one_line

PROSE = "A cat sleeps.\nIt purrs.\n\nA dog barks.\n"
ROWS = pd.DataFrame({"id": [1, 2], "text": ["two\nlines", "plain"]})


def parquet():
    file = io.BytesIO()
    ROWS.to_parquet(file)
    return file.getvalue()


def packed():
    words = np.random.default_rng(0).integers(0, 10**6, 5000).astype(str)
    return gzip.compress(" ".join(words).encode())


READ = {
    "a.txt": PROSE.encode(),
    "b.txt.gz": gzip.compress(PROSE.encode()),
    "compressed, by another name.txt": gzip.compress(PROSE.encode()),
    "unpacked by the browser.txt.gz": PROSE.encode(),
    "mark.txt": codecs.BOM_UTF8 + PROSE.encode(),
    "windows.txt": PROSE.replace("\n", "\r\n").encode(),
    "old mac.txt": PROSE.replace("\n", "\r").encode(),
    "blanks.txt": f"\n \n{PROSE}\n \t\n".replace("\n\n", "\n\t \n").encode(),
    "no end.txt": PROSE.rstrip().encode(),
}
REFUSED = {
    "part.txt": (parquet(), "not UTF-8 text"),
    "cut.txt.gz": (packed()[:5000], "get it anew"),
    "cut at the end.txt.gz": (packed()[:-4], "get it anew"),
    "bad.txt.gz": (packed()[:10] + b"\xff" * 20 + packed()[30:], "get it anew"),
    "notepad.txt": (PROSE.encode("utf-16"), "not UTF-8 text from byte 0 on"),
    "latin.txt": ("Straße\n".encode("latin-1"), "not UTF-8 text from byte 4 on"),
    "table.txt": (ROWS.to_csv(index=False).encode(), "holds a table"),
    "german.txt": (ROWS.to_csv(sep=";", index=False).encode(), "holds a table"),
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
