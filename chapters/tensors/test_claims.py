"""What the chapter claims, computed again in NumPy and by the formulas."""

import re

import numpy as np
import pytest
import torch

from helpers.exercises.checks import mistakes_of

# Published or made-up figures that the text holds.
TYPED = "0.06 0.1 0.47 0.76"


@pytest.fixture(scope="module")
def chapter(cells):
    """The names of the chapter after its last section."""
    return cells.before("exercises import quiz")


@pytest.fixture
def said(chapter, cells):
    return lambda text: cells.glued(text, **chapter)


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def mean_loss(W, table, bias, right):
    shares = softmax(table @ W.T + bias)
    return -np.log(shares[range(len(right)), right]).mean()


@pytest.fixture(scope="module")
def numbers(chapter):
    """W, table, bias, right as NumPy has them."""
    return [np.asarray(chapter[name]) for name in ("W", "table", "b", "right")]


def test_a_column_against_a_row_compares_all_pairs(said, numbers):
    truth = numbers[1][:, 0]
    glued = said('glue("error_shape"')
    assert glued["error_shape"] == "(4, 4)"
    pairs = [(a - b) ** 2 for a in truth for b in truth]
    assert glued["wrong_error"] == pytest.approx(np.mean(pairs))
    assert glued["right_error"] == 0 < glued["wrong_error"]


def test_the_loss_of_all_pairs_falls_to_the_mean_of_the_labels():
    """As the box on (n, 1) against (n,) says."""
    labels = torch.tensor([3.0, 0.0, 1.0, 1.0])
    guesses = torch.randn(4, 1, generator=torch.Generator().manual_seed(0))
    guesses.requires_grad_()
    losses = []
    for _ in range(500):
        losses.append(((guesses - labels) ** 2).mean())
        (gradient,) = torch.autograd.grad(losses[-1], guesses)
        guesses = (guesses - gradient).detach().requires_grad_()
    assert torch.stack(losses).diff().max() < 1e-6
    torch.testing.assert_close(guesses, labels.mean().expand(4, 1))


def test_the_linear_layer_is_products_and_sums(chapter, numbers):
    W, table, bias, _ = numbers
    for n, topic in np.ndindex(4, 3):
        by_hand = sum(W[topic, i] * table[n, i] for i in range(2)) + bias[topic]
        assert chapter["scores"][n, topic] == pytest.approx(by_hand)
    assert torch.equal(chapter["layer"](chapter["x"]), chapter["scores"])


def test_the_shares_stay_when_all_scores_grow_alike(said):
    glued = said('glue("moved"')
    assert glued["moved"] == "stay what they were"
    assert glued["kitchen_share"] > 1000 * float(glued["kitchen_sharp"])


def test_the_losses_are_minus_the_logarithm_of_the_right_share(said, numbers):
    glued = said('glue("bank_loss"')
    W, table, bias, right = numbers
    assert glued["mean_loss"] == pytest.approx(mean_loss(*numbers))
    bank = softmax(table[2] @ W.T + bias)
    assert glued["bank_loss"] == pytest.approx(-np.log(bank[right[2]]))


def test_softmax_twice_leaves_a_loss_for_a_perfect_answer(said):
    perfect = softmax(np.array([0.0, 1.0, 0.0]))
    assert said('glue("twice"')["twice"] == pytest.approx(-np.log(perfect[1]))


def test_the_gradient_is_shares_less_one_at_the_right_topic(chapter, numbers):
    W, table, bias, right = numbers
    pull = softmax(table @ W.T + bias) - np.eye(3)[right]
    truth = pull.T @ table / len(table)
    assert chapter["by_differences"].numpy() == pytest.approx(truth, abs=2e-3)


def test_a_step_lowers_the_loss_unless_it_is_too_long(chapter, said, numbers):
    W, table, bias, right = numbers
    after, start = chapter["after"], mean_loss(*numbers)
    assert after[0.1] < start and after[1] < start and after[10] < start < after[100]
    glued = said('glue(f"{name}_rate"')
    assert (glued["best_rate"], glued["worst_rate"]) == (1, 100)
    assert glued["best_loss"] == min(after.values())


def test_the_loop_learns_the_four_words(said, chapter):
    glued = said('glue("n_right"')
    assert glued["n_right"] == 4
    assert glued["loss_after"] < 0.5 * chapter["losses"].mean()


def test_dropout_is_switched_off_by_eval_alone(said):
    glued = said("differ_")
    assert glued == {
        "differ_train": "differ",
        "differ_eval": "are equal",
        "differ_inference_mode": "differ",
    }


def test_the_letters_of_attention_name_its_product(chapter):
    q, k = (chapter[name].numpy() for name in "qk")
    truth = [[q[b, h] @ k[b, h].T for h in range(8)] for b in range(5)]
    assert chapter["named"].numpy() == pytest.approx(np.array(truth), abs=1e-4)


def test_the_drawing_shows_the_numbers_of_the_page(chapter, request):
    svg = request.path.with_name("one-step.svg").read_text(encoding="utf-8")
    shown = re.findall(r">(\d\.\d+)<", svg)
    scores = [f"{score:.1f}" for score in chapter["scores"][2]]
    assert shown == scores + [f"{share:.2f}" for share in chapter["by_hand"]]
    assert f"loss {chapter['losses'][2]:.2f}" in svg


def test_one_expression_of_the_exercise_stops():
    assert [*mistakes_of("tensors.1").truth().values()].count("error") == 1
