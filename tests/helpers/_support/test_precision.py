"""The faster of float32 and bfloat16 is found by a race, once on a machine."""

import json
import time

import pytest
import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState

from helpers._support import precision
from helpers.training import mixed_precision, train
from tests.bad_input import one_line

CPU = torch.device("cpu")


@pytest.fixture
def races(tmp_path, monkeypatch):
    """A machine on which bfloat16 is as fast as `ratio` says; counts the races."""
    monkeypatch.delenv(precision.NAMED, raising=False)
    monkeypatch.setattr(precision, "cache_folder", lambda name: tmp_path)
    run = []

    def raced(kind, width, training):
        run.append((kind, width, training))
        return raced.ratio

    raced.ratio = 2.0
    monkeypatch.setattr(precision, "_raced", raced)
    precision.bfloat16_is_faster.cache_clear()
    yield raced, run
    precision.bfloat16_is_faster.cache_clear()


@pytest.mark.parametrize("ratio, said", [(1.3, "bf16"), (0.8, "no")])
def test_the_race_decides_once_a_process_and_once_a_machine(races, ratio, said):
    raced, run = races
    raced.ratio = ratio
    assert mixed_precision(CPU) == mixed_precision(CPU, width=390) == said
    precision.bfloat16_is_faster.cache_clear()  # as in another process
    raced.ratio = 1 / ratio
    assert mixed_precision(CPU) == said
    assert run == [("cpu", 384, False)]


def test_reading_and_training_and_widths_are_raced_apart(races):
    for arguments in ({}, {"training": True}, {"width": 768}):
        mixed_precision(CPU, **arguments)
    assert races[1] == [("cpu", 384, False), ("cpu", 384, True), ("cpu", 768, False)]
    assert mixed_precision(CPU, width=128, training=True) == "no"
    assert mixed_precision(torch.device("mps")) == "no"
    assert len(races[1]) == 3
    assert mixed_precision(CPU, width=128) == "bf16"


def test_another_number_of_threads_is_another_race(races, monkeypatch):
    for threads in (1, 2, 1):
        monkeypatch.setattr(torch, "get_num_threads", lambda n=threads: n)
        precision.bfloat16_is_faster.cache_clear()
        mixed_precision(CPU)
    assert len(races[1]) == 2


@pytest.mark.parametrize("text", ["{", "[]", '{"a": "fast"}', "\xff"])
def test_a_damaged_cache_is_raced_again_and_mended(races, tmp_path, text):
    (tmp_path / "precision.json").write_text(text, encoding="latin-1")
    assert mixed_precision(CPU) == "bf16"
    assert list(json.loads((tmp_path / "precision.json").read_text()).values()) == [2.0]


def test_without_a_cache_each_process_races(races, monkeypatch):
    for folder in (None, precision.cache_folder("") / "file" / "below"):
        (precision.cache_folder("") or folder.parent.parent).joinpath("file").touch()
        monkeypatch.setattr(precision, "cache_folder", lambda name, f=folder: f)
        precision.bfloat16_is_faster.cache_clear()
        assert mixed_precision(CPU) == "bf16"


@pytest.mark.parametrize("name, said", [("float32", "no"), ("bfloat16", "bf16")])
def test_the_environment_decides_without_a_race(races, monkeypatch, name, said):
    monkeypatch.setenv(precision.NAMED, name)
    assert mixed_precision(CPU) == said and not races[1]
    monkeypatch.setenv(precision.NAMED, "half")
    precision.bfloat16_is_faster.cache_clear()
    assert "'half'" in one_line(ValueError, lambda: mixed_precision(CPU))


@pytest.mark.parametrize("slow", ["float32", "bfloat16"])
@pytest.mark.parametrize("quiet", [True, False])
def test_the_slower_one_loses_and_the_outcome_is_said(monkeypatch, capsys, slow, quiet):
    if quiet:
        monkeypatch.setenv("TQDM_DISABLE", "1")
    else:
        monkeypatch.delenv("TQDM_DISABLE", raising=False)

    def ways(model, kind):
        return {
            name: lambda s=0.02 * (name == slow): time.sleep(s)
            for name in ("float32", "bfloat16")
        }

    monkeypatch.setattr(precision, "_readings", ways)
    ratio = precision._raced("cpu", 64, False)
    assert (ratio > 1) == (slow == "float32")
    winner = "bfloat16" if slow == "float32" else "float32"
    said = capsys.readouterr().err
    assert said.count("\n") == (0 if quiet else 1)
    assert quiet or f"{winner} is used" in said


@pytest.mark.parametrize("training", [True, False])
def test_a_race_runs_and_leaves_the_random_numbers_alone(training):
    torch.manual_seed(5)
    before = torch.get_rng_state()
    assert precision._raced("cpu", 64, training) > 0
    assert torch.equal(before, torch.get_rng_state())


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
