"""Model folders and trained weights that cannot be used are refused in one line."""

import json
import pickle
import shutil
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from helpers import models
from helpers.models import load_bert
from tests.bad_input import one_line


@pytest.fixture
def copied(tiny_bert_folder, tmp_path):
    return Path(shutil.copytree(tiny_bert_folder, tmp_path / "copy"))


WEIGHTS = "model.safetensors"


def change(name, **fields):
    """A fault: other fields in a JSON file of the folder."""

    def spoil(folder):
        path = folder / name
        path.write_text(json.dumps(json.loads(path.read_text()) | fields))

    return spoil


def write(name, text):
    return lambda folder: (folder / name).write_text(text)


def without(name):
    return lambda folder: (folder / name).unlink()


def set_weight(value):
    def spoil(folder):
        weights = load_file(folder / WEIGHTS)
        weights["bert.encoder.layer.1.output.dense.weight"][3, 3] = value
        save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})

    return spoil


def cut_short(folder):
    (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:100_000])


def with_code(folder):
    write("trap.py", f"open({str(folder / 'ran')!r}, 'w')\nclass Trap: pass\n")(folder)
    trap = change(
        "config.json", model_type="trap", auto_map={"AutoConfig": "trap.Trap"}
    )
    trap(folder)


def without_kind(folder):
    fields = json.loads((folder / "config.json").read_text())
    del fields["model_type"]
    (folder / "config.json").write_text(json.dumps(fields))


def more_pieces(folder):
    vocabulary = json.loads((folder / "tokenizer.json").read_text())["model"]
    vocabulary["vocab"] |= {f"new{i}": 30522 + i for i in range(10)}
    change("tokenizer.json", model=vocabulary)(folder)


class Payload:
    def __init__(self, place):
        self.place = place

    def __reduce__(self):
        return open, (self.place, "w")


def pickled(folder):
    """Weights that run code when they are unpickled."""
    (folder / WEIGHTS).unlink()
    content = pickle.dumps(Payload(str(folder / "ran")))
    (folder / "pytorch_model.bin").write_bytes(content)


NOT_THERE, WRONG = FileNotFoundError, ValueError
FAULTS = [
    (without(WEIGHTS), NOT_THERE, "holds no model.safetensors"),
    (without("tokenizer.json"), NOT_THERE, "holds no tokenizer.json"),
    (pickled, NOT_THERE, "holds no model.safetensors"),
    (with_code, WRONG, "is a trap model"),
    (cut_short, WRONG, "is damaged"),
    (change("config.json", hidden_size=64), WRONG, "do not belong together"),
    (change("tokenizer_config.json", mask_token=None), WRONG, "no [MASK]"),
    (more_pieces, WRONG, "do not belong together"),
    (set_weight(torch.nan), WRONG, "nan or infinite"),
    (change("config.json", num_hidden_layers=1), WRONG, "holds bert.encoder.layer.1."),
    (change("config.json", num_hidden_layers=3), WRONG, "no whole BERT encoder: bert."),
    (change("config.json", is_decoder=True), WRONG, "needs a BERT with False"),
    (change("config.json", position_embedding_type="relative_key"), WRONG, "_key"),
    (without_kind, WRONG, 'if it is one, add "model_type": "bert"'),
]


@pytest.mark.parametrize(("fault", "error", "words"), FAULTS)
def test_unusable_folder_is_refused(copied, monkeypatch, fault, error, words):
    fault(copied)
    monkeypatch.setenv("BERT_COURSE_MODEL", str(copied))
    message = one_line(error, load_bert)
    assert words in message and str(copied) in message
    assert not (copied / "ran").exists()


def test_weights_in_half_precision_are_read_as_float32(copied):
    change("config.json", dtype="float16")(copied)
    halves = {n: tensor.half() for n, tensor in load_file(copied / WEIGHTS).items()}
    save_file(halves, copied / WEIGHTS, metadata={"format": "pt"})
    found = load_bert(copied, "cpu").model.state_dict()
    for name, tensor in found.items():
        assert tensor.dtype == torch.float32
        assert torch.equal(tensor, halves[f"bert.{name}"].float())


def test_adapter_in_the_folder_changes_no_weights(copied, tiny_bert_folder):
    from peft import LoraConfig, get_peft_model

    base = transformers.BertForPreTraining.from_pretrained(copied)
    settings = LoraConfig(target_modules=["query"], init_lora_weights=False)
    get_peft_model(base, settings).save_pretrained(copied)
    assert (copied / "adapter_model.safetensors").exists()
    found = load_bert(copied, "cpu").heads.state_dict()
    assert same(found, load_bert(tiny_bert_folder, "cpu").heads.state_dict())
    inputs = load_bert(copied, "cpu").encode("a crane .")
    states = [load_bert(f, "cpu").model(**inputs) for f in (copied, tiny_bert_folder)]
    assert torch.equal(states[0].pooler_output, states[1].pooler_output)


def same(first, second):
    return first.keys() == second.keys() and all(
        torch.equal(first[name], second[name]) for name in first
    )


def test_damaged_weights_of_the_course_model_change_nothing(tiny_bert_folder, tmp_path):
    (tmp_path / "weights.safetensors").write_bytes(b"\x08")
    base = transformers.BertForPreTraining.from_pretrained(tiny_bert_folder)
    before = {name: tensor.clone() for name, tensor in base.state_dict().items()}
    message = one_line(ValueError, lambda: models.apply_weights(base, tmp_path))
    assert str(tmp_path) in message and "do not fit" in message
    assert same(base.state_dict(), before)
