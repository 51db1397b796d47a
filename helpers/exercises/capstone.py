"""`check_report(report)`: whether the report of a capstone project is whole."""

import numbers

import numpy as np

from helpers.exercises.html_table import html_table

SEEDS = 3  # trained models a comparison needs at least
ERRORS = 5  # mistakes that are read and explained
WORDS = 8  # of an explanation, at least
PARTS = {
    "question": "one sentence that ends in a question mark",
    "data": "source, licence, rows, classes, repeats_removed, train and test",
    "baseline": "name, and scores: one number a seed",
    "model": "name, and scores: one number a seed, of the same metric and test set",
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


def _data(value, report):
    _fields(value, ["source", "licence", "rows", "classes", "repeats_removed"])
    train, test = (list(map(str, value.get(part, []))) for part in ("train", "test"))
    _require(train and test, "give the texts of train and of test as lists")
    shared = set(train) & set(test)
    _require(
        not shared,
        f"{len(shared)} texts stand in train and in test; remove repeats first, then "
        "split",
    )
    _require(
        value["rows"] == len(train) + len(test),
        f"rows is {value['rows']}, but train and test hold {len(train) + len(test)}",
    )
    _require(len(value["classes"]) >= 2, "name two classes or more")


def _scores(value):
    _fields(value, ["name", "scores"])
    scores = [float(x) for x in value["scores"]]
    _require(scores, "give at least one score")
    _require(
        all(isinstance(x, numbers.Real) and 0 <= x <= 1 for x in scores),
        "give each score as a share between 0 and 1",
    )
    return scores


def _baseline(value, report):
    _scores(value)


def _model(value, report):
    scores = _scores(value)
    _require(
        len(scores) >= SEEDS, f"has {len(scores)} seeds; train with {SEEDS} or more"
    )
    _require(
        len(set(scores)) > 1,
        "every seed has the same score: does the seed reach what is random?",
    )


def _claim(value, report):
    _fields(value, ["difference", "low", "high"])
    means = [np.mean(_scores(report[part])) for part in ("model", "baseline")]
    _require(
        np.isclose(value["difference"], means[0] - means[1], atol=5e-4),
        "difference is not the model's mean score minus the baseline's",
    )
    _require(
        value["low"] <= value["difference"] <= value["high"],
        "the difference lies outside of its own interval",
    )
    _require(
        value["low"] < value["high"], "an interval without width says no spread at all"
    )


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
    "baseline": _baseline,
    "model": _model,
    "claim": _claim,
    "errors": _errors,
    "model_card": _model_card,
}
