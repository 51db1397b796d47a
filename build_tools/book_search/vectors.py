"""A vector for each paragraph: the mean of the course model's last layer."""

import hashlib

import numpy as np

from build_tools.live import payload
from helpers.embeddings import piece_states
from helpers.models import COURSE_MODEL, EMBEDDED_SHA256, TRAINED
from helpers.whole_files import whole

LONGEST = 512  # pieces
KEPT = "paragraphs.npz"


def vectors_of(texts, folder):
    """Return the vectors (texts, hidden), float32; those that are kept are not redone.

    folder: where they are kept, by the text, as long as the model is the same.
    """
    file = folder / f"{model_digest()}-{KEPT}"
    keys = [hashlib.sha256(text.encode()).hexdigest()[:24] for text in texts]
    known = dict(zip(*_read(file), strict=True))
    missing = {k: t for k, t in zip(keys, texts, strict=True) if k not in known}
    if missing:
        print(f"==> Reading {len(missing)} paragraphs for the search", flush=True)
        found = mean_vectors(payload.course_model(), list(missing.values()))
        known |= dict(zip(missing, found, strict=True))
        folder.mkdir(parents=True, exist_ok=True)
        for stale in folder.glob(f"*-{KEPT}"):
            stale.unlink()
        with whole(file) as unfinished, unfinished.open("wb") as out:
            kept = list(dict.fromkeys(keys))
            np.savez(out, keys=kept, vectors=np.stack([known[key] for key in kept]))
    return np.stack([known[key] for key in keys])


def _read(file):
    if not file.is_file():
        return [], []
    with np.load(file) as kept:
        return kept["keys"].tolist(), kept["vectors"]


def model_digest():
    """What changes with the course model."""
    return payload.digest_of([COURSE_MODEL / TRAINED], EMBEDDED_SHA256)


def mean_vectors(bert, texts):
    """Mean over all pieces, in the last layer, of texts: (texts, hidden), float32."""
    rows = [bert.tokenizer(t, truncation=True, max_length=LONGEST) for t in texts]
    return np.array([s.mean(axis=0) for s in piece_states(bert, rows)])
