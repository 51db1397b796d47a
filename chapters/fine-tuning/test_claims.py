"""Claims that the chapter makes, and the functions lifted out of it."""

import numpy as np
import pandas as pd
import pytest
import torch

from experiments.spam_filters import METHODS as FIVE
from helpers import DATA, spam
from helpers.datasets import load_sms_spam
from helpers.training import train
from helpers.verdicts import compare, leaders

# Published or made-up figures that the text holds.
TYPED = "0.5 0.69"


@pytest.fixture
def lifted(cells, monkeypatch, tiny):
    """What the chapter imports and defines, without what it runs."""
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    names = {"bert": tiny, "rate": 5e-3, "messages": load_sms_spam()}
    names["distinct"] = names["messages"].drop_duplicates("text")
    names |= {"SEEDS": (0, 1, 2), "TRAIN": 80, "steps": 10}
    lists = "half adapter LEARN JUDGE TAGS SEEN UNSEEN rest folds".split()
    return cells.defined(*lists, **names)


# The functions of the chapter


def test_split_keeps_the_parts_apart_and_judges_no_message_twice(lifted):
    tests = []
    for seed in (0, 1, 2):
        parts = lifted["split"](seed)
        assert [len(part) for part in parts] == [80, 60, 160]
        assert pd.concat(parts).text.is_unique
        shares = [part.label.mean() for part in parts]
        assert max(shares) - min(shares) < 0.02
        assert parts[1].equals(lifted["split"](0)[1])
        tests.append(parts[2])
    judged = pd.concat(tests)
    assert judged.text.is_unique and len(judged) == 480


@pytest.mark.parametrize(("n", "steps"), [(80, 20), (16, 40), (24, 5), (5, 3)])
def test_a_budget_of_steps_goes_through_every_row_once_an_epoch(lifted, n, steps):
    plan = lifted["batches"](n, steps, 3)
    assert [len(rows) for rows in plan] == [8] * steps
    drawn = np.concatenate(plan)
    epochs = [drawn[i : i + n] for i in range(0, len(drawn) - n + 1, n)]
    assert all(len(set(epoch)) == n for epoch in epochs)
    assert len(epochs) < 2 or epochs[0].tolist() != epochs[1].tolist()


def test_the_loop_on_the_page_is_that_of_the_helpers_step_by_step(lifted):
    rows = lifted["distinct"].head(48)
    batches = lifted["batches_of"](rows, 12, 0)
    ours, theirs = lifted["fresh"](), lifted["fresh"]()
    losses = lifted["fit"](ours, batches, 5e-3, seed=4)
    history = train(
        theirs, batches.__getitem__, 12, 5e-3, warmup=0.1, seed=4, progress=False
    )
    assert losses == pytest.approx([row["loss"] for row in history], abs=1e-6)
    assert len(set(losses)) == 12
    for (name, one), two in zip(
        ours.named_parameters(), theirs.parameters(), strict=True
    ):
        assert torch.allclose(one, two, atol=1e-5), name


def test_the_trainer_of_transformers_takes_the_same_steps(
    lifted, cells, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    lifted["eight"] = lifted["batches_of"](lifted["distinct"].head(48), 8, 0)
    losses = cells.run("TrainingArguments(", **lifted)["losses"]
    assert losses.shape == (8, 2) and losses.loop.nunique() == 8
    assert np.allclose(losses.loop, losses.Trainer, atol=1e-4)
    assert losses.loop[0] == pytest.approx(np.log(2), abs=0.25)


def test_fine_tuning_is_that_of_the_command(lifted, tiny, monkeypatch):
    monkeypatch.setattr(spam, "learning_rate", lambda *_: lifted["rate"])
    plan = lifted["batches"](32, 10, 0)
    monkeypatch.setattr(spam, "batches", lambda *_: plan)
    rows = lifted["distinct"].head(32)
    answer = lifted["fine_tuned"](10, rows, 0)
    model = spam.fine_tune(tiny, rows.text, rows.label, 0)
    texts = lifted["distinct"].text.tail(20).tolist()
    assert np.allclose(
        answer(texts), spam.spam_probability(tiny, model, texts), atol=1e-5
    )


def test_the_setting_chosen_has_the_lowest_loss_on_the_validation_part(lifted):
    def learner(p, rows, seed):
        return lambda texts: np.full(len(texts), p)

    share = lifted["split"](0)[1].label.mean()
    assert lifted["choose"]((0.05, share, 0.95), learner).args == (share,)


def test_low_rank_starts_as_the_model_was(lifted, tiny):
    kind = lifted["BertForSequenceClassification"]
    model = lifted["with_head"](kind, 3, num_labels=2)
    before = spam.spam_probability(tiny, model, ["win a prize", "see you"])
    thin = lifted["get_peft_model"](model, lifted["adapter"]).eval()
    after = spam.spam_probability(tiny, thin, ["win a prize", "see you"])
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
    sentences = lifted["tagged"](lifted["LEARN"], lifted["SEEN"], 35, 0)
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


def test_patterns_units_and_months_to_judge_by_are_new(lifted):
    assert not set(lifted["LEARN"]) & set(lifted["JUDGE"])
    for tag, names in lifted["SEEN"].items():
        assert not set(names) & set(lifted["UNSEEN"][tag])


# The verdicts turn with the results

MORE, LESS, SAME = 1, -1, 0
METHODS = ["TF-IDF", "frozen [CLS]", "frozen mean", "fine-tuned", "LoRA"]


@pytest.fixture
def said(lifted, cells):
    """said(name, made-up results): what the page then says under the glued name."""

    def say(name, **made_up):
        own = any(f'glue("{name}"' in source for source in cells.sources)
        loop = f'glue(f"{name.split("_")[0]}_'  # one of several, in a loop
        lifted.update(made_up)
        return cells.glued(f'glue("{name}"' if own else loop, **lifted)[name]

    return say


def scattered(shift, n=60, seed=0):
    return np.random.default_rng(seed).normal(0.5 + 0.3 * shift, 0.2, n)


def compared(shift):
    ours = {name: scattered(0, seed=i) for i, name in enumerate(METHODS)}
    ours["fine-tuned"] = scattered(shift, seed=3)
    best, *level = leaders(ours)
    against = {
        ("fine-tuned", other): compare(ours["fine-tuned"], ours[other])
        for other in ("TF-IDF", "frozen mean")
    }
    return {
        "parts": ours,
        "best": best,
        "level": level,
        "against": against,
        "summary": pd.DataFrame({"seconds": [0.1, 1, 1, 9, 8]}, index=METHODS),
        "judged": range(60),
    }


def led(shift):
    return {"lead": lambda method, n: scattered(shift * (n > 16), seed=n)}


def reviewed(shift):
    pairs = {"TF-IDF": scattered(0), "frozen mean": scattered(shift, seed=1)}
    return {"hits": [pd.DataFrame(pairs)], "rows": pd.DataFrame(pairs)}


def tags(shift):
    n = 100
    right = np.ones(n, int)
    wrong = np.random.default_rng(0).integers(0, 2, n)
    pair = {MORE: (right, wrong), LESS: (wrong, right), SAME: (right, right)}[shift]
    scores = {"word alone": [0, 0, 0], "BERT": [1, 1, 1]}
    return {
        "by_bert": pair[0],
        "by_word": pair[1],
        "truth": right,
        "judge": [[0]] * n,
        "tag_f1": pd.DataFrame(scores, index=["AMOUNT", "DATE", "PHONE"]),
    }


def real(shift):
    word = {MORE: "ahead", LESS: "behind", SAME: "not told apart"}[shift]
    table = pd.DataFrame({"f1": 0.9, "accuracy": 0.9, "n": 99.0}, index=METHODS)
    table = table.assign(difference=0.1, low=0.0, high=0.2, word="not told apart")
    table.loc["fine-tuned", "word"] = word
    rows = pd.DataFrame({"method": METHODS, "train": 4000.0, "epochs": 3.0})
    made_up = {"by_seed": rows.groupby("method", sort=False)}
    return made_up | {"real": table, "kind_of_split": "families together"}


@pytest.mark.parametrize(
    ("name", "results", "ahead", "behind", "level"),
    [
        ("gain", compared, "is ahead", "is behind", "cannot be told apart"),
        ("frozen_gain", compared, "ahead of", "behind", "cannot be told apart"),
        ("lead_tuned", led, "grows", "shrinks", "less than"),
        ("clinic", reviewed, "encoder is ahead", "words are ahead", "told apart"),
        ("real_gain", real, "BERT pays", "opponent wins", "buys nothing"),
        ("tagging", tags, "BERT is ahead", "word is ahead", "cannot be told apart"),
    ],
)
def test_a_verdict_turns_with_the_results(said, name, results, ahead, behind, level):
    for shift, words in ((MORE, ahead), (LESS, behind), (SAME, level)):
        assert words in said(name, **results(shift)), (name, shift)


def test_what_cannot_be_told_apart_from_the_best_is_named(said):
    one, two = compared(MORE), compared(SAME)
    assert said("level", **one) == "and all others are behind"
    assert "cannot be told apart from" in said("level", **two)


def test_the_table_gives_every_verdict_that_the_text_draws_from_it(lifted, cells):
    [source] = [source for source in cells.sources if "best, *level" in source]
    source = source[source.index("best, *level") :]
    base = scattered(0)
    apart = {}  # from base by 2.25 standard errors: told apart at 95 %, not among five
    for i, name in enumerate(METHODS, start=1):
        noise = scattered(0, seed=i)
        noise = (noise - noise.mean()) / noise.std(ddof=1)
        apart[name] = base + noise - 2.25 / len(base) ** 0.5
    apart["frozen mean"] = apart["frozen mean"] - 1
    for highest in METHODS:
        parts = apart | {highest: base}
        names = lifted | {"parts": parts, "summary": pd.DataFrame(index=METHODS)}
        exec(source, names)
        rows, best = names["against"], names["best"]
        assert best == highest
        level = {
            theirs
            for (ours, theirs), verdict in rows.items()
            if ours == best and verdict.word == "not told apart"
        }
        assert level == set(names["level"])
        assert {("fine-tuned", "TF-IDF"), ("fine-tuned", "frozen mean")} <= set(rows)


def test_each_lead_is_followed_from_its_first_row(said):
    asked = []

    def lead(method, n):
        asked.append((method, n))
        return scattered(0, seed=n)

    said("lead_tuned", lead=lead, TRAIN=80)
    few = {"fine-tuned": 16, "frozen mean": 8}
    assert asked == [(method, n) for method in few for n in (80, few[method])]


# The data


def test_spam_is_longer_than_ham(lifted, tiny):
    """Why batches sorted by length hold one class."""
    distinct = lifted["distinct"]
    lengths = np.array([len(ids) for ids in spam.encode(tiny, distinct.text)])
    order = np.argsort(lengths, kind="stable")
    short, long = order[: len(order) // 4], order[-len(order) // 4 :]
    labels = distinct.label.to_numpy()
    assert labels[short].mean() < 0.2 and labels[long].mean() > 0.7


def test_a_table_reader_that_knows_quotes_loses_messages(lifted):
    lines = DATA / "sms-spam-mini" / "messages.tsv"
    read = pd.read_csv(lines, sep="\t", header=None)
    assert len(read) < len(lifted["messages"])


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
    head = path.read_text().split("split,method,")[0]
    for word in ("python -m experiments.spam_filters", "SMS Spam", "transformers"):
        assert word in head
    results = pd.read_csv(path, comment="#")
    results = results[results.split == results.split.iloc[-1]]
    seeds = results[results.seed != "all"]
    assert seeds.groupby("method").seed.nunique().to_dict() == dict.fromkeys(FIVE, 3)
    assert set(seeds.train + seeds.test) == {5170}  # distinct messages
    shares = results[["accuracy", "precision", "recall", "f1"]]
    assert shares.stack().between(0, 1).all()
    product = seeds.precision * seeds.recall
    harmonic = 2 * product / (seeds.precision + seeds.recall)
    assert np.allclose(seeds.f1, harmonic, atol=2e-4)
    pooled = results[results.seed == "all"].set_index("method")
    assert pooled.index.tolist() == list(FIVE)
    words = np.select([pooled.low > 0, pooled.high < 0], ["ahead", "behind"], "")
    assert all(not w or w == v for w, v in zip(words, pooled.word, strict=True))
    assert pooled.f1["fine-tuned"] >= 0.93
