"""The report of a capstone: what is missing or contradicts itself is named."""

import copy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from capstone.report import PARTS, check_report, nearest
from sklearn.metrics import accuracy_score, f1_score

from tests.lifted import Cells

CAPSTONE = Path(__file__).parents[1] / "capstone.md"
WHY = "The text is about a fish although the word is spelled like the instrument."
TEXTS = [f"text of {chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(160)]
LABELS = ["a", "b"] * 80
TRUTH = np.array(LABELS[:60])


def side(name, wrong, seeds=4):
    """A side of the comparison whose n-th seed gets `wrong + n` of 60 texts wrong."""
    predictions = []
    for seed in range(seeds):
        row = TRUTH.copy()
        row[: wrong + seed] = np.where(row[: wrong + seed] == "a", "b", "a")
        predictions.append(row.tolist())
    scores = [accuracy_score(TRUTH, row) for row in predictions]
    return {"name": name, "predictions": predictions, "scores": scores}


WHOLE = {
    "question": "Do frozen states beat counted words on these texts?",
    "data": {
        "source": "own",
        "licence": "CC BY 4.0",
        "rows": 160,
        "classes": ["a", "b"],
        "repeats_removed": 0,
        "train": TEXTS[60:],
        "train_labels": LABELS[60:],
        "test": TEXTS[:60],
        "test_labels": LABELS[:60],
    },
    "baseline": side("TF-IDF", 20),
    "model": side("frozen", 11),
    "claim": {"difference": 0.15, "low": 0.05, "high": 0.25},
    "errors": [
        {"text": text, "truth": "a", "predicted": "b", "why": WHY} for text in TEXTS[:5]
    ],
    "model_card": dict.fromkeys(("intended_use", "not_for", "data", "limits"), WHY),
}


def changed(part, **values):
    report = copy.deepcopy(WHOLE)
    report[part] |= values
    return report


def test_a_whole_report_is_complete():
    assert check_report(WHOLE).complete


def test_macro_f1_counts_as_well_as_accuracy():
    report = copy.deepcopy(WHOLE)
    for part in ("baseline", "model"):
        report[part]["scores"] = [
            f1_score(TRUTH, row, average="macro") for row in report[part]["predictions"]
        ]
    means = [np.mean(report[part]["scores"]) for part in ("model", "baseline")]
    report["claim"]["difference"] = means[0] - means[1]
    assert check_report(report).complete


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
        (changed("data", test=["Text of cj!", *TEXTS[1:60]]), "1 texts stand in"),
        (changed("data", rows=9), "rows is 9"),
        (changed("data", classes=["a"]), "two classes"),
        (changed("data", classes=["a", "c"]), "not those that the labels name"),
        (changed("data", train_labels=["a"] * 100), "30 texts of class b"),
        (changed("data", licence=""), "lacks licence"),
        (changed("data", licence="See its data card"), "name the licence itself"),
        (changed("baseline", scores=[]), "has 0 seeds"),
        (changed("baseline", scores=[55.0] * 4), "between 0 and 1"),
        (WHOLE | {"baseline": side("one", 20, 1)}, "has 1 seeds"),
        (WHOLE | {"baseline": side("three", 20, 3)}, "the same seeds"),
        (changed("model", scores=[0.8, 0.8, 0.8, 0.8]), "do not follow"),
        (changed("model", predictions=[["a"] * 60] * 4, scores=[0.5] * 4), "same pred"),
        (changed("claim", difference=0.3), "mean score minus"),
        (changed("claim", low=0.2), "outside of its own interval"),
        (changed("claim", low=0.14, high=0.16), "too narrow"),
        (WHOLE | {"errors": WHOLE["errors"][:4]}, "5 mistakes or more"),
        (WHOLE | {"errors": [WHOLE["errors"][0] | {"predicted": "a"}] * 5}, "number 1"),
        (WHOLE | {"errors": [WHOLE["errors"][0] | {"why": "odd"}] * 5}, "explain"),
        (changed("model_card", limits="none"), "limits"),
        (WHOLE | {"errors": 5}, "cannot be read"),
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


@pytest.mark.parametrize("licence", ["Public domain", "our own texts", "CC0"])
def test_a_licence_that_is_named_is_taken(licence):
    assert check_report(changed("data", licence=licence)).complete


def test_the_nearest_training_text_is_the_one_with_a_word_left_out():
    train = [f"{text}, which nobody had asked for" for text in TEXTS]
    test = [text.replace(" had", "") for text in train]
    found = nearest({"data": {"train": train, "test": test}})
    assert [text for _, text, _ in found] == test
    assert [other for *_, other in found] == train
    assert all(0.6 < cosine < 1 for cosine, *_ in found)


@pytest.fixture(scope="module")
def template(chapter_cells):
    return Cells(chapter_cells(CAPSTONE))


@pytest.fixture(scope="module")
def page(template):
    """The functions of the page that measure, on made-up predictions."""
    return template.defined(classes=["a", "b", "c"])


def test_the_pages_macro_f1_is_that_of_scikit_learn(page):
    rng = np.random.default_rng(0)
    truth, predicted = rng.integers(3, size=(2, 50))
    expected = f1_score(truth, predicted, average="macro")
    assert page["macro_f1"](truth, predicted) == pytest.approx(expected)


def made_of_words(count):
    words, rng = "a fine day of rain and more wind".split(), np.random.default_rng(0)
    return [" ".join(rng.choice(words, 12)) for _ in range(count)]


@pytest.fixture
def prepared(template, tiny):
    """What the template makes of a table of texts, on a random model."""

    def made(texts):
        labels = [["complaint", "praise"][n % 2] for n in range(len(texts))]
        data = pd.DataFrame({"text": texts, "label": labels})
        page = template.defined() | {"bert": tiny, "data": data}
        cells = "def readable", "given, letters", 'data["family"]', "def features"
        return template.run(*cells, page=page)

    return made


def test_texts_that_become_equal_when_they_are_cut_do_not_stop_the_template(
    prepared, tiny, capsys
):
    header = "from the desk of the north office " * 30
    texts = [f"{header} number {chr(97 + n)}" for n in range(24)]
    texts += made_of_words(90)
    found = prepared([*texts, "", " "])
    said = capsys.readouterr().out
    assert "116 texts: 2 empty, 23 repeats, 0 beyond 90 a class; 91 are kept" in said
    assert found["vectors"].shape == (91, tiny.hidden_size)
    assert len(found["test_vectors"]) == len(found["test"])
    one = found["features"]([found["test"].text.iloc[0]])
    np.testing.assert_allclose(found["test_vectors"][0], one[0], atol=1e-5)


def test_what_is_left_out_of_a_large_class_is_said(prepared, capsys):
    found = prepared(made_of_words(240))
    assert found["data"].label.value_counts().max() == 90
    assert "0 repeats, 60 beyond 90 a class; 180 are kept" in capsys.readouterr().out


def made_up(rng, n, seeds=5):
    """Truth and the predictions of two sides, the second better by its shift."""
    truth, hard = np.arange(n) % 3, rng.normal(1, 1.2, n)
    sides = []
    for shift in (0, 0.5):
        own = hard + shift + rng.normal(0, 0.8, n)
        luck = rng.normal(0, 0.2, (seeds, 1))
        right = rng.random((seeds, n)) < 1 / (1 + np.exp(-own - luck))
        other = (truth + rng.integers(1, 3, (seeds, n))) % 3
        sides.append(np.where(right, truth, other))
    return truth, sides


def covers(page, rng, true, texts_too):
    page["truth"], (page["baseline"], page["frozen"]) = made_up(rng, n := 90)
    drawn = []
    for _ in range(100):
        seeds = rng.integers(5, size=5)
        texts = rng.integers(n, size=n) if texts_too else np.arange(n)
        drawn.append(page["difference"](seeds, texts))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return low <= true <= high


@pytest.mark.slow
def test_an_interval_over_seeds_and_texts_covers_and_one_over_seeds_does_not(page):
    rng = np.random.default_rng(1)
    page["truth"], (page["baseline"], page["frozen"]) = made_up(rng, 20_000, 60)
    true = page["difference"](range(60), np.arange(20_000))
    both = np.mean([covers(page, rng, true, True) for _ in range(100)])
    seeds = np.mean([covers(page, rng, true, False) for _ in range(100)])
    assert both >= 0.92
    assert seeds <= 0.85
