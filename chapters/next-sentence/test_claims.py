"""Claims of the chapter: the head by hand, its pairs, its baselines."""

import re

import numpy as np
import pandas as pd
import pytest

from helpers import DATA
from helpers.corpus import read_documents
from tests.lifted import three

# Published or made-up figures that the text holds.
TYPED = "0.1 0.5 0.9 82.9 83.9 84.0 84.4 84.7 84.9 88.4 92.6 92.7"

KINDS = ["true", "swapped", "same topic", "other topic"]


@pytest.fixture(scope="module")
def lifted(cells, tiny_bert_folder):
    """Run what the first cell with a text needs, and it, on a random BERT."""
    return lambda wanted: cells.needed(wanted, tiny_bert_folder)


@pytest.fixture(scope="module")
def stories():
    return read_documents(DATA / "next-sentence.txt")


def test_the_head_by_hand_gives_the_logits_of_the_model(lifted):
    names = lifted("head.cls.seq_relationship(pooled)")
    assert names["difference"] < 1e-5
    by_hand = names["logits"].softmax(-1)[0, 0].item()
    pair = "I went to the store.", "They were out of milk."
    assert by_hand == pytest.approx(names["bert"].predict_next(*pair), abs=1e-6)


def test_a_batch_gives_what_single_pairs_give_in_their_order(lifted):
    names = lifted("def probability_next(")
    pairs = [*names["pairs"]["true"][:10], *names["pairs"]["other topic"][:9]]
    pairs.append(("Short.", "Very."))
    single = [names["bert"].predict_next(*pair) for pair in pairs]
    assert np.allclose(names["probability_next"](pairs), single, atol=1e-5)


def test_pairs_differ_in_what_the_text_says_they_do(lifted, stories):
    names = lifted("def pairs_of(")
    for number, story in enumerate(stories):
        pairs = names["pairs_of"](number)
        first, second = pairs["true"]
        assert f"{first} {second}" == " ".join(story[:4])
        assert pairs["swapped"] == (second, first)
        assert pairs["same topic"][0] == pairs["other topic"][0] == first
        assert pairs["same topic"][1] != second != pairs["other topic"][1]
    same, other = (
        [pair[1] for pair in names["pairs"][kind]]
        for kind in ("same topic", "other topic")
    )
    # each story lends its second text exactly once to each kind
    assert sorted(same) == sorted(other) == sorted(b for _, b in names["pairs"]["true"])


def test_forty_stories_two_on_a_topic(stories, lifted):
    assert len(stories) == 40 and {len(story) for story in stories} == {5}
    lines = [line for story in stories for line in story]
    assert len(set(lines)) == len(lines)
    assert all(re.fullmatch(r"[A-Z][^.?!]*\.", line) for line in lines)
    shared = lifted("def shared_words(")["shared_words"]
    whole = [" ".join(story) for story in stories]
    twins = np.mean(
        [shared(a, b) for a, b in zip(whole[::2], whole[1::2], strict=True)]
    )
    far = np.mean([shared(whole[i], whole[(i + 20) % 40]) for i in range(40)])
    assert twins > 3 * far


def test_bags_of_words_get_one_half_of_the_swapped_pairs(lifted):
    choice = lifted("def preferred(")["choice"]
    for name in ("word vectors", "shared words"):
        assert choice.loc[f"swapped: {name}", ["share", "low", "high"]].eq(0.5).all()


def test_a_tie_counts_one_half(lifted):
    preferred = lifted("def preferred(")["preferred"]
    wins = preferred(pd.Series([1.0, 2.0, 3.0]), pd.Series([1.0, 3.0, 2.0]))
    assert wins.tolist() == [0.5, 0, 1]


def test_shared_words_leaves_out_function_words(lifted):
    shared = lifted("def shared_words(")["shared_words"]
    assert shared("The cat was there.", "the was a") == 0
    assert shared("The cat sat.", "A cat slept.") == pytest.approx(1 / 3)


def test_course_model_knows_topics_and_an_own_rule_knows_order(bert, chapter_cells):
    """What the solution of exercise 3 hints at holds for the model that readers get."""
    [source] = [cell.source for cell in chapter_cells() if "solution-3" in cell.tags]
    names = {"re": re}
    exec(source.split("rule_scores =")[0], names)
    stories = read_documents(DATA / "next-sentence.txt")
    pairs = [(" ".join(s[:2]), " ".join(s[2:4])) for s in stories]
    ordered = [names["order_rule"](a, b) > names["order_rule"](b, a) for a, b in pairs]
    assert np.mean(ordered) > 0.55
    far = pairs[20:] + pairs[:20]
    wins = [
        bert.predict_next(a, b) > bert.predict_next(a, c)
        for (a, b), (_, c) in zip(pairs, far, strict=True)
    ]
    assert np.mean(wins) > 0.75


def said_of_shares(cells, **means):
    """What the page says of a model with these P(IsNext), by kind, in 40 stories."""
    model = pd.DataFrame({kind.replace("_", " "): p for kind, p in means.items()})
    return cells.glued("def listed(", "order = compare(", model=model)


@three("fewer than", "not told apart", "not told", by=(0.1, 0.9, 0.8))
def test_swapped_pairs_are_said_to_be_accepted_as_they_are(cells, by, word):
    rest = np.full((3, 40), 0.9)
    means = dict(zip(["true", "same topic", "other topic"], rest, strict=True))
    told = said_of_shares(cells, swapped=np.full(40, by), **means)
    assert told["swap_words"].startswith(word)
    means["true"] = np.full(40, 0.1)
    told = said_of_shares(cells, swapped=np.full(40, 0.9), **means)
    assert told["swap_words"].startswith("more than")


def test_the_kind_that_is_easiest_to_reject_is_the_one_that_is(cells):
    half = np.resize([0.1, 0.9], 40)
    told = said_of_shares(
        cells,
        **{"true": np.full(40, 0.9), "swapped": np.full(40, 0.1)},
        **{"same topic": half, "other topic": np.full(40, 0.9)},
    )
    assert (told["easiest"], told["hardest"]) == ("swapped", "other topic")
    alike = said_of_shares(cells, **dict.fromkeys(KINDS, half))
    assert alike["easiest"] == alike["hardest"]
    assert alike["easiest"].startswith("no kind alone")


def test_a_model_that_is_never_wrong_is_given_no_confidence_where_it_is(cells):
    p = dict(zip(KINDS, [np.full(40, p) for p in (0.9, 0.9, 0.1, 0.1)], strict=True))
    assert said_of_shares(cells, **p)["sure"] == "0.90 where it is right"
    p["other topic"] = np.full(40, 0.6)
    told = said_of_shares(cells, **p)
    assert told["sure"].endswith("0.60 where it is wrong")


@pytest.mark.parametrize(
    "model, bag, chance_said, bag_said",
    [
        (1, 0, "better than chance", "ahead of them"),
        (0, 1, "worse than chance", "behind them"),
        (0.5, 0.5, "not told from chance", "not told apart"),
    ],
)
def test_choices_are_told_from_chance_and_from_bags_of_words(
    cells, model, bag, chance_said, bag_said
):
    def table(share):  # the true pair scores 1, a false one 0 in this share of stories
        false = np.resize([0, 2] if share == 0.5 else [2 - 2 * share], 40)
        return pd.DataFrame({kind: false for kind in KINDS} | {"true": np.ones(40)})

    told = cells.glued(
        "bag = compare(",
        scores={name: table(bag) for name in ("word vectors", "shared words")}
        | {"model": table(model)},
        preferred=lambda true, false: (true > false) + 0.5 * (true == false),
    )
    for kind in KINDS[1:]:
        assert told[f"{kind} model"] == model
        assert told[f"verdict {kind}"] == chance_said
        assert told[f"bag {kind}"].startswith(bag_said)


def test_the_four_examples_are_listed_from_the_likeliest(cells):
    class Bert:
        def predict_next(self, first, second):
            return second / 10

    told = cells.glued(
        "order_of_four", bert=Bert(), examples=[(0, 4), (0, 9), (0, 1), (0, 6)]
    )
    names = [part.split(" (")[0] for part in told["order_of_four"].split(", ")]
    assert names == [
        "the pair swapped",
        "a shared word without sense",
        "the pair itself",
        "another topic",
    ]
