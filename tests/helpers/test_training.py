"""The training loop: repeatable, and loud when it fails."""

import pytest
import torch

from helpers.training import train
from tests.bad_input import one_line


class Toy(torch.nn.Module):
    """A regression with dropout, so that the random state matters as well."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(7)
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(6, 16),
            torch.nn.Dropout(0.3),
            torch.nn.Tanh(),
            torch.nn.Linear(16, 1),
        )

    def forward(self, inputs, targets):
        error = self.layers(inputs).squeeze(1) - targets
        return {"loss": error.square().mean(), "bias": error.mean(), "error": error}


def batch_at(step):
    generator = torch.Generator().manual_seed(step)
    inputs = torch.randn(32, 6, generator=generator)
    return {"inputs": inputs, "targets": inputs[:, 0] - 2 * inputs[:, 1]}


def run(steps=24, **options):
    """Train a Toy; returns (its parameters in one vector, history without seconds)."""
    model = Toy()
    history = train(model, batch_at, steps, 0.05, progress=False, **options)
    return parameters(model), untimed(history)


def parameters(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def untimed(history):
    return [{k: v for k, v in row.items() if k != "seconds"} for row in history]


def assert_same(one, two):
    assert torch.equal(one[0], two[0])
    assert one[1] == two[1]


def test_the_same_seed_gives_the_same_result_and_another_one_does_not():
    assert_same(run(seed=1), run(seed=1))
    assert not torch.equal(run(seed=1)[0], run(seed=2)[0])


def test_the_rate_rises_over_the_warm_up_and_falls_to_0():
    rates = [row["learning_rate"] for row in run(20, warmup=0.25)[1]]
    assert rates[:6] == pytest.approx([0, 0.01, 0.02, 0.03, 0.04, 0.05])
    falls = [a - b for a, b in zip(rates[5:], rates[6:], strict=False)]
    assert falls == pytest.approx([0.05 / 15] * 14)


def test_trains_with_dropout_and_leaves_the_model_ready_for_use():
    model, modes = Toy().eval(), []
    model.register_forward_hook(lambda module, *_: modes.append(module.training))
    train(model, batch_at, 2, progress=False)
    assert modes == [True, True]
    assert not model.training


def test_evaluation_runs_every_so_many_steps_and_after_the_last():
    modes = []

    def evaluate(model):
        modes.append((model.training, torch.is_grad_enabled()))
        return {"size": parameters(model).norm().item()}

    _, history = run(10, every=4, evaluate=evaluate)
    assert [row["step"] for row in history if "size" in row] == [3, 7, 9]
    assert modes == [(False, False)] * 3
    assert untimed(history) != run(10)[1]
    assert [row["loss"] for row in history] == [row["loss"] for row in run(10)[1]]


def test_a_run_that_is_stopped_is_the_start_of_an_unbroken_one():
    assert run(stop_at=9)[1] == run()[1][:9]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_loss_that_is_not_finite_stops_the_run(bad):
    def broken(step):
        batch = batch_at(step)
        return batch | {"targets": batch["targets"] * (bad if step == 5 else 1)}

    model = Toy()
    said = one_line(
        FloatingPointError, lambda: train(model, broken, 8, 0.05, progress=False)
    )
    assert "not finite at step 5" in said
    assert parameters(model).isfinite().all()
