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

LINE = "Model: {}, 2 layers of 4 heads, 32 wide, on cpu"
NO_HEADS = "without masked-word head and next-sentence head"
POOLER = "tanh of [CLS] as it is stands for the pooler"


def save(kind, folder, **options):
    """Save a random BERT of one of transformers' classes, with its tokenizer."""
    config = transformers.BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64
    )
    getattr(transformers, kind)(config, **options).save_pretrained(folder)
    save_tokenizer(folder)
    return folder


LOADED = {
    "BertForPreTraining": "",
    "BertForMaskedLM": f"; without next-sentence head and pooler; {POOLER}",  # run_mlm
    "BertModel": f"; {NO_HEADS}",
    "BertForSequenceClassification": f"; {NO_HEADS}; not used: classifier",
    "BertForQuestionAnswering": f"; {NO_HEADS} and pooler; {POOLER}; "
    "not used: qa_outputs",
}


@pytest.mark.parametrize("kind", LOADED)
def test_the_line_says_what_is_in_the_model(tmp_path, capsys, kind):
    bert = load_bert(save(kind, tmp_path / "bert"), "cpu")
    line = LINE.format(tmp_path / "bert") + LOADED[kind]
    assert capsys.readouterr().out == f"{line}\n"
    assert LOADED[kind].removeprefix("; ") == bert.account


def test_nothing_that_was_drawn_is_in_a_model(tmp_path):
    once = save("BertModel", tmp_path / "once", add_pooling_layer=False)
    twice = shutil.copytree(once, tmp_path / "again")
    first, second = (load_bert(folder, "cpu") for folder in (once, twice))
    for ours, theirs in ((first.model, second.model), (first.heads, second.heads)):
        known = theirs.state_dict()
        assert all(torch.equal(t, known[n]) for n, t in ours.state_dict().items())
    output = first.model(**first.encode("a crane ."))
    expected = output.last_hidden_state[:, 0].tanh()
    torch.testing.assert_close(output.pooler_output, expected)


def test_no_head_reads_a_pooler_that_is_not_its_own(tiny_bert_folder, tmp_path):
    folder = Path(shutil.copytree(tiny_bert_folder, tmp_path / "copy"))
    weights = load_file(folder / "model.safetensors")
    kept = {name: t for name, t in weights.items() if "pooler" not in name}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})
    bert = load_bert(folder, "cpu")
    message = one_line(RuntimeError, lambda: bert.predict_next("a", "b"))
    assert "no next-sentence head" in message
    assert len(bert.predict_masked("a [MASK] .")) == 1
