"""The texts that "Texts of your own" reads, hides pieces of and is judged by."""

from pathlib import Path

import numpy as np
import pandas as pd
import torch

from helpers import DATA
from helpers.corpus.masking import mask_tokens
from helpers.questions import read_questions
from helpers.spam import pad

TICKETS = DATA / "tickets"
CREWS = ["dock", "heron", "lock", "sand"]
KINDS = ["engine", "electrics", "water", "deck", "safety", "bridge"]
BATCH = 50


def kept(name="sixteen"):
    """A table that lies beside the page."""
    return pd.read_csv(Path(__file__).with_name(f"{name}.csv"), comment="#")


def kept_run():
    """The masked words of each crew: a row a crew, step, measure and number."""
    return pd.read_csv(DATA / "results" / "own-domain.csv", comment="#")


def everyday():
    """Sentences of the course's word senses: everyday English to mix in."""
    files = sorted((DATA / "coarse-wsd-20-mini").glob("*/train.data.txt"))
    lines = [line for f in files for line in f.read_text("utf-8").splitlines()]
    return [line.split("\t", 1)[1] for line in lines]


def passages():
    """Everyday passages that are never learned from."""
    return read_questions("judge").text.drop_duplicates().tolist()


def phrases(folder, crew):
    """The phrases that a crew's tickets are made of; of another folder none."""
    path = Path(folder) / "phrases.txt"
    if not path.is_file():
        return []
    blocks = path.read_text("utf-8").split("# ")
    return [
        line
        for block in blocks
        if block.startswith(f"{crew} ") and "hurt" not in block.split("\n")[0]
        for line in block.splitlines()[1:]
    ]


def masked(bert, rows, seed):
    """A batch in which 15 pieces of a hundred are asked for, as BERT was trained.

    rows: lists of piece ids. Returns input_ids, attention_mask and labels, which are
    -100 at every place that is not asked for.
    """
    batch = pad(bert, rows)
    draw = torch.Generator().manual_seed(seed)
    batch["input_ids"], labels = mask_tokens(
        batch["input_ids"], bert.tokenizer, generator=draw
    )
    return {**batch, "labels": labels}


def hidden_batches(bert, rows, draws):
    """Yield (number of the first row, its batch); each draw hides other pieces."""
    for seed in range(draws):
        for at in range(0, len(rows), BATCH):
            yield at, masked(bert, rows[at : at + BATCH], 100 * seed + at)


@torch.inference_mode()
def surprise(bert, loss, rows, draws):
    """The loss of each hidden piece, and the number of the row that it stands in.

    loss: a module that takes a batch and reduction="none".
    """
    found, of = [], []
    for at, batch in hidden_batches(bert, rows, draws):
        of.append(at + (batch["labels"] != -100).nonzero()[:, 0])
        batch = {name: tensor.to(bert.device) for name, tensor in batch.items()}
        found.append(loss(reduction="none", **batch)["loss"].cpu())
    return torch.cat(found).numpy(), torch.cat(of).numpy()


def by_count(bert, known, rows, draws):
    """The mean surprise of whoever knows how common each piece is in `known`."""
    counts = np.bincount(np.concatenate(known), minlength=len(bert.tokenizer)) + 0.1
    asked = torch.cat(
        [batch["labels"].ravel() for _, batch in hidden_batches(bert, rows, draws)]
    )
    return float(-np.log(counts / counts.sum())[asked[asked != -100]].mean())


def labelled():
    """The tickets with their labels: crew, text, labels, and a column for each kind."""
    path = TICKETS / "labels.tsv"
    rows = pd.read_csv(path, sep="\t", names=["crew", "labels"])
    files = [(TICKETS / f"{crew}.txt").read_text("utf-8") for crew in CREWS]
    rows["text"] = [line for file in files for line in file.splitlines()]
    for kind in [*KINDS, "hurt"]:
        rows[kind] = [int(kind in said.split()) for said in rows.labels]
    return rows


def sixteen(rows, crew, seed=0):
    """Return sixteen tickets of each kind to learn from, and those that judge.

    Tickets with one fault, `kind` its number; a crew judges, the others teach.
    """
    table = rows[KINDS].to_numpy()
    rows = rows.assign(kind=table.argmax(axis=1))
    single, home = table.sum(axis=1) == 1, (rows.crew == crew).to_numpy()
    draw = np.random.default_rng(seed)
    learn = [
        draw.choice(np.flatnonzero(single & ~home & (rows.kind == k)), 16, False)
        for k in range(len(KINDS))
    ]
    return rows.iloc[np.concatenate(learn)], rows[single & home]
