"""What the chapter's scores and exchanges compute, on a small random BERT."""

import numpy as np
import pandas as pd
import pytest

import helpers

# Figures of the made-up examples that the text holds.
TYPED = "0.2 1.5 0.1 1.8"


@pytest.fixture(scope="module")
def page(cells, tiny_bert_folder):
    """All names after the cells before the quiz."""
    return cells.before("import quiz", tiny_bert_folder)


def test_rollout_follows_attention_down_through_the_layers(page):
    """Two layers: token 1 looks at 2, then 0 looks at 1; half stays where it is."""
    lower, upper = np.eye(3), np.eye(3)
    lower[1], upper[0] = [0, 0, 1], [0, 1, 0]
    attention = np.stack([lower, upper])[:, None]  # (layers, one head, 3, 3)
    found = page["rollout"](attention)
    np.testing.assert_allclose(found[0], [0.5, 0.25, 0.25])
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert page["rollout"](attention[::-1])[0, 2] == 0  # looked at before it was there


def test_the_shares_of_gradients_add_up(page):
    for _, (parts, whole) in page["found"][:5]:
        assert parts == pytest.approx(whole, abs=0.05)


def test_a_hidden_word_costs_what_a_run_without_it_loses(page):
    table, _ = page["found"][0]
    text, word = page["texts"][0], table.index[0]
    at_word = page["read_attention"](page["bert"], text).tokens.index(word)
    ids = page["bert"].encode(text)["input_ids"]
    mask = page["bert"].tokenizer.mask_token_id
    place = (ids[0] == mask).nonzero().item()
    copy = ids.clone()
    copy[0, at_word] = mask
    chances = []
    for one in (ids, copy):
        states = page["bert"].model(one).last_hidden_state[:, place]
        chances.append(page["bert"].mlm.cls(states).log_softmax(-1)[0].detach())
    lost = (chances[0] - chances[1])[chances[0].argmax()]
    assert table["occlusion"].iloc[0] == pytest.approx(lost.item(), abs=1e-4)


def test_the_clause_alone_is_the_riddle_without_its_nouns(page):
    for clause, one, other in zip(
        page["clause"], page["riddles"]["one"], page["riddles"]["other"], strict=True
    ):
        assert clause.startswith("The [MASK] was ") and clause.count("{}") == 1
        assert not {one, other} & set(clause.split())
    swapped = page["exchanged"]("The dog ate the bone .", "dog", "bone")
    assert swapped == "The bone ate the dog ."


def test_exchanging_one_head_is_what_both_endings_lose_by_it(page):
    """With all heads of the first layer exchanged one by one, something moves."""
    some = np.arange(4)
    found = np.stack([page["effects_of"](0, h, some) for h in range(4)])
    assert found.shape == (4, 4) and np.abs(found).max() > 0
    again = page["effects_of"](0, 0, some)  # no hook is left behind
    np.testing.assert_allclose(found[0], again, atol=1e-5)


def test_the_riddles_are_what_the_page_says(bert):
    riddles = pd.read_csv(helpers.DATA / "riddles.tsv", sep="\t")
    assert len(riddles) >= 30 and not riddles["text"].duplicated().any()
    for text, one, for_one, other, for_other in riddles.itertuples(index=False):
        assert text.count(" it ") == 1
        pieces = [bert.tokenizer.tokenize(text.format(e)) for e in (for_one, for_other)]
        assert len(pieces[0]) == len(pieces[1])
        assert sum(a != b for a, b in zip(*pieces, strict=True)) == 1
        assert pieces[0].count(one) == pieces[0].count(other) == 1
