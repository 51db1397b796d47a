"""The training of "Pre-training" to its end, which the page reads.

    python -m experiments.pretraining_seeds

takes two minutes of one core and wrote chapters/pretraining/snapshots.gz on 2026-11-28.
An earlier form, which is gone, wrote data/results/pretraining-seeds.csv on 2026-11-24
with torch 2.13 on one thread: from three seeds, and on pairs alone. Its AdamW was not
fused, and sentences of the training were not left out of the exam.
"""

from itertools import count
from pathlib import Path

from build_tools.book.dependencies import read_chapter
from chapters.pretraining import kept
from chapters.pretraining.kept import FILE, weights_of
from chapters.pretraining.learning import packed

PAGE = Path(__file__).resolve().parents[1] / "chapters/pretraining/index.md"
EVERY = 10
KEPT = [*range(0, 100, 20), *range(100, 400, 50), *range(400, 1000, 100)]
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


def page_and_states():
    """Run cells of the page, its training to the end.

    Returns its names, and {step: weights} of the training.
    """
    states, turn = {}, count(EVERY, EVERY)

    def keep(network):
        if (step := next(turn)) in KEPT:
            states[step] = weights_of(network)
        return {}

    names = {"keep": keep, "states": states, "weights_of": weights_of, "kept": kept}
    page = [cell for cell in read_chapter(PAGE).cells if cell.cell_type == "code"]
    for line in CELLS:
        source = next(cell.source for cell in page if line in cell.source)
        start = "states[0] = weights_of(model)\nhistory = "
        source = source.replace("history = ", start)
        source = source.replace("stop_at=400", f"every={EVERY}, evaluate=keep")
        exec(source, names)  # noqa: S102 - our own page
    return names, states


def write_snapshots(file=FILE):
    """Train as the page does, and write what it reads."""
    page, states = page_and_states()
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


if __name__ == "__main__":
    write_snapshots()
