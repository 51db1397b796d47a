"""What the chapter claims of its baselines, its batches and its cost."""

import json
import math

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from build_tools.needed_cells import needed_cells
from helpers import DATA


@pytest.fixture(scope="module")
def chapter(chapter_cells):
    """What the cells before the training have defined."""
    sources = [cell.source for cell in chapter_cells()]
    sources = sources[: next(i for i, s in enumerate(sources) if "STEPS = " in s)]
    names = {}
    for index in needed_cells(
        [*sources, "exam, bigram, examine, WithLosses"], len(sources)
    ):
        exec(sources[index], names)
    return names


def test_the_baselines_are_averages_over_the_targets(chapter):
    exam, unigram = chapter["exam"], chapter["unigram"]
    labels = torch.cat([batch["labels"].flatten() for batch in exam])
    labels = labels[labels != -100].numpy()
    single, double = chapter["baseline_losses"](exam)
    assert single == pytest.approx(-np.log(unigram[labels]).mean())
    assert double < single < math.log(len(chapter["tokenizer"]))


def test_the_bigram_is_a_distribution_for_every_neighbour(chapter):
    assert np.allclose(chapter["bigram"].sum(axis=1), 1)
    assert chapter["bigram"].min() > 0


def test_held_out_stories_are_not_trained_on(chapter):
    read = {tuple(map(tuple, document)) for document in chapter["training"]}
    assert not any(tuple(map(tuple, d)) in read for d in chapter["held_out"])


def test_a_few_steps_lower_the_loss_and_repeat_exactly(chapter):
    from transformers import BertForPreTraining

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
    from transformers import BertConfig, BertForPreTraining

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


def test_the_course_model_tells_what_it_cost():
    settings = json.loads((DATA / "course-model/settings.json").read_text())
    assert settings["steps"] > 0 and settings["batch"] > 0
