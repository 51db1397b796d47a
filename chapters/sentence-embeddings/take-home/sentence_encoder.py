"""Teach a BERT to give sentences of one meaning vectors that are close.

The CSV has a header with the columns anchor and positive, two texts that belong
together (a question and its answer, a sentence said twice), and, if you have
them, negative, one that looks alike and does not belong:

    python sentence_encoder.py pairs.csv my-encoder bert-base-uncased

The other positives of a batch are the negatives of each anchor. A fifth of the
pairs judges after each epoch, and the epoch of the lowest loss on them is kept:

    from sentence_transformers import SentenceTransformer
    encoder = SentenceTransformer("my-encoder")
    encoder.similarity(encoder.encode(["one"]), encoder.encode(["two", "three"]))
"""

import sys
import tempfile
from pathlib import Path

import pandas as pd
from datasets import Dataset
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from sentence_transformers.losses import MultipleNegativesRankingLoss
from sentence_transformers.training_args import BatchSamplers
from transformers import set_seed

EPOCHS, RATE, SEED = 3, 2e-5, 0
SETTINGS = {
    "num_train_epochs": EPOCHS,
    "learning_rate": RATE,
    "per_device_train_batch_size": 32,
    "warmup_steps": 0.1,
    "batch_sampler": BatchSamplers.NO_DUPLICATES,
    "eval_strategy": "epoch",
    "save_strategy": "epoch",
    "save_total_limit": 1,
    "load_best_model_at_end": True,
    "report_to": "none",
    "seed": SEED,
}


def read(path):
    """Return the rows of a CSV in which no text is empty, each pair once."""
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := {"anchor", "positive"} - set(rows.columns):
        raise SystemExit(f"{path}: no column {', '.join(sorted(missing))}")
    columns = [n for n in ("anchor", "positive", "negative") if n in rows.columns]
    kept = rows[columns][(rows[columns] != "").all(axis=1)].drop_duplicates()
    print(f"{path}: {len(kept)} pairs; {len(rows) - len(kept)} empty or repeated rows")
    if kept.anchor.nunique() < 5:
        raise SystemExit(f"{path}: five different anchors at least")
    return kept


def parted(rows):
    """Return rows to learn from and to judge by, no anchor in both."""
    anchors = rows.anchor.drop_duplicates().sample(frac=0.2, random_state=SEED)
    judging = rows.anchor.isin(anchors)
    return [
        Dataset.from_pandas(part, preserve_index=False)
        for part in (rows[~judging], rows[judging])
    ]


def train(rows, model_name):
    """Return the encoder of the best epoch."""
    set_seed(SEED)
    encoder = SentenceTransformer(model_name)  # of a BERT: the mean of its vectors
    learn, judge = parted(rows)
    with tempfile.TemporaryDirectory() as checkpoints:
        trainer = SentenceTransformerTrainer(
            encoder,
            SentenceTransformerTrainingArguments(checkpoints, **SETTINGS),
            train_dataset=learn,
            eval_dataset=judge,
            loss=MultipleNegativesRankingLoss(encoder),
        )
        trainer.train()
    return encoder


if __name__ == "__main__":
    if len(sys.argv) != 4 or Path(sys.argv[2]).exists():
        raise SystemExit("usage: python sentence_encoder.py CSV NEW_FOLDER MODEL")
    csv, folder, model_name = sys.argv[1:]
    train(read(csv), model_name).save_pretrained(folder)
