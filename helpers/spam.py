"""Five ways to tell spam from ham, scored on the official SMS Spam Collection.

`python -m helpers.spam --out data/results` writes the table of the chapter
"Fine-tuning", which builds the same steps in its own cells, on few messages.
"""

import copy
import time
import warnings

import numpy as np
import pandas as pd
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, precision_recall_fscore_support
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from helpers._support.results_command import today_and_versions, write_results
from helpers.datasets import SMS_SPAM, load_sms_spam

METHODS = ("TF-IDF", "frozen [CLS]", "frozen mean", "fine-tuned", "LoRA")
TEST_SHARE = 0.2
PIECES = 48  # a longer message is cut


def split_messages(messages, seed):
    """Drop repeats, then return train and test rows, with the same share of spam."""
    distinct = messages.drop_duplicates("text")
    return train_test_split(
        distinct, test_size=TEST_SHARE, stratify=distinct.label, random_state=seed
    )


def scores(labels, predicted):
    """Return accuracy, and precision, recall and F1 of spam (label 1), as a dict.

    labels, predicted: n of 0 and 1 each. Taught in "Fine-tuning".

    >>> scores(labels=[1, 1, 0, 0], predicted=[1, 0, 0, 0])
    {'accuracy': 0.75, 'precision': 1.0, 'recall': 0.5, 'f1': 0.666...}
    """
    precision, recall, f1, _ = precision_recall_fscore_support(
        labels, predicted, pos_label=1, average="binary", zero_division=0
    )
    accuracy = accuracy_score(labels, predicted)
    names = ("accuracy", "precision", "recall", "f1")
    return dict(zip(names, map(float, (accuracy, precision, recall, f1)), strict=True))


def expected_calibration_error(labels, probability, bins=10):
    """Return the mean gap between the probability of spam and its share, by bins.

    The messages are put into bins of equal width by their probability. A bin's gap is
    the difference between the mean probability in it and the share of spam in it, and
    weighs as much as the bin has messages (Guo, Pleiss, Sun and Weinberger 2017, for
    the probability of class 1). labels, probability: (n,) each. Raises ValueError
    where their lengths differ and for what is no probability. See "Fine-tuning".

    >>> expected_calibration_error([1, 1, 0, 0], [0.95, 0.95, 0.55, 0.55])
    0.3...
    """
    labels, probability = np.asarray(labels, float), np.asarray(probability, float)
    if not len(labels) or labels.shape != probability.shape:
        raise ValueError("give one probability for each label, and at least one")
    if not ((probability >= 0) & (probability <= 1)).all():
        raise ValueError("a probability is not between 0 and 1, or is nan")
    place = np.minimum((probability * bins).astype(int), bins - 1)
    gaps = [abs((labels - probability)[place == number].sum()) for number in set(place)]
    return float(sum(gaps) / len(labels))


def tfidf_classifier():
    """Return the baseline, unfitted: TF-IDF of words under logistic regression.

    C is the best of 1, 10, 30 and 100 by cross-validation on training messages: with 1,
    scikit-learn's default, the baseline would look worse than it is.
    """
    return make_pipeline(TfidfVectorizer(), LogisticRegression(C=100, max_iter=2000))


def encode(bert, texts):
    """Return the piece ids of each text, cut to PIECES, as lists.

    Raises ValueError for a single string, whose letters would be taken for texts.
    """
    if isinstance(texts, str):
        raise ValueError("texts is one string; give a list of texts")
    return bert.tokenizer(
        list(texts), truncation=True, max_length=PIECES, verbose=False
    )["input_ids"]


def pad(bert, rows):
    """Return a batch: input_ids and attention_mask, both (rows, longest row)."""
    return bert.tokenizer.pad({"input_ids": rows}, return_tensors="pt")


def frozen_features(bert, texts, size=32):
    """Return the last layer at [CLS] and its mean over the pieces, each (n, hidden)."""
    rows = encode(bert, texts)
    order = np.argsort([len(row) for row in rows], kind="stable")
    first, mean = np.empty((2, len(rows), bert.hidden_size), np.float32)
    for start in range(0, len(rows), size):
        chosen = order[start : start + size]
        batch = pad(bert, [rows[i] for i in chosen]).to(bert.device)
        with torch.inference_mode():
            states = bert.model(**batch).last_hidden_state
        mask = batch["attention_mask"].unsqueeze(-1)
        first[chosen] = states[:, 0].cpu()
        mean[chosen] = ((states * mask).sum(1) / mask.sum(1)).cpu()
    return first, mean


def classifier(bert, seed, lora=False):
    """Return a BertForSequenceClassification on a copy of the encoder, 2 classes.

    The head is drawn with `seed`. lora: freeze the copy, but not its pooler, and add
    matrices of rank 8 to query and value of each layer (Hu et al. 2022).
    """
    from peft import LoraConfig, get_peft_model
    from transformers import BertForSequenceClassification

    torch.manual_seed(seed)
    config = copy.deepcopy(bert.model.config)
    config.num_labels = 2
    model = BertForSequenceClassification(config)
    model.bert.load_state_dict(bert.model.state_dict())
    if lora:
        adapter = LoraConfig(
            task_type="SEQ_CLS",
            r=8,
            lora_alpha=16,
            target_modules=["query", "value"],
            modules_to_save=["pooler", "classifier"],
        )
        with warnings.catch_warnings():  # peft uses a name that transformers will drop
            warnings.simplefilter("ignore", FutureWarning)
            model = get_peft_model(model, adapter)
    return model.to(bert.device)


def learning_rate(bert, lora=False):
    """Return 5e-5 for a width of 768, more for a narrower model; ten times for LoRA."""
    return 5e-5 * (768 / bert.hidden_size) ** 2 * (10 if lora else 1)


def batches(n, size, epochs, seed):
    """Return lists of row numbers, each epoch in a random order of its own.

    They are not sorted by length, although that would save padding: spam is long, so
    sorted batches would hold one class each.
    """
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(n) for _ in range(epochs)]
    return [order[i : i + size] for order in orders for i in range(0, n, size)]


def fine_tune(bert, texts, labels, seed, lora=False, epochs=1, size=32):
    """Train a `classifier` on the texts; returns it, in evaluation mode."""
    from helpers.training import train

    model = classifier(bert, seed, lora)
    rows, labels = encode(bert, texts), torch.tensor(list(labels))
    plan = batches(len(rows), size, epochs, seed)

    def batch_at(step):
        chosen = plan[step]
        return {**pad(bert, [rows[i] for i in chosen]), "labels": labels[chosen]}

    trained = [p for p in model.parameters() if p.requires_grad]
    train(
        model,
        batch_at,
        len(plan),
        learning_rate=learning_rate(bert, lora),
        warmup=0.1,
        seed=seed,
        progress=False,
        groups=[{"params": trained, "fused": True}],  # a third of the time on a CPU
    )
    return model


@torch.inference_mode()
def spam_probability(bert, model, texts, size=32):
    """Return the model's probability of spam for each text, float (n,)."""
    rows = encode(bert, texts)
    order = np.argsort([len(row) for row in rows], kind="stable")
    probability = np.empty(len(rows))
    for start in range(0, len(rows), size):
        chosen = order[start : start + size]
        batch = pad(bert, [rows[i] for i in chosen]).to(bert.device)
        probability[chosen] = model(**batch).logits.softmax(-1)[:, 1].cpu()
    return probability


def evaluate(bert, seeds=(0, 1, 2), messages=None, epochs=1, say=lambda row: None):
    """Score the five METHODS with several seeds.

    A seed decides the split into train and test, the head's first weights and the
    order of the batches. messages: as `load_sms_spam` gives them, or None to load
    them. say: a function that is called with each row once it is known. Returns a
    DataFrame with a row for each method and seed: method, seed, train and test (numbers
    of rows), what `scores` gives, ece (the calibration error), and seconds, for
    features, training and prediction together.
    """
    messages = load_sms_spam() if messages is None else messages
    features, taken = _all_features(bert, messages)
    results = []
    for seed in seeds:
        train, test = split_messages(messages, seed)
        for method in METHODS:
            started = time.perf_counter()
            if method == "TF-IDF":
                model = tfidf_classifier()
                model.fit(train.text, train.label)
                probability = model.predict_proba(test.text)[:, 1]
            elif method in features:
                table, started = features[method], started - taken
                model = LogisticRegression(max_iter=2000)
                model.fit(table.loc[train.index], train.label)
                probability = model.predict_proba(table.loc[test.index])[:, 1]
            else:
                lora = method == "LoRA"
                model = fine_tune(bert, train.text, train.label, seed, lora, epochs)
                probability = spam_probability(bert, model, test.text)
            seconds = time.perf_counter() - started
            row = {"method": method, "seed": seed}
            row |= {"train": len(train), "test": len(test)}
            row |= scores(test.label, probability > 0.5)
            row["ece"] = expected_calibration_error(test.label, probability)
            results.append(row | {"seconds": round(seconds, 1)})
            say(results[-1])
    return pd.DataFrame(results)


def _all_features(bert, messages):
    """Return the frozen features of every distinct message and the seconds taken."""
    distinct = messages.drop_duplicates("text")
    started = time.perf_counter()
    parts = frozen_features(bert, distinct.text)
    tables = [pd.DataFrame(part, index=distinct.index) for part in parts]
    taken = time.perf_counter() - started
    return dict(zip(("frozen [CLS]", "frozen mean"), tables, strict=True)), taken


def main(arguments=None):
    results = write_results(
        "helpers.spam", SMS_SPAM, "sms-spam.csv", _results, arguments
    )
    print(results.groupby("method", sort=False)[["accuracy", "f1", "seconds"]].mean())


def _results():
    from helpers.models import load_bert

    messages, bert = load_sms_spam(), load_bert()
    about = [
        f"{bert.name}, official SMS Spam Collection, repeats dropped before the",
        f"split into train and test, {PIECES} pieces a message, float32, 1 epoch",
        today_and_versions("torch", "transformers", "peft", "scikit-learn"),
        f"seconds on {torch.get_num_threads()} thread(s) of {bert.device}",
    ]
    return about, evaluate(bert, messages=messages, say=_print_row)


def _print_row(row):
    print({k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()})


if __name__ == "__main__":
    main()
