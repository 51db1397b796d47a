"""Damaged model folders: each is refused in one line that names the folder."""

import json
import pickle
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from helpers.models import load_bert

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"


@pytest.fixture
def folder(tiny_bert_folder, tmp_path):
    return Path(shutil.copytree(tiny_bert_folder, tmp_path / "copy"))


def change(path, **fields):
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def split(folder, *parts):
    """Put the weights into files of those names, and an index beside them."""
    weights = load_file(folder / WEIGHTS)
    (folder / WEIGHTS).unlink()
    where = {name: parts[i % len(parts)] for i, name in enumerate(sorted(weights))}
    for part in parts:
        own = {name: weights[name] for name in where if where[name] == part}
        if part.endswith(".safetensors"):
            save_file(own, folder / part)
        else:
            torch.save(own, folder / part)
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": where}))


def set_weight(folder, value):
    weights = load_file(folder / WEIGHTS)
    weights["bert.encoder.layer.1.output.dense.weight"][3, 3] = value
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})


class Payload:
    def __init__(self, place):
        self.place = place

    def __reduce__(self):
        return open, (self.place, "w")


def test_weights_in_parts_are_those_of_one_file(folder, tiny_bert_folder):
    split(folder, "a.safetensors", "b.safetensors")
    parts = load_bert(folder, "cpu").heads.state_dict()
    for name, tensor in load_bert(tiny_bert_folder, "cpu").heads.state_dict().items():
        assert torch.equal(parts[name], tensor)


def test_half_precision_is_read_as_float32(folder):
    weights = load_file(folder / WEIGHTS)
    halves = {name: tensor.half() for name, tensor in weights.items()}
    save_file(halves, folder / WEIGHTS, metadata={"format": "pt"})
    change(folder / "config.json", dtype="float16")
    bert = load_bert(folder, "cpu")
    table = bert.model.embeddings.word_embeddings.weight
    assert table.dtype == torch.float32
    assert torch.equal(table, halves["bert.embeddings.word_embeddings.weight"].float())


@pytest.mark.parametrize("part", ["shard.bin", "../shard.safetensors", "a.pt"])
@pytest.mark.parametrize("whole", [False, True], ids=["in parts", "and whole"])
def test_index_of_other_files_is_refused_unread(
    folder, one_line, monkeypatch, part, whole
):
    shutil.copy(folder / WEIGHTS, folder / "kept")
    split(folder, "a.safetensors", part)
    (folder / part).write_bytes(pickle.dumps(Payload(str(folder / "ran"))))
    if whole:
        (folder / "kept").rename(folder / WEIGHTS)
    monkeypatch.setattr(torch, "load", lambda *a, **k: pytest.fail("unpickled"))
    said = one_line(ValueError, lambda: load_bert(folder, "cpu"))
    assert str(folder) in said and repr(part) in said and "safetensors" in said
    assert not (folder / "ran").exists()


def test_adapter_in_the_folder_leads_to_no_other_weights(
    folder, tiny_bert_folder, tmp_path
):
    other = Path(shutil.copytree(tiny_bert_folder, tmp_path / "other"))
    set_weight(other, 77.0)
    about = {"peft_type": "LORA", "base_model_name_or_path": str(other)}
    (folder / "adapter_config.json").write_text(json.dumps(about))
    bert = load_bert(folder, "cpu")
    assert bert.model.encoder.layer[1].output.dense.weight[3, 3] != 77


SETTINGS = [
    {"hidden_size": "32"}, {"hidden_size": None}, {"hidden_act": "nonsense"},
    {"dtype": "nonsense"}, {"num_attention_heads": 0}, {"num_attention_heads": -4},
    {"num_attention_heads": 5}, {"num_hidden_layers": "two"}, {"vocab_size": 10},
    {"layer_norm_eps": "small"}, {"model_type": ["bert"]}, {"id2label": 3},
]  # fmt: skip


@pytest.mark.parametrize("fields", SETTINGS, ids=str)
def test_nonsense_in_the_settings_is_one_line(folder, one_line, fields):
    change(folder / "config.json", **fields)
    said = one_line(ValueError, lambda: load_bert(folder, "cpu"))
    assert str(folder) in said


JSONS = ["config.json", "tokenizer.json", "tokenizer_config.json", INDEX]


@pytest.mark.parametrize("text", ["{", "[1]", "null", "\x00\xff"])
@pytest.mark.parametrize("name", JSONS)
def test_damaged_json_is_one_line(folder, one_line, name, text):
    (folder / name).write_text(text, encoding="latin-1")
    said = one_line(ValueError, lambda: load_bert(folder, "cpu"))
    assert str(folder) in said and "again" in said


@pytest.mark.parametrize("mark", ["cls", "sep", "pad", "mask"])
def test_tokenizer_without_a_mark_is_refused(folder, one_line, mark):
    change(folder / "tokenizer_config.json", **{f"{mark}_token": None})
    said = one_line(ValueError, lambda: load_bert(folder, "cpu"))
    assert str(folder) in said and f"no [{mark.upper()}]" in said


def test_tokenizer_of_another_model_is_refused(folder, one_line):
    path = folder / "tokenizer.json"
    made = json.loads(path.read_text())
    made["model"]["vocab"] |= {f"new{i}": 30522 + i for i in range(10)}
    path.write_text(json.dumps(made))
    said = one_line(ValueError, lambda: load_bert(folder, "cpu"))
    assert str(folder) in said and "belong together" in said


@pytest.mark.parametrize("value", [torch.nan, torch.inf])
def test_weights_that_are_no_numbers_are_refused(folder, one_line, value):
    set_weight(folder, value)
    said = one_line(ValueError, lambda: load_bert(folder, "cpu"))
    assert str(folder) in said and "nan or infinite" in said
