"""Claims that the chapter makes, and the functions lifted out of it."""

import ast
import re

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.model_selection import train_test_split

from helpers import DATA, spam
from helpers.datasets import load_sms_spam
from helpers.models import load_bert


@pytest.fixture(scope="module")
def tiny(tiny_bert_folder):
    return load_bert(tiny_bert_folder, "cpu")


@pytest.fixture
def lifted(chapter_cells, monkeypatch, tiny):
    """What the chapter imports and defines, without what it runs."""
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    names = {"bert": tiny, "rate": 5e-3, "messages": load_sms_spam()}
    names["distinct"] = names["messages"].drop_duplicates("text")
    names |= {"SEEDS": (0, 1, 2), "TRAIN": 80, "first_losses": []}
    for cell in chapter_cells():
        if not any(tag.startswith("solution") for tag in cell.tags):
            body = [part for part in ast.parse(cell.source).body if is_definition(part)]
            exec(compile(ast.Module(body, []), "a cell", "exec"), names)
    return names


def is_definition(statement):
    if isinstance(statement, ast.Assign):
        return getattr(statement.targets[0], "id", "") in (
            "adapter",
            "LEARN",
            "JUDGE",
            "TAGS",
        )
    return isinstance(statement, ast.Import | ast.ImportFrom | ast.FunctionDef)


# The functions of the chapter are those of the command


def test_split_keeps_the_parts_apart(lifted):
    parts = lifted["split"](0)
    assert [len(part) for part in parts] == [80, 60, 160]
    texts = pd.concat(parts).text
    assert texts.is_unique
    shares = [part.label.mean() for part in parts]
    assert max(shares) - min(shares) < 0.02
    assert not parts[2].equals(lifted["split"](1)[2])


def test_features_are_those_of_the_command(lifted, tiny):
    texts = lifted["distinct"].text.head(40).tolist()
    ours = lifted["features"](texts, size=7)
    assert np.allclose(ours, spam.frozen_features(tiny, texts), atol=1e-5)


def test_batches_are_those_of_the_command(lifted):
    ours, theirs = lifted["batches"](50, 2, 3), spam.batches(50, 16, 2, 3)
    assert all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))


def test_fine_tuning_is_that_of_the_command(lifted, tiny, monkeypatch):
    rows = lifted["distinct"].head(32)
    answer = lifted["fine_tuned"](rows, 0)
    monkeypatch.setattr(spam, "learning_rate", lambda *_: lifted["rate"])
    model = spam.fine_tune(tiny, rows.text, rows.label, 0, epochs=5, size=16)
    texts = lifted["distinct"].text.tail(20).tolist()
    assert np.allclose(answer(texts), spam.spam_probability(tiny, model, texts))
    assert lifted["first_losses"][0] == pytest.approx(np.log(2), abs=0.25)


def test_low_rank_starts_as_the_model_was(lifted):
    kind = lifted["BertForSequenceClassification"]
    model = lifted["with_head"](kind, 3, num_labels=2)
    before = lifted["spam_probability"](model, ["win a prize", "see you"])
    thin = lifted["get_peft_model"](model, lifted["adapter"]).eval()
    after = lifted["spam_probability"](thin, ["win a prize", "see you"])
    assert np.allclose(before, after, atol=1e-6)


def test_four_heads_have_the_shapes_of_the_diagram(lifted, tiny):
    pair = tiny.tokenizer("who won", "the reds", return_tensors="pt")
    pieces = pair["input_ids"].shape[1]
    shapes = {
        "BertForSequenceClassification": (1, 2),
        "BertForTokenClassification": (1, pieces, 2),
    }
    for name, shape in shapes.items():
        model = lifted["with_head"](lifted[name], num_labels=2)
        assert tuple(model(**pair).logits.shape) == shape
        same = model.bert.encoder.state_dict()
        for key, weight in tiny.model.encoder.state_dict().items():
            assert torch.equal(same[key], weight)
    answer = lifted["with_head"](lifted["BertForQuestionAnswering"])(**pair)
    assert answer.start_logits.shape == answer.end_logits.shape == (1, pieces)


def test_tags_stand_at_the_first_piece_of_each_word(lifted, tiny):
    sentences = lifted["tagged"](lifted["LEARN"], 30, 0)
    batch = lifted["encode_tagged"](sentences)
    for row, sentence in enumerate(sentences):
        encoding = tiny.tokenizer([w for w, _ in sentence], is_split_into_words=True)
        owners = encoding.word_ids()
        for i, label in enumerate(batch["labels"][row].tolist()):
            first = i < len(owners) and owners[i] is not None
            first = first and owners.index(owners[i]) == i
            expected = lifted["TAGS"].index(sentence[owners[i]][1]) if first else -100
            assert label == expected
    assert {tag for one in sentences for _, tag in one} == set(lifted["TAGS"])


def test_patterns_to_judge_by_are_new(lifted):
    learn, judge = set(lifted["LEARN"]), set(lifted["JUDGE"])
    assert not learn & judge


# The data


def test_careless_split_leaks_and_quotes_lose_rows(lifted):
    messages = lifted["messages"]
    some, others = train_test_split(messages, test_size=0.3, random_state=0)
    assert others.text.isin(some.text).sum() > 2
    lines = DATA / "sms-spam-mini" / "messages.tsv"
    assert len(pd.read_csv(lines, sep="\t", header=None)) < len(messages)


def test_spam_is_longer_than_ham(lifted, tiny):
    """Why batches sorted by length hold one class."""
    distinct = lifted["distinct"]
    lengths = np.array([len(ids) for ids in spam.encode(tiny, distinct.text)])
    order = np.argsort(lengths, kind="stable")
    short, long = order[: len(order) // 4], order[-len(order) // 4 :]
    labels = distinct.label.to_numpy()
    assert labels[short].mean() < 0.2 and labels[long].mean() > 0.7


@pytest.mark.parametrize(
    ("name", "kinds", "n"),
    [("elsewhere", {"ham", "spam"}, 48), ("clinic-reviews", {"desk", "care"}, 48)],
)
def test_small_sets_are_balanced(name, kinds, n):
    path = DATA / "sms-spam-mini" / f"{name}.tsv"
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    assert {len(row) for row in rows} == {2} and len(rows) == n
    counts = pd.Series([kind for kind, _ in rows]).value_counts()
    assert counts.to_dict() == dict.fromkeys(kinds, n // 2)
    assert len({text for _, text in rows}) == n


# The real collection


def test_results_on_the_real_set_are_whole_and_reach_the_bar():
    path = DATA / "results" / "sms-spam.csv"
    head = path.read_text().split("method,")[0]
    for word in ("python -m helpers.spam", "repeats dropped before", "transformers"):
        assert word in head
    results = pd.read_csv(path, comment="#")
    assert results.groupby("method").seed.nunique().to_dict() == dict.fromkeys(
        spam.METHODS, 3
    )
    assert set(results.train + results.test) == {5170}  # distinct messages
    assert set(results.test) == {1034}
    assert (
        results[["accuracy", "precision", "recall", "f1"]].stack().between(0, 1).all()
    )
    product = results.precision * results.recall
    harmonic = 2 * product / (results.precision + results.recall)
    assert np.allclose(results.f1, harmonic, atol=2e-4)
    tuned = results[results.method == "fine-tuned"].f1
    assert tuned.mean() >= 0.95 and tuned.min() >= 0.93


# The text


def test_no_figure_of_the_run_is_typed_into_the_text(chapter_text):
    prose = re.sub(r"```.*?```", "", chapter_text(), flags=re.S)
    typed = re.findall(r"\b0\.\d+\b", prose)
    assert set(typed) <= {"0.5", "0.8", "0.69"}  # a coin, an example, ln 2
