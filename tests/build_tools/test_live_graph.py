"""The course model as ONNX: the same outputs, small enough, known by its digest."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from build_tools.live import payload
from build_tools.live.answers import BASE, answers_model, line_of
from build_tools.live.graph import LONGEST, OF_A_LAYER, UNTOUCHED, live_model
from chapters.question_answering import reader as reading
from helpers.questions import read_questions
from tests.live_tensors import read_by_head, tensors
from tests.touched_runs import touched_logits

PAIRS = [
    ("The [MASK] barked at the [MASK].", None),
    ("I went to the store.", "At the store, I bought fresh strawberries."),
    ("word " * (LONGEST - 2), None),
]


def session_of(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    return onnxruntime.InferenceSession(model.SerializeToString(), options)


@pytest.fixture(scope="module")
def whole(bert):
    """The graph with the weights as they are."""
    return session_of(live_model(bert, eight_bits=False))


@torch.inference_mode()
def of_pytorch(bert, first, second):
    texts = [first, second] if second else [first]
    encoding = bert.encode(*texts)
    told = tensors(bert, *texts)
    for name in OF_A_LAYER:
        for number, values in enumerate(told.pop(name)):
            told[f"{name}_{number}"] = values
    return told | {
        "logits": bert.mlm(**encoding).logits[0].numpy(),
        "next": bert.nsp(**encoding).logits.numpy(),
        "transformed": read_by_head(bert, told["states"][-1])[0],
    }


def of_graph(session, bert, first, second=None, **touched):
    encoding = bert.tokenizer(*([first, second] if second else [first]))
    ids = np.array(encoding["input_ids"])
    inputs = {
        "ids": ids,
        "segments": np.array(encoding["token_type_ids"]),
        "chosen": np.arange(len(ids)),
        **UNTOUCHED,
        **touched,
    }
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs), strict=True))


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_graph_computes_what_pytorch_does(bert, whole, first, second):
    expected = of_pytorch(bert, first, second)
    found = of_graph(whole, bert, first, second)
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        assert found[name].shape == values.shape
        np.testing.assert_allclose(found[name], values, atol=2e-3, err_msg=name)


TOUCHES = {
    "heads off": {"off": [(0, 0), (0, 5), (3, 11), (5, 2)]},
    "a column closed": {"closed": 3},
    "the embedding patched": {"place": 2, "after": 0},
    "a layer's state patched": {"place": 4, "after": 4},
    "the last state patched": {"place": 7, "after": 6},
    "all": {"off": [(1, 1), (4, 4)], "closed": 0, "place": 5, "after": 3},
}
FRENCH = "The French language is spoken in [MASK]."
GERMAN = "The German language is spoken in [MASK]."


@pytest.mark.parametrize("touch", TOUCHES)
def test_a_touched_run_is_that_of_pytorch(bert, whole, touch):
    touch = TOUCHES[touch]
    expected = touched_logits(bert, FRENCH, GERMAN, **touch).numpy()
    inputs = {
        "off": np.array([12 * a + b for a, b in touch.get("off", ())], np.int64),
        "closed": np.array([touch[n] for n in ("closed",) if n in touch], np.int64),
    }
    if "place" in touch:
        states = of_graph(whole, bert, GERMAN)["states"]
        place, after = touch["place"], touch["after"]
        inputs["patched"] = np.array([after * states.shape[1] + place])
        inputs["patch"] = states[after, place][None]
    found = of_graph(whole, bert, FRENCH, **inputs)
    np.testing.assert_allclose(found["logits"], expected, atol=2e-3)
    untouched = of_graph(whole, bert, FRENCH)["logits"]
    assert np.abs(found["logits"] - untouched).max() > 0.1
    if "closed" in touch:
        assert found["attention"][..., touch["closed"]].max() == 0


def test_the_head_reads_places_below_the_last_layer(bert, whole):
    ids = np.array(bert.tokenizer("The [MASK] barked.")["input_ids"])
    n, piece = len(ids), 2
    chosen = piece + n * np.arange(bert.n_layers + 1)
    [logits] = whole.run(
        ["logits"], {"ids": ids, "segments": 0 * ids, "chosen": chosen} | UNTOUCHED
    )
    states = tensors(bert, "The [MASK] barked.")["states"][::-1, piece].copy()
    np.testing.assert_allclose(logits, read_by_head(bert, states)[1], atol=2e-3)


def test_the_reader_reads_its_matrices_from_the_models_file(
    bert, tmp_path, monkeypatch
):
    hand = read_questions("judge")[:8]  # for the line all of them take long
    monkeypatch.setattr("build_tools.live.answers.read_questions", lambda name: hand)
    base = live_model(bert, eight_bits=False).SerializeToString()
    made = answers_model(bert, base, eight_bits=False)
    (tmp_path / BASE).write_bytes(base)
    (tmp_path / "answers.onnx").write_bytes(made.SerializeToString())
    assert (tmp_path / "answers.onnx").stat().st_size < 3_000_000
    session = onnxruntime.InferenceSession(str(tmp_path / "answers.onnx"))
    reader = reading.load_reader(bert)
    asked = [*hand.question[:4], "Who is it?"], [*hand.text[:4], "Ann saw it, " * 120]
    scores = reading.span_scores(bert, reader, *asked)
    encoded = reading.encode_questions(bert, *asked)
    for one, (start, end, _) in zip(encoded, scores, strict=True):
        inputs = {"ids": np.array(one["ids"]), "segments": np.array(one["types"])}
        spans, line = session.run(["spans", "line"], inputs)
        np.testing.assert_allclose(spans, np.stack([start, end], axis=1), atol=0.01)
    assert len(encoded[-1]["ids"]) > 3 * LONGEST  # places that the model leaves out
    assert line == pytest.approx(line_of(bert, reader))


def test_the_model_is_the_same_each_time_and_small_enough(bert):
    first, second = (
        live_model(bert).SerializeToString(deterministic=True) for _ in range(2)
    )
    assert first == second
    assert len(first) <= 25_000_000
    weights = onnx.load_from_string(first).graph.initializer
    stored = [weight.data_type for weight in weights]
    assert onnx.TensorProto.INT8 in stored


def test_the_digest_covers_every_helper_that_runs():
    """What Python itself loads for the live page is among what its files depend on."""
    script = (
        "import sys, build_tools.live.live_page, build_tools.live.graph\n"
        "import build_tools.live.drawing, build_tools.live.maps\n"
        "for name, module in sys.modules.items():\n"
        "    if name.split('.')[0] == 'helpers': print(module.__file__)"
    )
    run = [sys.executable, "-c", script]
    shown = subprocess.run(run, cwd=payload.ROOT, capture_output=True, text=True)
    loaded = {Path(line) for line in shown.stdout.splitlines()}
    assert len(loaded) > 10, shown.stderr
    assert loaded <= set(payload.sources())


def test_the_tokenizer_neither_cuts_nor_fills():
    import json

    kept = json.loads(payload.tokenizer())
    assert kept["truncation"] is None and kept["padding"] is None
    assert len(kept["model"]["vocab"]) == 30522
