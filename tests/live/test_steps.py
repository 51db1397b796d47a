"""The steps from a text to a guess: the page's code computes what the model does."""

import json
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from transformers import BertConfig

from build_tools.book import assets
from build_tools.live import payload
from build_tools.live.graph import EMBEDDED, live_model
from helpers.attention import heads_off
from helpers.models import load_bert
from tests.browser.test_live_model import ODD, sentences
from tests.fixtures import save_random_bert
from tests.live_tensors import read_by_head, tensors

LONGEST = 128  # pieces that the live page reads
PAGE = Path(__file__).parents[2] / "chapters/bert-step-by-step.md"
PAIR = re.compile(r"^:pairs: (.+?) / (.+?);", re.M)
STEP = re.compile(r"^:::::\{machine-step\} (\w+) [^\n]+\n(.*?)^:::::$", re.M | re.S)


@pytest.fixture(scope="module")
def page():
    """The texts of the page, and the code beside each step."""
    source = PAGE.read_text(encoding="utf-8")
    code = {
        name: re.search(r"```python\n(.*?)```", told, re.S)[1]
        for name, told in STEP.findall(source)
    }
    texts = dict(zip(("text", "other"), PAIR.search(source).groups(), strict=True))
    return SimpleNamespace(texts=texts, code=code)


@pytest.fixture(scope="module", params=["course model", "random model"])
def run(request, page, bert, tmp_path_factory):
    """The page's code, run from top to bottom, and the tensors beside it."""
    used = bert if request.param == "course model" else random_bert(tmp_path_factory)
    text = page.texts["text"]
    tokens, found = used.tokenizer(text).tokens(), tensors(used, text)
    piece, layer, head = tokens.index("[MASK]"), 3, 8
    given = {
        "torch": torch, "load_bert": lambda: used, "heads_off": heads_off, **page.texts,
        "states": torch.tensor(found["states"]),
        "size": used.hidden_size // used.n_heads,
        "piece": piece, "layer": layer, "head": head,
    }  # fmt: skip
    with torch.inference_mode():
        exec("\n".join(page.code.values()), given)  # noqa: S102 - our own page
    other = tensors(used, page.texts["other"])
    return SimpleNamespace(
        given=given, found=found, other=other, tokens=tokens, text=text
    )


def random_bert(tmp_path_factory, **sizes):
    """A random BERT of 12 layers of 12 heads, with a head for words."""
    config = BertConfig(**({"hidden_size": 96, "intermediate_size": 384} | sizes))
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
    assert abs(given["same"]) < 1e-3
    assert abs(given["adds"] - adds_of(bert, run.text, piece, layer, head)[1]) < 1e-4
    assert given["guesses"] == bert.tokenizer.convert_ids_to_tokens(
        np.argsort(-logits[-1])[:10].tolist()
    )
    best = given["by_layer"].argmax(dim=-1).tolist()
    assert best == logits.argmax(axis=-1).tolist()
    apart = np.linalg.norm(found["states"] - run.other["states"], axis=-1)
    apart /= np.linalg.norm(found["states"], axis=-1)
    np.testing.assert_allclose(given["apart"], apart, atol=1e-5)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Ask the live page's scripts for a reading of a text by any model."""
    assets.fetch_assets(payload.ROOT)
    folder = tmp_path_factory.mktemp("asked")
    vendor = payload.ROOT / "_build/assets/vendor"
    files = {
        "ort": vendor / payload.RUNTIME, "wasm": vendor / payload.WASM,
        "tokenizers": vendor / payload.TOKENIZERS, "tokenizer": folder / "tokenizer",
    }  # fmt: skip
    files["tokenizer"].write_bytes(payload.tokenizer())
    command = [*assets.node_command(), str(Path(__file__).with_name("ask.mjs"))]
    node = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )

    def ask(bert, text, **more):
        model = folder / f"{id(bert)}.onnx"
        if not model.is_file():
            graph = live_model(bert, eight_bits=False)
            model.write_bytes(graph.SerializeToString())
        paths = {name: str(path) for name, path in (files | {"model": model}).items()}
        question = {"files": paths, "text": text, "other": "", "adds": False} | more
        print(json.dumps(question), file=node.stdin, flush=True)
        return json.loads(node.stdout.readline())

    yield ask
    node.communicate()


RANDOM = {
    "random model": {},
    "random Base": {"hidden_size": 768, "intermediate_size": 3072},
}


# The model, how many sentences, and when: fifty take ten minutes.
NOW = [("course model", 1, []), ("narrow model", 1, [])]
SLOW = [("course model", 12, [pytest.mark.slow])]
LARGEST = [("course model", 50), ("random model", 50), ("random Base", 6)]
WEEKLY = [(*case, [pytest.mark.slow, pytest.mark.weekly]) for case in LARGEST]


@pytest.mark.parametrize(
    ("name", "few"),
    [pytest.param(name, few, marks=marks) for name, few, marks in NOW + SLOW + WEEKLY],
)
def test_every_number_of_the_machine_is_pytorchs(
    name, few, asked, bert, tiny, tmp_path_factory
):
    if name in RANDOM:
        used = random_bert(tmp_path_factory, **RANDOM[name])
    else:
        used = {"course model": bert, "narrow model": tiny}[name]
    texts = [text for text in sentences()[len(ODD) :] if is_read(bert, text)]
    assert len(texts) >= few
    adds = few > 1 or used is not bert  # a run without each head
    largest = compared(asked, used, texts[:few], adds)
    assert max(largest.values()) <= 1e-4, largest


def is_read(bert, text):
    """Whether the live page reads a text; it refuses longer ones in words."""
    return len(bert.tokenizer(text, verbose=False)["input_ids"]) <= LONGEST


def compared(asked, bert, texts, adds):
    """Return the largest difference of each tensor, as a share of its largest value.

    adds: whether what each head of the first text adds, which takes a run without each
    of them, is compared too.
    """
    largest = {}
    for text in texts:
        other = text.replace(" the ", " a ", 1)
        answer = asked(bert, text, other=other, adds=adds and text == texts[0])
        told = lengths_of(bert, text, other, answer)
        if answer["tensors"]["apart"] is None:  # of other lengths
            del answer["tensors"]["apart"], told["apart"]
        else:
            compare_both(bert, other, answer, told)
        for number, rows in enumerate(answer["guesses"][str(answer["piece"])]):
            ids = bert.tokenizer.convert_tokens_to_ids([piece for piece, _ in rows])
            answer["tensors"][f"guesses {number}"] = [share for _, share in rows]
            told[f"guesses {number}"] = told["shares"][number][ids]
        del told["shares"]
        if answer["adds"]:
            answer["tensors"]["adds"] = answer["adds"][str(answer["piece"])]
            places = np.ndindex(bert.n_layers, bert.n_heads)
            piece = answer["piece"]
            told["adds"] = [adds_of(bert, text, piece, *at)[1] for at in places]
        assert answer["tensors"].keys() == told.keys()
        for name, values in told.items():
            found, values = np.ravel(answer["tensors"][name]), np.ravel(values)
            assert found.shape == values.shape, name
            if name == "fire":  # a count: what is near 0 may fall on either side
                assert np.abs(found - values).max() <= 1
                continue
            off = float(np.abs(found - values).max() / max(0.01, np.abs(values).max()))
            kind = name.split()[0]
            largest[kind] = max(largest.get(kind, 0), off)
    return largest


def compare_both(bert, other, answer, told):
    """Put the shares of both texts' likeliest pieces beside PyTorch's."""
    rows = answer["both"][str(answer["piece"])]
    ids = bert.tokenizer.convert_tokens_to_ids([piece for piece, *_ in rows])
    states = tensors(bert, other)["states"][-1:, answer["piece"]]
    _, logits = read_by_head(bert, states)
    shares = torch.tensor(logits[0]).softmax(dim=-1).numpy()
    answer["tensors"]["guesses both"] = [row[1:] for row in rows]
    told["guesses both"] = np.stack([told["shares"][-1][ids], shares[ids]], axis=1)


def lengths_of(bert, text, other, answer):
    """Return what the machine shows of a text, from PyTorch's tensors."""
    found = tensors(bert, text)
    layers, n, _ = found["query"].shape
    by_head = {
        name: found[name].reshape(layers, n, bert.n_heads, -1).swapaxes(1, 2)
        for name in ("query", "key", "mixed")
    }
    length = lambda rows: np.linalg.norm(rows, axis=-1)  # noqa: E731
    states = found["states"]
    second = tensors(bert, other)["states"]
    same = second.shape == states.shape
    apart = length(states - second) / length(states) if same else None
    _, logits = read_by_head(bert, states[:, answer["piece"]])
    return {
        **{name: found[name] for name in ("query", "key", "value")},
        "scores": by_head["query"] @ by_head["key"].swapaxes(-1, -2),
        "weights": found["attention"],
        "mixed": by_head["mixed"],
        **{name: found[name] for name in ("projected", "wide", *EMBEDDED)},
        "sum": sum(found[name] for name in EMBEDDED),
        "fire": (found["wide"] > 0).sum(axis=-1),
        "between": found["between"],
        "narrow": found["narrow"],
        "states": states,
        "long found": length(found["projected"]),
        "long between": length(found["between"]),
        "long narrow": length(found["narrow"]),
        "long states": length(states),
        "apart": apart,
        "shares": torch.tensor(logits).softmax(dim=-1).numpy(),
    }


@torch.inference_mode()
def adds_of(bert, text, piece, layer, head):
    """Return the likeliest piece, and by how much a head raises its log-odds."""
    encoding = bert.encode(text)
    whole = bert.mlm(**encoding).logits[0, piece].double().softmax(dim=-1)
    with heads_off(bert, [(layer, head)]):
        without = bert.mlm(**encoding).logits[0, piece].double().softmax(dim=-1)
    best = whole.argmax()
    odds = [float((p[best] / (1 - p[best])).log()) for p in (whole, without)]
    return int(best), odds[0] - odds[1]
