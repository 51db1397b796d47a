"""Ten ways to tell spam from ham: on the official SMS Spam Collection, and on ours.

Wrote the four files data/results/sms-spam*.csv on 2026-11-26. It can be run again, in
an hour:

    SMS_SPAM_HOME=FOLDER python -m experiments.spam_filters

The chapter "Fine-tuning" builds the same steps in its own cells, on few messages.
"""

import re
from dataclasses import dataclass, field
from dataclasses import replace as with_other

import numpy as np
import pandas as pd
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedGroupKFold, train_test_split
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from chapters.judging_a_classifier.filters import (
    expected_calibration_error,
    fine_tune,
    tfidf_classifier,
)
from experiments.results_table import (
    RESULTS,
    run_on_official,
    today_and_versions,
    write_table,
)
from experiments.spam_scores import f1_parts, scores
from helpers.datasets import SMS_SPAM, load_sms_spam
from helpers.models import Bert, load_bert
from helpers.spam import (
    FOLDS,
    PIECES,
    families,
    frozen_features,
    read_messages,
    spam_probability,
    tuned,
)
from helpers.verdicts import compare

WORDS, STRONG = "TF-IDF", "words and surface"
CHEAP = ("length alone", WORDS, "letters", STRONG)
FROZEN = ("frozen [CLS]", "frozen mean", "random, frozen mean")
NETWORKS = ("LoRA", "fine-tuned", "random, fine-tuned")
METHODS = (*CHEAP, *FROZEN, *NETWORKS)
SAMPLES = ("messages", "shortcut")  # new ones, and old ones, whose length tells
SPLITS = ("repeats dropped", "families together")
REPEATED = (WORDS, *FROZEN[:2])  # what is scored on the first split, too
RATES = {
    "fine-tuned": (2.5e-5, 5e-5, 1e-4, 2e-4, 4e-4),
    "LoRA": (1.25e-4, 2.5e-4, 5e-4, 1e-3, 2e-3),
    "random, fine-tuned": (1e-4, 2e-4, 4e-4, 8e-4),
}
ADDRESS = re.compile(r"www\.|https?:|\w\.(com|org|net|example|co\.uk)\b", re.IGNORECASE)
FEW = 600  # messages of the first training part that a rate is tried on


def distinct_of(messages):
    """Return the messages without repeats, and with a number for each family."""
    distinct = messages.drop_duplicates("text")
    return distinct.assign(family=families(distinct.text))


def folds(rows, groups=None):
    """Return (train, test) rows of each of three folds, as much spam in each.

    groups: what may not stand on both sides, families unless others are named.
    """
    groups = rows.family if groups is None else groups
    cut = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=0)
    parts = cut.split(rows, rows.label, groups)
    return [(rows.iloc[known], rows.iloc[new]) for known, new in parts]


def untrained(bert, seed):
    """Return a Bert of the same size and tokenizer whose weights were drawn anew."""
    torch.manual_seed(seed)
    model = type(bert.model)(bert.model.config).to(bert.device).eval()
    return with_other(bert, model=model)


@dataclass
class Filters:
    """What each method answers to messages after learning from others.

    rates: {network: learning rate}.
    """

    bert: Bert
    rates: dict
    epochs: int = 3
    size: int = 16
    read: dict = field(default_factory=dict)  # (frozen method, text) -> its vector

    def answer(self, method, train, test, seed):
        """Return the probability of spam of each test row, float (n,)."""
        if method in NETWORKS:
            bert = untrained(self.bert, seed) if "random" in method else self.bert
            lora, rate = method == "LoRA", self.rates[method]
            model = fine_tune(
                bert, train.text, train.label, seed, lora, self.epochs, self.size, rate
            )
            return spam_probability(bert, model, test.text)
        model = tuned(self._linear(method), train.text, train.label, train.family)
        return model.predict_proba(test.text)[:, 1]

    def judge(self, folds, methods):
        """Return {method: all test rows, with p and the number of their fold as seed}.

        folds: (train, test) rows.
        """
        parts = {method: [] for method in methods}
        for seed, (train, test) in enumerate(folds):
            for method in methods:
                p = self.answer(method, train, test, seed)
                parts[method].append(test.assign(seed=seed, p=p, train=len(train)))
                print(seed, method, scores(test.label, p > 0.5), flush=True)
        return {name: pd.concat(part).sort_index() for name, part in parts.items()}

    def _linear(self, method):
        """Return a method that ends in logistic regression, unfitted."""
        firsts = {
            # a lambda, since scikit-learn would copy a method, model and all
            **dict.fromkeys(FROZEN, lambda texts: self._vectors(method, texts)),
            "length alone": lambda texts: surface(texts)[:, :1],
        }
        if method in firsts:
            first = [FunctionTransformer(firsts[method]), StandardScaler()]
        elif method == "letters":
            first = [TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), min_df=2)]
        elif method == STRONG:
            seen = make_pipeline(FunctionTransformer(surface), StandardScaler())
            first = [make_union(TfidfVectorizer(), seen)]
        else:
            return tfidf_classifier()
        return make_pipeline(*first, LogisticRegression(max_iter=2000))

    def _vectors(self, method, texts):
        new = [text for text in dict.fromkeys(texts) if (method, text) not in self.read]
        if new:
            bert = untrained(self.bert, 0) if "random" in method else self.bert
            part = frozen_features(bert, new)["CLS" not in method]
            keys = [(method, text) for text in new]
            self.read |= dict(zip(keys, part, strict=True))
        return np.array([self.read[method, text] for text in texts])


def surface(texts):
    """Return what an eye sees from afar of each text, float (n, 5).

    Characters, digits, capitals, exclamation marks, and 1 where there is an address.

    >>> surface(["WIN 50! www.win.example", "See you"]).tolist()
    [[23.0, 2.0, 3.0, 1.0, 1.0], [7.0, 0.0, 1.0, 0.0, 0.0]]
    """
    counts = [
        (
            len(text),
            sum(map(str.isdigit, text)),
            sum(map(str.isupper, text)),
            text.count("!"),
            bool(ADDRESS.search(text)),
        )
        for text in texts
    ]
    return np.array(counts, float)


def losses_of_rates(bert, messages):
    """Return the log loss of each of RATES, on messages of the first training part.

    One half of them, or FEW, are learned from; twice as many, at most, judge.
    """
    train, _ = folds(distinct_of(messages))[0]
    size = min(FEW, len(train) // 2)
    learn, judge = train_test_split(
        train, train_size=size, random_state=0, stratify=train.label
    )
    judge, rows = judge[: 2 * FEW], []
    for method, rate in ((name, rate) for name in RATES for rate in RATES[name]):
        p = Filters(bert, {method: rate}).answer(method, learn, judge, 0)
        row = {"method": method, "rate": rate, "learned": len(learn)}
        row |= {"judged": len(judge), "loss": log_loss(judge.label, p, labels=[0, 1])}
        rows.append(row | {"f1": scores(judge.label, p > 0.5)["f1"]})
    return pd.DataFrame(rows)


def best_of(losses):
    """Return {network: rate} with the lowest loss.

    The network of random weights is trained in all as the trained one is. With the rate
    that was best for it on few messages, twice as high, one of the three trainings on
    the collection broke down, and called everything ham.
    """
    best = losses.set_index("rate").groupby("method").loss.idxmin().to_dict()
    return best | {"random, fine-tuned": best.get("fine-tuned")}


def evaluate(filters, messages):
    """Score the METHODS, each on every message once, in three folds.

    Returns two DataFrames. The first has a row for each split, method and seed, which
    is the fold that is judged. Further rows have "all" for a seed: the F1 of all
    answers, and its difference from that of counted words and (names that end in _2)
    from that of words and surface, with intervals over families at the level of all
    these comparisons. The second is of the second split, `_by_message`.
    """
    results, distinct = [], distinct_of(messages)
    for split in SPLITS:
        together = split == SPLITS[1]
        parts = folds(distinct, None if together else np.arange(len(distinct)))
        whole = filters.judge(parts, METHODS if together else REPEATED)
        rows = [*_by_fold(whole, filters.epochs), *_compared(whole, distinct.family)]
        results += [{"split": split} | row for row in rows]
    numbers = dict.fromkeys(("train", "epochs", "n"), "Int64")  # some rows have none
    return pd.DataFrame(results).astype(numbers), _by_message(whole)


def _by_fold(whole, epochs):
    for seed in range(FOLDS):
        for method, rows in whole.items():
            part = rows[rows.seed == seed]
            row = {"method": method, "seed": seed, "train": int(part.train.iloc[0])}
            row |= {"test": len(part), "epochs": epochs}
            row |= scores(part.label, part.p > 0.5)
            yield row | {"ece": expected_calibration_error(part.label, part.p)}


def _compared(whole, families_of):
    """Yield a row for each method: the F1 of all answers, and two comparisons."""
    parts = {name: f1_parts(part.label, part.p > 0.5) for name, part in whole.items()}
    groups = [(number,) for number in families_of]
    asked = sum(name in whole for name in (WORDS, STRONG)) * (len(whole) - 1)
    for method, part in whole.items():
        row = {"method": method, "seed": "all", "test": len(part)}
        row |= scores(part.label, part.p > 0.5)
        row["mistakes"] = int(((part.p > 0.5) != (part.label == 1)).sum())
        for rival, ending in ((WORDS, ""), (STRONG, "_2")):
            if rival in whole:
                verdict = compare(parts[method], parts[rival], groups, family=asked)
                names = ("difference", "low", "high", "word")
                row |= {f"{name}{ending}": getattr(verdict, name) for name in names}
                row["n"] = verdict.n
        yield row


def _by_message(whole):
    """Return a row a message: family, label, seed, thousandths of each method."""
    thousandths = {n: (1000 * w.p).round().astype(int) for n, w in whole.items()}
    about = whole[WORDS][["family", "label", "seed"]]
    return about.join(pd.DataFrame(thousandths)).rename_axis("row").reset_index()


def contest(filters):
    """Return what the METHODS answer to the course's own messages, `_by_message`."""
    tables = []
    for name in SAMPLES:
        table = _by_message(filters.judge(folds(sample(name)), METHODS))
        table.insert(0, "set", name)
        tables.append(table)
    return pd.concat(tables)


def sample(name):
    """Return one of the course's own files: text, label and family, without repeats.

    The new messages are twins, a spam and its ham, one line below the other; near
    repeats of some follow them, and are left out.
    """
    rows = distinct_of(read_messages(name))
    if name != "messages":
        return rows
    rows = rows[~rows.family.duplicated()]
    return rows.assign(family=rows.index // 2)


def main():
    messages, bert = load_sms_spam(), load_bert()
    losses = losses_of_rates(bert, messages)
    rates = best_of(losses)
    results, answers = evaluate(Filters(bert, rates), messages)
    tables = {
        "sms-spam": results,
        "sms-spam-answers": answers,
        "sms-spam-rates": losses.assign(rate=losses.rate.map("{:g}".format)),
        "sms-spam-mini": contest(Filters(bert, rates, epochs=4, size=8)),
    }
    about = [
        f"{bert.name}, official SMS Spam Collection, {FOLDS} folds, every message",
        f"judged once, {PIECES} pieces a message, batches of 16",
        "C of logistic regression by cross-validation within the training part,",
        "learning rates chosen in sms-spam-rates.csv, within the first training part;",
        "sms-spam-mini.csv: the course's own messages, 4 epochs, batches of 8",
        today_and_versions("torch", "transformers", "peft", "scikit-learn"),
        "made by: python -m experiments.spam_filters",
    ]
    for name, table in tables.items():
        write_table(RESULTS / f"{name}.csv", table, about)
    print(results[results.seed == "all"].drop(columns=["seed", "epochs"]))


if __name__ == "__main__":
    run_on_official(SMS_SPAM, main)
