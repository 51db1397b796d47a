"""The report of a capstone: what is missing or contradicts itself is named."""

import copy

import pytest

from helpers.exercises.capstone import PARTS, check_report

WHY = "The text is about a fish although the word is spelled like the instrument."
WHOLE = {
    "question": "Do frozen states beat counted words on these texts?",
    "data": {
        "source": "own",
        "licence": "CC BY 4.0",
        "rows": 8,
        "classes": ["a", "b"],
        "repeats_removed": 0,
        "train": ["t1", "t2"],
        "test": ["e1", "e2", "e3", "e4", "e5", "e6"],
    },
    "baseline": {"name": "TF-IDF", "scores": [0.5, 0.6, 0.7]},
    "model": {"name": "frozen", "scores": [0.7, 0.8, 0.9]},
    "claim": {"difference": 0.2, "low": 0.1, "high": 0.3},
    "errors": [
        {"text": f"e{i}", "truth": "a", "predicted": "b", "why": WHY}
        for i in range(1, 6)
    ],
    "model_card": dict.fromkeys(("intended_use", "not_for", "data", "limits"), WHY),
}


def changed(part, **values):
    report = copy.deepcopy(WHOLE)
    report[part] |= values
    return report


def test_a_whole_report_is_complete():
    assert check_report(WHOLE).complete


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_asked_for(part):
    report = {name: value for name, value in WHOLE.items() if name != part}
    found = {name: status for name, status, _ in check_report(report).rows}
    assert found[part] == "missing"
    assert not check_report(report).complete


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (WHOLE | {"question": "Is BERT good"}, "question mark"),
        (changed("data", test=["t1", "e1"]), "1 texts stand in train and in test"),
        (changed("data", rows=9), "rows is 9"),
        (changed("data", classes=["a"]), "two classes"),
        (changed("data", licence=""), "lacks licence"),
        (changed("baseline", scores=[]), "at least one score"),
        (changed("baseline", scores=[55.0]), "between 0 and 1"),
        (changed("model", scores=[0.8, 0.9]), "has 2 seeds"),
        (changed("model", scores=[0.8, 0.8, 0.8]), "same score"),
        (changed("claim", difference=0.3), "mean score minus"),
        (changed("claim", low=0.25), "outside of its own interval"),
        (changed("claim", low=0.2, high=0.2), "without width"),
        (WHOLE | {"errors": WHOLE["errors"][:4]}, "5 mistakes or more"),
        (WHOLE | {"errors": [WHOLE["errors"][0] | {"predicted": "a"}] * 5}, "number 1"),
        (WHOLE | {"errors": [WHOLE["errors"][0] | {"text": "t1"}] * 5}, "no text of"),
        (WHOLE | {"errors": [WHOLE["errors"][0] | {"why": "odd"}] * 5}, "explain"),
        (WHOLE | {"errors": [WHOLE["errors"][0] | {"why": ...}] * 5}, "lacks why"),
        (changed("model_card", limits="none"), "limits"),
        (WHOLE | {"errors": 5}, "cannot be read"),
        (changed("model", scores=[float("nan")] * 3), "between 0 and 1"),
        (changed("claim", low=float("nan")), "claim"),
        ([], "expected"),
    ],
)
def test_what_is_wrong_is_named(report, said):
    result = check_report(report)
    assert not result.complete
    assert said in repr(result)


def test_what_a_student_wrote_is_escaped():
    report = changed("data", rows="<script>")
    assert "<script>" not in check_report(report)._repr_html_()
