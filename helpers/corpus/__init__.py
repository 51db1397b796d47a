"""Running text for pre-training: a folder of files, cut into documents and pieces."""

import os
import re
from pathlib import Path

from helpers._support.text_files import read_text, require_running_text

ENDINGS = (".txt", ".txt.gz")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
SENTENCE_END = re.compile(r"""[.!?]["')\]]*\s+(?=["'(\[]*[A-Z0-9])""")
ABBREVIATION = re.compile(  # titles, "vol.", and initials, but not "It is I."
    r"""(?:^|[\s"'(\[-])(?:mrs?|ms|dr|st|mt|messrs|prof|rev|hon|gen|col|capt|lieut|lt|"""
    r"""sgt|maj|adm|gov|sen|rep|fr|supt|vs|viz|vol|fig|pp|cf|"""
    r"""(?:[a-z]\.)+[a-z]|[a-hj-z])\.\s+$""",
    re.IGNORECASE,
)


def text_files(folder):
    """List the .txt and .txt.gz files in `folder` and its subfolders, sorted by path.

    Linked folders count as folders, but none that leads back to one above it. What
    begins with a dot, as macOS's notes about files, is left out. Raises
    FileNotFoundError for a missing folder or one that holds no such file.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileNotFoundError(
            f"{folder} is no folder; name one that holds .txt files"
        )
    found = [path for path in _files_below(folder) if path.name.endswith(ENDINGS)]
    if not found:
        raise FileNotFoundError(f"{folder} holds no .txt or .txt.gz file")
    return sorted(found, key=lambda path: path.relative_to(folder).as_posix())


def _files_below(folder):
    for place, folders, names in os.walk(folder, followlinks=True):
        above = {Path(place).resolve(), *Path(place).resolve().parents}
        seen, names = ([n for n in part if n[0] != "."] for part in (folders, names))
        folders[:] = [n for n in seen if (Path(place) / n).resolve() not in above]
        yield from (Path(place) / n for n in names if (Path(place) / n).is_file())


def read_documents(path):
    r"""Read a text file: one paragraph a line, blank lines between documents.

    path: a .txt file, or .txt.gz. Returns a list of documents, each a list of
    paragraphs (strings). Raises ValueError for a damaged file and for one that is no
    running text in UTF-8: a table, JSON lines, Parquet, an archive.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "pets.txt"
    ...     _ = file.write_text("A cat sleeps.\nIt purrs.\n\nA dog barks.\n")
    ...     read_documents(file)
    [['A cat sleeps.', 'It purrs.'], ['A dog barks.']]
    """
    text = read_text(path).replace("\r\n", "\n").replace("\r", "\n")
    require_running_text(path, text)
    blocks = [block.split("\n") for block in re.split(r"\n\s*\n", text)]
    blocks = [[line.strip() for line in block if line.strip()] for block in blocks]
    return [block for block in blocks if block]


def split_sentences(paragraph):
    """Split a paragraph after . ! or ? where a capital or a digit follows.

    Not after titles, some other abbreviations and initials. Returns a list of strings.
    It is a rule of thumb: a sentence that ends in "etc." or "p.m." may be cut or not.

    >>> split_sentences("Mr. J. Hall came, e.g. on Monday. Did you see him?")
    ['Mr. J. Hall came, e.g. on Monday.', 'Did you see him?']
    """
    sentences, start = [], 0
    for end in SENTENCE_END.finditer(paragraph):
        if not ABBREVIATION.search(paragraph[start : end.end()][-15:]):
            sentences.append(paragraph[start : end.end()].strip())
            start = end.end()
    sentences.append(paragraph[start:].strip())
    return [sentence for sentence in sentences if sentence]


def read_words(folder):
    """Read a folder of text as documents of sentences of words.

    Returns a list of documents, each a list of sentences, each a list of words in
    lower case. Punctuation and numbers are left out, but "don't" stays one word.
    Raises what `text_files` and `read_documents` do, and ValueError for a folder
    without words.
    """
    documents = []
    for file in text_files(folder):
        for document in read_documents(file):
            sentences = [s for p in document for s in split_sentences(p)]
            words = [WORD.findall(sentence.lower()) for sentence in sentences]
            documents.append([found for found in words if found])
    documents = [document for document in documents if document]
    if not documents:
        raise ValueError(f"no words in {folder}; give one paragraph a line")
    return documents
