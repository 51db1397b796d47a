"""What the chapter claims, and its functions held against slower, plainer code."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch

from helpers import DATA

# A level, and nothing of the run.
TYPED = "99.2"


@pytest.fixture(scope="module")
def chapter(cells, bert):
    return cells.defined(bert=bert)


@pytest.fixture(scope="module")
def pairs():
    path = DATA / "sentence-pairs.tsv"
    names = ["grade", "first", "second"]
    return pd.read_csv(path, sep="\t", quoting=3, names=names)


@pytest.mark.parametrize("how", ["cls", "mean", "max"])
def test_pooling_equals_pooling_each_sentence_by_itself(chapter, how):
    states = torch.randn(3, 5, 4, generator=torch.Generator().manual_seed(0))
    lengths = [5, 3, 1]
    mask = (torch.arange(5) < torch.tensor(lengths)[:, None]).long()
    alone = {
        "cls": lambda real: real[0],
        "mean": lambda real: real.mean(0),
        "max": lambda real: real.max(0).values,
    }[how]
    expected = [alone(row[:n]) for row, n in zip(states, lengths, strict=True)]
    torch.testing.assert_close(
        chapter["pool"](states, mask, how), torch.stack(expected)
    )


def test_an_unknown_pooling_is_refused(chapter):
    with pytest.raises(ValueError, match="cls, mean or max"):
        chapter["pool"](torch.zeros(1, 2, 3), torch.ones(1, 2), "last")


def test_spearman_is_the_known_value_with_and_without_ties(chapter):
    assert chapter["spearman"]([1, 2, 3, 4], [10, 20, 40, 30]) == pytest.approx(0.8)
    assert chapter["spearman"]([1, 2, 3], [9, 4, 1]) == pytest.approx(-1)
    assert chapter["spearman"]([1, 10, 100, 999], [0, 2, 3, 50]) == pytest.approx(1)
    assert chapter["spearman"]([0, 0, 1, 1], [1, 2, 3, 4]) == pytest.approx(0.8**0.5)


def test_spearman_takes_many_samples_at_once(chapter):
    a, b = np.random.default_rng(0).integers(0, 4, (2, 5, 9))
    expected = [
        pd.Series(x).corr(pd.Series(y), "spearman") for x, y in zip(a, b, strict=True)
    ]
    np.testing.assert_allclose(chapter["spearman"](a, b), expected)


def test_the_pairs_are_48_different_ones_eight_of_each_grade(pairs):
    assert pairs.grade.value_counts().to_dict() == dict.fromkeys(range(6), 8)
    assert not pairs.duplicated(["first", "second"]).any()
    assert pairs.notna().all(axis=None)


def test_in_batch_loss_is_ln_n_for_one_vector_and_near_0_for_a_perfect_match(chapter):
    same = torch.ones(16, 5)
    loss = chapter["in_batch_loss"]
    assert loss(same, same).item() == pytest.approx(math.log(16))
    assert loss(torch.eye(16), torch.eye(16)).item() < 1e-6
    u, v = torch.randn(2, 6, 5, generator=torch.Generator().manual_seed(0))
    assert loss(3 * u, 7 * v).item() == pytest.approx(loss(u, v).item(), rel=1e-5)


def test_further_rows_are_wrong_answers_for_all(chapter):
    u, v, wrong = torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(0))
    loss = chapter["in_batch_loss"]
    assert loss(u, torch.cat([v, wrong])).item() > loss(u, v).item()


@pytest.fixture(scope="module")
def lesson(chapter, cells):
    """The chapter with its synonyms, its pairs, questions and answers."""
    texts = "PEOPLE, VERBS, PLACES", "held, known = events", "pieces = {", "more = {"
    return cells.run(*texts, page=chapter)


def test_wordings_tell_the_event_in_eight_words_with_either_name(lesson):
    texts = lesson["wordings"]((0, 1, 2, 3), 32, np.random.default_rng(0))
    assert len(set(texts)) == 32  # two orders, two names for each of four
    who, verb, whom, place = (
        "|".join(lesson[name][i])
        for name, i in zip(
            ("PEOPLE", "VERBS", "PEOPLE", "PLACES"), (0, 1, 2, 3), strict=True
        )
    )
    clause, where = f"the ({who}) ({verb}) the ({whom})", f"near the ({place})"
    for text in texts:
        assert re.fullmatch(f"{clause} {where}|{where} {clause}", text)
    assert lesson["turned"]((0, 1, 2, 3)) == (2, 1, 0, 3)


def test_nothing_asked_has_been_learned_and_the_turned_answers_match(lesson):
    seen = {*lesson["pairs_of"]["first"], *lesson["pairs_of"]["second"]}
    assert not seen & {*lesson["asked"], *lesson["answers"]}
    assert len(lesson["asked"]) == 200 and len(lesson["answers"]) == 400
    meaning = {word: i for i, word in enumerate(lesson["pieces"])}
    assert all(word in meaning for text in seen for word in text.split())


def test_each_list_has_one_wrong_sentence_a_pair_and_one_list_false_ones(lesson):
    event_of = dict(
        zip(lesson["texts"], [*lesson["pairs_of"]["event"]] * 2, strict=True)
    )
    tells_the_same = {
        name: np.array(
            [
                event_of[text] == event
                for text, event in zip(
                    sentences, lesson["pairs_of"]["event"], strict=True
                )
            ]
        )
        for name, sentences in lesson["more"].items()
    }
    assert not tells_the_same["random"].any()
    assert not tells_the_same["mined, false ones out"].any()
    assert tells_the_same["mined"].tolist() == lesson["false"].tolist()
    kept = lesson["more"]["mined"] == lesson["more"]["mined, false ones out"]
    assert kept.tolist() == (~lesson["false"]).tolist()
    assert 0 < kept.mean() < 1


def test_bm25_is_its_formula_word_by_word(chapter):
    texts = ["cat cat dog", "dog bird fish stone", "stone"]
    lengths = [3, 4, 1]

    def plain(question, text, length, k=1.5, b=0.75):
        total = 0
        for word in question.split():
            n, tf = sum(word in t.split() for t in texts), text.split().count(word)
            idf = math.log(1 + (len(texts) - n + 0.5) / (n + 0.5))
            norm = k * (1 - b + b * length / np.mean(lengths))
            total += idf * tf * (k + 1) / (tf + norm)
        return total

    asked = ["cat dog", "stone", "unknown"]
    expected = [
        [plain(q, t, n) for t, n in zip(texts, lengths, strict=True)] for q in asked
    ]
    np.testing.assert_allclose(chapter["bm25"](asked, texts), expected)


def test_words_alone_cannot_tell_who_from_whom(chapter):
    asked = ["the cook calls the spy", "the king helps the lad"]
    answers = ["the cook calls the spy", "the lad is called", "the spy calls the cook"]
    assert chapter["found_first"](chapter["bm25"](asked, answers))[0] == 0.5


def test_found_first_shares_ties(chapter):
    scores = np.array([[3.0, 1, 2], [2, 2, 2], [1, 3, 2]])
    assert chapter["found_first"](scores).tolist() == [1, 1 / 3, 0]


def test_fusion_adds_reciprocal_ranks_and_ignores_what_scores_nothing(chapter):
    first, second = np.array([[0.9, 0.5, 0.7]]), np.array([[0.0, 4.0, 2.0]])
    expected = [[1 / 61, 1 / 63 + 1 / 61, 1 / 62 + 1 / 62]]
    np.testing.assert_allclose(chapter["fused"](first, second), expected)


def test_the_timed_pass_waits_for_the_device(chapter, bert, monkeypatch):
    fetched = []
    state = SimpleNamespace(cpu=lambda: fetched.append(1))
    slow = SimpleNamespace(
        tokenizer=bert.tokenizer,
        device=bert.device,
        model=lambda **batch: SimpleNamespace(last_hidden_state=state),
    )
    monkeypatch.setitem(chapter, "bert", slow)
    chapter["forward"](["One."])
    chapter["seconds"](lambda: chapter["forward"](["One."]), repeats=3)
    assert len(fetched) == 1 + 4


def test_an_entry_is_a_term_with_its_definition_on_one_line(chapter, tmp_path):
    (tmp_path / "terms.md").write_text(
        "# Glossary\n\nText.\n\n```{glossary}\n:sorted:\n[CLS]\n  The token that\n"
        "  `opens` an *input*.\n\nsoft max, sharp\n  A function.\n```\n\nAfter.\n"
    )
    assert chapter["definitions_in"](tmp_path / "terms.md") == [
        ("[CLS]", "The token that opens an input."),
        ("soft max, sharp", "A function."),
    ]


@pytest.fixture(scope="module")
def entries(chapter):
    return chapter["definitions_in"](DATA.parent / "chapters" / "glossary.md")


def test_every_term_of_the_glossary_is_a_document(entries):
    glossary = (DATA.parent / "chapters" / "glossary.md").read_text(encoding="utf-8")
    body = glossary.split("```{glossary}")[1].split("```")[0]
    lines = [line for line in body.splitlines() if line and line[0] not in " :"]
    assert [term for term, _ in entries] == lines
    assert all(len(definition.split()) > 2 for _, definition in entries)


def test_the_prediction_names_terms_that_are_as_it_says(entries):
    words = {
        term: set(re.findall(r"\w+", definition.lower()))
        for term, definition in entries
    }
    assert {"attention", "head"} & words["attention head"] == {"attention"}
    assert "baseline" not in words["baseline"]


def test_found_in_five_looks_at_the_five_best(chapter):
    scores = np.full((7, 7), 1.0)
    np.fill_diagonal(scores, 2)
    assert chapter["found_in_five"](scores).all()
    scores[0], scores[1] = [5, 8, 9, 7, 6, 4, 3], [8, 4, 9, 7, 6, 5, 3]
    assert chapter["found_in_five"](scores).tolist() == [True, False] + [True] * 5


def test_what_shares_no_word_with_the_question_is_not_found(chapter):
    assert not chapter["found_in_five"](np.zeros((3, 3))).any()


def test_a_change_adds_a_word_and_leaves_the_others(cells):
    page = cells.run("FOUR = ")
    for plain, harmless, negated in zip(
        page["plain"],
        page["changed"]["a harmless word more"],
        page["changed"]["not"],
        strict=True,
    ):
        assert set(negated.split()) - set(plain.split()) == {"not"}
        assert len(harmless.split()) == len(negated.split()) == len(plain.split()) + 1
        [more] = set(harmless.split()) - set(plain.split())
        assert more in ("still", "now", "again")


def test_a_text_counts_where_it_is_among_the_first_five(chapter):
    scores = np.tile(np.arange(7.0), (3, 1))
    assert chapter["times_found"](scores).tolist() == [0, 0, 3, 3, 3, 3, 3]
