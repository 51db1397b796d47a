"""What the chapter computes and claims, on a small random BERT."""

from pathlib import Path

import numpy as np
import pytest
import torch

from helpers import plotting
from helpers.attention import head_scores, heads_off, read_attention
from helpers.attention import patterns as attention_patterns
from helpers.models import load_bert


@pytest.fixture(scope="module")
def chapter(chapter_cells, tiny_bert_folder):
    """All names after the cells before the quiz, with three of the sentence pairs."""
    sources = [cell.source for cell in chapter_cells()]
    quiz = next(i for i, source in enumerate(sources) if "import quiz" in source)
    names = {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BERT_COURSE_MODEL", str(tiny_bert_folder))
        patch.setattr(plotting, "show", lambda plot: None)
        patch.setattr(attention_patterns, "PAIRS", attention_patterns.PAIRS[:3])
        for source in sources[:quiz]:
            exec(source, names)
    return names


@pytest.fixture
def tiny(tiny_bert_folder):
    return load_bert(str(tiny_bert_folder))


def test_the_chapter_runs_with_another_model(chapter, tiny):
    assert chapter["bert"] is tiny
    assert len(chapter["tried"]) == tiny.n_layers * tiny.n_heads  # fewer than eleven


def test_next_word_targets_leave_out_special_tokens_on_both_sides(chapter):
    tokens = ["[CLS]", "a", "b", "[SEP]", "c", "d", "[SEP]", "[PAD]"]
    found = np.argwhere(chapter["next_word_targets"](tokens))
    assert found.tolist() == [[1, 2], [4, 5]]


def test_the_score_of_the_chapter_is_that_of_the_helpers(chapter):
    generator = np.random.default_rng(3)
    attention = generator.dirichlet(np.ones(6), size=(2, 3, 6))
    targets = generator.random((6, 6)) < 0.2
    targets[2] = False  # a token without a target
    assert targets.any()
    ours = chapter["pattern_score"](attention, targets)
    np.testing.assert_allclose(ours, head_scores(attention, targets))


def test_the_pair_has_the_nineteen_tokens_of_the_text(chapter):
    assert len(chapter["pair"].tokens) == 19
    assert chapter["pair"].tokens[12:14] == ["i", "bought"]  # "which is i"


def test_a_list_of_two_is_a_batch_or_an_error(bert):
    with pytest.raises(ValueError):
        bert.tokenizer.encode(["One.", "One, two."], return_tensors="pt")
    two = bert.tokenizer.encode(["The cat sat.", "The dog slept."], return_tensors="pt")
    assert two.shape == (2, 6)
    assert not hasattr(bert.tokenizer, "encode_plus")


def test_bertviz_draws_weights_as_opacity_over_the_heads_that_are_on():
    import bertviz

    script = (Path(bertviz.__file__).parent / "head_view.js").read_text()
    assert '.attr("stroke-width", 2)' in script
    assert "return d / activeHeads()" in script
    assert "schemeCategory10" in script
    script = (Path(bertviz.__file__).parent / "model_view.js").read_text()
    assert (
        'attr("stroke-opacity", function (d) {\n                    return d;' in script
    )


def test_queries_and_keys_give_the_weights_of_the_view(chapter):
    before, pair = chapter["before"], chapter["pair"]
    products = chapter["products"].sum(dim=-1).softmax(dim=-1)
    np.testing.assert_allclose(products, pair.attention[before], atol=1e-5)


def test_blank_positions_are_the_embeddings_without_words(chapter, tiny):
    n = chapter["pair"].segments.size
    with torch.inference_mode():
        nothing = torch.zeros(1, n, tiny.hidden_size)
        blank = tiny.model.embeddings(inputs_embeds=nothing)[0]
    torch.testing.assert_close(chapter["blank"], blank)


def test_lengths_are_those_of_what_reaches_the_other_token(chapter, tiny):
    first, second, _ = attention_patterns.PAIRS[0]
    lengths = chapter["moved_lengths"](first, second)
    encoding = tiny.tokenizer(first, second, return_tensors="pt")
    with torch.inference_mode():
        output = tiny.model(
            **encoding, output_attentions=True, output_hidden_states=True
        )
    size = tiny.hidden_size // tiny.n_heads
    for layer, head, i, j in ((0, 1, 3, 5), (1, 3, 7, 0)):
        block = tiny.model.encoder.layer[layer].attention
        part = slice(head * size, (head + 1) * size)
        value = block.self.value(output.hidden_states[layer][0, j])[part]
        sent = output.attentions[layer][0, head, i, j] * (
            block.output.dense.weight[:, part] @ value
        )
        assert lengths[layer, head, i, j] == pytest.approx(sent.norm().item(), rel=1e-4)


def test_shares_add_up_to_what_the_words_give(chapter):
    readings, weights = chapter["readings"], chapter["weights"]
    tokens = {token for reading in readings for token in reading.tokens}
    total = sum(chapter["share_of"](token, weights) for token in tokens)
    np.testing.assert_allclose(total, 1, atol=1e-5)


def test_entropies_lie_between_one_token_and_all(chapter):
    entropy, widest = chapter["entropy"], chapter["widest"]
    assert (entropy >= 0).all() and (entropy <= widest + 0.2).all()
    longest = max(len(reading.tokens) for reading in chapter["readings"])
    shortest = min(len(reading.tokens) for reading in chapter["readings"])
    assert np.log(shortest) <= widest <= np.log(longest)


def test_each_word_is_predicted_with_only_itself_masked(chapter, tiny):
    sentence = "The ship left the harbour at dawn."
    found = chapter["log_probabilities"](sentence)
    tokens = tiny.tokenizer(sentence).tokens()
    assert len(found) == len(tokens) - 3
    for place in (1, 4, len(tokens) - 3):
        masked = [*tokens[1:-1]]
        word, masked[place - 1] = masked[place - 1], "[MASK]"
        alone = chapter["word_log_probability"](" ".join(masked), word)
        assert found[place - 1] == pytest.approx(alone, abs=1e-4)


def test_harm_is_what_the_words_lose_without_the_head(chapter, tiny):
    text = attention_patterns.PAIRS[0][0]
    with heads_off(tiny, [(1, 2)]):
        without = np.concatenate(
            [chapter["log_probabilities"](text) for text in chapter["sentences"]]
        )
    assert text == chapter["sentences"][0]
    loss = (chapter["intact"] - without).mean()
    assert chapter["harm"](1, 2) == pytest.approx(loss, abs=1e-6)
    assert abs(loss) > 1e-6


def test_the_words_of_the_riddles_stand_in_them_in_one_piece(chapter, tiny):
    assert len(chapter["riddles"]) == 5
    for text, one, for_one, other, for_other in chapter["riddles"]:
        for ending in (for_one, for_other):
            tokens = tiny.tokenizer(text.format(ending)).tokens()
            assert [tokens.count(word) for word in ("it", one, other)] == [1, 1, 1]
            assert text.format(ending).count(" it ") == 1


def test_a_head_that_turns_with_the_ending_is_right_and_its_reverse_is_wrong(
    chapter, monkeypatch
):
    def prefers(first_when_tired):
        def onto(sentence, *words):
            up = ("tired" in sentence) == first_when_tired
            return np.array([[[0.9 if up else 0.1]], [[0.1 if up else 0.9]]])

        return onto

    for right in (True, False):
        monkeypatch.setitem(chapter, "onto", prefers(right))
        found = chapter["head_choices"](*chapter["riddles"][0])
        assert [choice.item() for choice in found] == [right, not right]


def test_attention_from_it_is_read_from_the_row_of_it(chapter, tiny):
    text = chapter["story"].format("tired")
    reading = read_attention(tiny, text)
    it, animal = reading.tokens.index("it"), reading.tokens.index("animal")
    [found] = chapter["onto"](text, "animal")
    np.testing.assert_allclose(found, reading.attention[:, :, it, animal])


def test_hiding_a_word_of_the_france_sentence_hides_just_that_word(chapter, tiny):
    copies, mask = chapter["copies"], chapter["mask"]
    masked = (copies == tiny.tokenizer.mask_token_id).nonzero().tolist()
    whole = [[row, mask] for row in range(mask)]
    hidden = [[row, row] for row in range(1, mask)]
    assert sorted(masked) == sorted(whole + hidden)
    assert chapter["france"].index.tolist() == ["the", "capital", "of", "france", "is"]
