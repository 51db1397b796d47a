"""Model folders and trained weights that cannot be used are refused in one line."""

import json
import pickle
import shutil
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from experiments.course_model import weights
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


# The trained weights of the course model


def save_weights(source, folder):
    """Save random trained weights for the model in `source`."""
    generator = torch.Generator().manual_seed(0)
    base = transformers.BertForPreTraining.from_pretrained(source)
    bare = state(base)
    trained = {
        name: weight + 0.3 * torch.randn(weight.shape, generator=generator)
        for name, weight in bare.items()
        if name.startswith(("cls.", "bert.encoder.")) and ".decoder." not in name
    }
    vocabulary, hidden = base.bert.embeddings.word_embeddings.weight.shape
    trained["words.pieces"] = torch.randn(vocabulary, 32, generator=generator)
    trained["words.directions"] = torch.randn(32, hidden, generator=generator)
    weights.save(trained, bare, folder, {})


def state(module):
    return {name: tensor.clone() for name, tensor in module.state_dict().items()}


def same(first, second):
    return first.keys() == second.keys() and all(
        torch.equal(first[name], second[name]) for name in first
    )


def for_another_width(folder, tiny):
    config = transformers.BertConfig.from_pretrained(tiny, hidden_size=64)
    transformers.BertForPreTraining(config).save_pretrained(folder / "wide")
    save_weights(folder / "wide", folder)


def cut_short_weights(folder, tiny):
    save_weights(tiny, folder)
    (folder / weights.FILE).write_bytes(b"\x08")


def other_tensors(change):
    """A misfit: the file of weights after `change` of the dict of its tensors."""

    def spoil(folder, tiny):
        save_weights(tiny, folder)
        tensors = load_file(folder / weights.FILE)
        change(tensors)
        save_file(tensors, folder / weights.FILE)

    return spoil


SCALES = "bert.encoder.layer.1.output.dense.weight:scales"
MISFITS = {
    "another width": for_another_width,
    "cut short": cut_short_weights,
    "no head": other_tensors(lambda found: found.pop("cls.seq_relationship.bias")),
    "no scales": other_tensors(lambda found: found.pop(SCALES)),
}


@pytest.mark.parametrize("misfit", MISFITS.values(), ids=MISFITS)
def test_weights_that_do_not_fit_change_nothing(tiny_bert_folder, tmp_path, misfit):
    misfit(tmp_path, tiny_bert_folder)
    base = transformers.BertForPreTraining.from_pretrained(tiny_bert_folder)
    before = state(base)
    message = one_line(ValueError, lambda: models.apply_weights(base, tmp_path))
    assert str(tmp_path) in message and "do not fit" in message
    assert same(state(base), before)
