"""The texts that are searched: short passages of a book."""

from helpers.corpus import read_documents, split_sentences


def passages(path, least=50):
    r"""Cut the documents of a text file into runs of whole sentences.

    Returns (number of the document, sentences) pairs. A run ends where it has `least`
    words, or where its paragraph ends. Raises what `read_documents` does.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "pets.txt"
    ...     _ = file.write_text("A cat sleeps. It purrs.\n\nA dog barks.\n")
    ...     passages(file, least=3)
    [(0, ['A cat sleeps.']), (0, ['It purrs.']), (1, ['A dog barks.'])]
    """
    found = []
    for number, document in enumerate(read_documents(path)):
        for paragraph in document:
            run = []
            for sentence in split_sentences(paragraph):
                run.append(sentence)
                if len(" ".join(run).split()) >= least:
                    found.append((number, run))
                    run = []
            if run:
                found.append((number, run))
    return found
