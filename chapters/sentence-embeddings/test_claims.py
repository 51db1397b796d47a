"""What the chapter claims, and its functions held against slower, plainer code."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch

from helpers import DATA


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


@pytest.mark.parametrize("how", ["cls", "mean", "max"])
def test_a_longer_neighbour_moves_no_pooled_vector(chapter, how):
    short, long = "Never arrived.", "I have waited for it for three weeks now."
    (alone, own), (both, masks) = (
        chapter["encode"]([short]),
        chapter["encode"]([short, long]),
    )
    assert own.shape[1] < masks.shape[1]
    expected = chapter["pool"](alone[:, -1], own, how)
    got = chapter["pool"](both[:1, -1], masks[:1], how)
    torch.testing.assert_close(got, expected, atol=1e-4, rtol=1e-4)


def test_the_library_pools_as_we_do(chapter, bert, tmp_path):
    bert.model.save_pretrained(tmp_path)
    bert.tokenizer.save_pretrained(tmp_path)
    modules = [
        chapter["Transformer"](str(tmp_path)),
        chapter["Pooling"](bert.hidden_size, pooling_mode="mean"),
    ]
    library = chapter["SentenceTransformer"](modules=modules, device="cpu")
    texts = ["One.", "A rather longer sentence, with a comma in it."]
    states, mask = chapter["encode"](texts)
    ours = chapter["pool"](states[:, -1], mask, "mean").numpy()
    np.testing.assert_allclose(ours, library.encode(texts), atol=1e-4)


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


def test_training_teaches_synonyms_and_hard_negatives_the_order(lesson):
    pairs, found = lesson["pairs_of"], lesson["found_first"]
    ask, trained = lesson["ask"], lesson["trained"]
    opposite = np.array(  # who and whom exchanged, a sure hard negative
        [
            re.sub(r"the (\w+) (\w+) the (\w+)", r"the \3 \2 the \1", s)
            for s in pairs["second"]
        ]
    )
    raw, plain = ask(lesson["raw_encoder"](0)), ask(trained(0))
    hard = ask(trained(0, opposite))
    assert found(raw[:, :200]).mean() < 0.5 < 0.9 < found(plain[:, :200]).mean()
    assert found(plain).mean() + 0.2 < found(hard).mean()


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


THREE = ("ahead", "behind", "level")


def against(word, n=40):
    """Results of n items that are ahead of, behind or level with their mirror."""
    wins = {"ahead": 30, "behind": 5, "level": n // 2}[word]
    return np.arange(n) < wins


def test_the_letters_are_counted(cells):
    near = {how: torch.tensor([0.5, 0.2]) for how in ("cls", "mean", "max")}
    near["cls"] = torch.tensor([0.1, 0.2])
    said = cells.glued('"delivery_first"', **{"near": near})
    assert said["delivery_first"] == "two poolings"


@pytest.mark.parametrize("shift", [0.3, 0.0, -0.3])
def test_the_sentence_on_poolings_turns(chapter, cells, shift):
    rng = np.random.default_rng(0)
    base = {"cls": 0.5, "mean": 0.5 + shift, "max": 0.1, "a": 0.1, "b": 0.1}
    samples = {name: value + rng.normal(0, 0.05, 500) for name, value in base.items()}
    names = {**chapter, "rho": base, "samples": samples}
    said = cells.glued('"rho_order"', **names)
    assert (
        said["diff_says"]
        == {
            0.3: "the mean is ahead",
            0.0: "the two are not told apart",
            -0.3: "[CLS] is ahead",
        }[shift]
    )
    three = "maximum, a and b"
    assert said["rho_behind"] == ("all of the other four" if shift else three)


def test_whitening_is_said_to_gain_to_lose_or_neither(chapter, cells, pairs):
    good, rng = pairs.grade.to_numpy(float), np.random.default_rng(0)
    poor = rng.normal(size=len(good))
    fair = good + rng.normal(0, 2, len(good))
    changed = {
        "cls": {"plain": poor, "white": good},
        "mean": {"plain": good, "white": poor},
        "max": {"plain": fair, "white": fair + rng.normal(0, 0.01, len(good))},
    }
    names = {**chapter, "changed": changed, "grades": pairs.grade.to_numpy()}
    names["DRAWN"] = rng.integers(len(good), size=(500, len(good)))
    names["redrawn"] = lambda c: chapter["spearman"](
        names["grades"][names["DRAWN"]], c[names["DRAWN"]]
    )
    said = cells.glued('"gained"', **names)
    assert (said["gained"], said["lost"]) == ("[CLS]", "mean")
    assert "maximum" in said["gains"]


@pytest.mark.parametrize("word", THREE)
def test_the_sentences_on_training_turn(chapter, cells, word):
    ours = against(word).astype(float)
    rest = ("raw encoder", "BM25", "running model")
    hits = {"in-batch": ours} | {name: 1 - ours for name in rest}
    names = {**chapter, "hits": hits, "scores": {"in-batch": [np.eye(4, 8)]}}
    said = cells.glued('"knows_who"', **names)
    assert (
        said["over BM25"]
        == {"ahead": "ahead of", "behind": "behind", "level": "not told apart from"}[
            word
        ]
    )
    start = {"ahead": "above", "behind": "below", "level": "not told apart"}[word]
    assert said["knows_who"].startswith(start)
    assert said["synonyms"] == 1


@pytest.mark.parametrize("word", THREE)
def test_the_sentences_on_negatives_turn(chapter, cells, word):
    ours, clean = against(word).astype(float), "mined, false ones out"
    hits = {"in-batch": 1 - ours, "random": ours, "mined": 1 - ours, clean: ours}
    names = {"hits": hits, "more": [*hits][1:], "false": np.array([True, False])}
    said = cells.glued('"clean_over"', **{**chapter, **names})
    words = {
        "ahead": "more than",
        "behind": "less than",
        "level": "not told apart from",
    }
    mirrored = {"ahead": "behind", "behind": "ahead", "level": "level"}
    assert said["more_over"] == words[word]
    assert said["hard_over"] == words[mirrored[word]]  # against random, not in-batch
    assert {"ahead": "harm", "behind": "taught more", "level": "no difference"}[
        word
    ] in said["clean_over"]


@pytest.mark.parametrize("word", THREE)
def test_the_sentences_on_the_search_turn(chapter, cells, word):
    ours = against(word)
    names = {**chapter, "hits": {"vectors": ours, "BM25": ~ours, "both": ours}}
    names |= {"chance": 0.1, "collection": range(40)}
    said = cells.glued('"dense_says"', **names)
    assert (
        said["dense_says"]
        == {
            "ahead": "the vectors are ahead",
            "behind": "BM25 is ahead",
            "level": "the two are not told apart",
        }[word]
    )
    assert said["both_over_dense"] == "not told apart from"  # the same hits
    assert (
        said["both_over_words"]
        == {
            "ahead": "more than",
            "behind": "less than",
            "level": "not told apart from",
        }[word]
    )


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
    assert "gloo" in words


def test_found_in_five_looks_at_the_five_best(chapter):
    scores = np.full((7, 7), 1.0)
    np.fill_diagonal(scores, 2)
    assert chapter["found_in_five"](scores).all()
    scores[0], scores[1] = [5, 8, 9, 7, 6, 4, 3], [8, 4, 9, 7, 6, 5, 3]
    assert chapter["found_in_five"](scores).tolist() == [True, False] + [True] * 5


def test_what_shares_no_word_with_the_question_is_not_found(chapter):
    assert not chapter["found_in_five"](np.zeros((3, 3))).any()


def test_ten_thousand_sentences_make_the_pairs_in_the_text(chapter_text):
    assert f"{10_000 * 9_999 // 2:,} passes" in chapter_text()


def test_published_figures_are_those_of_the_paper(cells):
    sources = "\n".join(cells.sources)
    figures = re.findall(r'"(?:GloVe|BERT|Sentence)[^"]*": (\d\d\.\d\d)', sources)
    paper = "61.32 54.81 29.19 74.89 81.52 84.94 84.66 87.41".split()
    assert figures == paper
