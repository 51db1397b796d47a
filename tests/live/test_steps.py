"""The steps from a text to a guess: the page's code computes what the model does."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from transformers import BertConfig

from helpers.models import load_bert
from tests.fixtures import save_random_bert
from tests.live_tensors import read_by_head, tensors

PAGE = Path(__file__).parents[2] / "chapters/bert-step-by-step.md"
OPTION = re.compile(r"^:(text|other): (.+)$", re.M)
STEP = re.compile(r"^:::::\{live-step\} (\w+)\n(.*?)^:::::$", re.M | re.S)


@pytest.fixture(scope="module")
def page():
    """The texts of the page, and the code beside each step."""
    source = PAGE.read_text(encoding="utf-8")
    code = {
        name: re.search(r"```python\n(.*?)```", told, re.S)[1]
        for name, told in STEP.findall(source)
    }
    return SimpleNamespace(texts=dict(OPTION.findall(source)), code=code)


@pytest.fixture(scope="module", params=["course model", "random model"])
def run(request, page, bert, tmp_path_factory):
    """The page's code, run from top to bottom, and the tensors beside it."""
    used = bert if request.param == "course model" else random_bert(tmp_path_factory)
    text = page.texts["text"]
    tokens, found = used.tokenizer(text).tokens(), tensors(used, text)
    piece, layer, head = tokens.index("[MASK]"), 3, 8
    given = {
        "torch": torch, "load_bert": lambda: used, **page.texts,
        "states": torch.tensor(found["states"]),
        "size": used.hidden_size // used.n_heads,
        "piece": piece, "layer": layer, "head": head,
    }  # fmt: skip
    with torch.inference_mode():
        exec("\n".join(page.code.values()), given)  # noqa: S102 - our own page
    other = tensors(used, page.texts["other"])
    return SimpleNamespace(given=given, found=found, other=other, tokens=tokens)


def random_bert(tmp_path_factory):
    """A random BERT of 12 layers of 12 heads, with a head for words."""
    config = BertConfig(hidden_size=96, intermediate_size=384)
    folder = save_random_bert(config, tmp_path_factory.mktemp("twelve-layers"))
    return load_bert(folder, "cpu")


def test_the_code_of_the_page_computes_what_the_model_does(run):
    given, found = run.given, run.found
    bert, piece, layer, head = (given[n] for n in ("bert", "piece", "layer", "head"))
    transformed, logits = read_by_head(bert, found["states"][:, piece])
    of_head = slice(head * given["size"], (head + 1) * given["size"])
    pairs = {
        "word": found["words"], "segment": found["segments_added"],
        "position": found["places_added"], "weights": found["attention"][layer, head],
        "each": found["attention"][layer], "joined": found["mixed"][layer],
        "after": found["states"][layer + 1], "transformed": transformed[-1],
    }  # fmt: skip
    for name in ("query", "key", "value", "mixed"):
        pairs[name] = found[name][layer][:, of_head]
    for name in ("projected", "between", "wide", "narrow"):
        pairs[name] = found[name][layer]
    for name, expected in pairs.items():
        assert given[name].shape == expected.shape, name
        np.testing.assert_allclose(
            given[name].numpy(), expected, atol=1e-4, err_msg=name
        )
    assert given["tokens"] == run.tokens
    total = given["products"].sum() - given["scores"][piece, given["looked_at"]]
    assert abs(total) < 1e-3
    assert given["guesses"] == bert.tokenizer.convert_ids_to_tokens(
        np.argsort(-logits[-1])[:10].tolist()
    )
    best = given["by_layer"].argmax(dim=-1).tolist()
    assert best == logits.argmax(axis=-1).tolist()
    apart = np.linalg.norm(found["states"] - run.other["states"], axis=-1)
    apart /= np.linalg.norm(found["states"], axis=-1)
    np.testing.assert_allclose(given["apart"], apart, atol=1e-5)


def test_every_step_has_its_words_and_its_code(page):
    for name, code in page.code.items():
        assert 3 <= code.strip().count("\n") + 1 <= 6, name
