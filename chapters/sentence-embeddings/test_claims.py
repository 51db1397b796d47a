"""What the chapter claims, and its functions held against slower, plainer code."""

import math
import re

import numpy as np
import pandas as pd
import pytest
import torch

from chapters.sentence_embeddings import lesson, texts
from helpers import DATA

# Published, or of made-up ranks.
TYPED = "0.8 54.8 61.3 29.2 84.9 81.5"


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


def test_bm25_is_its_formula_word_by_word():
    stored = ["cat cat dog", "dog bird fish stone", "stone"]
    lengths = [3, 4, 1]

    def plain(question, text, length, k=1.5, b=0.75):
        total = 0
        for word in question.split():
            n, tf = sum(word in t.split() for t in stored), text.split().count(word)
            idf = math.log(1 + (len(stored) - n + 0.5) / (n + 0.5))
            norm = k * (1 - b + b * length / np.mean(lengths))
            total += idf * tf * (k + 1) / (tf + norm)
        return total

    asked = ["cat dog", "stone", "unknown"]
    expected = [
        [plain(q, t, n) for t, n in zip(stored, lengths, strict=True)] for q in asked
    ]
    np.testing.assert_allclose(lesson.bm25(asked, stored), expected)


def test_words_alone_cannot_tell_who_from_whom():
    asked = ["the cook calls the spy", "the king helps the lad"]
    answers = ["the cook calls the spy", "the lad is called", "the spy calls the cook"]
    assert lesson.found_first(lesson.bm25(asked, answers))[0] == 0.5


def test_found_first_shares_ties():
    scores = np.array([[3.0, 1, 2], [2, 2, 2], [1, 3, 2]])
    assert lesson.found_first(scores).tolist() == [1, 1 / 3, 0]


def test_fusion_adds_reciprocal_ranks_and_ignores_what_scores_nothing(chapter):
    first, second = np.array([[0.9, 0.5, 0.7]]), np.array([[0.0, 4.0, 2.0]])
    expected = [[1 / 61, 1 / 63 + 1 / 61, 1 / 62 + 1 / 62]]
    np.testing.assert_allclose(chapter["fused"](first, second), expected)


@pytest.fixture(scope="module")
def entries():
    return texts.definitions_in(DATA.parent / "chapters" / "glossary.md")


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


# The small language


@pytest.fixture(scope="module")
def taught():
    return lesson.events()


def test_wordings_tell_the_event_in_eight_words_with_either_name():
    told = lesson.wordings((0, 1, 2, 3), 32, np.random.default_rng(0))
    assert len(set(told)) == 32  # two orders, two names for each of four
    lists = lesson.PEOPLE, lesson.VERBS, lesson.PEOPLE, lesson.PLACES
    who, verb, whom, place = (
        "|".join(words[i]) for words, i in zip(lists, (0, 1, 2, 3), strict=True)
    )
    clause, where = f"the ({who}) ({verb}) the ({whom})", f"near the ({place})"
    for text in told:
        assert re.fullmatch(f"{clause} {where}|{where} {clause}", text)
    assert lesson.turned((0, 1, 2, 3)) == (2, 1, 0, 3)


def test_nothing_asked_has_been_learned(taught):
    seen = {*taught.pairs["first"], *taught.pairs["second"]}
    assert not seen & {*taught.asked, *taught.answers}
    assert len(taught.asked) == 200 and len(taught.answers) == 400
    assert all(word in lesson.PIECES for text in seen for word in text.split())


def test_each_list_has_one_wrong_sentence_a_pair_and_one_list_false_ones(cells, taught):
    page = cells.run("both = np.concatenate", lesson=lesson, taught=taught)
    event = [*taught.pairs["event"]]
    event_of = dict(zip(page["both"], event * 2, strict=True))
    same = {
        name: np.array([event_of[t] == e for t, e in zip(found, event, strict=True)])
        for name, found in page["more"].items()
    }
    assert not same["random"].any() and not same["mined, false ones out"].any()
    assert same["mined"].tolist() == page["false"].tolist()
    assert 0 < page["false"].mean() < 1


def test_the_lead_over_a_worse_method_is_above_0_and_over_itself_0():
    grades = np.arange(40) % 6
    noise = np.random.default_rng(0).normal(size=40)
    given = {"mean": grades + 0.01 * noise, "same": grades + 0.01 * noise}
    leads = lesson.leads(grades, given | {"noise": noise})
    assert leads["same"] == (0, 0) and leads["noise"][0] > 0 and "mean" not in leads


# The sentences


def test_the_pairs_are_48_different_ones_eight_of_each_grade():
    pairs = texts.graded_pairs()
    assert pairs.grade.value_counts().to_dict() == dict.fromkeys(range(6), 8)
    assert not pairs.duplicated(["first", "second"]).any()
    assert pairs.notna().all(axis=None)


def test_a_change_adds_a_word_and_leaves_the_others():
    for row in texts.four_ways().itertuples(index=False):
        plain, harmless, negated = ({*text.split()} for text in row[:3])
        assert negated - plain == {"not"}
        assert len(harmless) == len(negated) == len(plain) + 1
        [more] = harmless - plain
        assert more in ("still", "now", "again")
