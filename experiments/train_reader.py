"""The reader of "Question answering", trained once on questions made by rule.

Wrote data/questions/reader.safetensors and data/results/reader-steps.csv on 2026-11-26,
in 25 minutes on a machine with other work to do. It can be run again:

    python -m experiments.train_reader

The words' vectors stay as they are. What the other matrices have learned is kept as two
thin factors of rank RANK, the rest in half precision.
"""

import numpy as np
import pandas as pd
import torch

from chapters.question_answering.reader import answers, train_reader
from experiments.reading_questions import write
from experiments.results_table import RESULTS, write_table
from helpers.models import load_bert
from helpers.questions import FOLDER, parse_questions, read_questions

PASSAGES, STEPS, EVERY, RANK = 3000, 750, 75, 24


def scored(bert, model, rows):
    """Return how many answers are given exactly, and how many twins are told apart."""
    found = answers(bert, model, rows.question, rows.text, whole=False)
    lead, known = found.lead.to_numpy(), (rows.answers.str.len() > 0).to_numpy()
    pairs = zip(found.said[known], rows.answers[known], strict=True)
    exact = [said.lower() in [one.lower() for one in golds] for said, golds in pairs]
    return {
        "exact": np.mean(exact),
        "pairs": (lead[known] > lead[~known]).mean(),
        "answered": (lead[known] > 0).mean(),
        "answered_twins": (lead[~known] > 0).mean(),
    }


def factors(change, rank=RANK):
    """Return the two thin matrices whose product is nearest to `change`."""
    u, s, v = torch.linalg.svd(change, full_matrices=False)
    return u[:, :rank] * s[:rank].sqrt(), s[:rank].sqrt()[:, None] * v[:rank]


def packed(bert, model):
    """Return what is kept of a trained reader, by name."""
    before, kept = bert.model.state_dict(), {}
    for name, tensor in model.state_dict().items():
        if "embeddings" in name:
            continue
        change = tensor.cpu()
        if name.startswith("bert."):
            change = change - before[name.removeprefix("bert.")].cpu()
        if change.ndim == 2 and min(change.shape) > RANK:
            up, down = factors(change)
            kept |= {f"{name}:up": up.half(), f"{name}:down": down.half()}
        else:
            kept[name] = change.half()
    return {name: tensor.contiguous() for name, tensor in kept.items()}


def main():
    from safetensors.torch import save_file

    bert = load_bert()
    sets = {"rule": parse_questions(write(60, 1)), "hand": read_questions("judge")}
    history = []

    def watch(model):
        step = min(STEPS, EVERY * (len(history) // 2 + 1))
        for name, rows in sets.items():
            history.append({"step": step, "set": name, **scored(bert, model, rows)})
            print(history[-1], flush=True)
        return {}

    learn = parse_questions(write(PASSAGES, 0))
    model = train_reader(
        bert, learn, STEPS, evaluate=watch, every=EVERY, progress=False
    )
    save_file(packed(bert, model), FOLDER / "reader.safetensors")
    about = ["made by: python -m experiments.train_reader"]
    write_table(RESULTS / "reader-steps.csv", pd.DataFrame(history), about)


if __name__ == "__main__":
    main()
