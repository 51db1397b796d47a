"""What the chapter claims, computed again in NumPy and by the formulas."""

import re

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from chapters.tensors import figures

# Figures that the text holds and that are of no run.
TYPED = "0.001 0.002 0.06 0.1 0.2 0.41 0.47 0.76 1.41"


@pytest.fixture(scope="module")
def chapter(cells):
    """The names of the chapter after its last section before the quiz."""
    return cells.before("exercises import quiz")


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@pytest.fixture(scope="module")
def numbers(chapter):
    """W, x, bias, right as NumPy has them."""
    return [np.asarray(chapter[name]) for name in ("W", "x", "b", "right")]


@pytest.fixture(scope="module")
def walks():
    """{learning rate: (weights, losses) of a long walk}, as the first picture draws."""
    walked = {rate: [*figures.walk(rate, steps=400)] for rate in figures.SAID}
    return {rate: np.array(path, float).T for rate, path in walked.items()}


def test_the_ball_does_what_the_slider_says(walks):
    floor = walks[1][1][-1]
    left = {
        rate: (loss - floor) / (loss[0] - floor) for rate, (_, loss) in walks.items()
    }
    assert left[0.03][12] > 0.85  # hardly moves
    assert 0.5 < left[0.1][12] < 0.85  # crawls, not halfway
    assert 0.01 < left[0.3][12] < 0.15  # has nearly arrived
    assert left[1][12] < 0.001 and (np.diff(left[1][:13]) < 0).all()  # walks and rests
    assert left[2][3] < 0.001 < left[2][2]  # three strides
    sides = np.sign(walks[5][0] - walks[1][0][-1])
    assert (sides[1:] == -sides[:-1]).all()  # from side to side, and for long
    assert (np.abs(np.diff(left[15]))[-50:].max() > 1) and left[15].max() > 1  # no rest


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


def test_what_is_dashed_is_what_broadcasting_copies():
    """The first along each stretched axis is drawn whole."""
    column, row = torch.ones(4, 1), torch.ones(3)
    for values, whole in ((column, np.s_[:, :1]), (row, np.s_[:1])):
        copied = figures.stretched("", values, (4, 3)).copied
        assert copied.sum() == 12 - values.numel() and not copied[whole].any()


def test_the_losses_are_minus_the_logarithm_of_the_right_share(chapter, numbers):
    W, x, bias, right = numbers
    shares = softmax(x @ W.T + bias)
    assert chapter["by_hand"].numpy() == pytest.approx(shares)
    losses = -np.log(shares[range(4), right])
    assert chapter["losses"].numpy() == pytest.approx(losses, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_loop_learns_the_four_words_from_any_start(chapter, seed):
    x, right = chapter["x"], chapter["right"]
    torch.manual_seed(seed)
    model = chapter["Topics"]()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for _ in range(200):
        optimizer.zero_grad()
        F.cross_entropy(model(x), right).backward()
        optimizer.step()
    assert (model.eval()(x).argmax(dim=1) == right).all()


def test_the_letters_of_attention_name_its_product(cells):
    page = cells.needed("bhid,bhjd->bhij")
    q, k = (page[name].numpy() for name in "qk")
    truth = [[q[b, h] @ k[b, h].T for h in range(8)] for b in range(5)]
    assert page["named"].numpy() == pytest.approx(np.array(truth), abs=1e-4)


def test_the_drawing_shows_the_numbers_of_the_page(chapter, request):
    svg = request.path.with_name("one-step.svg").read_text(encoding="utf-8")
    shown = re.findall(r">(\d\.\d+)<", svg)
    scores = [f"{score:.1f}" for score in chapter["scores"][2]]
    assert shown == scores + [f"{share:.2f}" for share in chapter["by_hand"][2]]
    assert f"loss {chapter['losses'][2]:.2f}" in svg
