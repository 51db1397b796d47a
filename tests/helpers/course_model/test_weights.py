"""The weights: half precision, loaded as trained, replaced whole."""

import shutil

import numpy as np
import pytest
import torch

from helpers import models
from helpers.course_model import recipe
from helpers.course_model.weights import load_weights
from tests.helpers.course_model.small import assert_refused, bare_base, contents, train


def test_weights_are_in_half_precision(trained):
    from safetensors.torch import load_file

    for name in ("adapter_model", "heads"):
        tensors = load_file(trained.folder / f"{name}.safetensors")
        assert {tensor.dtype for tensor in tensors.values()} == {torch.float16}


def test_what_is_loaded_is_the_trained_model(trained, tiny_bert_folder):
    ids = torch.randint(
        2000, 20000, (3, 20), generator=torch.Generator().manual_seed(0)
    )
    reference = trained.model
    for parameter in reference.parameters():
        if parameter.requires_grad:  # the rest is the encoder, not saved
            parameter.data = parameter.data.half().float()
    base = bare_base(tiny_bert_folder)
    with torch.no_grad():
        bare = base(ids)
        models.apply_adapter(base, trained.folder)
        loaded = base.eval()(ids)
        hidden = reference.encoder(ids)
        words = reference.heads.predictions(hidden.last_hidden_state)
        follows = reference.heads.seq_relationship(hidden.pooler_output)
    assert torch.allclose(loaded.prediction_logits, words, atol=1e-4)
    assert torch.allclose(loaded.seq_relationship_logits, follows, atol=1e-4)
    assert (loaded.prediction_logits - bare.prediction_logits).abs().max() > 0.1
    assert not torch.allclose(
        loaded.seq_relationship_logits, bare.seq_relationship_logits, atol=0.01
    )


def test_new_weights_take_the_place_of_the_old_and_of_their_scores(
    trained, corpus, earlier
):
    train(corpus, earlier)
    assert contents(earlier).pop("README.md") == b"earlier README.md"
    assert "scores.json" not in contents(earlier)
    new = {
        name: data for name, data in contents(earlier).items() if name != "README.md"
    }
    assert new == contents(trained.folder)


def test_further_training_may_have_a_higher_rank(trained, tiny_bert_folder):
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    settings = {"seed": 1, "rank": 5}
    documents = [[np.array([5, 7])]]
    model = recipe.new_model(tiny_bert_folder, documents, tokenizer, settings)
    load_weights(model, trained.folder)
    ids, both = torch.tensor([[2, 9, 4, 3]]), (model.eval(), trained.model)
    with torch.inference_mode():
        found, expected = (each.encoder(ids).last_hidden_state for each in both)
    torch.testing.assert_close(found, expected, atol=2e-3, rtol=0)
    for name, weight in model.named_parameters():
        if "lora_A" in name:
            assert weight[2:].abs().amin() > 0  # else the new ranks never learn
        if "lora_B" in name:
            assert not weight[:, 2:].any()


def no_settings(start):
    (start / "settings.json").unlink()


def cut_weights(start):
    file = start / "heads.safetensors"
    file.write_bytes(file.read_bytes()[:1000])


def other_texts(start):
    file = start / "settings.json"
    file.write_text(file.read_text().replace(".txt", ".text"))


@pytest.mark.parametrize(
    ("spoil", "rank", "message"),
    [
        (no_settings, 2, "holds no trained course model"),
        (cut_weights, 2, "cannot be read or do not fit"),
        (other_texts, 2, "which the earlier training held out"),
        (lambda start: None, 1, "has rank 2; ask for that or more"),
    ],
)
def test_unusable_earlier_weights_are_refused(
    spoil, rank, message, trained, corpus, earlier, tmp_path, capsys
):
    start = tmp_path / "start"
    shutil.copytree(trained.folder, start)
    spoil(start)
    arguments = ["train", "--corpus", corpus, "--out", earlier, "--steps", 1]
    arguments += ["--rank", rank, "--start", start]
    assert_refused(capsys, earlier, message, arguments)


def test_an_adapter_that_does_not_fit_is_refused(trained):
    from transformers import BertConfig, BertForPreTraining

    config = BertConfig(
        hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64
    )
    with pytest.raises(ValueError, match="does not fit the encoder") as error:
        models.apply_adapter(BertForPreTraining(config), trained.folder)
    assert "\n" not in str(error.value)
