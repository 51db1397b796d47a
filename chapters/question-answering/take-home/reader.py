"""Teach a BERT to find the answer to a question in a passage, or to say none.

The CSV has a header with the columns question, passage and answer. The answer
stands in the passage, letter for letter (its first place counts); an empty one
says that the passage does not answer:

    python reader.py questions.csv my-reader bert-base-uncased

A fifth of the passages judges after each epoch, and the epoch of the lowest
loss on them is kept. Transformers 5 has no pipeline for it, so `answer` here
reads the folder back:

    from reader import answer
    answer("my-reader", "Who wrote it?", "It was written by Ada Lovelace.")
"""

import sys
import tempfile
from pathlib import Path

import pandas as pd
import torch
from sklearn.model_selection import GroupShuffleSplit
from transformers import (
    AutoModelForQuestionAnswering,
    AutoTokenizer,
    DataCollatorWithPadding,
    Trainer,
    TrainingArguments,
    set_seed,
)

EPOCHS, RATE, SEED = 3, 3e-5, 0
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
    "report_to": "none",
    "seed": SEED,
}


def read(path):
    """Return the rows of a CSV whose answer stands in the passage, or is empty."""
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := {"question", "passage", "answer"} - set(rows.columns):
        raise SystemExit(f"{path}: no column {', '.join(sorted(missing))}")
    kept = rows[[a in p for a, p in zip(rows.answer, rows.passage, strict=True)]]
    lost = len(rows) - len(kept)
    print(f"{path}: {len(kept)} questions; {lost} whose answer is not in the passage")
    if kept.passage.nunique() < 5:
        raise SystemExit(f"{path}: five passages at least")
    return kept


def windows(tokenizer, question, passage):
    """Return the pieces of question and passage, in windows that overlap."""
    longest = tokenizer.model_max_length
    return tokenizer(
        question,
        passage,
        truncation="only_second",
        max_length=longest,
        stride=longest // 4,
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
    )


def encode(row, tokenizer):
    """Return the windows of a row, with the pieces where its answer begins and ends.

    Both are 0, the place of [CLS], in a window that does not hold all of it.
    """
    found = windows(tokenizer, row.question, row.passage)
    begin = row.passage.find(row.answer)
    last = begin + len(row.answer) - 1
    rows = []
    for i, ids in enumerate(found.input_ids):
        start = stop = None
        if row.answer:
            start, stop = (found.char_to_token(i, n, 1) for n in (begin, last))
        if start is None or stop is None:
            start = stop = 0
        rows.append({"input_ids": ids, "token_type_ids": found.token_type_ids[i]})
        rows[-1] |= {"start_positions": start, "end_positions": stop}
    return rows


def answer(folder, question, passage, threshold=0.0, most_pieces=30):
    """Return the best span of a passage, or "" where no answer scores higher.

    threshold: by how much the best span must beat [CLS] (the null threshold).
    """
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForQuestionAnswering.from_pretrained(folder).eval()
    found, best = windows(tokenizer, question, passage), (float("-inf"), "")
    for i, ids in enumerate(found.input_ids):
        parts = {"input_ids": ids, "token_type_ids": found.token_type_ids[i]}
        with torch.no_grad():
            scores = model(**{k: torch.tensor([v]) for k, v in parts.items()})
        starts, ends = scores.start_logits[0], scores.end_logits[0]
        in_passage = torch.tensor([part == 1 for part in found.sequence_ids(i)])
        allowed = torch.outer(in_passage, in_passage).triu().tril(most_pieces - 1)
        spans = (starts[:, None] + ends).masked_fill(~allowed, float("-inf"))
        a, b = divmod(int(spans.argmax()), len(ids))
        lead = float(spans.max() - starts[0] - ends[0])
        text = passage[found.offset_mapping[i][a][0] : found.offset_mapping[i][b][1]]
        best = max(best, (lead, text))
    return best[1] if best[0] > threshold else ""


def train(rows, model_name):
    """Return the tokenizer and the model of the best epoch."""
    set_seed(SEED)
    model = AutoModelForQuestionAnswering.from_pretrained(model_name)
    tokenizer = AutoTokenizer.from_pretrained(
        model_name, model_max_length=min(384, model.config.max_position_embeddings)
    )
    by_passage = GroupShuffleSplit(1, test_size=0.2, random_state=SEED)
    [(learn, judge)] = by_passage.split(rows, groups=rows.passage)
    with tempfile.TemporaryDirectory() as checkpoints:
        trainer = Trainer(
            model,
            TrainingArguments(checkpoints, **SETTINGS),
            train_dataset=[w for i in learn for w in encode(rows.iloc[i], tokenizer)],
            eval_dataset=[w for i in judge for w in encode(rows.iloc[i], tokenizer)],
            data_collator=DataCollatorWithPadding(tokenizer),
        )
        trainer.train()
    return tokenizer, model


if __name__ == "__main__":
    if len(sys.argv) != 4 or Path(sys.argv[2]).exists():
        raise SystemExit("usage: python reader.py CSV NEW_FOLDER MODEL")
    csv, folder, model_name = sys.argv[1:]
    for part in train(read(csv), model_name):
        part.save_pretrained(folder)
