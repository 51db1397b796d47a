"""Claims that the chapter makes, and the functions lifted out of it."""

import numpy as np
import pytest
import torch

from chapters.your_own_domain import texts
from chapters.your_own_domain.texts import CREWS, KINDS
from experiments import repair_tickets
from helpers import DATA
from helpers.spam import PIECES, encode

# Published or made-up figures that the text holds.
TYPED = "0.5 0.6 0.1 0.3 0.09 0.975"


@pytest.fixture(scope="module")
def rows():
    return texts.labelled()


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
    assert set(rows[KINDS].sum(axis=1)) == {1, 2, 3}
    assert not rows.text.duplicated().any()


def test_no_ticket_with_one_fault_is_cut_and_one_in_ten_of_all_is(cells, rows):
    bert = cells.needed("bert = load_bert()")["bert"]
    ids = bert.tokenizer(rows.text.tolist())["input_ids"]
    long = np.array([len(row) > PIECES for row in ids])
    assert not long[rows[KINDS].sum(axis=1) == 1].any()
    assert 0.08 < long.mean() < 0.12


def test_chunks_hold_every_piece_of_a_text_of_any_length(cells):
    page = cells.needed("def chunks")
    tokenizer, chunks = page["bert"].tokenizer, page["chunks"]
    for text in ("tap runs brown", "no pressure at the galley tap. " * 60):
        ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        parts = chunks(text)
        assert sum((part[1:-1] for part in parts), []) == ids
        assert max(map(len, parts)) <= 128
        assert {part[0] for part in parts} == {tokenizer.cls_token_id}


def test_another_folder_of_texts_has_no_phrases(tmp_path):
    (tmp_path / "ward.txt").write_text("a report\n")
    assert texts.phrases(tmp_path, "ward") == []
    assert len(texts.phrases(texts.TICKETS, "heron")) > 20


def test_a_mask_hides_what_is_asked_for_and_the_same_each_time(cells):
    bert = cells.needed("bert = load_bert()")["bert"]
    ids = encode(bert, ["tap runs brown", "no pressure at the galley tap"] * 9)
    one, two = texts.masked(bert, ids, 3), texts.masked(bert, ids, 3)
    assert torch.equal(one["input_ids"], two["input_ids"])
    hidden = one["labels"] != -100
    assert 0 < hidden.sum() < hidden.numel() / 2


def test_the_loss_of_pairs_is_that_of_all_cosines(cells):
    loss = cells.defined()["PairLoss"]

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
