"""Questions to passages: spans, scores, and the reader that was trained beforehand."""

import numpy as np
import pytest
import torch

from chapters.question_answering import reader
from chapters.question_answering.reader import (
    answer_scores,
    answers,
    best_threshold,
    encode_questions,
    load_reader,
    new_reader,
    span_of,
    span_scores,
)
from experiments.train_reader import packed


class Scores(torch.nn.Module):
    """A reader with the start and end scores that it is given, for one question."""

    def __init__(self, start, end):
        super().__init__()
        self.scores = torch.tensor([start]), torch.tensor([end])

    def forward(self, **batch):
        start, end = self.scores
        names = {"start_logits": start, "end_logits": end}
        return type("Output", (), names)


def asked(bert, start, end, text="Ann saw mugwumps.", **options):
    """What is said, for scores by piece: [CLS], who, ?, [SEP], then the passage's."""
    made = [0.0] * len(encode_questions(bert, ["Who?"], [text])[0]["ids"])
    rows = [[*made], [*made]]
    for row, given in zip(rows, (start, end), strict=True):
        for place, score in given.items():
            row[place] = score
    return answers(bert, Scores(*rows), ["Who?"], [text], **options).iloc[0]


def test_a_span_is_in_the_passage_and_no_end_is_before_its_start(bert):
    best = asked(bert, {1: 99.0, 5: 3.0}, {2: 99.0, 4: 5.0, 5: 2.0})
    assert (best.said, best.lead) == ("Ann", 5)  # and not from saw to Ann, with 8
    assert asked(bert, {4: 3.0}, {5: 3.0}, longest=2).said == "Ann saw"
    assert asked(bert, {4: 3.0}, {5: 3.0}, longest=1).said != "Ann saw"


def test_a_word_that_is_said_in_part_is_said_in_full(bert):
    for piece in (6, 7):
        assert asked(bert, {piece: 9.0}, {piece: 9.0}).said == "mugwumps"
    assert asked(bert, {6: 9.0}, {6: 9.0}, whole=False).said in "mugwumps"[:-1]


def test_the_lead_is_over_the_scores_of_cls(bert):
    assert asked(bert, {0: 4.0, 4: 1.0}, {0: 3.0, 4: 2.0}).lead == -4


def test_the_span_of_an_answer_is_where_its_letters_are(bert):
    text = "Ann saw mugwumps, and mugwumps saw Ann."
    [one] = encode_questions(bert, ["What?"], [text])
    first, last = span_of(one, text, ["saw mugwumps", "Ann"])
    assert (one["places"][first][0], one["places"][last][1]) == (4, 16)


def test_a_batch_gives_each_question_its_own_scores(bert):
    reader = load_reader(bert)
    pairs = [("Where is the boat?", "The boat is in Oslo."), ("Who ran?", "Ann ran.")]
    together = span_scores(bert, reader, *zip(*pairs, strict=True))
    for pair, (start, end, places) in zip(pairs, together, strict=True):
        [(alone, other, same)] = span_scores(bert, reader, *[[x] for x in pair])
        assert np.allclose(start, alone, atol=1e-4)
        assert np.allclose(end, other, atol=1e-4)
        assert places == same


def test_a_text_that_is_too_long_says_so(bert):
    with pytest.raises(ValueError, match="question 1 .* cut the text into windows"):
        encode_questions(bert, ["Who?"] * 2, ["Ann.", "word " * 600])


@pytest.mark.parametrize(
    ("said", "golds", "exact", "f1"),
    [
        ("The Old Mill!", ["old mill"], 1, 1),
        ("an apple a day", ["apple day", "day"], 1, 1),
        ("Ann's boat, U.S.", ["anns boat us"], 1, 1),
        ("twenty-one", ["twenty one", "twentyone"], 1, 1),
        ("of of coal", ["of coal"], 0, 0.8),
        ("old old mill", ["old mill old"], 0, 1),
        ("Captain Orla Finch", ["Finch", "Orla Finch"], 0, 0.8),
        ("5,574", ["5574 messages"], 0, 2 / 3),
        ("café \t Zoë", ["Café Zoë"], 1, 1),
        ("“quoted”", ["quoted"], 0, 0),  # no mark of ASCII
        ("naïve", ["naive"], 0, 0),
        ("than", ["an"], 0, 0),
        ("theatre", ["atre"], 0, 0),
        ("a", ["the"], 1, 1),
        ("The", ["mill"], 0, 0),
        ("mill", ["the"], 0, 0),
        ("", ["the", "coal"], 0, 0),  # an answer of articles alone is none
        ("", ["the"], 1, 1),
        ("", [], 1, 1),
        ("three", [], 0, 0),
        ("", ["coal"], 0, 0),
    ],
)
def test_answers_are_counted_as_squads_script_does(said, golds, exact, f1):
    """The values are those of the script's rules as torchmetrics 1.9 has them.

    The last five are rules of SQuAD 2.0, which it has not.
    """
    assert answer_scores(said, golds) == (exact, pytest.approx(f1))


def test_a_threshold_is_the_lowest_lead_that_deals_with_most():
    lead, right, there = [3, 1, 2, 0], [True, False, False, False], [1, 1, 0, 0]
    assert best_threshold(lead, right, there) == 2  # all but the second
    assert best_threshold(lead, [True] * 4, [1] * 4) == 0
    assert best_threshold(lead, [False] * 4, [0] * 4) == 3


def test_what_is_kept_of_a_reader_gives_its_answers_back(bert, tmp_path, monkeypatch):
    """Where the change is as thin as the factors are."""
    from safetensors.torch import save_file

    torch.manual_seed(0)
    changed = new_reader(bert)
    for name, weights in changed.named_parameters():
        if weights.ndim == 2 and "encoder" in name:
            up, down = torch.randn(len(weights), 4), torch.randn(4, weights.shape[1])
            weights.data += 0.005 * up @ down
    save_file(packed(bert, changed), tmp_path / "reader.safetensors")
    monkeypatch.setattr(reader, "WEIGHTS", tmp_path / "reader.safetensors")
    pair = ["Who ran?"], ["Ann ran home."]
    [(start, *_)] = span_scores(bert, changed, *pair)
    [(again, *_)] = span_scores(bert, load_reader(bert), *pair)
    assert np.allclose(start, again, atol=0.01)
    [(before, *_)] = span_scores(bert, new_reader(bert), *pair)
    assert not np.allclose(start, before, atol=0.01)


def test_a_model_of_another_shape_learns_in_the_page(tiny, monkeypatch):
    monkeypatch.setattr(reader, "STEPS", 2)
    model = load_reader(tiny)
    assert not model.training
    before = new_reader(tiny).qa_outputs.weight
    assert not torch.equal(model.qa_outputs.weight, before)
