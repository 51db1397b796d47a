"""The faster of float32 and bfloat16 is found by a race, once a process."""

import pytest
import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState

from helpers._support import precision
from helpers.training import mixed_precision, train
from tests.bad_input import one_line

CPU = torch.device("cpu")


@pytest.fixture
def races(monkeypatch):
    """A machine whose seconds in float32 and bfloat16 are `seconds`; keeps the races.

    The races are run as well.
    """
    for name in (precision.NAMED, "TQDM_DISABLE"):
        monkeypatch.delenv(name, raising=False)
    run, raced = [], precision._raced

    def timed(*arguments):
        run.append(arguments)
        assert min(raced(*arguments)) > 0
        return timed.seconds

    timed.seconds = (2.0, 1.0)
    monkeypatch.setattr(precision, "_raced", timed)
    precision.bfloat16_is_faster.cache_clear()
    yield timed, run
    precision.bfloat16_is_faster.cache_clear()


@pytest.mark.parametrize(
    "seconds, said, name",
    [((1.3, 1.0), "bf16", "bfloat16"), ((1.0, 1.3), "no", "float32")],
)
def test_the_race_decides_once_a_process_and_says_so(
    races, capsys, seconds, said, name
):
    timed, run = races
    timed.seconds = seconds
    assert mixed_precision(CPU) == mixed_precision(CPU, width=390) == said
    assert run == [("cpu", 384, False)]
    [line] = capsys.readouterr().err.splitlines()
    assert f"{name} is used" in line


def test_reading_and_training_and_widths_are_raced_apart(races):
    torch.manual_seed(5)
    before = torch.get_rng_state()
    for arguments in ({}, {"training": True}, {"width": 128}):
        mixed_precision(CPU, **arguments)
    assert races[1] == [("cpu", 384, False), ("cpu", 384, True), ("cpu", 128, False)]
    assert torch.equal(before, torch.get_rng_state())
    assert mixed_precision(CPU, width=128, training=True) == "no"
    assert mixed_precision(torch.device("mps")) == "no"
    assert len(races[1]) == 3


@pytest.mark.parametrize("name, said", [("float32", "no"), ("bfloat16", "bf16")])
def test_the_environment_decides_without_a_race(races, monkeypatch, name, said):
    monkeypatch.setenv(precision.NAMED, name)
    assert mixed_precision(CPU) == said and not races[1]
    monkeypatch.setenv(precision.NAMED, "half")
    precision.bfloat16_is_faster.cache_clear()
    assert "'half'" in one_line(ValueError, lambda: mixed_precision(CPU))


def test_each_training_has_the_precision_that_suits_its_width(races):
    class Model(torch.nn.Sequential):
        def forward(self, x):
            rough.append(torch.is_autocast_enabled("cpu"))
            return {"loss": super().forward(x).square().mean()}

    AcceleratorState._reset_state()
    Accelerator(mixed_precision="bf16")  # as transformers' Trainer leaves it behind
    rough = []
    for width in (320, 16, 320):
        model = Model(torch.nn.Linear(2, width), torch.nn.Linear(width, width))
        train(model, lambda step: {"x": torch.ones(1, 2)}, 1, progress=False)
        assert {p.dtype for p in model.parameters()} == {torch.float32}
    assert rough == [True, False, True]
    assert races[1] == [("cpu", 320, True)]
