"""What the chapter claims of its baselines, its batches and its cost."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch
from torch.nn.functional import cross_entropy
from transformers import BertConfig, BertForPreTraining

from helpers import DATA
from helpers.corpus.grammar import find_agreement
from tests.lifted import three

# Published or made-up figures that the text holds.
TYPED = "0.02 0.1 2.9 3.5 79.6"


@pytest.fixture(scope="module")
def chapter(cells):
    """What the cells before the training have defined."""
    return cells.before("STEPS = ")


def test_the_baselines_are_averages_over_the_targets(chapter):
    exam, unigram = chapter["exam"], chapter["unigram"]
    labels = torch.cat([batch["labels"].flatten() for batch in exam])
    labels = labels[labels != -100].numpy()
    single, double = chapter["baseline_losses"](exam)
    assert np.sort(single) == pytest.approx(np.sort(-np.log(unigram[labels])))
    assert double.mean() < single.mean() < math.log(len(chapter["tokenizer"]))


def test_the_bigram_is_a_distribution_for_every_neighbour(chapter):
    assert np.allclose(chapter["bigram"].sum(axis=1), 1)
    assert chapter["bigram"].min() > 0


def test_held_out_stories_are_not_trained_on(chapter):
    read = {tuple(map(tuple, document)) for document in chapter["training"]}
    assert not any(tuple(map(tuple, d)) in read for d in chapter["held_out"])


def test_a_few_steps_lower_the_loss_and_repeat_exactly(chapter):
    def short():
        torch.manual_seed(0)
        network = chapter["WithLosses"](BertForPreTraining(chapter["config"]))
        batches = chapter["batches"](chapter["training"], seed=0)
        rows = chapter["train"](network, batches, 30, 5e-3, progress=False)
        return [row["masked"] for row in rows]

    first = short()
    assert first == short()
    assert np.mean(first[-5:]) < first[0] - 0.5


def test_small_initial_weights_start_at_chance(chapter):
    config = BertConfig.from_dict(chapter["config"].to_dict())
    config.initializer_range = 0.02
    torch.manual_seed(0)
    batch = dict(chapter["exam"][0])
    labels = batch.pop("labels")
    batch.pop("next_sentence_label")
    with torch.inference_mode():
        logits = BertForPreTraining(config).eval()(**batch).prediction_logits
    loss = cross_entropy(logits[labels != -100], labels[labels != -100]).item()
    assert loss == pytest.approx(math.log(config.vocab_size), abs=0.05)


def test_the_examination_asks_the_network_that_it_is_given(chapter):
    one, other = (
        chapter["WithLosses"](BertForPreTraining(chapter["config"])).eval()
        for _ in range(2)
    )
    with torch.inference_mode():
        losses, right = chapter["answers"](one)
        assert chapter["examine"](one)["held_out"] == pytest.approx(losses.mean())
        assert chapter["examine"](other)["held_out"] != pytest.approx(losses.mean())
    assert len(losses) == len(chapter["baseline_losses"](chapter["exam"])[1])
    assert len(right) == sum(len(b["labels"]) for b in chapter["exam"])


def test_without_the_words_only_the_pairs_are_trained(chapter):
    model = BertForPreTraining(chapter["config"])
    chapter["WithLosses"](model, words=0)(**chapter["exam"][0])["loss"].backward()
    assert model.cls.seq_relationship.weight.grad.abs().sum() > 0
    assert model.cls.predictions.bias.grad.abs().sum() == 0


@pytest.fixture(scope="module")
def agreement(chapter, cells):
    """The names after the test of agreement, with the untrained model."""
    parts = "def shares_at_mask", "import AGREEMENT", "tests = pd.DataFrame"
    return cells.run(*parts, **chapter)


def test_a_program_that_ignores_the_subject_gets_one_half(agreement):
    drawn = agreement["drawn"]
    for _, column in drawn.groupby("nearest noun"):
        assert column["plural"].mean() == 0.5 and len(column) == 200
    table = agreement["table"]
    assert table.loc["nearest noun"].tolist() == [0, 100]
    assert 45 < table.loc["commoner form"].iloc[0] < 55


def test_the_nearest_noun_is_the_last_before_the_verb(agreement):
    stories = agreement["mini_corpus"]()[: agreement["n_held"]]
    misled = agreement["tests"].index[~agreement["tests"]["nearest noun"]]
    sentences = [s for story in stories for s in story]
    assert len(misled) >= 200
    for number in misled:
        subject, verb, plural = find_agreement(sentences[number])
        numbers = [agreement["NUMBER"].get(w) for w in sentences[number][:verb]]
        assert [n for n in numbers[subject + 1 :] if n is not None][-1] != plural


def test_shares_come_in_the_order_of_their_texts(agreement):
    texts = ["the dog [MASK]", "again the dogs near the gate [MASK] the fence"]
    together = agreement["shares_at_mask"](texts)
    alone = [agreement["shares_at_mask"]([text])[0] for text in texts]
    assert np.allclose(together, alone, atol=1e-6)
    assert np.allclose(together.sum(axis=1), 1, atol=1e-5)


@three("below", "above", "not told apart")
def test_the_loss_is_said_to_be_where_it_is(cells, by, word):
    labels = torch.full((2, 4), -100)
    labels[:, 1] = 7
    losses = np.resize([1.0, 1.2, 1.4, 0.8, 0.9, 1.3], 24)
    told = cells.glued(
        "loss_verdict",
        exam=[{"labels": labels}] * 12,
        losses=losses,
        baselines=(losses, np.roll(losses, 1) + by),
    )
    assert told["loss_verdict"].startswith(word)
    low, high = (float(end) for end in told["loss_interval"].split(" to "))
    assert low < -by + 0.01 and high > -by - 0.01


@pytest.mark.parametrize(
    "both, alone, pairs_said, alone_said",
    [
        (0.8, 0.5, "better than chance", "less"),
        (0.2, 0.5, "worse than chance", "more"),
        (0.5, 0.5, "not told from chance", "not told apart"),
    ],
)
def test_the_second_task_is_said_to_need_the_first_only_where_it_does(
    cells, both, alone, pairs_said, alone_said
):
    def hits(share):
        return np.arange(400) < 400 * share

    told = cells.glued(
        "alone_verdict",
        exams=[{"pairs_right": 0.5}] * 8,
        right=hits(both),
        right_alone=hits(alone),
    )
    assert told["pairs_verdict"] == pairs_said
    assert told["alone_verdict"].startswith(alone_said)
    assert told["pairs_right"] == pytest.approx(100 * both)


@pytest.mark.parametrize(
    "ours, theirs, said",
    [(0.9, 0.5, "ahead"), (0.2, 0.5, "behind"), (0.5, 0.5, "not told apart")],
)
def test_agreement_is_compared_with_the_rivals(cells, ours, theirs, said):
    def hits(share):
        return np.tile(np.arange(200) < 200 * share, 2)

    drawn = pd.DataFrame(
        {
            "nearest noun": np.repeat([True, False], 200),
            "this model": hits(ours),
            "word to the left": hits(theirs),
            "commoner form": hits(theirs),
        }
    )
    told = cells.glued("def against(", drawn=drawn)
    assert told["near this model"] == pytest.approx(100 * ours)
    for name in ("near against left", "far against common"):
        assert told[name].startswith(said)


def test_bert_read_short_sequences_for_nine_steps_of_ten(chapter, cells):
    names = cells.run("cost = pd.DataFrame", **chapter | {"STEPS": 1200})
    bert = names["cost"].loc["BERT-Base"]
    assert bert["pieces read"] == 42_598_400_000
    assert bert["parameters"] == 110_106_428
    assert bert["operations"] == pytest.approx(2.8e19, rel=0.01)


def test_the_course_model_tells_what_it_cost():
    settings = json.loads((DATA / "course-model/settings.json").read_text())
    assert settings["steps"] > 0 and settings["batch"] > 0


def test_the_course_model_is_told_where_a_word_is_hidden_and_beside_its_rival(
    cells,
):
    scores = {
        "masked": {"loss": 4.0, "top1": 0.6, "masked": {"top1": 0.25}},
        "next": {"accuracy": 0.9, "standard_error": 0.02, "mean_vectors": 0.8},
    }
    cost = pd.DataFrame({"pieces read": [1, 9]}, index=["this page", "BERT-Base"])
    told = cells.glued(
        "course_top1",
        json=SimpleNamespace(loads=lambda text: scores),
        DATA=DATA,
        cost=cost,
        steps=1,
    )
    assert told["course_top1"] == pytest.approx(25)
    assert told["course_next mean_vectors"] == pytest.approx(80)


def test_the_command_leaves_the_course_model_alone(chapter_text):
    assert "--out data/course-model" not in chapter_text()
