"""Claims that the chapter makes, and the functions lifted out of it."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from chapters.fine_tuning import answers, figures
from experiments import spam_filters
from helpers import DATA, spam
from helpers.spam import read_messages
from helpers.training import train

PAGE = Path(__file__).with_name("index.md")

# Published or made-up figures that the text holds.
TYPED = ""


@pytest.fixture
def lifted(cells, tiny):
    """What the chapter imports and defines, without what it runs."""
    names = {"bert": tiny, "messages": spam_filters.sample("messages")}
    return cells.defined("adapter", "known", "TAGS", **names)


# The functions of the chapter


def test_the_loop_on_the_page_is_that_of_the_helpers(lifted, tiny):
    """But for the decay of vectors, which the page leaves in, for shortness."""
    rows = lifted["messages"].head(48)
    plan = lifted["batches_of"](rows)[:12]
    kind = lifted["BertForSequenceClassification"]
    ours, theirs = (lifted["with_head"](kind, num_labels=2) for _ in range(2))
    lifted["fit"](ours, plan, 5e-3, seed=4)
    train(theirs, plan.__getitem__, 12, 5e-3, warmup=0.1, seed=4, progress=False)
    start = lifted["with_head"](kind, num_labels=2)
    matrices = {n: p for n, p in ours.named_parameters() if p.ndim > 1}
    for name, weight in matrices.items():
        other = theirs.get_parameter(name)
        moved = (weight - start.get_parameter(name)).abs().max()
        assert (weight - other).abs().max() < 0.1 * moved + 1e-5, name


def test_the_loop_shows_what_it_watches_at_0_and_at_each_look(lifted, monkeypatch):
    monkeypatch.setattr(figures, "LOOKS", 2)
    kind = lifted["BertForSequenceClassification"]
    model = lifted["with_head"](kind, num_labels=2)
    plan = lifted["batches_of"](lifted["messages"].head(24))[:5]
    modes = lifted["fit"](model, plan, 1e-3, lambda m: m.training)
    assert modes == [False] * 3


def test_random_weights_are_those_of_no_training(lifted, tiny):
    kind = lifted["BertForSequenceClassification"]
    one = lifted["with_head"](kind, pretrained=False, num_labels=2)
    two = lifted["with_head"](kind, num_labels=2)
    same = two.bert.state_dict()
    for key, weight in tiny.model.state_dict().items():
        assert torch.equal(same[key], weight)
    key = "encoder.layer.0.output.dense.weight"
    assert not torch.equal(one.bert.state_dict()[key], same[key])


def test_the_frozen_encoder_answers_a_message_that_it_has_not_met(lifted, tiny):
    read, texts = lifted["read"], ["win a prize", "see you", "win a prize"]
    vectors = read(texts)
    assert vectors.shape == (3, tiny.hidden_size)
    assert np.array_equal(vectors[0], vectors[2])
    assert np.allclose(vectors[1:2], read(["see you"]), atol=1e-5)
    assert np.allclose(vectors, spam.frozen_features(tiny, texts)[1], atol=1e-5)


def test_surface_is_that_of_the_command_on_our_messages(lifted):
    texts = lifted["messages"].text
    assert np.array_equal(lifted["surface"](texts), spam_filters.surface(texts))


def test_tags_stand_at_the_first_piece_of_each_word(lifted, tiny):
    sentences = [
        [("gbx", "O"), ("25", "AMOUNT"), ("zlotys", "AMOUNT")],
        [("by", "O"), ("Juneteenth", "DATE"), ("or", "O"), ("soonish", "O")],
    ]
    batch = lifted["encode_tagged"](sentences)
    for row, sentence in enumerate(sentences):
        encoding = tiny.tokenizer([w for w, _ in sentence], is_split_into_words=True)
        owners = encoding.word_ids()
        for i, label in enumerate(batch["labels"][row].tolist()):
            first = i < len(owners) and owners[i] is not None
            first = first and owners.index(owners[i]) == i
            expected = lifted["TAGS"].index(sentence[owners[i]][1]) if first else -100
            assert label == expected


# The data


def test_no_twin_is_cut(tiny):
    texts = read_messages("messages").text.tolist()
    longest = max(map(len, tiny.tokenizer(texts)["input_ids"]))
    assert longest <= spam.PIECES


def test_old_spam_is_longer_than_ham_so_that_sorted_batches_hold_one_class(tiny):
    rows = spam_filters.sample("shortcut")
    lengths = np.array([len(ids) for ids in spam.encode(tiny, rows.text)])
    order = np.argsort(lengths, kind="stable")
    short, long = order[: len(order) // 4], order[-len(order) // 4 :]
    labels = rows.label.to_numpy()
    assert labels[short].mean() < 0.2 and labels[long].mean() > 0.7


# The stored results


def test_results_on_the_real_set_are_whole_and_agree_with_the_answers():
    path = DATA / "results" / "sms-spam.csv"
    head = path.read_text().split("split,method,")[0]
    for word in ("python -m experiments.spam_filters", "SMS Spam", "transformers"):
        assert word in head
    results = pd.read_csv(path, comment="#")
    results = results[results.split == spam_filters.SPLITS[1]]
    seeds = results[results.seed != "all"]
    methods = spam_filters.METHODS
    assert seeds.groupby("method").seed.nunique().to_dict() == dict.fromkeys(methods, 3)
    assert set(seeds.train + seeds.test) == {5170}  # distinct messages
    pooled = results[results.seed == "all"].set_index("method")
    assert pooled.index.tolist() == list(methods)
    answers = pd.read_csv(DATA / "results" / "sms-spam-answers.csv", comment="#")
    assert len(answers) == 5170 and answers.row.is_unique
    for method in methods:
        found = spam_filters.scores(answers.label, answers[method] > 500)
        assert pooled.f1[method] == pytest.approx(found["f1"], abs=2e-3)
    words = np.select([pooled.low > 0, pooled.high < 0], ["ahead", "behind"], "")
    assert all(not w or w == v for w, v in zip(words, pooled.word, strict=True))
    assert pooled.f1["fine-tuned"] >= 0.93


@pytest.mark.parametrize("name", spam_filters.SAMPLES)
def test_stored_answers_are_to_the_messages_that_lie_there(name):
    stored = pd.read_csv(DATA / "results" / "sms-spam-mini.csv", comment="#")
    stored = stored[stored.set == name].set_index("row")
    rows = spam_filters.sample(name)
    assert stored.index.tolist() == rows.index.tolist()
    assert (stored.label == rows.label).all()
    assert (stored.groupby("family").seed.nunique() == 1).all()
    together = stored.family.groupby(rows.family).nunique()
    assert (together == 1).all()
    assert set(spam_filters.METHODS) < set(stored.columns)


def test_those_of_like_length_are_as_many_of_each_kind():
    rows = read_messages("shortcut")
    same = answers.matched(rows, 0)
    tens = same.text.str.len() // 10
    assert (same.label.groupby(tens).mean() == 0.5).all()


def test_the_printed_lines_send_a_model_and_its_tokenizer_to_the_hub(tiny, monkeypatch):
    sent, both = [], (tiny.model, tiny.tokenizer)
    for one in both:
        monkeypatch.setattr(type(one), "push_to_hub", lambda *of: sent.append(of))
    [lines] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    exec(lines, {"full": tiny.model, "bert": tiny})
    assert sent == [(one, "your-name/spam-filter") for one in both]
