"""What the chapter claims of its baselines, its batches and its cost."""

import math

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForPreTraining

from chapters.pretraining.agreement import find_agreement
from chapters.pretraining.kept import shares_at_mask
from experiments.masked_baseline import frequency_losses
from helpers.corpus.masking import IGNORED

# Published figures, and those of the set-up, that the text holds.
TYPED = "0.02 0.1 3.46 79.6 3.99 1.38"
SETTINGS = "stories words pieces tokenizer n_held training config".split()


@pytest.fixture(scope="module")
def chapter(cells):
    """What the page defines, without its trainings, and the cells of its baselines."""
    names = cells.defined(*SETTINGS)
    for text in ("unigram = ", "def neighbours(", "held_out = ", "def at_targets("):
        cells.run(text, page=names)
    return cells.run("def examine(", page=names)


def fresh(chapter, **changes):
    torch.manual_seed(0)
    config = BertConfig.from_dict(chapter["config"].to_dict() | changes)
    return BertForPreTraining(config).eval()


def test_the_baselines_are_averages_over_the_targets(chapter):
    labels = torch.cat([batch["labels"].flatten() for batch in chapter["exam"]])
    labels = labels[labels != IGNORED].numpy()
    expected = -np.log(chapter["unigram"][labels])
    assert chapter["frequencies"] == pytest.approx(expected)
    between, chance = chapter["between"].mean(), chapter["chance"]
    assert between < chapter["frequencies"].mean() < chance
    assert chance == math.log(len(chapter["tokenizer"]))


def test_each_rival_gives_a_distribution(chapter):
    for table in (chapter["after"], chapter["before"]):
        assert np.allclose(table.sum(axis=1), 1) and table.min() > 0
    shares = chapter["neighbours"](chapter["left"][:50], chapter["right"][:50])
    assert np.allclose(shares.sum(axis=1), 1) and shares.min() > 0


def test_a_neighbour_on_either_side_is_better_than_none_and_both_than_one(chapter):
    truth = chapter["truth"]
    left = -np.log(chapter["after"][chapter["left"], truth]).mean()
    right = -np.log(chapter["before"][chapter["right"], truth]).mean()
    assert chapter["between"].mean() < min(left, right)
    assert max(left, right) < chapter["frequencies"].mean()


def test_small_initial_weights_start_at_chance(chapter):
    small = chapter["examine"](fresh(chapter, initializer_range=0.02))
    assert small["loss"] == pytest.approx(chapter["chance"], abs=0.1)
    assert chapter["examine"](fresh(chapter))["loss"] > chapter["chance"] + 0.1


def test_a_pair_is_right_where_its_truth_has_more_than_one_half(chapter):
    network = fresh(chapter)
    with torch.no_grad():
        right = [
            network(**{k: v for k, v in batch.items() if "label" not in k})
            .seq_relationship_logits.argmax(-1)
            .eq(batch["next_sentence_label"])
            for batch in chapter["exam"]
        ]
    found = chapter["examine"](network)["pairs"]
    assert found == pytest.approx(torch.cat(right).float().mean().item())


def test_words_in_sight_are_exchanged_and_nothing_else(chapter):
    batch = chapter["exam"][0]
    mixed = chapter["exchanged"](batch)
    before, after = batch["input_ids"], mixed["input_ids"]
    hidden = batch["labels"] != IGNORED
    kept = hidden | (before <= 4)
    assert torch.equal(before[kept], after[kept])
    assert torch.equal(before.flatten().sort()[0], after.flatten().sort()[0])
    assert (before[~kept] != after[~kept]).float().mean() > 0.8


@pytest.fixture(scope="module")
def agreement(chapter, cells):
    """The names after the test of agreement, with the untrained model."""
    cells.run("def question(", page=chapter)
    return cells.run("verbs = pd.DataFrame(", page=chapter)


def test_a_program_that_ignores_the_subject_gets_one_half(agreement):
    for _, column in agreement["verbs"].groupby("nearest agrees"):
        assert column["plural"].mean() == 0.5 and len(column) == 600


def test_the_nearest_noun_is_the_last_before_the_verb(agreement):
    for row in agreement["verbs"].itertuples(index=False):
        assert row.text.replace("[MASK]", row.form) not in agreement["read"]
        words = row.text.replace("[MASK]", row.form).split()
        subject, verb, plural = find_agreement(words)
        assert (words[verb], words[verb - 1], plural) == (
            row.form,
            row.left,
            row.plural,
        )
        numbers = [agreement["NUMBER"].get(w) for w in words[:verb]]
        nearest = [n for n in numbers if n is not None][-1]
        assert (nearest == plural) == row[1]


def test_shares_come_in_the_order_of_their_texts(agreement):
    texts = ["the dog [MASK] .", "again the dogs near the gate [MASK] the fence ."]
    network = fresh(agreement)
    together = shares_at_mask(network, agreement["tokenizer"], texts)
    alone = [
        shares_at_mask(network, agreement["tokenizer"], [text])[0] for text in texts
    ]
    assert np.allclose(together, alone, atol=1e-6)
    assert np.allclose(together.sum(axis=1), 1, atol=1e-5)


def test_bert_read_short_sequences_for_nine_steps_of_ten(chapter, cells):
    names = chapter | {"STEPS": 2600}
    cost = cells.run("cost = pd.DataFrame", page=names)["cost"]
    bert, layers = cost.loc["BERT-Base"], BertConfig()
    assert bert["pieces read"] == 42_598_400_000
    width, wide = layers.hidden_size, layers.intermediate_size
    weights = 4 * (width**2 + width) + 2 * width * wide + wide + width + 4 * width
    assert bert["weights of the layers"] == layers.num_hidden_layers * weights


def test_frequencies_are_those_of_the_text_without_special_pieces(bert):
    lines = ["the cat sat on the mat " * 5, "the dog saw the cat " * 5]
    found = frequency_losses(bert.tokenizer, lines)
    assert found.top1 <= 1 and found.targets > 0
    words = " ".join(lines).split()
    costs = {w: -math.log(words.count(w) / len(words)) for w in words}
    assert min(costs.values()) - 1e-9 <= found.loss <= max(costs.values()) + 1e-9
    one = frequency_losses(bert.tokenizer, ["the " * 20])
    assert one.loss == 0 and one.top1 == 1
