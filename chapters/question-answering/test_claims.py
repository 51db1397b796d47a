"""Claims that the chapter makes, and the functions lifted out of it."""

import numpy as np
import pytest

from chapters.question_answering import rivals
from chapters.question_answering.reader import answer_scores
from experiments import reading_questions
from helpers import DATA
from helpers.exercises.checks import mistakes_of
from helpers.questions import parse_questions, read_questions

# Published or made-up figures that the text holds.
TYPED = "12,000 512 0.5 2.0 86.8 86 66 93.2 83.1 75 36 0.667 11.8 51.5"


@pytest.fixture(scope="module")
def hand():
    return read_questions("judge")


# The data


@pytest.mark.parametrize("name", ["judge", "home", "learn"])
def test_each_question_stands_before_its_twin_and_each_answer_in_its_passage(name):
    rows = read_questions(name)
    there = (rows.answers.str.len() > 0).to_numpy()
    assert there[::2].all() and not there[1::2].any()
    assert (rows.pair[::2].to_numpy() == rows.pair[1::2].to_numpy()).all()
    assert (rows.passage[::2].to_numpy() == rows.passage[1::2].to_numpy()).all()
    for text, golds in zip(rows.text, rows.answers, strict=True):
        assert all(gold in text for gold in golds)


def test_no_question_is_asked_twice_of_a_passage(hand):
    assert not hand.duplicated(["passage", "question"]).any()
    assert (len(hand), hand.passage.nunique()) == (180, 30)


@pytest.mark.parametrize(("name", "n", "seed"), reading_questions.SETS)
def test_the_questions_by_rule_are_those_that_the_program_makes(name, n, seed):
    kept = (DATA / "questions" / f"{name}.txt").read_text(encoding="utf-8")
    assert kept == reading_questions.write(n, seed)


def test_none_of_the_passages_that_judge_was_learned_from(hand):
    learned = parse_questions(reading_questions.write(3000, 0))
    assert len(learned) == 12_000
    assert not set(learned.text) & {*hand.text, *read_questions("home").text}


# The functions of the chapter


def test_first_of_a_kind():
    first = rivals.first_of_kind
    text = "The boat left. In 1902 Ann Lee saw nine seals at Bergen."
    assert first("Who saw the boat?", text) == "Ann Lee"
    assert first("When did Ann go?", text) == "1902"
    assert first("How many seals?", text) == "1902"  # a rival, and no reader
    assert first("How long is it?", "Ann waits two hours.") == "two hours"
    assert first("Where was Ann?", text) == "Bergen"
    assert first("Where was Ann?", "A boat left.") == "A"


def test_the_nearest_sentence_shares_most_words():
    nearest = rivals.words_then_kind
    text = "Ann Lee sold a boat. The captain of the Gull is Tom Ray. Max sleeps."
    assert nearest("Who is the captain of the Gull?", text) == "Tom Ray"


def test_a_shuffled_passage_keeps_its_words_and_its_answer(hand):
    shuffled = rivals.shuffled
    row = next(hand[hand.answers.str.len() > 0].itertuples())
    mixed = shuffled(row, np.random.default_rng(0))
    assert sorted("".join(mixed.split())) == sorted("".join(row.text.split()))
    assert row.answers[0] in mixed and mixed != row.text


def test_a_question_is_dealt_with_by_the_right_answer_or_by_silence(cells):
    lead, there = np.array([2.0, 2, -1, -1]), np.array([True, False, True, False])
    page = cells.defined(lead=lead, there=there)
    page |= {"right": np.array([True, False, True, False]), "lead": lead}
    page |= {"there": there}
    assert page["dealt_with"](0).tolist() == [True, False, False, True]
    assert page["dealt_with"](-9).tolist() == [True, False, True, False]


def test_the_check_and_the_helper_count_alike(hand):
    """On answers taken from the passages at random, and on the cases of the check."""
    count, rng = mistakes_of("question-answering.2").right, np.random.default_rng(0)
    for row in hand.itertuples():
        words = row.text.split()
        at, n = rng.integers(len(words)), rng.integers(1, 5)
        said = " ".join(words[at : at + n])
        assert count(said, row.answers) == pytest.approx(
            answer_scores(said, row.answers)
        )
