"""Fixtures that tests and chapters share: the models, and the source of a page."""

import os
from types import SimpleNamespace

import pytest

os.environ["INSIDE_BERT_PROGRESS"] = "off"  # what tests pass is no one's progress


@pytest.fixture(scope="module")
def chapter_text(request):
    """The source of a page, by its path; without one, of the page beside the test."""
    own = request.path.with_name("index.md")
    return lambda path=own: path.read_text(encoding="utf-8")


def cells_of(text):
    """The code cells of a page's text, with source and tags."""
    import jupytext

    return [
        SimpleNamespace(source=cell.source, tags=cell.metadata.get("tags", []))
        for cell in jupytext.reads(text, fmt="md:myst").cells
        if cell.cell_type == "code"
    ]


@pytest.fixture(scope="module")
def chapter_cells(chapter_text):
    """The code cells of a page, found as `chapter_text` does."""
    return lambda *path: cells_of(chapter_text(*path))


@pytest.fixture(scope="module")
def cells(chapter_cells):
    """The code cells of the page beside the test, to be lifted out of it."""
    from tests.lifted import Cells

    return Cells(chapter_cells())


@pytest.fixture(scope="session")
def bert():
    """The embedded model, which needs no network."""
    from helpers.models import load_bert

    return load_bert("embedded")


def _save_tiny(kind, folder):
    """Save a random 2-layer BERT of transformers' class `kind` with the tokenizer."""
    import torch
    import transformers

    config = transformers.BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64
    )
    generator = torch.Generator().manual_seed(0)
    model = getattr(transformers, kind)(config)
    with torch.no_grad():
        for parameter in model.parameters():  # biases and norms too, else all alike
            parameter.normal_(0, 0.3, generator=generator)
    model.save_pretrained(folder)
    save_tokenizer(folder)
    return folder


def save_random_bert(config, folder, seed=0):
    """Save a BERT with both heads, as transformers starts it, and its tokenizer."""
    import torch
    from transformers import BertForPreTraining

    torch.manual_seed(seed)
    BertForPreTraining(config).save_pretrained(folder)
    save_tokenizer(folder)
    return folder


def save_tokenizer(folder):
    """Save BERT's tokenizer beside a model."""
    from helpers.models import embedded_encoder, load_tokenizer

    load_tokenizer(embedded_encoder()).save_pretrained(folder)


def save_scrambled_bert(folder, seed=0):
    """Save the course model with the entries of each of its weights in random order.

    Unlike new random weights, its heads look sharply and its vectors differ.
    """
    import torch
    from transformers import BertForPreTraining

    from helpers.models import load_bert

    bert = load_bert("embedded", "cpu", quiet=True)
    config = bert.model.config
    model, draw = BertForPreTraining(config), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        model.bert.load_state_dict(bert.model.state_dict())
        model.cls.predictions.load_state_dict(bert.mlm.cls.predictions.state_dict())
        pair, trained = model.cls.seq_relationship, bert.nsp.cls.seq_relationship
        pair.load_state_dict(trained.state_dict())
        for weight in dict.fromkeys(model.parameters()):
            order = torch.randperm(weight.numel(), generator=draw)
            weight.copy_(weight.flatten()[order].view_as(weight))
    model.save_pretrained(folder)
    save_tokenizer(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_bert_folder(tmp_path_factory):
    """A folder with a random BERT of 2 layers of 4 heads, 32 wide, with both heads."""
    return _save_tiny("BertForPreTraining", tmp_path_factory.mktemp("tiny-bert"))


@pytest.fixture(scope="session")
def headless_bert_folder(tmp_path_factory):
    """As `tiny_bert_folder`, without heads."""
    return _save_tiny("BertModel", tmp_path_factory.mktemp("headless-bert"))


@pytest.fixture(scope="session")
def tiny(tiny_bert_folder):
    """The BERT of `tiny_bert_folder`, loaded."""
    from helpers.models import load_bert

    return load_bert(tiny_bert_folder, "cpu")


@pytest.fixture(scope="session")
def tokenizer():
    """The tokenizer of the embedded model."""
    from helpers.models import embedded_encoder, load_tokenizer

    return load_tokenizer(embedded_encoder())


@pytest.fixture
def reading():
    """A Reading: two layers of three heads, five tokens; the last head looks at b."""
    import numpy as np

    from helpers.attention import Reading

    generator = np.random.default_rng(0)
    attention = generator.dirichlet(np.ones(5), size=(2, 3, 5)).astype("float32")
    attention[1, 2] = [[0, 0, 1, 0, 0]] * 5
    return Reading(
        tokens=["[CLS]", "a", "b", "</script><b>", "[SEP]"],
        attention=attention,
        special=np.array([True, False, False, False, True]),
        segments=np.zeros(5, int),
        owners=np.array([-1, 0, 1, 2, -1]),
    )


@pytest.fixture
def fresh_process(monkeypatch, tmp_path):
    """As in a new process: official data asked for, none cached, and no network."""
    import importlib

    from helpers import datasets
    from helpers._support import downloads

    importlib.reload(downloads)
    importlib.reload(datasets)
    for name in ("COARSE_WSD", "SMS_SPAM"):
        monkeypatch.setenv(f"{name}_HOME", "official")
        monkeypatch.setenv(f"{name}_URL", "http://127.0.0.1:9/")  # where nobody listens
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
