"""The training of "Pre-training" to its end, from three seeds, and on pairs alone.

    python -m experiments.pretraining_seeds            # what the page reads
    python -m experiments.pretraining_seeds --table    # its table of three seeds

The first takes two minutes of one core and wrote chapters/pretraining/snapshots.gz on
2026-11-28; the second takes a quarter of an hour. The table in data/results was written
on 2026-11-24, with torch 2.13 on one thread, by an earlier form of this: AdamW was not
fused, and sentences of the training were not left out of the exam.
"""

import argparse
from itertools import count
from pathlib import Path

import pandas as pd
import torch
from torch.nn.functional import cross_entropy

from build_tools.book.dependencies import read_chapter
from chapters.pretraining import kept
from chapters.pretraining.kept import FILE, weights_of
from chapters.pretraining.learning import packed
from helpers import DATA

PAGE = Path(__file__).resolve().parents[1] / "chapters/pretraining/index.md"
OUT = DATA / "results" / "pretraining-seeds.csv"
SEEDS, EVERY = range(3), 10
KEPT = [0, 20, 40, 60, 80, *range(100, 400, 50), *range(400, 1000, 100)]
KEPT += range(1000, 2601, 200)
# A line of each cell of the page that is needed here, in their order.
CELLS = (
    "import BertConfig",
    "tokenizer = ",
    "training = [",
    "def batches(",
    "def losses(",
    "config = BertConfig(",
    "STEPS, RATE = ",
    "unigram = ",
    "def neighbours(",
    "held_out = ",
    "def at_targets(",
    "def examine(",
    "def question(",
    "verbs = pd.DataFrame(",
    "def right_verbs(",
)
SIZES = (
    *("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads"),
    *("intermediate_size", "max_position_embeddings"),
)


class PairsAlone(torch.nn.Module):
    """A network with the loss of its second task only."""

    def __init__(self, network):
        super().__init__()
        self.network, self.state_dict = network, network.state_dict

    def forward(self, labels, next_sentence_label, **inputs):
        logits = self.network(**inputs).seq_relationship_logits
        return {"loss": cross_entropy(logits, next_sentence_label)}


def page_from(seed, tasks="both", cells=CELLS):
    """Run cells of the page with another seed and perhaps another loss.

    Returns its names, and {step: weights} of the training.
    """
    states, turn = {}, count(EVERY, EVERY)

    def keep(network):
        if (step := next(turn)) in KEPT:
            states[step] = weights_of(network)
        return {}

    names = {"PairsAlone": PairsAlone, "keep": keep, "states": states}
    names |= {"weights_of": weights_of, "kept": kept}
    changes = {
        "torch.manual_seed(0)": f"torch.manual_seed({seed})",
        "history = ": "states[0] = weights_of(model)\nhistory = ",
        "training, seed=0), STEPS": f"training, seed={seed}), STEPS",
        "stop_at=400": f"every={EVERY}, evaluate=keep",
    }
    if tasks == "pairs":
        changes["train(model,"] = "train(PairsAlone(model),"
    page = [cell for cell in read_chapter(PAGE).cells if cell.cell_type == "code"]
    for line in cells:
        source = next(cell.source for cell in page if line in cell.source)
        if line == "STEPS, RATE = ":
            for old, new in changes.items():
                source = source.replace(old, new)
        exec(source, names)  # noqa: S102 - our own page
    return names, states


def write_snapshots(file=FILE):
    """Train as the page does, and write what it reads."""
    page, states = page_from(0)
    config, weights = page["config"], [*states.values()]
    about = {
        "pieces": page["pieces"],
        "layers": config.num_hidden_layers,
        "heads": config.num_attention_heads,
        "steps": [*states],
        "config": {name: getattr(config, name) for name in SIZES},
    }
    file.write_bytes(packed(weights, about))
    page["run"] = kept.Training(file)  # in 8 bits, as the page has them
    of = page["verbs"].assign(right=page["right_verbs"](page["STEPS"]))
    misled = of[~of["nearest agrees"]].groupby("plural")["right"].mean()
    about["right"] = [round(float(100 * share), 2) for share in misled]
    file.write_bytes(packed(weights, about))


def row_of(seed, tasks):
    """What one training came to."""
    page, _ = page_from(seed, tasks, CELLS if tasks == "both" else CELLS[:12])
    last = page["examine"](page["model"])
    row = {"seed": seed, "tasks": tasks, "pairs": 100 * last["pairs"]}
    if tasks == "both":
        page["run"] = type("Run", (), {"network": lambda _, step: page["model"]})()
        misled = ~page["verbs"]["nearest agrees"].to_numpy()
        right = page["right_verbs"](page["STEPS"])
        row |= {
            "loss": last["loss"],
            "far": 100 * right[misled].mean(),
            "near": 100 * right[~misled].mean(),
        }
    return row


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", action="store_true")
    if parser.parse_args().table:
        rows = [row_of(seed, tasks) for tasks in ("both", "pairs") for seed in SEEDS]
        table = pd.DataFrame(rows).round(3)
        table.to_csv(OUT, index=False)
        print(table)
    else:
        write_snapshots()
