"""The kept answers of ten filters, and how they are counted."""

from pathlib import Path

import pandas as pd

from helpers import DATA
from helpers.spam import read_messages

NAMES = {
    "TF-IDF": "words",
    "frozen mean": "BERT, frozen",
    "LoRA": "BERT + LoRA",
    "fine-tuned": "BERT, all of it",
    "random, frozen mean": "random BERT, frozen",
    "random, fine-tuned": "random BERT, all of it",
    "frozen [CLS]": "BERT, frozen, at [CLS]",
}
METHODS = [
    "length alone",
    "words",
    "letters",
    "words and surface",
    "BERT, frozen",
    "BERT + LoRA",
    "BERT, all of it",
]
BLIND, STRONG, FROZEN, LORA, ALL = METHODS[:4], *METHODS[3:]
RANDOM = ["random BERT, frozen", "random BERT, all of it"]
BESIDE = Path(__file__).parent


def kept_answers():
    """A row a message: its set, label, fold, and each filter's thousandths of spam."""
    stored = pd.read_csv(DATA / "results" / "sms-spam-mini.csv", comment="#")
    return stored.rename(columns=NAMES).assign(fold=stored.seed + 1)


def kept_beside(name):
    return pd.read_csv(BESIDE / f"{name}.csv", comment="#")


def official():
    """The ten filters on the official collection: mistakes, F1, intervals."""
    rows = pd.read_csv(DATA / "results" / "sms-spam.csv", comment="#")
    rows = rows[(rows.split == "families together") & (rows.seed == "all")]
    return rows.set_index("method").rename(index=NAMES)


def hits(rows, method):
    """Whether each message is answered rightly."""
    return (rows[method] > 500) == (rows.label == 1)


def share(rows, method):
    """The share of right answers in each fold, as a list of three."""
    return hits(rows, method).groupby(rows.fold).mean().tolist()


def matched(rows, seed):
    """As many ham as spam of every length, by tens of characters."""
    tens = rows.text.str.len() // 10
    n = rows.groupby([tens, "label"]).size().unstack(fill_value=0).min(axis=1)
    return pd.concat(
        part.sample(n[ten], random_state=seed)
        for (ten, _), part in rows.groupby([tens, "label"])
    )


def old_messages(stored):
    """The old messages and their answers; three draws of those of like length."""
    free = stored[stored.set == "shortcut"].set_index("row")
    free["text"] = read_messages("shortcut").text
    alike = [matched(free, seed).assign(fold=seed) for seed in range(3)]
    return free, pd.concat(alike)
