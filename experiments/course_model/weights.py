"""The files of the course model: weights in a few bits, and settings.

Wrote data/course-model/weights.safetensors on 2026-11-26, for the recipe.

What training changed of the encoder's matrices is kept as a difference from the
package's weights, in BITS bits with one scale for RUN weights in a row; what it
changed of the word table as two thin matrices, the larger of them in BITS bits too;
all else in half precision.
"""

import json
import re
import tempfile
from pathlib import Path

import numpy as np
import torch

from helpers.models.course_weights import FILE

BITS, RUN = 4, 32
PACKED = re.compile(r"bert\.encoder\.(?!.*LayerNorm).*weight")


def to_bits(matrix, bits=BITS, run=RUN):
    """Round a matrix to integers of a few bits, with a scale for each run of weights.

    Returns the packed integers, uint8 (bytes,), and the scales, float16 (runs,): of
    seven for a run that with the smallest squared error.

    >>> from helpers.models.course_weights import from_bits
    >>> packed, scales = to_bits(torch.tensor([[7.0, -2, 1, 0]]), bits=4, run=4)
    >>> packed.tolist(), from_bits(packed, scales, (1, 4)).tolist()
    ([246, 152], [[7.0, -2.0, 1.0, 0.0]])
    """
    values = matrix.detach().float().cpu().numpy().reshape(-1, run)
    most = 2 ** (bits - 1) - 1
    largest = np.maximum(np.abs(values).max(1, keepdims=True), 1e-7) / most
    tried = largest * np.linspace(1, 0.7, 7).reshape(-1, 1, 1)  # (7, runs, 1)
    tried = tried.astype(np.float16).astype(np.float32)
    tried = np.maximum(tried, np.float32(6e-8))  # the smallest of half precision
    rounded = np.clip(np.round(values / tried), -most, most)
    best = ((rounded * tried - values) ** 2).sum(2).argmin(0), np.arange(len(values))
    scales, kept = tried[best], rounded[best]
    unsigned = (kept + most + 1).astype(np.uint8).reshape(-1, 1)
    packed = np.packbits(np.unpackbits(unsigned, axis=1)[:, -bits:])
    return torch.from_numpy(packed), torch.from_numpy(scales[:, 0]).half()


def save(trained, bare, out, settings):
    """Write `changes` and settings, all or nothing; the scores of others go."""
    from safetensors.torch import save_file

    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=out.name) as unfinished:
        unfinished = Path(unfinished)
        save_file(changes(trained, bare), unfinished / FILE)
        (unfinished / "settings.json").write_text(json.dumps(settings, indent=2) + "\n")
        (out / "scores.json").unlink(missing_ok=True)
        for file in unfinished.iterdir():
            file.replace(out / file.name)


def changes(trained, bare):
    """Return what is saved of a training, as {name: tensor}.

    trained: the weights of a BertForPreTraining by name, without its word table, whose
    change is "words.pieces" (vocabulary, rank) and "words.directions" (rank, hidden).
    bare: the weights of the encoder before, by the same names.
    """
    kept = {}
    for name, weight in trained.items():
        weight = weight.detach().cpu()
        if name == "words.pieces":
            kept |= _packed(name, weight)
        elif PACKED.fullmatch(name):
            kept |= _packed(name, weight - bare[name].cpu())
        else:
            kept[name] = weight.half().contiguous()
    return kept


def _packed(name, matrix):
    packed, scales = to_bits(matrix)
    return {f"{name}:bits": packed, f"{name}:scales": scales}
