"""A BERT as one file for the reader's box: it computes what the BERT does."""

import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from safetensors.numpy import load

from build_tools.live import graph, own_model
from tests.build_tools.test_live_graph import of_graph, of_pytorch, session_of
from tests.fixtures import save_random_bert
from tests.touched_runs import with_eight_bits


def unpacked(content):
    """Return what a file says of itself, the graph and the tokenizer's settings."""
    parts = load(content)
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    told = header["__metadata__"]
    assert (told["format"], told["version"]) == (own_model.FORMAT, graph.VERSION)
    for name, part in parts.items():
        digest = hashlib.sha256(part.tobytes()).hexdigest()
        assert told[f"sha256 of {name}"] == digest
    tokenizer = json.loads(parts["tokenizer"].tobytes())
    model = onnx.load_model_from_string(parts["graph"].tobytes())
    return json.loads(told["about"]), model, tokenizer


def test_the_file_holds_the_model_with_its_settings(tiny):
    tiny.tokenizer("a", truncation=True, max_length=8)  # it keeps that in mind
    about, model, tokenizer = unpacked(own_model.packed(tiny))
    assert about == {
        "name": Path(tiny.name).name, "layers": 2, "heads": 4, "width": 32,
        "pieces": 30522, "missing": [], "account": "",
    }  # fmt: skip
    assert tokenizer["truncation"] is tokenizer["padding"] is None
    texts = "A cat sat.", "It [MASK]."
    found = of_graph(session_of(model), tiny, *texts)
    expected = of_pytorch(with_eight_bits(tiny), *texts)
    del expected["next"]  # the rounded copy is not rounded there
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, atol=2e-3, err_msg=name)


@pytest.mark.parametrize(
    ("setting", "words"),
    [({"hidden_act": "relu"}, "relu"), ({"max_position_embeddings": 64}, "64 pieces")],
)
def test_what_the_graph_cannot_do_is_refused(tmp_path, setting, words):
    from transformers import BertConfig

    size = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = BertConfig(**size, intermediate_size=32, **setting)
    folder = save_random_bert(config, tmp_path / "bert")
    with pytest.raises(SystemExit, match=f"^error: .*{words}[^\n]*$"):
        own_model.main([str(folder), str(tmp_path / "bert.safetensors")])
    assert not (tmp_path / "bert.safetensors").exists()
