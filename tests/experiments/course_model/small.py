"""A corpus so small that a test takes a second, and weights as if trained."""

import gzip

import numpy as np
import torch

from experiments.course_model import weights
from helpers.models.course_weights import WORDS

NOUNS = "boat house river garden letter market winter kitchen ladder pocket".split()
VERBS = "found sold painted carried watched forgot repaired borrowed".split()


def paragraph(rng):
    sentences = [
        f"The {rng.choice(NOUNS)} by the {rng.choice(NOUNS)} {rng.choice(VERBS)} us."
        for _ in range(rng.integers(4, 9))
    ]
    return " ".join(sentences)


def write_corpus(folder):
    """Write four files of six documents each, one of them packed in a nested folder."""
    rng = np.random.default_rng(0)
    (folder / "deep").mkdir(parents=True)
    for number in range(4):
        blocks = ["\n".join(paragraph(rng) for _ in range(3)) for _ in range(6)]
        data = "\n\n".join(blocks).encode()
        if number:
            (folder / f"{number}.txt").write_bytes(data)
        else:
            (folder / "deep" / "0.txt.gz").write_bytes(gzip.compress(data))
    return folder


def bare_base(folder):
    from transformers import BertForPreTraining

    return BertForPreTraining.from_pretrained(folder).eval()


def save_weights(source, folder):
    """Save random trained weights for the model in `source`; returns them by name."""
    generator = torch.Generator().manual_seed(0)
    bare = bare_base(source).state_dict()
    trained = {
        name: weight + 0.3 * torch.randn(weight.shape, generator=generator)
        for name, weight in bare.items()
        if name.startswith(("cls.", "bert.encoder.")) and ".decoder." not in name
    }
    vocabulary, hidden = bare[WORDS].shape
    trained["words.pieces"] = torch.randn(vocabulary, 32, generator=generator)
    trained["words.directions"] = torch.randn(32, hidden, generator=generator)
    weights.save(trained, bare, folder, {})
    return trained
