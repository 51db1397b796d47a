"""Exercises of chapter 11: stub, the chapter's own solution, typical wrong answers."""

import re

import numpy as np
import pytest
from sklearn.decomposition import PCA

from helpers import plotting
from helpers.checks import chapter_11
from helpers.datasets import load_coarse_wsd
from helpers.embeddings import embed_words
from helpers.exercises import check
from helpers.models import load_bert
from helpers.senses import nearest_sense, unit


@pytest.fixture(autouse=True)
def sample(monkeypatch, bert):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    monkeypatch.setattr(chapter_11, "load_bert", lambda: bert)
    chapter_11._accuracies.cache_clear()


@pytest.fixture
def names(bert, monkeypatch):
    """What a student's notebook has defined when it reaches the exercises."""
    monkeypatch.setattr(plotting, "show", lambda plot: None)
    return {
        "np": np,
        "PCA": PCA,
        "bert": bert,
        "check": check,
        "embed_words": embed_words,
        "last": (-1,),
        "load_coarse_wsd": load_coarse_wsd,
        "nearest_sense": nearest_sense,
        "sentence_scatter": plotting.sentence_scatter,
        "show": plotting.show,
        "unit": unit,
    }


def solution(cells, number, names):
    """Run the chapter's solution and return what it checks as (id, answer)."""
    [source] = [c.source for c in cells if f"solution-11-{number}" in c.tags]
    exec(source.rsplit("check(", 1)[0], names)
    call = "check(" + source.rsplit("check(", 1)[1]
    return eval(call.replace("check(", "_keep(", 1), names | {"_keep": lambda *a: a})


@pytest.mark.parametrize("number", [1, 2, 3])
def test_untouched_stub_counts_as_not_attempted(chapter_cells, names, number):
    cells = chapter_cells("11-word-senses")
    [place] = [
        i
        for i, cell in enumerate(cells)
        if f'check("11.{number}"' in cell.source and not cell.tags
    ]
    stub = cells[place - 1].source if number == 1 else ""
    exec(stub, names)
    outcome = eval(run_all_but_last(cells[place].source, names), names)
    assert outcome.status == "not attempted yet"


def run_all_but_last(source, names):
    """Execute a cell up to its last line, the call of check, which is returned."""
    body, call = re.fullmatch(r"(.*?)(check\(.*\))\s*", source, re.S).groups()
    exec(body, names)
    return call


@pytest.mark.parametrize("number", [1, 2, 3])
def test_solution_of_the_chapter_passes(chapter_cells, names, number):
    exercise, answer = solution(chapter_cells("11-word-senses"), number, names)
    assert check(exercise, answer).passed


@pytest.mark.parametrize("number", [2, 3])
def test_solution_passes_with_random_weights(
    chapter_cells, names, number, tiny_bert_folder, monkeypatch
):
    tiny = load_bert(str(tiny_bert_folder))
    monkeypatch.setattr(chapter_11, "load_bert", lambda: tiny)
    names["bert"] = tiny
    exercise, answer = solution(chapter_cells("11-word-senses"), number, names)
    assert check(exercise, answer).passed


WRONG_MAJORITIES = {
    "micro-F1": lambda labels: (share(labels), share(labels)),
    "commonest sense alone": lambda labels: (share(labels), f1(labels)),
    "share of the commonest": lambda labels: (1.0, f1(labels)),
    "two numbers": lambda labels: share(labels),
    "ZeroDivisionError": lambda labels: 1 / 0,
}


def share(labels):
    return max(np.bincount(labels)) / len(labels)


def f1(labels):
    return 2 * share(labels) / (share(labels) + 1)


@pytest.mark.parametrize("said", WRONG_MAJORITIES)
def test_wrong_majority_scores_are_named(said):
    outcome = check("11.1", WRONG_MAJORITIES[said])
    assert outcome.status == "not yet"
    assert said in outcome.message


WORDS = ("club", "bow", "mole", "square")  # a mistake need not change every score


def last_layers(bert, word, mistake=None):
    train, test = load_coarse_wsd(word, "train"), load_coarse_wsd(word, "test")
    if mistake == "shifted":
        parts = [published_way(bert, frame) for frame in (train, test)]
    else:
        parts = [
            embed_words(bert, frame.sentence, frame.word_pos, "all")
            for frame in (train, test)
        ]
    if mistake == "test centroids":
        parts[0], train = parts[1], test
    accuracy = {}
    for k in (1, 2, 3, 4):
        layers = slice(k) if mistake == "first" else slice(-k, None)
        means = [part[:, layers].mean(axis=1) for part in parts]
        predicted = nearest_sense(means[0], train.label, means[1])
        accuracy[k] = float((predicted == test.label).mean())
    return {"word": word, "accuracy": accuracy}


def published_way(bert, frame):
    """Hidden states taken at the word's own index, one sentence at a time."""
    vectors = []
    for words, place in zip(frame.sentence, frame.word_pos, strict=True):
        encoding = bert.tokenizer(" ".join(words), return_tensors="pt")
        states = bert.model(**encoding, output_hidden_states=True).hidden_states
        vectors.append([state[0, place].detach().numpy() for state in states])
    return np.array(vectors)


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        ("first", "first k layers"),
        ("test centroids", "test set"),
        ("shifted", "[CLS]"),
    ],
)
def test_wrong_layers_are_named(bert, mistake, said):
    answers = ((last_layers(bert, w, mistake), last_layers(bert, w)) for w in WORDS)
    wrong = next(answer for answer, right in answers if answer != right)
    outcome = check("11.2", wrong)
    assert outcome.status == "not yet"
    assert said in outcome.message


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"word": "tree", "accuracy": {1: 0.5}}, "20 words"),
        ({"word": "club", "accuracy": {1: 0.5}}, "keys 1, 2, 3 and 4"),
        ({"word": "club", "accuracy": dict.fromkeys((1, 2, 3, 4), "x")}, "number"),
        ({"word": "club", "accuracy": dict.fromkeys((1, 2, 3, 4), 0.1)}, "k = 1"),
        ([0.8, 0.7, 0.7, 0.6], '"word" and "accuracy"'),
    ],
)
def test_malformed_layers_are_told_what_is_expected(answer, said):
    outcome = check("11.2", answer)
    assert outcome.status == "not yet"
    assert said in outcome.message


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"nearest": [0, 0, 0]}, "nearest"),
        ({"sense": "crane_(fly)"}, "no sense"),
        ({"sentence": "the crane"}, "five words"),
        ({"sentence": "no such word stands in here"}, "exactly once"),
    ],
)
def test_wrong_own_sentence_is_told_what_is_expected(
    chapter_cells, names, change, said
):
    _, answer = solution(chapter_cells("11-word-senses"), 3, names)
    outcome = check("11.3", answer | change)
    assert outcome.status == "not yet"
    assert said in outcome.message


def test_sentence_that_the_model_gets_right_is_sent_back(chapter_cells, names):
    _, answer = solution(chapter_cells("11-word-senses"), 3, names)
    other = {"crane_(bird)": "crane_(machine)", "crane_(machine)": "crane_(bird)"}
    outcome = check("11.3", answer | {"sense": other[answer["sense"]]})
    assert "The model is right" in outcome.message


def test_training_sentence_is_not_accepted_as_own(chapter_cells, names):
    _, answer = solution(chapter_cells("11-word-senses"), 3, names)
    taken = " ".join(load_coarse_wsd("crane").sentence[0])
    assert "training sentence" in check("11.3", answer | {"sentence": taken}).message
