"""Attention: what is read, how heads are scored, and heads switched off."""

import numpy as np
import pytest
import torch

from helpers.attention import (
    Reading,
    head_scores,
    heads_off,
    random_twin,
    read_attention,
)
from helpers.attention.patterns import (
    PAIRS,
    PATTERNS,
    most_predictive,
    pattern_examples,
    pattern_targets,
    score_patterns,
    shuffled,
    uniform_scores,
)
from tests.bad_input import one_line

FIRST, SECOND = "I went to the store.", "At the store, I bought strawberries."


@pytest.fixture(scope="module")
def pair(bert):
    return read_attention(bert, FIRST, SECOND)


def reading_of(tokens, segments=None, attention=None):
    """A Reading made by hand; a piece that starts with ## belongs to the last word."""
    special = np.isin(tokens, ["[CLS]", "[SEP]", "[PAD]"])
    starts = [not s and t[:2] != "##" for t, s in zip(tokens, special, strict=True)]
    owners = np.where(special, -1, np.cumsum(starts) - 1)
    n = len(tokens)
    return Reading(
        tokens=tokens,
        attention=np.full((1, 1, n, n), 1 / n) if attention is None else attention,
        special=special,
        segments=np.zeros(n, int) if segments is None else np.array(segments),
        owners=owners,
    )


def looks(reading, targets):
    """Which token looks at which, as a set of (token, token)."""
    names = reading.tokens
    return {(names[i], names[j]) for i, j in zip(*np.nonzero(targets), strict=True)}


def test_what_is_read_is_the_attention_of_the_encoder(bert, pair):
    encoding = bert.tokenizer(FIRST, SECOND, return_tensors="pt")
    with torch.inference_mode():
        layers = bert.model(**encoding, output_attentions=True).attentions
    assert pair.tokens == encoding.tokens()
    assert pair.attention.shape == (bert.n_layers, bert.n_heads, 18, 18)
    np.testing.assert_allclose(pair.attention[3, 5], layers[3][0, 5], atol=1e-6)
    np.testing.assert_allclose(pair.attention.sum(axis=-1), 1, atol=1e-5)


def test_a_pair_knows_its_parts_and_its_words(pair):
    assert pair.sentence_b_start == 8
    assert pair.tokens[8] == "at"
    assert pair.special.sum() == 3
    assert pair.words[14:16] == ["strawberries", "strawberries"]
    assert pair.words[0] == "" and pair.owners[0] == -1
    assert len(set(pair.owners)) == 15  # 14 words and signs, and the special tokens


def test_a_sentence_alone_has_no_second_part(bert):
    assert read_attention(bert, FIRST).sentence_b_start is None


def test_a_masked_word_is_no_special_token(bert):
    reading = read_attention(bert, "The [MASK] sat.")
    assert not reading.special[reading.tokens.index("[MASK]")]


def test_a_model_that_returns_no_attention_is_told_so(bert):
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=len(bert.tokenizer),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
    )
    fast = BertModel._from_config(config, attn_implementation="sdpa").eval()
    with pytest.raises(ValueError, match="eager") as caught:
        read_attention(bert, FIRST, model=fast)
    assert "\n" not in str(caught.value)


def test_a_score_is_the_mean_weight_on_the_targets():
    attention = np.zeros((2, 1, 3, 3))
    attention[0, 0] = [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.5, 0.0]]
    targets = np.array([[0, 1, 1], [0, 0, 0], [1, 0, 0]])
    np.testing.assert_allclose(head_scores(attention, targets), [[0.7], [0.0]])
    assert np.isnan(head_scores(attention, np.zeros((3, 3)))).all()


def test_neighbours_are_words_within_a_sentence():
    reading = reading_of("[CLS] a b [SEP] c , [SEP] [PAD]".split(), [0] * 4 + [1] * 4)
    targets = pattern_targets(reading)
    assert looks(reading, targets["next word"]) == {("a", "b"), ("c", ",")}
    assert looks(reading, targets["previous word"]) == {("b", "a"), (",", "c")}
    assert (targets["next word"] == targets["previous word"].T).all()


def test_a_word_is_not_its_own_target_and_its_pieces_are_not_either():
    tokens = "[CLS] straw ##berries , a [SEP] straw ##berries , [SEP]".split()
    reading = reading_of(tokens, [0] * 6 + [1] * 4)
    same = pattern_targets(reading)["same or related word"]
    assert np.flatnonzero(same[1]).tolist() == [6, 7]
    assert np.flatnonzero(same[7]).tolist() == [1, 2]
    assert not same[3].any()  # punctuation


def test_the_other_sentence_is_the_other_one():
    tokens = "[CLS] the cat the [SEP] the kitten [SEP]".split()
    reading = reading_of(tokens, [0] * 5 + [1] * 3)
    targets = pattern_targets(reading, related=[("kitten", "cat")])
    same = targets["same or related word"]
    assert np.flatnonzero(same[1]).tolist() == [3, 5]
    assert np.flatnonzero(same[2]).tolist() == [6]  # a kitten is related to a cat
    other = targets["same word, other sentence"]
    assert np.flatnonzero(other[1]).tolist() == [5]
    assert np.flatnonzero(other[6]).tolist() == [2]


def test_delimiters_are_looked_at_by_words_only():
    reading = reading_of("[CLS] a b [SEP] [PAD]".split())
    delimiter = pattern_targets(reading)["delimiter"]
    assert delimiter.any(axis=1).tolist() == [False, True, True, False, False]
    assert np.flatnonzero(delimiter[1]).tolist() == [0, 3, 4]


def test_predictive_words_are_taken_as_given():
    reading = reading_of("[CLS] a b [SEP]".split())
    targets = pattern_targets(reading, predictors=[-1, 2, 1, -1])
    assert looks(reading, targets["predictive word"]) == {("a", "b"), ("b", "a")}
    assert "predictive word" not in pattern_targets(reading)


def test_the_predictive_word_is_the_one_that_is_missed_most(bert):
    sentence = "The old man fed the birds."
    ids = bert.tokenizer(sentence, return_tensors="pt")["input_ids"]
    best = most_predictive(bert, sentence)
    assert best[0] == best[-1] == best[-2] == -1  # [CLS], the stop, [SEP]

    def chance(i, j):
        masked = ids.clone()
        masked[0, [i, j]] = bert.tokenizer.mask_token_id
        with torch.inference_mode():
            logits = bert.mlm(input_ids=masked).logits
        return logits[0, i].log_softmax(-1)[ids[0, i]].item()

    for i in (1, 4, 6):
        others = [j for j in range(1, 7) if j != i]
        assert best[i] == min(others, key=lambda j: chance(i, j))


def test_one_word_has_nothing_that_predicts_it(bert):
    assert most_predictive(bert, "Birds.").tolist() == [-1] * 4


@pytest.fixture(scope="module")
def examples(bert):
    return pattern_examples(bert, PAIRS[:2])


def test_every_head_gets_a_score_for_every_pattern(bert, examples):
    scores = score_patterns(bert, examples)
    assert tuple(scores) == PATTERNS
    for values in scores.values():
        assert values.shape == (bert.n_layers, bert.n_heads)
        assert (values >= 0).all() and (values <= 1).all()


def test_scores_are_averaged_over_words_not_over_pairs(bert, examples):
    parts = [
        (read_attention(bert, e.first, e.second).attention, e.targets["next word"])
        for e in examples
    ]
    rows = [targets.any(axis=1).sum() for _, targets in parts]
    assert rows[0] != rows[1]
    weighted = sum(
        n * head_scores(*part) for n, part in zip(rows, parts, strict=True)
    ) / sum(rows)
    scores = score_patterns(bert, examples)["next word"]
    np.testing.assert_allclose(scores, weighted, rtol=1e-5)


def test_predictors_of_the_second_sentence_are_places_in_the_pair(bert, examples):
    reading = read_attention(bert, *PAIRS[0][:2])
    start = reading.sentence_b_start
    alone = most_predictive(bert, PAIRS[0][1])
    within = examples[0].targets["predictive word"]
    for i in np.flatnonzero(alone >= 0):
        [j] = np.flatnonzero(within[start + i - 1])
        assert j == start + alone[i] - 1


def test_uniform_scores_are_those_of_equal_weights(bert, examples):
    uniform = uniform_scores(examples)
    for pattern in PATTERNS:
        weight = rows = 0
        for example in examples:
            targets = example.targets[pattern]
            n, looking = len(targets), targets.any(axis=1).sum()
            equal = head_scores(np.full((1, 1, n, n), 1 / n), targets).item()
            weight, rows = weight + looking * equal, rows + looking
        assert uniform[pattern] == pytest.approx(weight / rows)


def test_patterns_without_a_target_have_no_score(bert):
    scores = score_patterns(bert, pattern_examples(bert, [("One.", "Two.", [])]))
    assert np.isnan(scores["same word, other sentence"]).all()
    assert not np.isnan(scores["delimiter"]).any()


def test_shuffling_keeps_the_words_and_the_stop():
    rng = np.random.default_rng(0)
    sentence = "The ship left the harbour at dawn."
    mixed = shuffled(sentence, rng)
    assert mixed != sentence and mixed.endswith(".")
    assert sorted(mixed[:-1].split()) == sorted(sentence[:-1].split())


def test_the_twin_has_the_size_of_the_weights_and_not_the_weights(bert):
    before = bert.model.encoder.layer[0].output.dense.weight.clone()
    twin = random_twin(bert.model, seed=1)
    own, other = bert.model.encoder.layer[0], twin.encoder.layer[0]
    weight, noise = own.output.dense.weight, other.output.dense.weight
    assert torch.equal(weight, before)
    assert (
        abs(torch.corrcoef(torch.stack([weight.ravel(), noise.ravel()]))[0, 1]) < 0.05
    )
    assert noise.std() == pytest.approx(weight.std().item(), rel=0.02)
    again = random_twin(bert.model, seed=1).encoder.layer[0].output.dense.weight
    assert torch.equal(noise, again)


def test_a_head_that_is_off_adds_nothing_and_comes_back(bert):
    """The output projection sees zeros where the head's numbers stood, nowhere else."""
    encoding = bert.tokenizer(FIRST, return_tensors="pt")
    layer, size = bert.model.encoder.layer[2], bert.hidden_size // bert.n_heads

    def mixed():
        seen = []
        hook = layer.attention.output.dense.register_forward_hook(
            lambda module, inputs, output: seen.append(inputs[0])
        )
        with torch.inference_mode():
            bert.model(**encoding)
        hook.remove()
        return seen[0].unflatten(-1, (bert.n_heads, size))  # (1, n, heads, size)

    whole = mixed()
    with heads_off(bert, [(2, 3), (2, 7)]):
        without = mixed()
    gone = (without == 0).all(dim=-1).all(dim=1)[0]
    assert torch.nonzero(gone).ravel().tolist() == [3, 7]
    assert torch.equal(without[:, :, ~gone], whole[:, :, ~gone])
    assert torch.equal(mixed(), whole)


def test_the_predictions_change_and_come_back_even_after_an_error(bert):
    def chance():
        return bert.predict_masked("She drank a cup of [MASK].", top=1)[0][0][1]

    whole = chance()
    with pytest.raises(KeyError), heads_off(bert, [(0, 0), (1, 1)]):
        assert chance() != whole
        raise KeyError
    assert chance() == whole


@pytest.mark.parametrize("head", [(-1, 0), (99, 0), (0, 99), (0, -1)])
def test_a_head_that_is_not_there_is_said_in_one_line(bert, head):
    def switch_off():
        with heads_off(bert, [(0, 0), head]):
            pass

    assert "there is no head" in one_line(ValueError, switch_off)
    assert not bert.model.encoder.layer[0].attention.output.dense._forward_pre_hooks
