"""Model folders and adapters that cannot be used are refused in one line."""

import json
import shutil
from pathlib import Path

import pytest
import torch
import transformers
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file, save_file

from helpers import models
from helpers.models import load_bert
from tests.bad_input import one_line


@pytest.fixture
def copied(tiny_bert_folder, tmp_path):
    return Path(shutil.copytree(tiny_bert_folder, tmp_path / "copy"))


def configure(folder, **changes):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


# Folders


def without_weights(folder):
    (folder / "model.safetensors").unlink()
    return FileNotFoundError, "holds no *.safetensors"


def without_config(folder):
    (folder / "config.json").unlink()
    return FileNotFoundError, "holds no config.json"


def without_tokenizer(folder):
    (folder / "tokenizer.json").unlink()
    return FileNotFoundError, "holds no tokenizer.json"


def only_pickled(folder):
    weights = load_file(folder / "model.safetensors")
    torch.save(weights, folder / "pytorch_model.bin")
    return without_weights(folder)


def pickled_beside_other_weights(folder):
    only_pickled(folder)
    save_file({"other": torch.ones(1)}, folder / "other.safetensors")
    return ValueError, "is damaged"


def of_distilbert(folder):
    transformers.DistilBertConfig().save_pretrained(folder)
    return ValueError, "is a distilbert model; this course needs a BERT"


def of_no_kind(folder):
    (folder / "config.json").write_text("{}")
    return ValueError, "this course needs a BERT"


def with_code(folder):
    (folder / "trap.py").write_text(
        f"open({str(folder / 'ran')!r}, 'w')\n"
        "from transformers import PretrainedConfig as Trap\n"
    )
    configure(folder, model_type="trap", auto_map={"AutoConfig": "trap.Trap"})
    return ValueError, "is a trap model"


def cut_short(folder):
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100_000])
    return ValueError, "is damaged"


def of_broken_json(folder):
    (folder / "config.json").write_text("{")
    return ValueError, "is damaged"


def of_two_models(folder):
    configure(folder, hidden_size=64)
    return ValueError, "do not belong together"


def of_more_layers(folder):
    configure(folder, num_hidden_layers=3)
    return ValueError, "no whole BERT encoder"


FAULTS = [
    without_weights, without_config, without_tokenizer, only_pickled,
    pickled_beside_other_weights, of_distilbert, of_no_kind, with_code, cut_short,
    of_broken_json, of_two_models, of_more_layers,
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_unusable_folder_is_refused(copied, fault, monkeypatch):
    error, words = fault(copied)
    monkeypatch.setenv("BERT_COURSE_MODEL", str(copied))
    message = one_line(error, load_bert)
    assert words in message and str(copied) in message
    assert not (copied / "ran").exists()


# The adapter and heads of the course model


def save_adapter(source, folder, layers=2):
    """Save a random adapter and heads for the model in `source`; returns the heads."""
    torch.manual_seed(0)
    base = transformers.BertForPreTraining.from_pretrained(source)
    base.bert.encoder.layer = base.bert.encoder.layer[:layers]
    targets = r"encoder\.layer\.\d+\..*(query|key|value|dense)"
    config = LoraConfig(r=2, lora_alpha=2, target_modules=targets)
    adapted = get_peft_model(base.bert, config)
    with torch.no_grad():
        for name, parameter in adapted.named_parameters():
            if "lora_" in name:
                parameter.normal_(0, 0.3)
    adapted.save_pretrained(folder)
    heads = {
        name: torch.randn_like(tensor)
        for name, tensor in base.state_dict().items()
        if name.startswith("cls.") and ".decoder." not in name
    }
    save_file(heads, folder / "heads.safetensors")
    return heads


def state(module):
    return {name: tensor.clone() for name, tensor in module.state_dict().items()}


def same(first, second):
    return first.keys() == second.keys() and all(
        torch.equal(first[name], second[name]) for name in first
    )


def test_adapter_is_merged_and_heads_are_loaded(tiny_bert_folder, tmp_path):
    heads = save_adapter(tiny_bert_folder, tmp_path)
    base = transformers.BertForPreTraining.from_pretrained(tiny_bert_folder)
    before = state(base)
    models.apply_adapter(base, tmp_path)
    adapter = load_file(tmp_path / "adapter_model.safetensors")
    name = "encoder.layer.1.attention.self.query"
    down, up = (adapter[f"base_model.model.{name}.lora_{part}.weight"] for part in "AB")
    expected = before[f"bert.{name}.weight"] + up @ down
    torch.testing.assert_close(base.state_dict()[f"bert.{name}.weight"], expected)
    assert base.state_dict().keys() == before.keys()
    assert all(torch.equal(base.state_dict()[k], heads[k]) for k in heads)
    table = base.bert.embeddings.word_embeddings.weight
    assert base.cls.predictions.decoder.weight is table


def for_another_width(folder, tiny):
    config = transformers.BertConfig.from_pretrained(tiny, hidden_size=64)
    transformers.BertForPreTraining(config).save_pretrained(folder / "wide")
    save_adapter(folder / "wide", folder)


def for_fewer_layers(folder, tiny):
    save_adapter(tiny, folder, layers=1)


def without_a_head(folder, tiny):
    heads = save_adapter(tiny, folder)
    del heads["cls.seq_relationship.bias"]
    save_file(heads, folder / "heads.safetensors")


def with_a_strange_head(folder, tiny):
    heads = save_adapter(tiny, folder)
    save_file(heads | {"cls.other": torch.ones(1)}, folder / "heads.safetensors")


def without_an_adapter(folder, tiny):
    save_adapter(tiny, folder)
    (folder / "adapter_model.safetensors").unlink()


def with_an_adapter_cut_short(folder, tiny):
    save_adapter(tiny, folder)
    (folder / "adapter_model.safetensors").write_bytes(b"\x08")


MISFITS = [
    for_another_width, for_fewer_layers, without_a_head, with_a_strange_head,
    without_an_adapter, with_an_adapter_cut_short,
]  # fmt: skip


@pytest.mark.parametrize("misfit", MISFITS, ids=lambda misfit: misfit.__name__)
@pytest.mark.filterwarnings("ignore:Found missing adapter keys")
def test_adapter_that_does_not_fit_changes_nothing(tiny_bert_folder, tmp_path, misfit):
    misfit(tmp_path, tiny_bert_folder)
    base = transformers.BertForPreTraining.from_pretrained(tiny_bert_folder)
    before = state(base)
    message = one_line(ValueError, lambda: models.apply_adapter(base, tmp_path))
    assert str(tmp_path) in message and "does not fit" in message
    assert same(state(base), before)


def test_embedded_model_refuses_a_wrong_adapter(
    bert, tiny_bert_folder, tmp_path, monkeypatch
):
    save_adapter(tiny_bert_folder, tmp_path)
    monkeypatch.setattr(models, "COURSE_MODEL", tmp_path)
    before = state(bert.model)
    models._load_cached.cache_clear()
    message = one_line(ValueError, lambda: load_bert("embedded"))
    assert "does not fit the encoder" in message
    assert same(state(bert.model), before)
