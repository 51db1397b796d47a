"""Claims that the chapter makes, and the functions lifted out of it."""

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.metrics import f1_score

from experiments import own_domain, repair_tickets
from experiments.repair_tickets import CREWS, KINDS
from helpers import DATA

# Published or made-up figures that the text holds.
TYPED = "0.5 0.975"


@pytest.fixture(scope="module")
def rows():
    return own_domain.read_tickets()


def test_the_tickets_are_those_that_the_program_makes(tmp_path, monkeypatch):
    kept = {path.name: path.read_bytes() for path in (DATA / "tickets").iterdir()}
    (tmp_path / "phrases.txt").write_bytes(kept["phrases.txt"])
    known = repair_tickets.phrases()
    monkeypatch.setattr(repair_tickets, "phrases", lambda: known)
    monkeypatch.setattr(repair_tickets, "FOLDER", tmp_path)
    repair_tickets.main()
    for path in tmp_path.iterdir():
        assert path.read_bytes() == kept[path.name], path.name


def test_no_phrase_belongs_to_two_crews_or_kinds():
    lines = [line for lines in repair_tickets.phrases().values() for line in lines]
    assert len(lines) == len(set(lines))


def test_two_tickets_in_a_hundred_of_each_crew_tell_of_somebody_hurt(rows):
    assert (rows.groupby("crew").hurt.mean() == 0.02).all()
    assert rows.groupby("crew").size().to_dict() == dict.fromkeys(CREWS, 600)
    assert set(rows[list(KINDS)].sum(axis=1)) == {1, 2, 3}
    assert not rows.text.duplicated().any()


def test_a_mask_hides_what_is_asked_for_and_the_same_each_time(cells):
    page = cells.needed("def masked")
    from helpers.spam import encode

    ids = encode(page["bert"], ["tap runs brown", "no pressure at the galley tap"] * 9)
    one, two = page["masked"](ids, 3), page["masked"](ids, 3)
    assert torch.equal(one["input_ids"], two["input_ids"])
    hidden = one["labels"] != -100
    assert 0 < hidden.sum() < hidden.numel() / 2


def test_the_loss_of_pairs_is_that_of_all_cosines(cells):
    loss = cells.defined(vectors={"BERT": None})["PairLoss"]

    class Encoder(torch.nn.Module):
        def forward(self, input_ids, attention_mask):
            states = torch.nn.functional.one_hot(input_ids, 3).float()
            return type("", (), {"last_hidden_state": states})

    batch = {
        "input_ids": torch.tensor([[0, 0], [0, 2], [1, 1]]),
        "attention_mask": torch.tensor([[1, 1], [1, 0], [1, 1]]),
    }
    make = loss(Encoder())
    assert make(torch.tensor([5, 5, 6]), **batch)["loss"] == 0
    assert make(torch.tensor([5, 6, 6]), **batch)["loss"] == pytest.approx(2 / 3)


def test_every_crew_judges_once_and_is_learned_from_twice(cells, rows):
    turns = cells.defined("CREWS", rows=rows, vectors={"BERT": None})["turns"]
    seen = [rows.crew[part].unique().tolist() for turn in turns() for part in turn]
    learned, chose, judged = seen[::3], seen[1::3], seen[2::3]
    assert sorted(sum(judged, [])) == sorted(sum(chose, [])) == sorted(CREWS)
    for parts in zip(learned, chose, judged, strict=True):
        assert sorted(sum(parts, [])) == sorted(CREWS)


def test_the_threshold_chosen_is_the_best_of_those_tried(cells):
    page = cells.defined("TRIED", vectors={"BERT": None})
    rng = np.random.default_rng(0)
    truth = rng.random(80) < 0.4
    p = np.clip(0.3 + 0.3 * truth + rng.normal(0, 0.2, 80), 0, 1)
    best = page["chosen"](p, truth)
    scores = [f1_score(truth, p > t) for t in page["TRIED"]]
    assert f1_score(truth, p > best) == max(scores)


@pytest.mark.parametrize("way", ["over-sampling", "under-sampling"])
def test_resampling_makes_both_classes_equally_many(cells, way):
    hurt = np.array([1, 0, 0, 0, 1, 0, 0, 0])
    resampled = cells.defined(vectors={"BERT": None})["resampled"]
    resampled.__globals__["hurt"] = hurt
    learn = resampled(np.arange(1, 8), way, np.random.default_rng(0))
    assert hurt[learn].mean() == 0.5 and 0 not in learn


def test_stored_results_are_those_of_every_crew_and_step():
    stored = pd.read_csv(DATA / "results" / "own-domain.csv", comment="#")
    counts = stored.groupby("crew").size()
    assert list(counts.index) == sorted(CREWS) and counts.nunique() == 1
    assert not stored.duplicated(["crew", "step", "what"]).any()
    shares = stored[stored.what.str.contains("sixteen|F1")].value
    assert shares.between(0, 1).all()
