"""Claims that the chapter makes, and the functions beside it and lifted out of it."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score

from chapters.many_labels import tickets
from chapters.many_labels.tickets import CREWS

# Published or made-up figures that the text holds.
TYPED = "0.5 0.9 0.8 0.3 0.1 0.83 0.95 0.05 3.05 0.02"


def test_every_crew_judges_once_and_is_learned_from_twice():
    rows = tickets.labelled()
    turns = [part for turn in tickets.turns(rows) for part in turn]
    seen = [rows.crew[part].unique().tolist() for part in turns]
    learned, chose, judged = seen[::3], seen[1::3], seen[2::3]
    assert sorted(sum(judged, [])) == sorted(sum(chose, [])) == sorted(CREWS)
    for parts in zip(learned, chose, judged, strict=True):
        assert sorted(sum(parts, [])) == sorted(CREWS)


def test_the_threshold_chosen_is_the_best_of_those_tried(cells):
    page = cells.defined("TRIED")
    rng = np.random.default_rng(0)
    truth = rng.random(80) < 0.4
    p = np.clip(0.3 + 0.3 * truth + rng.normal(0, 0.2, 80), 0, 1)
    best = page["chosen"](p, truth)
    scores = [f1_score(truth, p > t) for t in page["TRIED"]]
    assert f1_score(truth, p > best) == max(scores)


@pytest.mark.parametrize("way", ["over-sampling", "under-sampling"])
def test_resampling_makes_both_classes_equally_many(way):
    hurt = np.array([1, 0, 0, 0, 1, 0, 0, 0])
    rng = np.random.default_rng(0)
    learn = tickets.resampled(np.arange(1, 8), way, hurt, rng)
    assert hurt[learn].mean() == 0.5 and 0 not in learn


def test_the_top_is_that_of_each_crew():
    hurt, p = np.array([1, 0, 0, 1]), np.array([0.1, 0.2, 0.9, 0.8])
    judges = [np.array([0, 1]), np.array([2, 3])]
    assert tickets.of_the_top(p, hurt, judges, n=1) == 0
    assert tickets.of_the_top(p, hurt, judges, n=2) == 2


def test_the_average_precision_of_the_text_is_that_of_four_tickets():
    precision = average_precision_score([1, 0, 1, 0], [0.9, 0.8, 0.3, 0.1])
    assert round(precision, 2) == 0.83
