"""Teach a BERT to give each word of a sentence a tag.

The CSV has a header with the columns sentence, word and tag, a row a word; the
rows of a sentence have the same name or number in the first column:

    python tagger.py words.csv my-tagger bert-base-uncased

A word of several pieces bears its tag at the first; the others, with the label
-100, count for nothing. A fifth of the sentences judges after each epoch, and
the epoch with the best macro-F1 over the words is kept. To read it back:

    from transformers import pipeline
    tagger = pipeline("token-classification", "my-tagger",
                      aggregation_strategy="first")
    tagger("Ada Lovelace lived in London")
"""

import sys
import tempfile
from pathlib import Path

import pandas as pd
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from transformers import (
    AutoModelForTokenClassification,
    AutoTokenizer,
    DataCollatorForTokenClassification,
    Trainer,
    TrainingArguments,
    set_seed,
)

EPOCHS, RATE, SEED = 4, 5e-5, 0
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
    """Return a list of sentences, each a table of its words and tags."""
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := {"sentence", "word", "tag"} - set(rows.columns):
        raise SystemExit(f"{path}: no column {', '.join(sorted(missing))}")
    kept = rows[(rows.word != "") & (rows.tag != "")]
    sentences = [one for _, one in kept.groupby("sentence", sort=False)]
    lost = len(rows) - len(kept)
    print(f"{path}: {len(sentences)} sentences; {lost} rows without word or tag")
    if len(sentences) < 5:
        raise SystemExit(f"{path}: five sentences at least")
    return sentences


def encode(sentence, tokenizer, tags):
    """Return the pieces of a sentence, and a label a piece."""
    pieces = tokenizer(
        sentence.word.tolist(), is_split_into_words=True, truncation=True
    )
    labels, before = [], None
    for word in pieces.word_ids():  # None at [CLS] and [SEP]
        first = word is not None and word != before
        labels.append(tags.index(sentence.tag.iloc[word]) if first else -100)
        before = word
    return {"input_ids": pieces.input_ids, "labels": labels}


def macro_f1(scores):
    """Return the mean over the tags of the F1 of each, over the first pieces."""
    words = scores.label_ids != -100
    found = scores.predictions.argmax(2)[words]
    return {"macro_f1": f1_score(scores.label_ids[words], found, average="macro")}


def train(sentences, model_name):
    """Return the tokenizer and the model of the best epoch."""
    set_seed(SEED)
    tags = sorted({tag for sentence in sentences for tag in sentence.tag})
    model = AutoModelForTokenClassification.from_pretrained(
        model_name, num_labels=len(tags), id2label=dict(enumerate(tags))
    )
    model.config.label2id = {tag: i for i, tag in enumerate(tags)}
    tokenizer = AutoTokenizer.from_pretrained(
        model_name, model_max_length=model.config.max_position_embeddings
    )
    learn, judge = train_test_split(sentences, test_size=0.2, random_state=SEED)
    with tempfile.TemporaryDirectory() as checkpoints:
        trainer = Trainer(
            model,
            TrainingArguments(checkpoints, **SETTINGS),
            train_dataset=[encode(one, tokenizer, tags) for one in learn],
            eval_dataset=[encode(one, tokenizer, tags) for one in judge],
            data_collator=DataCollatorForTokenClassification(tokenizer),
            compute_metrics=macro_f1,
        )
        trainer.train()
    return tokenizer, model


if __name__ == "__main__":
    if len(sys.argv) != 4 or Path(sys.argv[2]).exists():
        raise SystemExit("usage: python tagger.py CSV NEW_FOLDER MODEL")
    csv, folder, model_name = sys.argv[1:]
    for part in train(read(csv), model_name):
        part.save_pretrained(folder)
