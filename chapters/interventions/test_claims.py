"""What the chapter's methods find in a model whose causes were wired by hand."""

import copy
import shutil

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import binomtest, false_discovery_control, ttest_1samp

import helpers
from helpers.attention import read_attention
from helpers.models import load_bert
from helpers.verdicts import compare

# Numbers of a state that carry something: read by the wired head, and written by it.
ENDING, WORD, NUMBER, FORM = 3, 5, 7, 9
CAUSE, DECOY = (1, 2), (2, 1)  # the head that carries, and one that only turns
SIGNS = {
    ENDING: ("tired sick hungry", "wide steep empty"),
    WORD: ("animal horse dog", "street hill garden"),
    FORM: ("was", "were"),
}
FRAMES = (  # of two lengths, so that there is padding
    "The {} left the {} because it was so {{}}.",
    "The {} left the {} on that day because it was so {{}}.",
)


def _plant(model, numbers):
    """Give one head the ending and the number to carry, and one a look without use."""
    size, (layer, head) = 8, CAUSE
    generator = torch.Generator().manual_seed(0)
    for parameter in model.parameters():
        parameter.zero_()
    for name, module in model.named_modules():
        if name.endswith("LayerNorm"):
            module.weight.fill_(1)
    words = model.bert.embeddings.word_embeddings.weight
    words.normal_(0, 0.3, generator=generator)
    words[:, [ENDING, WORD, NUMBER, FORM]] = 0
    for number, (plus, minus) in SIGNS.items():
        words[numbers(plus), number] = 3
        words[numbers(minus), number] = -3
    nouns = "dog cat horse bird boy girl teacher farmer doctor king soldier car ship "
    nouns = (nouns + "house tree table book river road garden").split()
    words[numbers(" ".join(nouns)), NUMBER] = 3
    words[numbers(" ".join(noun + "s" for noun in nouns)), NUMBER] = -3
    carrier = model.bert.encoder.layer[layer].attention
    for slot, (source, target) in enumerate(((ENDING, WORD), (NUMBER, FORM))):
        carrier.self.value.weight[head * size + slot, source] = 8
        carrier.output.dense.weight[target, head * size + slot] = 4
    turning = model.bert.encoder.layer[DECOY[0]].attention.self
    for side in (turning.query, turning.key):
        side.weight[DECOY[1] * size, WORD] = 2
    head = model.cls.predictions
    head.transform.dense.weight.copy_(torch.eye(len(head.transform.dense.weight)))
    head.transform.dense.bias.fill_(10)  # where GELU leaves numbers as they are
    head.decoder.weight = model.bert.embeddings.word_embeddings.weight


def _small_bert(folder, n_layers, change=lambda model, tokenizer: None):
    """Keep a random BERT of 4 heads, 32 wide, after a change, in a folder."""
    import transformers

    from helpers.models import embedded_encoder, load_tokenizer

    torch.manual_seed(0)
    tokenizer = load_tokenizer(embedded_encoder())
    config = transformers.BertConfig(
        hidden_size=32,
        num_hidden_layers=n_layers,
        num_attention_heads=4,
        intermediate_size=32,
    )
    model = transformers.BertForPreTraining(config)
    with torch.no_grad():
        change(model, tokenizer)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def planted_folder(tmp_path_factory):
    def change(model, tokenizer):
        _plant(model, lambda text: tokenizer.convert_tokens_to_ids(text.split()))

    return _small_bert(tmp_path_factory.mktemp("planted-bert"), 3, change)


def _sentences(folder):
    """Riddles whose ending decides by the wired head alone, and sentences to guess."""
    endings, words = ([s.split() for s in SIGNS[kind]] for kind in (ENDING, WORD))
    rows = [
        (FRAMES[i % 2].format(one, other), one, endings[0][i], other, endings[1][i])
        for i in range(3)
        for one in words[0]
        for other in words[1]
    ]
    columns = ["text", "one", "for one", "other", "for other"]
    pd.DataFrame(rows, columns=columns).to_csv(
        folder / "riddles.tsv", sep="\t", index=False
    )
    places = "hall yard bank shop park farm store school church hotel beach lake barn"
    lines = [
        f"the [MASK] by the {place} is {ending} {when}today .\t{word}"
        for place in places.split()
        for sign, when in enumerate(("", "and cold "))
        for ending, word in zip(endings[sign], words[sign], strict=True)
    ]
    shutil.copy(helpers.DATA / "was-were.tsv", folder)
    (folder / "cloze-everyday.tsv").write_text("\n".join(lines) + "\n")


def _run(cells, folder, data=helpers.DATA):
    """All names of the page before its quiz, run on a model and on a folder of data."""
    said = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(helpers, "DATA", data)
        patch.setattr(helpers, "glue", said.__setitem__)
        names = cells.before("import quiz", folder)
    return names | {"said": said}


@pytest.fixture(scope="module")
def page(cells, planted_folder, tmp_path_factory):
    data = tmp_path_factory.mktemp("planted-data")
    _sentences(data)
    return _run(cells, planted_folder, data)


@pytest.fixture(scope="module")
def untrained(cells, tmp_path_factory):
    """What the page says of a model of twelve layers with random weights."""
    folder = _small_bert(tmp_path_factory.mktemp("untrained-bert"), 12)
    return _run(cells, folder)["said"]


def test_the_page_ran_on_the_planted_model(page, planted_folder):
    assert page["bert"] is load_bert(str(planted_folder))
    assert page["said"]["n_solved"] == len(page["riddles"])


def test_leaving_and_entering_the_loop_gives_what_the_model_gives(page):
    whole = page["bert"].model(page["ids"], attention_mask=page["seen"])
    for depth in page["depths"]:
        end = page["run"](page["states"][depth], page["seen"], page["layers"][depth:])
        real = page["seen"].bool()
        torch.testing.assert_close(
            end[real], whole.last_hidden_state.detach()[real], atol=1e-4, rtol=1e-4
        )


def test_the_lens_sees_the_word_after_the_wired_layer_and_not_before(page):
    curve, mixed = page["in_order"].mean(axis=1), page["mixed"].mean(axis=1)
    layer = CAUSE[0]
    assert np.diff(curve).argmax() == layer == page["said"]["steepest"]
    np.testing.assert_allclose(curve[: layer + 1], curve[0], atol=0.1)
    assert np.diff(mixed).max() < np.diff(curve).max()  # elsewhere in each order


def test_patching_finds_the_path_of_the_ending_and_no_other_place(page):
    effects = {name: e.mean(axis=1) for name, e in page["effects"].items()}
    whole = page["shift"].mean()
    assert whole > 1
    down, up = np.arange(4) <= CAUSE[0], np.arange(4) > CAUSE[0]
    np.testing.assert_allclose(effects["the ending"], whole * down, atol=0.05 * whole)
    np.testing.assert_allclose(effects["[MASK]"], whole * up, atol=0.05 * whole)
    for name in ("the one word", "the other word", "[CLS]"):
        np.testing.assert_allclose(effects[name], 0, atol=0.05 * whole)


def test_the_part_that_carries_is_the_attention_of_the_wired_layer(page):
    attention, forward = (page["by_part"][name].mean(axis=1) for name in page["parts"])
    others = np.delete(attention, CAUSE[0])
    assert attention[CAUSE[0]] > 0.9 * page["shift"].mean()
    np.testing.assert_allclose(others, 0, atol=1e-3)
    np.testing.assert_allclose(forward, 0, atol=1e-3)


def test_the_head_by_effect_is_the_wired_one_and_by_turning_the_decoy(page):
    heads = page["heads"]
    assert heads[page["by_head"].mean(axis=1).argmax()] == CAUSE
    assert heads[page["turns"].mean(axis=1).argmax()] == DECOY
    chosen = {name: e.mean() for name, e in page["chosen"].items()}
    assert chosen["chosen by effect"] > 0.9 * page["shift"].mean()
    assert abs(chosen["chosen by turning"]) < 1e-3
    assert page["said"]["n_sure"] == 1


def test_only_the_wired_head_costs_something_when_it_is_off(page):
    for losses in page["harms"].values():
        mean = losses.mean(axis=1)
        assert page["heads"][mean.argmax()] == CAUSE and mean.max() > 1
        rest = np.delete(mean, page["heads"].index(CAUSE))
        np.testing.assert_allclose(rest, 0, atol=1e-2)
    assert page["said"]["mean_sure"] == page["said"]["zero_sure"] == 1


def test_the_mean_of_a_head_is_over_the_words_of_the_other_sentences(page):
    layer, head = CAUSE
    seen = page["o_seen"].bool()
    states = page["depths_of"](page["o_ids"], page["o_seen"])[layer]
    attention = page["layers"][layer].attention
    values = attention.self.value(states)  # all look at all alike
    wanted = [value[kept].mean(dim=0) for value, kept in zip(values, seen, strict=True)]
    counts = seen.sum(dim=1)[:, None]
    mean = (torch.stack(wanted) * counts).sum(dim=0) / counts.sum()
    torch.testing.assert_close(page["means"][layer], mean, atol=1e-4, rtol=1e-4)


def test_occlusion_and_gradients_find_the_ending_and_rollout_does_not(page):
    for (table, (parts, whole)), text in zip(
        page["found"], page["tested"]["text"], strict=False
    ):
        ending = next(word for word in text.split() if word in " ".join(SIGNS[ENDING]))
        lost, found = table["occlusion"], table["integrated gradients"]
        assert lost.idxmax() == found.idxmax() == ending
        assert lost.drop(ending).abs().max() < 0.02 * lost[ending]
        assert np.ptp(table["rollout"]) < 1e-2  # nearly all look at all alike
        assert parts == pytest.approx(whole, rel=0.05)
        control = table["the same, random weights"]
        assert control.abs().max() < 0.02 * found[ending]


def test_rollout_finds_the_ending_where_the_wired_head_looks_at_it(page):
    """The control carries the ending as well, but looks at all words alike."""
    looking, (layer, head) = copy.deepcopy(page["bert"]), CAUSE
    carrier, slot = looking.model.encoder.layer[layer].attention.self, 8 * head + 7
    with torch.no_grad():
        carrier.query.bias[slot] = carrier.key.weight[slot, ENDING] = 8
    text, ending = "the [MASK] by the hall is tired today .", "tired"
    for bert, least, most in ((looking, 0.05, 1), (page["bert"], 0, 0.01)):
        reading = read_attention(bert, text)
        mask = reading.tokens.index("[MASK]")
        shares = page["rollout"](reading.attention)[mask]
        words = [i for i, token in enumerate(reading.tokens) if token not in ending]
        words.remove(mask)
        ahead = shares[reading.tokens.index(ending)] - shares[words].max()
        assert least <= max(0, ahead) <= most


def test_rollout_follows_attention_down_through_the_layers(page):
    """Two layers: token 1 looks at 2, then 0 looks at 1; half stays where it is."""
    lower, upper = np.eye(3), np.eye(3)
    lower[1], upper[0] = [0, 0, 1], [0, 1, 0]
    attention = np.stack([lower, upper])[:, None]  # (layers, one head, 3, 3)
    found = page["rollout"](attention)
    np.testing.assert_allclose(found[0], [0.5, 0.25, 0.25])
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert page["rollout"](attention[::-1])[0, 2] == 0  # looked at before it was there


def test_a_closed_place_is_not_looked_at_and_an_emptied_one_brings_nothing(page):
    states, seen = page["c_states"][0], page["c_seen"]
    ids = page["c_ids"]
    known = page["numbers"]((" ".join(SIGNS[ENDING])).split())
    ending = torch.isin(ids, known).int().argmax(dim=1)
    for how in ("closed", "emptied"):
        lost = page["c_intact"] - page["score"](page[how](ending))
        assert lost.mean() > 1
        aside = page["c_intact"] - page["score"](page[how](ending - 1))
        assert abs(aside.mean()) < 0.5
    again = page["score"](page["run"](states, seen))  # no hook is left behind
    np.testing.assert_allclose(again, page["c_intact"], atol=1e-4)


def test_number_is_read_and_used_only_where_the_wired_head_has_brought_it(page):
    depths = [depth for depth in page["depths"][1:] if depth > CAUSE[0]]
    listed = ", ".join(map(str, depths))
    assert page["said"]["used"] == page["said"]["readable"] == listed
    for depth, row in page["amnesic"].iterrows():
        assert abs(np.mean(row["lost, random"])) < 0.3 * np.mean(
            page["amnesic"]["lost without"][depths[0]]
        )
        if depth in depths:
            assert row["probe right"].mean() == 1
            assert row["labels mixed"] < 0.9


def test_the_probe_is_tested_on_other_nouns_in_other_frames(page):
    items, learn, held = (page[name] for name in ("items", "learn", "held"))
    for name in ("noun", "frame"):
        assert not set(items[name][learn]) & set(items[name][held])
    assert len(items[learn]) == len(items[held]) > 20


def test_the_riddles_are_what_the_page_says(bert):
    riddles = pd.read_csv(helpers.DATA / "riddles.tsv", sep="\t")
    assert len(riddles) >= 30 and not riddles["text"].duplicated().any()
    for text, one, for_one, other, for_other in riddles.itertuples(index=False):
        assert text.count(" it ") == 1
        pieces = [bert.tokenizer.tokenize(text.format(e)) for e in (for_one, for_other)]
        assert len(pieces[0]) == len(pieces[1])
        assert sum(a != b for a, b in zip(*pieces, strict=True)) == 1
        assert pieces[0].count(one) == pieces[0].count(other) == 1


@pytest.mark.slow
def test_of_random_weights_the_page_says_that_it_cannot_tell(untrained):
    level = {
        "shift_word": "Whether the ending moves the guess cannot be told",
        "lens_middle_word": "not told apart from",
        "lens_end_word": "not told apart from",
        "middle_says": "the ending and [MASK] are not told apart",
        "part_word": "an amount not told apart from",
        "turn_word": "an amount not told apart from that of an average head",
        "turn_best": "an amount not told apart from",
        "zero_word": "not told apart from",
        "cls_word": "an amount not told apart from that of closing another word",
        "used": "none",
        "n_sure": 0,
        "mean_sure": 0,
    }
    assert {name: untrained[name] for name in level} == level


def test_a_pair_is_reported_by_a_head_that_it_did_not_choose(cells):
    rng, n = np.random.default_rng(0), 40
    own = cells.defined("half", n=n, layers=[])
    half, held_out = own["half"], own["held_out"]
    noise = rng.normal(size=(144, n))  # no head has an effect
    found = held_out(noise, noise)
    assert compare(found, 0).word == "not told apart"
    assert compare(noise[noise.mean(axis=1).argmax()], 0).word == "ahead"
    for which in (0, 1):
        other = np.where(half == which, rng.normal(size=noise.shape), noise)
        same = held_out(other, noise) == found
        assert same[half == which].all() and not same.all()


def test_the_correction_leaves_no_head_where_none_has_an_effect(cells):
    noise = np.random.default_rng(0).normal(size=(144, 24))
    names = {"heads": range(144), "previous": 0, "sure": {0: compare(NOISE, 0)}}
    names |= {"ttest_1samp": ttest_1samp, "turns": noise, "by_head": noise}
    names |= {"false_discovery_control": false_discovery_control}
    names |= {"fit": NOISE, "costs": NOISE, "chosen": dict.fromkeys(ROWS, NOISE)}
    names |= {"harms": {"zero": noise, "mean": noise}}
    said = cells.glued('"n_sure"', '"zero_word"', **names)
    for plain, sure in (("n_plain", "n_sure"), ("zero_plain", "zero_sure")):
        assert said[plain] > 0 and said[sure] == 0
    noise[5] += 2
    said = cells.glued('"n_sure"', '"zero_word"', **names)
    assert said["n_sure"] == said["zero_sure"] == said["mean_sure"] == 1


NOISE = np.random.default_rng(0).normal(0, 0.01, 8)


@pytest.fixture
def three(cells):
    """What the cell that glues `name` says for results higher, lower and alike."""

    def run(name, make, cell=None, **names):
        text = f'"{cell or name}"'
        found = [
            cells.glued(text, **names, **make(NOISE + shift))[name]
            for shift in (0.5, -0.5, 0)
        ]
        assert len(set(found)) == 3
        return found

    return run


def test_the_shift_turns(three):
    def make(shift):
        return {"intact": np.concatenate([shift, -shift]) / 2, "binomtest": binomtest}

    more, less, level = three("shift_word", make, n=8)
    assert "right way" in more and "wrong way" in less and "cannot be told" in level


def test_the_curves_of_the_lens_turn(three):
    def make(shift):
        return {"in_order": np.tile(shift, (3, 1))}

    for name in ("lens_middle_word", "lens_end_word"):
        said = three(
            name, make, cell="lens_start", layers=[0, 0], mixed=np.zeros((3, 8))
        )
        assert said == ["above", "below", "not told apart from"]


@pytest.mark.parametrize(
    ("gain", "layer", "level"), [(0.5, 1, "no other"), (-0.5, 0, "no other")]
)
def test_the_steepest_layer_has_the_others_beside_it(cells, gain, layer, level):
    def said(gain):
        rises = np.stack([np.zeros(8), NOISE, NOISE[::-1] + gain])
        names = {"in_order": rises.cumsum(axis=0), "mixed": np.zeros((3, 8))}
        return cells.glued('"lens_start"', layers=[0, 0], **names)

    assert (said(gain)["steepest"], said(gain)["steepest_beside"]) == (layer, level)
    alike = said(0)
    assert {str(alike["steepest"]), alike["steepest_beside"]} == {"0", "1"}


ABOVE = ["above", "below", "not told apart from"]


def test_what_the_place_and_the_parts_say_turns(three):
    flat, names = NOISE[::-1], ("the one word", "the other word", "[CLS]")

    def effects(shift):
        own = {"[MASK]": np.tile(shift, (3, 1)), "the ending": np.tile(flat, (3, 1))}
        return {"effects": own | dict.fromkeys(names, np.zeros((3, 8)))}

    more, less, level = three("middle_says", effects, middle=1)
    assert more.startswith("[MASK] carries more") and less.startswith("the ending")

    def parts(shift):
        return {"by_part": {"attention": shift[None], "feed-forward": flat[None]}}

    assert three("part_word", parts)[:2] == ["more than", "less than"]


def test_the_largest_part_has_the_others_beside_it(cells):
    def said(second):
        attention = np.stack([NOISE, NOISE[::-1] + second])
        parts = {"attention": attention, "feed-forward": attention}
        return cells.glued('"part_word"', by_part=parts)

    assert (said(1)["part_layer"], said(1)["part_beside"]) == (1, "no other")
    assert (said(-1)["part_layer"], said(-1)["part_beside"]) == (0, "no other")
    assert said(0)["part_beside"] in {"0", "1"}


def test_what_the_heads_say_turns(three):
    names = {"by_head": np.tile(NOISE, (8, 1)), "turns": np.tile(NOISE, (8, 1))}
    names |= {"heads": range(8), "ttest_1samp": ttest_1samp}
    names |= {"false_discovery_control": false_discovery_control}

    def make(shift):
        flat = NOISE[::-1]
        return {"chosen": dict(zip(ROWS, (shift, flat, flat), strict=True))}

    for name, words in (("turn_word", "an average head"), ("turn_best", "than")):
        more, less, level = three(name, make, **names)
        assert more.startswith("more than") and less.startswith("less than")
        assert words in more and "not told apart" in level


ROWS = ("chosen by turning", "chosen by effect", "average head")


def test_what_the_ranks_say_turns(three):
    columns = ["mean attention", "rollout", "integrated gradients"]
    columns += ["the same, random weights"]
    france = pd.DataFrame({"mean attention": [1, 2], "occlusion": [2, 1]})
    names = {"SCORES": columns, "france": france, "sums": np.ones((8, 2))}
    names |= {"found": range(8), "twins": NOISE}

    def told(name, column):
        def make(shift):
            ranks = pd.DataFrame(dict.fromkeys(columns, NOISE[::-1]))
            return {"ranks": ranks.assign(**{column: shift})}

        return three(name, make, **names)

    assert told("rollout_word", "rollout") == ABOVE
    assert told("gradient_word", "integrated gradients") == ABOVE
    more, less, level = told("learned_word", "the same, random weights")
    assert more.startswith("more closely") and less.startswith("less closely")
    assert told("raw_word", "mean attention")[0] == "above zero"

    def twins(shift):
        return {"twins": shift, "ranks": pd.DataFrame(dict.fromkeys(columns, NOISE))}

    del names["twins"]
    more, less, level = three("twins_word", twins, **names)
    assert "nothing to learning" in more and "turn it round" in less


def test_what_switching_off_says_turns(three):
    heads = [(0, number) for number in range(40)]
    fit = np.linspace(0, 1, 40)
    names = {"heads": heads, "previous": heads[0], "ttest_1samp": ttest_1samp}
    names |= {"false_discovery_control": false_discovery_control, "fit": fit}
    names["sure"] = {heads[0]: compare(NOISE, 0)}
    flat = np.tile(NOISE[::-1], (40, 1))

    def previous(shift):
        harms = {"zero": flat, "mean": flat}
        return {"harms": harms, "costs": fit, "sure": {heads[0]: compare(shift, 0)}}

    others = {key: value for key, value in names.items() if key != "sure"}
    more, less, level = three("previous_sure", previous, cell="zero_word", **others)
    assert "costs something" == more[3:] and "better" in less and "not among" in level

    def zero(shift):
        harms = {"zero": np.tile(shift, (40, 1)), "mean": flat}
        return {"harms": harms, "costs": fit}

    assert three("zero_word", zero, **names)[:2] == ["above", "below"]

    def follow(shift):
        slope = np.round(shift.mean(), 1)
        costs = slope * fit if slope else np.resize([1, 4, 2, 3], 40)
        return {"harms": {"zero": flat, "mean": flat}, "costs": costs}

    more, less, level = three("follow_word", follow, **names)
    assert "needed more" in more and "needed less" in less and "not told" in level


def test_what_closing_says_turns(three):
    places = ("[CLS]", "[SEP]", "another word")
    names = {"columns": places}

    def made(other):
        def make(shift):
            keys = [(name, how) for name in places for how in ("closed", "emptied")]
            losses = dict.fromkeys(keys, NOISE[::-1])
            return {"losses": losses | {("[CLS]", "closed"): shift}}

        return make

    more, less, level = three("cls_word", made("another word"), **names)
    assert more.startswith("more") and less.startswith("less") and "not told" in level
    more, less, level = three("cls_empty", made("[CLS]"), **names)
    assert "less, so the place" in more and less.startswith("costs more")


def test_solving_is_above_below_or_level_with_coins(cells):
    for right, word in ((20, "above"), (0, "below"), (6, "not told apart from")):
        intact = np.r_[np.where(np.arange(24) < right, 1, -1), -np.ones(24)]
        names = {"intact": intact, "n": 24, "binomtest": binomtest}
        said = cells.glued('"n_solved"', **names)
        assert (said["n_solved"], said["solved_word"]) == (right, word)


def test_depths_are_listed_where_the_line_is_readable_and_used(cells):
    held = np.ones(8, bool)
    items = pd.DataFrame({"noun": range(8)})
    rows = {1: (0.5, 0.0), 2: (1.0, 0.0), 3: (1.0, 1.0)}
    flips = np.resize([0.5, -0.5], 8)
    amnesic = pd.DataFrame(
        {
            depth: {
                "probe right": 0.5 + flips if right == 0.5 else np.ones(8),
                "lost without": NOISE + lost,
                "lost, random": NOISE[::-1],
            }
            for depth, (right, lost) in rows.items()
        }
    ).T
    said = cells.glued(
        '"readable_only"',
        items=items,
        held=held,
        amnesic=amnesic,
        agreement=lambda states: np.ones(8),
        n_states=[None],
    )
    told = [said[name] for name in ("readable", "used", "readable_only")]
    assert told == ["2, 3", "3", "2"]
