"""Reading the course model: its trained weights over those of the bare encoder.

`experiments/course_model` made them and says how they are packed.
"""

from pathlib import Path

import numpy as np
import torch

FILE = "weights.safetensors"
WORDS = "bert.embeddings.word_embeddings.weight"
MISFIT = "the weights in {} do not fit the encoder; train them again"


def apply_weights(base, folder):
    """Put the trained weights in `folder` over the bare encoder's.

    base: a BertForPreTraining, changed in place. Raises ValueError where the files do
    not fit; `base` is then unchanged.
    """
    state = base.state_dict()
    try:
        change = _changed(state, _read(folder))
    except (KeyError, RuntimeError, ValueError) as error:
        raise ValueError(MISFIT.format(folder)) from error
    for name, tensor in change.items():
        state[name].copy_(tensor)


def _factors(kept, rows):
    directions = kept["words.directions"].float()
    packed, scales = (kept[f"words.pieces:{part}"] for part in ("bits", "scales"))
    return from_bits(packed, scales, (rows, len(directions))), directions


def _read(folder):
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(Path(folder) / FILE)
    except (OSError, SafetensorError) as error:
        raise ValueError(MISFIT.format(folder)) from error


def _changed(state, kept):
    """Return the new weights, by name, of a model with the weights `state`."""
    change = {}
    for key, tensor in kept.items():
        name, _, part = key.partition(":")
        if part == "bits" and not name.startswith("words."):
            whole = from_bits(tensor, kept[f"{name}:scales"], state[name].shape)
            change[name] = state[name] + whole
        elif not part and name != "words.directions":
            change[name] = tensor.float().expand_as(state[name])
    pieces, directions = _factors(kept, len(state[WORDS]))
    change[WORDS] = state[WORDS] + pieces @ directions
    untouched = [name for name in state if name not in change]
    if any(
        name.startswith(("cls.", "bert.encoder.")) and ".decoder." not in name
        for name in untouched
    ):
        raise ValueError("some weights are missing")
    return change


def from_bits(packed, scales, shape):
    """Return the float32 matrix of `shape` that `to_bits` packed, nearly.

    Raises ValueError where the sizes do not belong together.
    """
    count = int(np.prod(shape))
    bits = 8 * packed.numel() // count
    if not 2 <= bits <= 8 or packed.numel() != -(-count * bits // 8):
        raise ValueError("the packed weights are of another size")
    flat = np.unpackbits(packed.numpy())[: count * bits].reshape(count, bits)
    whole = np.zeros(count, np.int16)
    for column in flat.T:
        whole = 2 * whole + column
    signed = torch.from_numpy(whole - np.int16(2 ** (bits - 1))).float()
    return (signed.reshape(len(scales), -1) * scales.float()[:, None]).reshape(shape)
