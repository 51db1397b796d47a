"""The training of "Pre-training" from three seeds, and on the sentence pairs alone.

Wrote data/results/pretraining-seeds.csv on 2026-11-24, with torch 2.13 on one thread;
it takes about ten minutes:

    python -m experiments.pretraining_seeds
"""

from pathlib import Path

import pandas as pd
import torch
from torch.nn.functional import cross_entropy

from build_tools.book.dependencies import read_chapter
from helpers import DATA
from helpers.corpus.grammar import AGREEMENT

PAGE = Path(__file__).resolve().parents[1] / "chapters/pretraining/index.md"
OUT = DATA / "results" / "pretraining-seeds.csv"
SEEDS = range(3)
# A line of each cell of the page that is needed here, in their order.
CELLS = (
    "def batches(",
    "history = train(",
    "def shares_at_mask(",
    "import cross_entropy",
    "def losses(",
    "unigram = ",
    "frequencies, neighbour =",
    "course = pd.DataFrame({step",
    "verbs = pd.DataFrame(",
    "def right_verbs(",
)


class PairsAlone(torch.nn.Module):
    """A network with the loss of its second task only."""

    def __init__(self, network):
        super().__init__()
        self.network, self.state_dict = network, network.state_dict

    def forward(self, labels, next_sentence_label, **inputs):
        logits = self.network(**inputs).seq_relationship_logits
        return {"loss": cross_entropy(logits, next_sentence_label)}


def page_from(seed, tasks):
    """Run cells of the page with another seed and perhaps another loss: its names."""
    names = {"PairsAlone": PairsAlone, "AGREEMENT": AGREEMENT}
    changes = {
        "torch.manual_seed(0)\nmodel": f"torch.manual_seed({seed})\nmodel",
        "training, seed=0), STEPS": f"training, seed={seed}), STEPS",
    }
    if tasks == "pairs":
        changes["train(model,"] = "train(PairsAlone(model),"
    cells = [cell for cell in read_chapter(PAGE).cells if cell.cell_type == "code"]
    for line in CELLS if tasks == "both" else CELLS[:-2]:  # those are about words
        source = next(cell.source for cell in cells if line in cell.source)
        for old, new in changes.items():
            source = source.replace(old, new)
        exec(source, names)  # noqa: S102 - our own page
    return names


def row_of(seed, tasks):
    """What one training came to."""
    page = page_from(seed, tasks)
    row, last = {"seed": seed, "tasks": tasks}, page["STEPS"]
    row["pairs"] = 100 * page["course"].pairs[last]
    if tasks == "both":
        misled = ~page["verbs"]["nearest agrees"].to_numpy()
        passed, right = page["passed"], page["right_verbs"]
        row |= {
            "loss": page["course"].loss[last],
            "passed": passed,
            "far_when_passed": 100 * right(passed)[misled].mean(),
            "far": 100 * right(last)[misled].mean(),
            "near": 100 * right(last)[~misled].mean(),
        }
    return row


if __name__ == "__main__":
    rows = [row_of(seed, tasks) for tasks in ("both", "pairs") for seed in SEEDS]
    table = pd.DataFrame(rows).round(3)
    table.to_csv(OUT, index=False)
    print(table)
