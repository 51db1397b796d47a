"""Running text from folders: what is read, and what is said about bad files."""

import gzip

import numpy as np
from hypothesis import given

from experiments.course_model.encoded_files import encode_documents, encode_files
from helpers.corpus import (
    read_documents,
    split_sentences,
    text_files,
)
from tests.bad_input import one_line
from tests.strategies import many, texts

TEXT = "One paragraph.\nAnother one.\n\nA second document.\n"


def write(path, content):
    """Write bytes, or text as UTF-8; compressed where the name ends in .gz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def test_text_files_are_found_in_nested_folders_in_a_fixed_order(tmp_path):
    found = ["a/deep/er.txt", "a/z.txt.gz", "b.txt"]
    others = ["c.md", "d.gz", "e.txt.bak", "._a.txt", ".ipynb_checkpoints/a.txt"]
    for name in (*found, *others):
        write(tmp_path / name, TEXT)
    (tmp_path / "folder.txt").mkdir()
    assert text_files(str(tmp_path)) == [tmp_path / name for name in found]


def test_linked_folders_are_read_and_a_circle_of_links_ends(tmp_path):
    write(tmp_path / "elsewhere/deep/b.txt", TEXT)
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/deep/back").symlink_to(tmp_path / "elsewhere")
    (corpus / "self").symlink_to(corpus)
    found = [path.relative_to(corpus).as_posix() for path in text_files(corpus)]
    assert found == ["linked/deep/b.txt"]


def test_a_folder_without_texts_and_texts_without_words_are_named(tmp_path, tokenizer):
    gone = tmp_path / "nowhere"
    assert "is no folder" in one_line(FileNotFoundError, lambda: text_files(gone))
    write(tmp_path / "notes.md", "text")
    said = one_line(FileNotFoundError, lambda: text_files(tmp_path))
    assert "holds no .txt or .txt.gz file" in said
    files = [write(tmp_path / name, " \n\t\n") for name in ("a.txt", "b.txt.gz")]
    assert read_documents(files[0]) == []
    said = one_line(ValueError, lambda: encode_files(files, tokenizer))
    assert str(files[0]) in said and "and 1 more file" in said
    files.append(write(tmp_path / "c.txt", TEXT))
    assert len(encode_files(files, tokenizer)) == 2


def test_documents_become_sentences_of_piece_ids(tokenizer):
    documents = [["It rained. We stayed.", "The end."], ["\u200b"], ["Yes."], [" "]]
    encoded = encode_documents(documents, tokenizer)
    texts = [[tokenizer.decode(ids) for ids in document] for document in encoded]
    assert texts == [["it rained.", "we stayed.", "the end."], ["yes."]]
    assert all(ids.dtype == np.int32 for document in encoded for ids in document)


# Sentences


def test_sentences_end_at_a_stop_before_a_capital():
    text = 'He came at 3.30 p.m. or so. "Is it late?" she asked. (No.) 12 men left!'
    assert split_sentences(text) == [
        "He came at 3.30 p.m. or so.",
        '"Is it late?" she asked.',
        "(No.)",
        "12 men left!",
    ]
    assert split_sentences("  ") == []


def test_no_sentence_ends_after_a_title_or_an_initial():
    text = "Mr. and Mrs. J. R. Hall of St. Ives came. So did I. Dr. Poe of the "
    text += "U.S. Army did not. See vol. 3! At 5 p.m. we left it to the Gen. Who won?"
    assert split_sentences(text) == [
        "Mr. and Mrs. J. R. Hall of St. Ives came.",
        "So did I.",
        "Dr. Poe of the U.S. Army did not.",
        "See vol. 3!",
        "At 5 p.m. we left it to the Gen. Who won?",
    ]


@many
@given(text=texts)
def test_splitting_a_text_loses_no_word(text):
    assert " ".join(split_sentences(text)).split() == text.split()
