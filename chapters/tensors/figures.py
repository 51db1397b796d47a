"""What "Tensors" draws; what it teaches stands in the page."""

import torch
import torch.nn.functional as F

from helpers.plotting.pictures import Matrix, curve, draw, matrices, slide

WORDS, NUMBERS = ["boat", "coin", "bank", "spoon"], ["water", "money"]
TOPICS = ["river", "money", "kitchen"]
SAID = {
    0.03: "It hardly moves.",
    0.1: "It crawls, and is not halfway down.",
    0.3: "It walks and has nearly arrived.",
    1: "It walks down and rests.",
    2: "Three strides, and it rests.",
    5: "It leaps from side to side.",
    15: "It is thrown across the valley and back, and finds no rest.",
}


def loss_at(weight):
    """The loss of the network of nine numbers; eight of them stay."""
    W = torch.tensor([[0, 0.5], [0, 1], [0.5, -0.5]])
    W = W + weight * torch.tensor([[1.0, 0], [0, 0], [0, 0]])
    x = torch.tensor([[3.0, 0], [0, 3], [1, 2], [1, 0]])
    scores = x @ W.T + torch.tensor([0, 0, 0.5])
    return F.cross_entropy(scores, torch.tensor([0, 1, 1, 2]))


def walk(rate, weight=None, steps=12):
    """Yield the weight and the loss before the first step and after each."""
    weight = torch.tensor(-2.0) if weight is None else weight
    for _ in range(steps + 1):
        yield weight, loss_at(weight)
        weight = weight - rate * torch.func.grad(loss_at)(weight)


def slide_rates():
    weights = torch.linspace(-4, 10, 99)
    valley = {"": (weights, [loss_at(weight) for weight in weights])}
    axes = ("the weight from water to river", "loss")
    frames = [
        (
            f"Rate {rate}: {words}",
            curve(valley, words, "Twelve steps", axes, [*walk(rate)]),
        )
        for rate, words in SAID.items()
    ]
    slide("Learning rate:", frames, start=3)


def stretched(title, values, shape, form=".2f", **options):
    """A matrix in which what broadcasting repeats is dashed."""
    copied = torch.zeros(shape)
    for axis, size in enumerate((1,) * (2 - values.dim()) + values.shape):
        if size == 1:
            copied.narrow(axis, 1, shape[axis] - 1).fill_(1)
    full = values.expand(shape)
    return Matrix(title, full, form=form, copied=copied, **options)


def draw_broadcasting(x, centred, shares):
    draw(
        matrices(
            Matrix("x", x, WORDS, NUMBERS, "plain", ".0f"),
            "−",
            stretched("mean", x.mean(dim=0), (4, 2), hue="plain"),
            "=",
            Matrix("centred", centred, WORDS, NUMBERS, "value"),
            words="x less its mean, a row that is stretched down, gives centred.",
        )
    )
    sums = x.sum(dim=1)[:, None]
    draw(
        matrices(
            Matrix("x", x, WORDS, NUMBERS, "plain", ".0f"),
            "÷",
            stretched("sum", sums, (4, 2), ".0f", hue="plain"),
            "=",
            Matrix("shares", shares, WORDS, NUMBERS, "value"),
            words="x by its sums, a column that is stretched sideways, gives shares.",
        )
    )


def draw_all_pairs(guesses, truth):
    draw(
        matrices(
            stretched("guesses", guesses, (4, 4), ".0f", hue="query"),
            "−",
            stretched("truth", truth, (4, 4), ".0f", hue="key"),
            "=",
            Matrix("difference", guesses - truth, form=".0f", hue="plain"),
            words="A column of guesses stretched to the right, less a row of truths "
            "stretched down: sixteen differences, of which few are zero.",
        )
    )


def draw_cut(both, halves, slip):
    two = [f"{word} {kind}" for word in WORDS[:2] for kind in ("counts", "shares")]
    draw(
        matrices(
            Matrix("both", both, WORDS, NUMBERS * 2, "plain", ".1f", 38),
            Matrix("halves[0]", halves[0], WORDS, NUMBERS, "value", ".1f", 38),
            Matrix("halves[1]", halves[1], WORDS, NUMBERS, "value", ".1f", 38),
            Matrix("slip[0]", slip[0], two, (), "key", ".1f", 38),
            words="Cut and turned, the first half holds the counts of all words, the "
            "second their shares. The first half of the slip holds counts and "
            "shares of boat and coin alone.",
        )
    )


def draw_linear(x, W, b, scores):
    draw(
        matrices(
            Matrix("x", x, WORDS, NUMBERS, "plain", ".0f", 36),
            "×",
            Matrix("W turned", W.T, NUMBERS, TOPICS, "weights", ".1f", 36),
            "+",
            stretched("b", b, (4, 3), ".1f", hue="weights", cell=36),
            "=",
            Matrix("scores", scores, WORDS, TOPICS, "value", ".1f", 36),
            words="Four words of two numbers, times the weights, plus the bias, which "
            "is stretched down, gives three scores for each word: for bank 2, 2 "
            "and 0.",
        )
    )


def draw_loss(by_hand, of_right, losses):
    draw(
        matrices(
            Matrix("shares", by_hand, WORDS, TOPICS, "value"),
            "→",
            Matrix("right", of_right[:, None], WORDS, (), "value"),
            "→",
            Matrix("loss", losses[:, None], WORDS, (), "key"),
            words="Of each word's three shares the right one is taken. The smaller it "
            "is, the larger the loss; bank has a share of 0.47, loss 0.76.",
        )
    )


def draw_bend(straight, hidden, score):
    five, two = [*WORDS, "kettle"], ["1st", "2nd"]
    draw(
        matrices(
            Matrix("before the bend", straight, five, two, "plain", ".0f", 40),
            "→",
            Matrix("hidden", hidden, five, two, "weights", ".0f", 40),
            "→",
            Matrix("score", score, five, (), "value", ".0f", 40),
            words="Two hidden numbers for each of five words. After the bend only "
            "spoon has the first and only kettle the second, so these two score 1 "
            "and the others -1.",
        )
    )


def slide_bend():
    """The score of kitchen along the water axis, as the second bend grows."""
    water, frames = torch.linspace(0, 6, 61), []
    for second in (0, 0.25, 0.5, 0.75, 1, 1.5):
        score = (3 - water).relu() + second * (water - 3).relu() - 1
        kettle = 2 * second - 1
        lines = {"score": (water, score), "_zero": (water, 0 * water)}
        said = f"Weight {second}: spoon scores 1, boat -1 and kettle {kettle:g}."
        axes = ("water (money is 0)", "score of the kitchen")
        marks = [(1, 1), (3, -1), (5, kettle)]
        frames.append((said, curve(lines, said, "Two bends", axes, marks)))
    slide("weight of the second hidden number:", frames, start=0)


def draw_step(W, gradient, stepped):
    draw(
        matrices(
            Matrix("W", W, TOPICS, NUMBERS, "weights"),
            "− 1 ×",
            Matrix("gradient", gradient, TOPICS, NUMBERS, "key"),
            "=",
            Matrix("W, stepped", stepped, TOPICS, NUMBERS, "weights"),
            words="The weights less their gradients. The largest are those of money: "
            "0.37 for the river, which falls, -0.41 for money, which rises.",
        )
    )


def as_drawn(model, x):
    """The nine numbers of a model, (3, 3), and the shares that it gives, (4, 3)."""
    linear = model.linear
    inside = torch.cat([linear.weight, linear.bias[:, None]], dim=1)
    return inside.detach(), linear(x).softmax(dim=1).detach()


def draw_training(began, ended):
    """Each as `as_drawn` gives it."""
    inside, later = [*NUMBERS, "bias"], "200 steps later"
    draw(
        matrices(
            Matrix("before", began[0], TOPICS, inside, "weights", ".1f"),
            "→",
            Matrix(later, ended[0], TOPICS, inside, "weights", ".1f"),
            "\n",
            Matrix("shares", began[1], WORDS, TOPICS, "value"),
            "→",
            Matrix(later, ended[1], WORDS, TOPICS, "value"),
            words="Before training the nine numbers are random, as are the shares. "
            "After it the largest share of a word is that of its right topic.",
        )
    )
