"""Checkpoints as people save them: one line says what is in the model, and what not."""

import shutil
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from helpers.models import load_bert
from tests.bad_input import one_line
from tests.fixtures import save_tokenizer

WEIGHTS = "model.safetensors"
LINE = "Model: {}, 2 layers of 4 heads, 32 wide, on cpu"
NO_HEADS = "without masked-word head and next-sentence head"
POOLER = "tanh of [CLS] as it is stands for the pooler"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Save a random BERT of one of transformers' classes, once."""

    def save(kind, **options):
        folder = root / (kind + "-".join(options))
        if not folder.exists():
            config = transformers.BertConfig(
                hidden_size=32,
                num_hidden_layers=2,
                num_attention_heads=4,
                intermediate_size=64,
            )
            getattr(transformers, kind)(config, **options).save_pretrained(folder)
            save_tokenizer(folder)
        return folder

    root = tmp_path_factory.mktemp("saved")
    return save


@pytest.fixture
def copy_of(saved, tmp_path):
    def copied(kind):
        return Path(shutil.copytree(saved(kind), tmp_path / "copy"))

    return copied


def rewrite(folder, change):
    """Save the weights after `change` of the dict of them."""
    weights = load_file(folder / WEIGHTS)
    save_file(change(weights) or weights, folder / WEIGHTS, {"format": "pt"})


def with_old_names(folder):
    def old(weights):
        weights = {
            n.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta"): t
            for n, t in weights.items()
        }
        places = {"bert.embeddings.position_ids": torch.arange(512)[None]}
        return weights | places

    rewrite(folder, old)


PRE, MASKED = "BertForPreTraining", "BertForMaskedLM"
LOADED = {
    "both heads": (PRE, None, ""),
    "old names": (PRE, with_old_names, ""),
    "run_mlm": (MASKED, None, f"; without next-sentence head and pooler; {POOLER}"),
    "encoder": ("BertModel", None, f"; {NO_HEADS}"),
    "classifier": (
        "BertForSequenceClassification",
        None,
        f"; {NO_HEADS}; not used: classifier",
    ),
    "reader": (
        "BertForQuestionAnswering",
        None,
        f"; {NO_HEADS} and pooler; {POOLER}; not used: qa_outputs",
    ),
}


@pytest.mark.parametrize("case", LOADED)
def test_the_line_says_what_is_in_the_model(copy_of, capsys, case):
    kind, change, account = LOADED[case]
    folder = copy_of(kind)
    if change:
        change(folder)
    bert = load_bert(folder, "cpu")
    assert capsys.readouterr().out == f"{LINE.format(folder)}{account}\n"
    assert account == "; " * bool(account) + bert.account


def test_nothing_that_was_drawn_is_in_a_model(saved, tmp_path):
    once = saved("BertModel", add_pooling_layer=False)
    twice = shutil.copytree(once, tmp_path / "again")
    first, second = (load_bert(folder, "cpu") for folder in (once, twice))
    for ours, theirs in ((first.model, second.model), (first.heads, second.heads)):
        known = theirs.state_dict()
        assert all(torch.equal(t, known[n]) for n, t in ours.state_dict().items())
    output = first.model(**first.encode("a crane ."))
    expected = output.last_hidden_state[:, 0].tanh()
    torch.testing.assert_close(output.pooler_output, expected)


def test_no_head_reads_a_pooler_that_is_not_its_own(copy_of):
    folder = copy_of(PRE)
    rewrite(folder, lambda w: {n: t for n, t in w.items() if "pooler" not in n})
    bert = load_bert(folder, "cpu")
    message = one_line(RuntimeError, lambda: bert.predict_next("a", "b"))
    assert "no next-sentence head" in message
    assert len(bert.predict_masked("a [MASK] .")) == 1
