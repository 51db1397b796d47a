"""Teach a BERT to give each text one of several labels.

The CSV has a header with the columns text and label:

    python classifier.py messages.csv my-filter bert-base-uncased

A fifth of the different texts judges after each epoch, and the epoch with the
best macro-F1 is kept. With LORA only low-rank corrections and the head learn;
the corrections are added to the weights at the end, so that either folder is
read in the same way:

    from transformers import pipeline
    pipeline("text-classification", "my-filter")("You have won a prize!")
"""

import sys
import tempfile
from pathlib import Path

import pandas as pd
from peft import LoraConfig, get_peft_model
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    DataCollatorWithPadding,
    Trainer,
    TrainingArguments,
    set_seed,
)

EPOCHS, RATE, SEED = 4, 2e-5, 0
LORA = 0  # the rank of the corrections, such as 16; RATE is then 2e-4
SETTINGS = {
    "num_train_epochs": EPOCHS,
    "learning_rate": RATE,
    "per_device_train_batch_size": 16,
    "warmup_steps": 0.1,
    "weight_decay": 0.01,
    "eval_strategy": "epoch",
    "save_strategy": "epoch",
    "save_total_limit": 1,
    "load_best_model_at_end": True,
    "metric_for_best_model": "macro_f1",
    "report_to": "none",
    "seed": SEED,
}


def read(path):
    """Return the rows of a CSV that have a text and a label, each text once."""
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := {"text", "label"} - set(rows.columns):
        raise SystemExit(f"{path}: no column {', '.join(sorted(missing))}")
    kept = rows[(rows.text != "") & (rows.label != "")].drop_duplicates("text")
    print(f"{path}: {len(kept)} texts; {len(rows) - len(kept)} empty or repeated rows")
    if kept.empty or kept.label.value_counts().min() < 2 or kept.label.nunique() < 2:
        raise SystemExit(f"{path}: two labels at least, with two texts each")
    return kept


def train(rows, model_name):
    """Return the tokenizer and the model of the best epoch."""
    set_seed(SEED)
    labels = sorted(rows.label.unique())
    model = AutoModelForSequenceClassification.from_pretrained(
        model_name, num_labels=len(labels), id2label=dict(enumerate(labels))
    )
    tokenizer = AutoTokenizer.from_pretrained(
        model_name, model_max_length=model.config.max_position_embeddings
    )
    model.config.label2id = {label: i for i, label in enumerate(labels)}
    if LORA:
        targets = ["query", "key", "value"]
        model = get_peft_model(
            model,
            LoraConfig("SEQ_CLS", r=LORA, lora_alpha=2 * LORA, target_modules=targets),
        )

    def encoded(part):
        pieces = tokenizer(part.text.tolist(), truncation=True).input_ids
        ids = map(labels.index, part.label)
        both = zip(pieces, ids, strict=True)
        return [{"input_ids": p, "labels": i} for p, i in both]

    learn, judge = train_test_split(
        rows,
        test_size=max(0.2, len(labels) / len(rows)),
        stratify=rows.label,
        random_state=SEED,
    )
    with tempfile.TemporaryDirectory() as checkpoints:
        trainer = Trainer(
            model,
            TrainingArguments(checkpoints, **SETTINGS),
            train_dataset=encoded(learn),
            eval_dataset=encoded(judge),
            data_collator=DataCollatorWithPadding(tokenizer),
            compute_metrics=lambda scores: {
                "macro_f1": f1_score(
                    scores.label_ids, scores.predictions.argmax(1), average="macro"
                )
            },
        )
        trainer.train()
    return tokenizer, model.merge_and_unload() if LORA else model


if __name__ == "__main__":
    if len(sys.argv) != 4 or Path(sys.argv[2]).exists():
        raise SystemExit("usage: python classifier.py CSV NEW_FOLDER MODEL")
    csv, folder, model_name = sys.argv[1:]
    for part in train(read(csv), model_name):
        part.save_pretrained(folder)
