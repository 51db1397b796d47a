"""What the chapter computes and claims, on a small random BERT."""

from pathlib import Path

import numpy as np
import pytest
import torch

from helpers import plotting
from helpers.attention import head_scores, heads_off, read_attention
from helpers.attention import patterns as attention_patterns
from helpers.models import load_bert
from helpers.verdicts import compare


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
    assert len(chapter["harms"]) == tiny.n_layers * tiny.n_heads


def test_next_word_targets_leave_out_special_tokens_on_both_sides(chapter):
    tokens = ["[CLS]", "a", "b", "[SEP]", "c", "d", "[SEP]", "[PAD]"]
    found = np.argwhere(chapter["next_word_targets"](tokens))
    assert found.tolist() == [[1, 2], [4, 5]]


def test_a_score_is_the_mean_weight_of_the_tokens_that_have_a_target(chapter):
    """Token 0 may look at 1 or 2, token 1 at 0, token 2 at nothing."""
    targets = np.array([[0, 1, 1], [1, 0, 0], [0, 0, 0]], bool)
    first = [[0.2, 0.5, 0.3], [0.6, 0.2, 0.2], [1, 0, 0]]
    second = [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    found = chapter["pattern_score"](np.array([[first, second]]), targets)
    np.testing.assert_allclose(found, [[0.7, 0]])
    real = chapter["pair"].attention
    follows = chapter["next_word_targets"](chapter["pair"].tokens)
    live = head_scores(real, follows)  # what the box of the page shows
    np.testing.assert_allclose(chapter["pattern_score"](real, follows), live)


def test_a_pair_is_scored_by_the_head_chosen_on_the_other_half(chapter, monkeypatch):
    monkeypatch.setitem(chapter, "half", np.arange(4) % 2)
    scores = np.zeros((4, 2, 3))  # pairs, layers, heads
    scores[[0, 2], 0, 1] = 0.9, 0.7  # best on pairs 0 and 2
    scores[[1, 3], 0, 1] = 0.2, 0.1
    scores[[1, 3], 1, 2] = 0.8, 0.6  # best on pairs 1 and 3
    scores[[0, 2], 1, 2] = 0.4, 0.3
    found = chapter["held_out"](scores, scores)
    np.testing.assert_allclose(found, [0.4, 0.2, 0.3, 0.1])
    elsewhere = chapter["held_out"](scores, np.flip(scores, axis=2))
    np.testing.assert_allclose(elsewhere, [0, 0.2, 0, 0.1])


def test_the_best_distance_is_all_that_positions_can_give(chapter):
    results = chapter["results"]
    for pattern in ("next word", "previous word"):
        np.testing.assert_allclose(results[pattern]["best distance"], 1)
    assert np.mean(results["predictive word"]["best distance"]) < 1
    of_distances = chapter["pair_scores"](
        chapter["examples"], "next word", distances=True
    )
    assert of_distances.shape == (len(chapter["examples"]), 1, 41)
    assert of_distances[:, 0, 21].tolist() == [1] * len(
        of_distances
    )  # one to the right


def test_moved_targets_are_as_many_for_each_token(chapter, monkeypatch):
    seen = []
    monkeypatch.setitem(
        chapter, "pattern_score", lambda _, targets: seen.append(targets) or 0
    )
    examples = chapter["examples"]
    chapter["pair_scores"](examples, "delimiter", rng=np.random.default_rng(0))
    for example, moved in zip(examples, seen, strict=True):
        targets = example.targets["delimiter"]
        assert (moved.sum(axis=1) == targets.sum(axis=1)).all()
        assert (moved != targets).any()


def test_the_pair_has_the_nineteen_tokens_of_the_text(chapter):
    assert len(chapter["pair"].tokens) == 19
    assert chapter["pair"].tokens[12:14] == ["i", "bought"]  # "which is i"


def test_a_list_of_two_is_a_batch_or_an_error(bert):
    with pytest.raises(ValueError):
        bert.tokenizer.encode(["One.", "One, two."], return_tensors="pt")
    two = bert.tokenizer.encode(["The cat sat.", "The dog slept."], return_tensors="pt")
    assert two.shape == (2, 6)


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


def test_shares_add_up_to_what_the_words_give(chapter):
    readings, weights = chapter["readings"], chapter["weights"]
    tokens = sorted({token for reading in readings for token in reading.tokens})
    apart = sum(chapter["share_of"](token, weights) for token in tokens)
    np.testing.assert_allclose(apart, 1, atol=1e-5)
    np.testing.assert_allclose(chapter["share_of"](tokens, weights), 1, atol=1e-5)


def test_entropies_lie_between_one_token_and_all(chapter):
    most = np.log(max(len(reading.tokens) for reading in chapter["readings"]))
    for entropy in (chapter["of_words"], chapter["of_cls"]):
        assert ((0 <= entropy) & (entropy <= most)).all()
    reading, spread = chapter["readings"][1], chapter["spread"][1]
    row = reading.attention[1, :, 0]  # (heads, tokens): what [CLS] looks at
    expected = -(row * np.log(row)).sum(axis=-1).mean()
    assert spread[1, 0] == pytest.approx(expected, rel=1e-4)


def alone(chapter, number):
    """The sentence and the log-probability of hidden word `number`, without padding."""
    source, place = (int(chapter[name][number]) for name in ("source", "place"))
    tokens = chapter["bert"].tokenizer(chapter["sentences"][source]).tokens()[1:-1]
    word, tokens[place - 1] = tokens[place - 1], "[MASK]"
    return chapter["word_log_probability"](" ".join(tokens).replace(" ##", ""), word)


def test_each_word_is_predicted_with_only_itself_masked(chapter):
    for number in (0, 3, len(chapter["intact"]) - 1):
        assert chapter["intact"][number] == pytest.approx(
            alone(chapter, number), abs=1e-4
        )


def test_a_closed_place_is_looked_at_by_nobody_and_an_emptied_one_brings_nothing(
    chapter, tiny, monkeypatch
):
    seen = {}

    def look(**options):
        def log_probabilities(mask=chapter["seen"]):
            output = tiny.model(
                chapter["ids"],
                attention_mask=mask,
                output_attentions=True,
                output_hidden_states=True,
            )
            value = tiny.model.encoder.layer[1].attention.self.value
            seen["attention"] = torch.stack(output.attentions)
            seen["value"] = value(output.hidden_states[1])

        return log_probabilities

    places = chapter["last"]
    monkeypatch.setitem(chapter, "log_probabilities", look())
    with torch.inference_mode():
        chapter["closed"](places)
        closed = dict(seen)
        chapter["emptied"](places)
    rows = range(len(places))
    assert (closed["attention"][:, rows, :, :, places] == 0).all()
    assert (closed["value"][rows, places] != 0).any()
    assert (seen["attention"][:, rows, :, :, places] > 0).any()
    gone = (seen["value"] == 0).all(dim=-1)  # (copies, tokens)
    assert [row.nonzero().item() for row in gone] == places.tolist()


def test_hooks_are_gone_after_a_place_was_emptied(chapter):
    chapter["emptied"](0)
    np.testing.assert_allclose(chapter["log_probabilities"](), chapter["intact"])


def test_the_other_word_is_never_the_hidden_one_nor_a_special_token(chapter):
    place, other = chapter["place"], chapter["columns"]["another word"]
    assert (place != other).all()
    assert ((other >= 1) & (other <= chapter["last"] - 2)).all()


def test_harm_is_what_each_sentence_loses_without_the_head(chapter, tiny):
    losses = chapter["harm"]((1, 2))
    assert len(losses) == len(chapter["sentences"])
    of_first = (chapter["source"] == 0).nonzero().ravel().tolist()
    with heads_off(tiny, [(1, 2)]):
        without = [alone(chapter, number) for number in of_first]
    expected = np.mean(chapter["intact"][of_first] - without)
    assert losses[0] == pytest.approx(expected, abs=1e-4)
    assert abs(expected) > 1e-6


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


def test_rollout_follows_attention_down_through_the_layers(chapter):
    """Two layers: token 1 looks at 2, then 0 looks at 1; half stays where it is."""
    lower, upper = np.eye(3), np.eye(3)
    lower[1], upper[0] = [0, 0, 1], [0, 1, 0]
    attention = np.stack([lower, upper])[:, None]  # (layers, one head, 3, 3)
    found = chapter["rollout"](attention)
    np.testing.assert_allclose(found[0], [0.5, 0.25, 0.25])
    np.testing.assert_allclose(found.sum(axis=1), 1)


def test_the_loss_of_a_word_is_that_of_hiding_just_this_word(chapter, tiny):
    found = chapter["views"]("the capital of [MASK] is paris.")
    assert found.index.tolist() == ["the", "capital", "of", "is", "paris"]
    measure = chapter["word_log_probability"]
    answer = tiny.predict_masked("the capital of [MASK] is paris.", top=1)[0][0][0]
    whole = measure("the capital of [MASK] is paris.", answer)
    ids = tiny.tokenizer("the [MASK] of [MASK] is paris.", return_tensors="pt")
    with torch.inference_mode():
        logits = tiny.mlm(**ids).logits[0, 4].log_softmax(dim=-1)
    hidden = logits[tiny.tokenizer.convert_tokens_to_ids(answer)].item()
    assert found.loc["capital", "loss when hidden"] == pytest.approx(
        whole - hidden, abs=1e-4
    )

    assert chapter["france"].index.tolist() == ["the", "capital", "of", "france", "is"]


@pytest.fixture
def said(chapter, chapter_cells):
    """What the hidden cell that glues `name` says of made-up results."""
    sources = [c.source for c in chapter_cells() if "remove-cell" in c.tags]

    def run(name, **made_up):
        [source] = [source for source in sources if f'glue("{name}"' in source]
        glued = {}
        exec(source, chapter | made_up | {"glue": glued.__setitem__})
        return glued[name]

    return run


WORDS = ("ahead", "behind", "level")
NOISE = np.random.default_rng(0).normal(0, 0.01, 8)


def in_three_directions(say):
    """The three sentences for results that are higher, lower and alike; all differ."""
    found = [say(NOISE + shift) for shift in (0.5, -0.5, 0)]
    assert len(set(found)) == 3
    return found


def test_the_search_is_above_below_or_level_with_each_control(chapter, chapter_cells):
    [source] = [c.source for c in chapter_cells() if "def those" in c.source]
    controls = {"moved": "moved targets", "distance": "best distance"}
    controls["shuffled"] = "shuffled words"
    for part, control in controls.items():
        for shift, word in zip((0.5, -0.5, 0), WORDS, strict=True):
            fixed = dict.fromkeys(chapter["results"]["delimiter"], np.full(8, 0.5))
            one = fixed | {"chosen head": 0.5 + NOISE + shift}
            glued = {}
            results = {pattern: fixed for pattern in chapter["PATTERNS"]}
            results["delimiter"] = one | {control: np.full(8, 0.5)}
            exec(source, chapter | {"results": results, "glue": glued.__setitem__})
            named = [w for w in WORDS if "delimiter" in glued[f"{part}_{w}"]]
            assert named == [word]


def test_where_the_attention_rests_turns(said):
    def rests(shift):
        shares = {"[CLS]": (0.3 + shift)[:, None], "[SEP]": np.full((8, 1), 0.3)}
        return said("rests", shares=shares)

    more, less, level = in_three_directions(rests)
    assert more.startswith("More goes to [CLS]") and "not tell" in level


def test_what_closing_and_emptying_cost_turns(chapter, said):
    groups = torch.arange(8)

    def told(name, other):
        def say(shift):
            losses = {key: np.zeros(8) for key in chapter["losses"]}
            losses["[CLS]", "closed"], losses[other] = shift, np.zeros(8)
            return said(name, losses=losses, source=groups)

        return in_three_directions(say)

    more, less, level = told("cls_word", ("another word", "closed"))
    assert more.startswith("more") and less.startswith("less") and "not told" in level
    cheap, dear, level = told("cls_empty", ("[CLS]", "emptied"))
    assert "less, so the place" in cheap and dear.startswith("costs more")


def test_the_verdicts_on_a_head_turn(chapter, said):
    before = chapter["before"]

    def told(name, **changed):
        def say(shift):
            flat = {head: list(NOISE[::-1]) for head in chapter["harms"]}
            made_up = {"harm": lambda head: np.zeros(8)}
            return said(name, harms=flat | {before: list(shift)}, **made_up)

        return in_three_directions(say)

    assert told("harm_word") == ["harder", "easier", "neither harder nor easier"]
    assert told("harm_beside") == ["above", "below", "not told apart from"]
    assert told("zero_says")[:2] == ["less", "more"]


def test_whether_fitting_heads_are_needed_turns(chapter, said):
    heads = [(0, head) for head in range(40)]
    fits = np.linspace(0, 1, 40)
    scores = {"next word": fits[None, None]}  # one pair, one layer

    def say(shift):
        slope = shift.mean() if abs(shift.mean()) > 0.1 else 0
        order = fits if slope else np.resize([1, 4, 2, 3], 40)
        lost = slope * order if slope else order
        sure = {h: compare(x + NOISE, 0) for h, x in zip(heads, lost, strict=True)}
        made_up = {"every": heads, "before": heads[0], "scores": scores}
        harms = dict.fromkeys(heads, NOISE)
        return said(
            "follow_word", sure=sure, harms=harms, harm=lambda _: NOISE, **made_up
        )

    more, less, level = in_three_directions(say)
    assert "needed more" in more and "needed less" in less and "not told" in level


def test_the_verdict_on_the_riddles_turns(chapter, said):
    def say(shift):
        table = chapter["table"].copy()
        table["heads right"] = table["heads wrong"] + np.round(2 * shift[:5], 2)
        return said("pass_word", table=table)

    more, less, level = in_three_directions(say)
    assert "right than wrong" in more and "wrong than right" in less


def test_the_ranks_of_attention_and_rollout_turn(chapter, said):
    ranks = chapter["ranks"].iloc[:0]

    def told(name, column):
        def say(shift):
            made_up = dict.fromkeys(ranks.columns, NOISE[::-1]) | {column: shift}
            return said(name, ranks=type(ranks)(made_up))

        return in_three_directions(say)

    assert told("rank_word", "mean attention")[0] == "above zero"
    assert told("rollout_word", "rollout")[:2] == ["higher than", "lower than"]
