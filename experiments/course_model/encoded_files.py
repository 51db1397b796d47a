"""Files of text as piece ids, and which of them a training does not see."""

import numpy as np

from helpers.corpus import read_documents, split_sentences, text_files


def split_files(folder, held_out):
    """Split a folder's files into (training files, held-out files).

    held_out: paths within `folder`. Raises ValueError where one is not there.
    """
    files = {f.relative_to(folder).as_posix(): f for f in text_files(folder)}
    if lacking := [name for name in held_out if name not in files]:
        raise ValueError(
            f"{folder} lacks files which the training holds out "
            f"({', '.join(lacking)}); name the folder of that training"
        )
    return (
        [file for name, file in files.items() if name not in held_out],
        [file for name, file in files.items() if name in held_out],
    )


def encode_files(files, tokenizer):
    """Read and encode files; returns their documents, as `encode_documents` does.

    Raises ValueError where they hold no text at all.
    """
    documents = [
        d for f in files for d in encode_documents(read_documents(f), tokenizer)
    ]
    if not documents:
        more = f" and {len(files) - 1} more files" if len(files) > 1 else ""
        raise ValueError(f"no text in {files[0]}{more}; give one paragraph a line")
    return documents


def encode_documents(documents, tokenizer):
    """Turn documents into lists of sentences, each an int32 array of piece ids.

    No special tokens are added; documents without a single piece are left out.
    """
    sentences = [
        [s for p in document for s in split_sentences(p)] for document in documents
    ]
    flat = [sentence for document in sentences for sentence in document]
    if not flat:
        return []
    ids = iter(tokenizer(flat, add_special_tokens=False, verbose=False)["input_ids"])
    encoded = [
        [np.array(row, np.int32) for row in [next(ids) for _ in document] if row]
        for document in sentences
    ]
    return [document for document in encoded if document]
