"""`check_report(report)`: whether the report of a capstone project is whole."""

import numbers
import re
from collections import Counter

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import accuracy_score, f1_score

from helpers.exercises.html_table import html_table

SEEDS = 3  # trained models a comparison needs at least
TEXTS = 60  # of each class
DRAWS = 500  # of texts and seeds, for the interval that the claim's is held against
NARROWEST = 0.7  # of that interval
ERRORS = 5  # mistakes that are read and explained
WORDS = 8  # of an explanation, at least
NO_LICENCE = re.compile(r"\W*(see\b|unknown\b|(none|free|public|open)\W*$)", re.I)
PARTS = {
    "question": "one sentence that ends in a question mark",
    "data": "source, licence, rows, classes, repeats_removed, and train, test, "
    "train_labels, test_labels: a list each",
    "baseline": "name, predictions: the test's labels, a list a seed, and scores: "
    "one number a seed",
    "model": "name, predictions and scores, of the same test and metric",
    "claim": "difference, low and high: the model's mean minus the baseline's",
    "errors": f"{ERRORS} or more of: text, truth, predicted, why",
    "model_card": "intended_use, not_for, data, limits",
}


class Incomplete(Exception):
    """What a part of the report lacks."""


def check_report(report):
    """Return a table: each part of a report (a dict, see PARTS) and what it lacks.

    Looks at form and at whether the numbers agree with one another. A person judges
    whether the question is worth asking and the mistakes are read well.

    >>> table = check_report({"question": "Does context help to tell spam from ham?"})
    >>> table.rows[0], table.complete
    (('question', 'complete', ''), False)
    """
    rows = []
    for part, form in PARTS.items():
        status, said = "complete", ""
        value = report.get(part, ...) if isinstance(report, dict) else ...
        if value is ... or value is None:
            status, said = "missing", f"expected {form}"
        else:
            try:
                CHECKS[part](value, report)
            except Incomplete as problem:
                status, said = "not yet", str(problem)
            except Exception:  # a form that no check foresaw
                status, said = "not yet", f"cannot be read; expected {form}"
        rows.append((part, status, said))
    return ReportCheck(rows)


class ReportCheck:
    """The table that check_report returns, in HTML or as text."""

    def __init__(self, rows):
        self.rows = rows

    @property
    def complete(self):
        return all(status == "complete" for _, status, _ in self.rows)

    def __repr__(self):
        return "\n".join(f"{p:11} {s:9} {said}".rstrip() for p, s, said in self.rows)

    def _repr_html_(self):
        return html_table(("part", "status", "what is expected"), self.rows)


def _require(condition, said):
    if not condition:
        raise Incomplete(said)


def _fields(value, names):
    _require(isinstance(value, dict), f"make it a dict with {', '.join(names)}")
    lacking = [name for name in names if value.get(name) in (None, ..., "")]
    _require(not lacking, f"lacks {', '.join(lacking)}")


def _question(value, report):
    _require(
        str(value).strip().endswith("?") and len(str(value).split()) >= 5,
        "make it one sentence that ends in a question mark",
    )


def normalised(text):
    """Return what near repeats share: no case, no punctuation, any digit 0.

    >>> normalised("Win 500 now!") == normalised("win 900 NOW")
    True
    """
    return re.sub(r"\W+", " ", re.sub(r"\d", "0", str(text).casefold())).strip()


def nearest(report):
    """Return for each test text: its cosine with the nearest training text, and both.

    Of counted runs of letters, which see what is nearly a repeat; `check_report` sees
    none but repeats. Read the pairs from the top: no limit suits all texts.

    >>> data = {"train": ["a fine day", "no rain"], "test": ["a fine, fine day"]}
    >>> [(cosine, text, other)] = nearest({"data": data})
    >>> other
    'a fine day'
    """
    train, test = report["data"]["train"], report["data"]["test"]
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5))
    letters.fit([*train, *test])
    cosine = (letters.transform(test) @ letters.transform(train).T).toarray()
    places = cosine.argmax(axis=1)
    return [(float(cosine[i, j]), test[i], train[j]) for i, j in enumerate(places)]


def _data(value, report):
    _fields(value, ["source", "licence", "rows", "classes", "repeats_removed"])
    _require(
        not NO_LICENCE.match(str(value["licence"])),
        "name the licence itself, such as CC BY 4.0, or say that you wrote the texts",
    )
    labels = []
    for part in ("train", "test"):
        texts, own = value.get(part, []), list(value.get(f"{part}_labels", []))
        _require(len(texts), "give the texts of train and of test as lists")
        _require(
            len(texts) == len(own),
            f"{part}_labels has {len(own)} entries for {len(texts)} texts",
        )
        labels += own
    train, test = ({normalised(text) for text in value[p]} for p in ("train", "test"))
    _require(
        not train & test,
        f"{len(train & test)} texts stand in train and in test (digits, capitals and "
        "punctuation apart); remove repeats first, then split",
    )
    _require(
        value["rows"] == len(labels),
        f"rows is {value['rows']}, but train and test hold {len(labels)}",
    )
    _require(len(value["classes"]) >= 2, "name two classes or more")
    counts = Counter(map(str, labels))
    _require(
        set(counts) == set(map(str, value["classes"])),
        "classes are not those that the labels name",
    )
    rarest = min(counts, key=counts.get)
    _require(
        counts[rarest] >= TEXTS,
        f"{counts[rarest]} texts of class {rarest}; take {TEXTS} or more of each",
    )


def _side(value, report):
    """Check one side of the comparison; returns its predictions (seeds, texts)."""
    _fields(value, ["name", "predictions", "scores"])
    truth = np.array([str(label) for label in report["data"]["test_labels"]])
    scores = [float(x) for x in value["scores"]]
    _require(
        all(isinstance(x, numbers.Real) and 0 <= x <= 1 for x in scores),
        "give each score as a share between 0 and 1",
    )
    _require(
        len(scores) >= SEEDS, f"has {len(scores)} seeds; train with {SEEDS} or more"
    )
    rows = [[str(label) for label in row] for row in value["predictions"]]
    _require(
        [len(row) for row in rows] == [len(truth)] * len(scores),
        f"predictions need {len(scores)} lists, one a seed, of {len(truth)} labels",
    )
    _require(
        any(np.allclose(scores, metric(truth, rows), atol=5e-4) for metric in METRICS),
        "the scores do not follow from the predictions, neither as macro-F1 nor as "
        "accuracy",
    )
    _require(
        len(set(map(tuple, rows))) > 1,
        "every seed has the same predictions: does the seed reach what is random?",
    )
    return np.array(rows)


def _f1(truth, rows):
    """Return the macro-F1 of each row of labels."""
    labels = sorted({*truth})
    scores = (
        f1_score(truth, row, average="macro", labels=labels, zero_division=0)
        for row in rows
    )
    return np.array(list(scores))


def _accuracy(truth, rows):
    return np.array([accuracy_score(truth, row) for row in rows])


METRICS = (_f1, _accuracy)


def _claim(value, report):
    _fields(value, ["difference", "low", "high"])
    sides = [_side(report[part], report) for part in ("model", "baseline")]
    means = [np.mean(report[part]["scores"]) for part in ("model", "baseline")]
    _require(
        len(sides[0]) == len(sides[1]),
        "model and baseline need the same seeds, to be compared pair by pair",
    )
    _require(
        np.isclose(value["difference"], means[0] - means[1], atol=5e-4),
        "difference is not the model's mean score minus the baseline's",
    )
    _require(
        value["low"] <= value["difference"] <= value["high"],
        "the difference lies outside of its own interval",
    )
    low, high = _interval(*sides, np.array(report["data"]["test_labels"], str))
    _require(
        value["high"] - value["low"] >= NARROWEST * (high - low),
        "the interval is too narrow: draw seeds and test texts again, as the page "
        f"does, and it goes from about {low:.2f} to {high:.2f}",
    )


def _interval(model, baseline, truth):
    """Return the 95 % interval of the difference in accuracy over seeds and texts.

    Hits are enough here: this width is only held against the one that is claimed.
    """
    gains = (model == truth).astype(float) - (baseline == truth)
    rng, (seeds, texts) = np.random.default_rng(0), gains.shape
    drawn = [
        gains[rng.integers(seeds, size=seeds)][
            :, rng.integers(texts, size=texts)
        ].mean()
        for _ in range(DRAWS)
    ]
    return np.quantile(drawn, [0.025, 0.975])


def _errors(value, report):
    _require(len(value) >= ERRORS, f"read {ERRORS} mistakes or more")
    test = set(map(str, report["data"]["test"]))
    for number, error in enumerate(value, 1):
        _fields(error, ["text", "truth", "predicted", "why"])
        _require(error["truth"] != error["predicted"], f"number {number} is no mistake")
        _require(str(error["text"]) in test, f"number {number} is no text of the test")
        _require(
            len(str(error["why"]).split()) >= WORDS,
            f"explain number {number} in a sentence",
        )


def _model_card(value, report):
    names = ["intended_use", "not_for", "data", "limits"]
    _fields(value, names)
    short = [name for name in names if len(str(value[name]).split()) < WORDS]
    _require(not short, f"write a sentence or more for {', '.join(short)}")


CHECKS = {
    "question": _question,
    "data": _data,
    "baseline": _side,
    "model": _side,
    "claim": _claim,
    "errors": _errors,
    "model_card": _model_card,
}
