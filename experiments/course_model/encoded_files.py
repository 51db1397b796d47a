"""Files of text as piece ids, and which of them a training does not see."""

import numpy as np

from helpers.corpus import read_documents, split_sentences, text_files


def split_files(folder, share=0.05, seed=0):
    """Split a folder's files into (training files, held-out files), by a seeded draw.

    share: of the files that are held out, one at least; where the folder holds a
    single file, none is held out.
    """
    files = text_files(folder)
    count = min(len(files) - 1, max(1, round(share * len(files))))
    held = np.random.default_rng(seed).choice(len(files), count, replace=False)
    return (
        [f for i, f in enumerate(files) if i not in held],
        [f for i, f in enumerate(files) if i in held],
    )


def split_as_before(folder, names):
    """Split a folder's files into (training files, held-out files), by name.

    names: the held-out files, as paths within `folder`. Raises ValueError where one
    is not there.
    """
    files = {f.relative_to(folder).as_posix(): f for f in text_files(folder)}
    lacking = [name for name in names if name not in files]
    if lacking:
        raise ValueError(
            f"{folder} lacks files which the earlier training held out "
            f"({', '.join(lacking)}); name the folder of that training"
        )
    return (
        [file for name, file in files.items() if name not in names],
        [file for name, file in files.items() if name in names],
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

    No special tokens are added. Returns one list of arrays a document; documents
    without a single piece are left out.
    """
    sentences = [
        [s for p in document for s in split_sentences(p)] for document in documents
    ]
    flat = [sentence for document in sentences for sentence in document]
    if not flat:
        return []
    ids = tokenizer(flat, add_special_tokens=False, verbose=False)["input_ids"]
    encoded, start = [], 0
    for document in sentences:
        rows = ids[start : start + len(document)]
        start += len(document)
        encoded.append([np.asarray(row, dtype=np.int32) for row in rows if row])
    return [document for document in encoded if document]
