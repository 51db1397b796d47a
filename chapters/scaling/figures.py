"""What "Scaling" draws and tabulates; what it teaches stands in the page."""

import numpy as np
import pandas as pd

from helpers import DATA
from helpers.datasets import coarse_wsd_words, load_coarse_wsd
from helpers.plotting import bars, lines, show
from helpers.plotting.pictures import Matrix, matrices, slide

KEPT = DATA / "results/embedding-speed.csv"
SAME_BATCHES = [  # in the kept race, those that were given the batches of embed_texts
    "PyTorch, eager",
    "PyTorch, SDPA",
    "PyTorch, torch.compile",
    "OpenVINO",
    "embed_words, embed_texts",
]
SHOWN = [
    "loop of one sentence",
    "pipeline, batch 32",
    "sentence-transformers, batch 32",
    "embed_words, embed_texts",
    "ONNX Runtime",
    "OpenVINO",
]


def texts_of_unequal_length(count=32):
    """Texts of one sentence or of three, drawn anew but the same in each run."""
    rng, words, texts = np.random.default_rng(14), coarse_wsd_words(), []
    for n in rng.choice([1, 1, 1, 1, 3], size=count):
        sample = load_coarse_wsd(str(rng.choice(words)), "test")
        start = int(rng.integers(len(sample) - n))
        sentences = sample.sentence[start : start + n]
        texts.append(" ".join(" ".join(sentence) for sentence in sentences))
    return texts


def padding(lengths, batches):
    """The share of padding in all that is computed."""
    lengths = np.asarray(lengths)
    places = sum(len(batch) * lengths[batch].max() for batch in batches)
    return 1 - lengths.sum() / places


def _block(lengths, batch, number, per=4):
    """A batch as rows of squares: full for pieces, dashed for padding."""
    used = -(-lengths[batch] // per)
    empty = np.arange(used.max()) >= used[:, None]
    return Matrix(
        f"batch {number}", 1 - empty, form="", cell=12, high=1.4, copied=empty
    )


def slide_batches(lengths):
    """The four batches as they come and sorted; returns the shares of padding."""
    lengths, shares, frames = np.array(lengths), [], []
    for name, order in (
        ("As they come", np.arange(32)),
        ("Sorted by length", np.argsort(lengths, kind="stable")),
    ):
        batches = np.split(order, 4)
        shares.append(padding(lengths, batches))
        said = f"{name}: {100 * shares[-1]:.0f} of 100 places are padding."
        blocks = [_block(lengths, batch, n) for n, batch in enumerate(batches, 1)]
        frames.append((said, matrices(*blocks, words=said)))
    slide("sorted:", frames)
    return shares


def draw_curve(rate):
    show(
        lines(
            {"median of three": (list(rate), list(rate.values()))},
            "Speed against the size of a batch",
            "pieces a batch, at most",
            "pieces a second",
        )
    )


def draw_units():
    units = bfloat16_runs()
    show(
        bars(
            units.index,
            units.ratio,
            "bfloat16 against float32, one processor",
            "times as fast",
            list(zip(units.lowest, units.highest, strict=True)),
        )
    )


def bfloat16_runs():
    units = pd.read_csv(DATA / "results/bfloat16.csv", comment="#")
    return units[units.work == "embed_words"].set_index("units")


def kept_race():
    """Of the kept race with mean vectors: (float32, bfloat16, int8), by program."""
    speed = pd.read_csv(KEPT, comment="#")
    means = speed[speed.vectors == "mean"].dropna(subset="cosine_min")
    kinds = "float32", "bfloat16", "int8"
    return [means[means["dtype"] == kind].set_index("way") for kind in kinds]


def draw_race():
    """A bar a program and number type."""
    full, short, eight = kept_race()
    raced = pd.concat(
        [
            full,
            short.add_suffix(", bfloat16", axis=0),
            eight.add_suffix(", int8", axis=0),
        ]
    )
    show(
        bars(
            raced.index,
            raced.ratio,
            "Speed against the loop in float32",
            "times as fast",
            list(zip(raced.lowest, raced.highest, strict=True)),
        )
    )


def race_table():
    """Six programs: speed in both types, and one sentence alone."""
    full, short, _ = kept_race()
    table = pd.DataFrame(
        {"makes its own batches": ["" if w in SAME_BATCHES else "yes" for w in SHOWN]},
        index=SHOWN,
    )
    table.loc["ONNX Runtime", "makes its own batches"] = ""
    table["float32"] = full.ratio.round(1)
    table["bfloat16"] = short.ratio.reindex(SHOWN).round(1)
    table["ms_p50"], table["ms_p95"] = full.ms_p50.round(0), full.ms_p95.round(0)
    return table.astype(object).where(table.notna(), "")
