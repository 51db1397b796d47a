"""Model folders and trained weights that cannot be used are refused in one line."""

import json
import shutil
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from experiments.course_model import weights
from helpers import models
from helpers.models import load_bert
from helpers.models.course_weights import WORDS
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


# The trained weights of the course model


def save_weights(source, folder, layers=2):
    """Save random trained weights for the model in `source`; returns them."""
    generator = torch.Generator().manual_seed(0)
    base = transformers.BertForPreTraining.from_pretrained(source)
    base.bert.encoder.layer = base.bert.encoder.layer[:layers]
    bare = state(base)
    trained = {
        name: weight + 0.3 * torch.randn(weight.shape, generator=generator)
        for name, weight in bare.items()
        if name.startswith(("cls.", "bert.encoder.")) and ".decoder." not in name
    }
    vocabulary, hidden = base.bert.embeddings.word_embeddings.weight.shape
    trained["words.pieces"] = torch.randn(vocabulary, 2, generator=generator)
    trained["words.directions"] = torch.randn(2, hidden, generator=generator)
    weights.save(trained, bare, folder, {})
    return trained


def state(module):
    return {name: tensor.clone() for name, tensor in module.state_dict().items()}


def same(first, second):
    return first.keys() == second.keys() and all(
        torch.equal(first[name], second[name]) for name in first
    )


def test_trained_weights_take_the_place_of_the_bare_ones(tiny_bert_folder, tmp_path):
    trained = save_weights(tiny_bert_folder, tmp_path)
    base = transformers.BertForPreTraining.from_pretrained(tiny_bert_folder)
    before = state(base)
    models.apply_weights(base, tmp_path)
    after = base.state_dict()
    assert after.keys() == before.keys()
    pieces, directions = trained.pop("words.pieces"), trained.pop("words.directions")
    for name, weight in trained.items():
        few_bits = name.startswith("bert.encoder.") and weight.ndim == 2
        near = 0.06 if few_bits else 1e-3  # of changes of 0.3
        assert (after[name] - weight).abs().mean() < near, name
    table = base.bert.embeddings.word_embeddings.weight
    changed = before[WORDS] + pieces @ directions
    torch.testing.assert_close(table, changed, atol=0.05, rtol=0)
    assert base.cls.predictions.decoder.weight is table


def for_another_width(folder, tiny):
    config = transformers.BertConfig.from_pretrained(tiny, hidden_size=64)
    transformers.BertForPreTraining(config).save_pretrained(folder / "wide")
    save_weights(folder / "wide", folder)


def for_fewer_layers(folder, tiny):
    save_weights(tiny, folder, layers=1)


def change_file(folder, change):
    """Read the file of weights, change the dict of its tensors, write it back."""
    tensors = load_file(folder / weights.FILE)
    change(tensors)
    save_file(tensors, folder / weights.FILE)


def without_a_head(folder, tiny):
    save_weights(tiny, folder)
    change_file(folder, lambda tensors: tensors.pop("cls.seq_relationship.bias"))


def with_a_strange_head(folder, tiny):
    save_weights(tiny, folder)
    change_file(folder, lambda tensors: tensors.update({"cls.other": torch.ones(1)}))


def without_scales(folder, tiny):
    save_weights(tiny, folder)
    name = "bert.encoder.layer.1.output.dense.weight:scales"
    change_file(folder, lambda tensors: tensors.pop(name))


def without_words(folder, tiny):
    save_weights(tiny, folder)
    change_file(folder, lambda tensors: tensors.pop("words.directions"))


def with_weights_cut_short(folder, tiny):
    save_weights(tiny, folder)
    (folder / weights.FILE).write_bytes(b"\x08")


MISFITS = [
    for_another_width, for_fewer_layers, without_a_head, with_a_strange_head,
    without_scales, without_words, with_weights_cut_short,
]  # fmt: skip


@pytest.mark.parametrize("misfit", MISFITS, ids=lambda misfit: misfit.__name__)
def test_weights_that_do_not_fit_change_nothing(tiny_bert_folder, tmp_path, misfit):
    misfit(tmp_path, tiny_bert_folder)
    base = transformers.BertForPreTraining.from_pretrained(tiny_bert_folder)
    before = state(base)
    message = one_line(ValueError, lambda: models.apply_weights(base, tmp_path))
    assert str(tmp_path) in message and "do not fit" in message
    assert same(state(base), before)


def test_embedded_model_refuses_wrong_weights(
    bert, tiny_bert_folder, tmp_path, monkeypatch
):
    save_weights(tiny_bert_folder, tmp_path)
    monkeypatch.setattr(models, "COURSE_MODEL", tmp_path)
    before = state(bert.model)
    models._load_cached.cache_clear()
    message = one_line(ValueError, lambda: load_bert("embedded"))
    assert "do not fit the encoder" in message
    assert same(state(bert.model), before)
