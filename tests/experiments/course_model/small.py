"""A corpus, a training and an encoder so small that a test takes a second."""

import gzip

import numpy as np

from experiments.course_model import __main__ as command
from experiments.course_model import next_sentence_scores, recipe
from helpers import models

NOUNS = "boat house river garden letter market winter kitchen ladder pocket".split()
VERBS = "found sold painted carried watched forgot repaired borrowed".split()
SMALL = """steps = 4
batch = 256
rank = 32
learning_rate = 0.01
cycle = ["pairs", "sentences held", "clear pairs", "runs", "clear terms held"]
rate = 0.2
last_rate = 0.2
single = 0.1
losses = {masked = 1, next = 1, states = 2, texts = 2}
shares = {}
held_out = ["2.txt"]
"""


def paragraph(rng):
    sentences = [
        f"The {rng.choice(NOUNS)} by the {rng.choice(NOUNS)} {rng.choice(VERBS)} us."
        for _ in range(rng.integers(4, 9))
    ]
    return " ".join(sentences)


def write_corpus(folder, n_files=4, seed=0):
    """Write files of six documents each, one of them compressed in a nested folder."""
    rng = np.random.default_rng(seed)
    (folder / "deep").mkdir(parents=True)
    for number in range(n_files):
        blocks = ["\n".join(paragraph(rng) for _ in range(3)) for _ in range(6)]
        data = "\n\n".join(blocks).encode()
        if number:
            (folder / f"{number}.txt").write_bytes(data)
        else:
            (folder / "deep" / "0.txt.gz").write_bytes(gzip.compress(data))
    return folder


def shrink(patch, encoder):
    """Train the tiny encoder, with two checkpoints; score a few pairs."""
    patch.setattr(models, "embedded_encoder", lambda: encoder)
    patch.setattr(recipe, "SAVED", 2)
    patch.setattr(command, "report", lambda *arguments: None)
    patch.setattr(next_sentence_scores, "PAIRS", 40)
    patch.setattr(next_sentence_scores, "BASELINE_PAIRS", 200)


def train(corpus, out, more=""):
    """Run the command with a file of small settings, of which `more` changes one."""
    file, name = out.with_name(f"{out.name}.toml"), more.split(" = ")[0]
    lines = [line for line in SMALL.splitlines() if line.split(" = ")[0] != name]
    file.write_text("\n".join([*lines, more]))
    command.main(["train", *map(str, [file, "--corpus", corpus, "--out", out])])
    return out


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


def bare_base(folder):
    from transformers import BertForPreTraining

    return BertForPreTraining.from_pretrained(folder).eval()
