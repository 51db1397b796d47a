"""Which files a training read: enough to find each again and to know it by its sum.

Wrote corpus.tsv beside this module on 2026-11-28, from the folder that the card
describes. It can be run again:

    python -m experiments.course_model manifest --corpus CORPUS --out FILE
"""

import gzip
import hashlib
from pathlib import Path

from experiments.course_model.encoded_files import encode_files
from helpers import models
from helpers.corpus import text_files
from helpers.whole_files import replace

COLUMNS = ("file", "revision", "documents", "pieces", "sha256")
UNKNOWN = "-"  # of a file whose source is not named yet


def write_manifest(corpus, out):
    """Write a row for each text file of the folder `corpus` to the file `out`.

    documents, pieces: as the training reads them, without special tokens. sha256: of
    the text, unpacked. revision: what `out` said of this file before (a commit or the
    version of a package; people write it), or UNKNOWN.
    """
    known, tokenizer = revisions(out), models.load_tokenizer(models.embedded_encoder())
    rows = [COLUMNS]
    for file in text_files(corpus):
        name = file.relative_to(corpus).as_posix()
        documents = encode_files([file], tokenizer)
        pieces = sum(len(sentence) for document in documents for sentence in document)
        packed = file.read_bytes()
        text = gzip.decompress(packed) if file.suffix == ".gz" else packed
        digest = hashlib.sha256(text).hexdigest()
        rows.append((name, known.get(name, UNKNOWN), len(documents), pieces, digest))
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    replace(Path(out), text.encode())


def revisions(manifest):
    """Return {file: revision} of a manifest, {} where there is none yet."""
    if not Path(manifest).exists():
        return {}
    lines = Path(manifest).read_text(encoding="utf-8").splitlines()[1:]
    return dict(line.split("\t")[:2] for line in lines)
