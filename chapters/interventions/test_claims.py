"""What the chapter's methods find in a model whose causes were wired by hand."""

import copy
import shutil

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import false_discovery_control, ttest_1samp

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


# A threshold and an example that the text holds.
TYPED = "0.02 0.1"

DEEPER = (
    "cloze = pd.read_csv",
    "def exchanged_at_mask",
    "def noted(",
    "costs = harms",
    "def still_sure(",
    "def fits(",
    "def exchanged(text",
    "def paths(",
    "def exchanged_head(",
    "def held_out(",
    "def closed(",
    "def rollout(",
    "spoiled =",
    "def scores_of(",
    "ranks =",
)


def _run(cells, folder, data=helpers.DATA):
    """All names of the page but its exercises, run on a model and a folder of data."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(helpers, "DATA", data)
        patch.setattr(helpers, "glue", lambda name, value: None)
        names = cells.before("import quiz", folder)
    return cells.run(*DEEPER, page=names)


@pytest.fixture(scope="module")
def page(cells, planted_folder, tmp_path_factory):
    data = tmp_path_factory.mktemp("planted-data")
    _sentences(data)
    return _run(cells, planted_folder, data)


def test_the_page_ran_on_the_planted_model(page, planted_folder):
    assert page["bert"] is load_bert(str(planted_folder))
    solved = (page["odds"][: page["n"]] > 0) & (page["odds"][page["n"] :] < 0)
    assert solved.all() and len(solved) == len(page["riddles"])


def test_leaving_and_entering_the_loop_gives_what_the_model_gives(page):
    whole = page["bert"].model(page["ids"], attention_mask=page["seen"])
    for depth in page["depths"]:
        end = page["run"](page["states"][depth], page["seen"], page["layers"][depth:])
        real = page["seen"].bool()
        torch.testing.assert_close(
            end[real], whole.last_hidden_state.detach()[real], atol=1e-4, rtol=1e-4
        )


def test_the_subject_and_the_noun_beside_the_verb_vary_on_their_own(page):
    """Half of the texts of each subject have a noun beside the verb in the plural."""
    sign, near, items = page["sign"], page["near"], page["items"]
    assert sign.sum() == near.sum() == (sign * near).sum() == 0
    for part in (page["learn"], page["held"]):
        assert (sign * near)[part].sum() == near[part].sum() == 0
    words = items["text"].str.split()
    before = [text[text.index("[MASK]") - 1] for text in words]
    assert [word.endswith("s") for word in before] == (near == -1).tolist()
    first, second = words[0], words[1]
    assert [a != b for a, b in zip(first, second, strict=True)].count(True) == 1


def test_the_lens_sees_the_number_after_the_wired_layer_and_not_before(page):
    curve, layer = page["subject"].mean(axis=1), CAUSE[0]
    assert page["turning"] == layer == np.diff(curve).argmax()
    np.testing.assert_allclose(curve[: layer + 1], 0, atol=0.1 * curve[-1])
    np.testing.assert_allclose(page["neighbour"].mean(axis=1), 0, atol=0.1 * curve[-1])


def test_the_lens_sees_the_word_after_the_wired_layer_and_not_before(page):
    curve, mixed = page["in_order"].mean(axis=1), page["mixed"].mean(axis=1)
    layer = CAUSE[0]
    assert np.diff(curve).argmax() == layer
    np.testing.assert_allclose(curve[: layer + 1], curve[0], atol=0.1)
    assert np.diff(mixed).max() < np.diff(curve).max()  # elsewhere in each order


def test_patching_finds_the_path_of_the_number_and_no_other_place(page):
    whole = page["whole"]
    assert whole > 1
    assert whole == pytest.approx(2 * page["subject"][-1].mean(), rel=1e-4)
    effects = {name: e.mean(axis=1) for name, e in page["effects"].items()}
    down, up = np.arange(4) <= CAUSE[0], np.arange(4) > CAUSE[0]
    for name, found in effects.items():
        on = {"the subject": down, "[MASK]": up}.get(name, 0 * up)
        np.testing.assert_allclose(found, whole * on, atol=0.05 * whole)


def test_patching_finds_the_path_of_the_ending(page):
    whole = page["shift"].mean()
    assert whole > 1
    down, up = np.arange(4) <= CAUSE[0], np.arange(4) > CAUSE[0]
    for found in (page["in_riddle"], page["in_clause"]):
        ending, mask = found["the ending"], found["[MASK]"]
        whole = ending[0].mean()
        np.testing.assert_allclose(ending.mean(axis=1), whole * down, atol=0.05 * whole)
        np.testing.assert_allclose(mask.mean(axis=1), whole * up, atol=0.05 * whole)


def test_the_clause_alone_is_the_riddle_without_its_nouns(page):
    assert page["alone_shift"].mean() > 1
    for clause, one, other in zip(
        page["clause"], page["riddles"]["one"], page["riddles"]["other"], strict=True
    ):
        assert clause.startswith("The [MASK] was ") and clause.count("{}") == 1
        assert not {one, other} & set(clause.split())
    swapped = page["exchanged"]("The dog ate the bone .", "dog", "bone")
    assert swapped == "The bone ate the dog ."


def test_the_part_that_carries_is_the_attention_of_the_wired_layer(page):
    attention, forward = (np.mean(e, axis=1) for e in page["by_part"].values())
    others = np.delete(attention, CAUSE[0])
    assert attention[CAUSE[0]] > 0.9 * page["whole"]
    np.testing.assert_allclose(others, 0, atol=1e-3)
    np.testing.assert_allclose(forward, 0, atol=1e-3)


def test_the_head_that_brings_the_number_is_the_wired_one(page):
    assert page["fetcher"] == CAUSE
    mean = page["by_head"].mean(axis=1)
    assert mean.max() > 0.9 * page["whole"]
    rest = np.delete(mean, page["heads"].index(CAUSE))
    np.testing.assert_allclose(rest, 0, atol=1e-3)
    assert (page["corrected"] < 0.05).sum() == 1


def test_what_it_takes_from_the_subject_is_all_that_it_brings(page):
    path = page["path"]
    assert path.loc["the subject", "effect"] > 0.9 * page["whole"]
    rest = path["effect"].drop("the subject")
    np.testing.assert_allclose(rest, 0, atol=0.02 * page["whole"])
    assert path.loc["the subject", "share of what arrives"] > 0.1


def test_putting_it_out_costs_what_it_brings_and_its_layer_no_more(page):
    _, one_off, all_off, added = (e.mean() for e in page["lost"].values())
    assert one_off > 0.4 * page["whole"]  # without it the two forms are alike
    assert all_off == pytest.approx(one_off, rel=0.02)
    assert added == pytest.approx(one_off, rel=0.02)


def test_the_head_by_effect_is_the_wired_one_and_by_turning_the_decoy(page):
    heads = page["heads"]
    assert heads[page["by_riddle"].mean(axis=1).argmax()] == CAUSE
    assert heads[page["turns"].mean(axis=1).argmax()] == DECOY
    chosen = {name: e.mean() for name, e in page["chosen"].items()}
    assert chosen["chosen by effect"] > 0.9 * page["shift"].mean()
    assert abs(chosen["chosen by turning"]) < 1e-3
    p = np.nan_to_num(ttest_1samp(page["by_riddle"], 0, axis=1).pvalue, nan=1)
    assert (false_discovery_control(p) < 0.05).sum() == 1


def test_only_the_wired_head_costs_something_when_it_is_off(page):
    for losses in page["harms"].values():
        mean = losses.mean(axis=1)
        assert page["heads"][mean.argmax()] == CAUSE and mean.max() > 1
        rest = np.delete(mean, page["heads"].index(CAUSE))
        np.testing.assert_allclose(rest, 0, atol=1e-2)
        p = np.nan_to_num(ttest_1samp(losses, 0, axis=1).pvalue, nan=1)
        assert (false_discovery_control(p) < 0.05).sum() == 1
    whole = page["whole_layers"].mean(axis=1)
    assert whole[CAUSE[0]] > 1 and abs(np.delete(whole, CAUSE[0])).max() < 1e-2


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
    amnesic = page["amnesic"]
    cost = {row: np.mean(amnesic.loc[row, "lost"]) for row in amnesic.index}
    read = {row: np.mean(amnesic.loc[row, "probe right"]) for row in amnesic.index}
    for depth in page["depths"][1:-1]:
        brought = depth > CAUSE[0]
        assert (cost["[MASK]", depth] > 1) == brought
        assert (read["[MASK]", depth] == 1) == brought
        assert read["the subject", depth] == 1  # also where nothing reads it any more
        assert (cost["the subject", depth] > 1) == (not brought)
        for place in ("[MASK]", "the subject"):
            assert abs(np.mean(amnesic.loc[(place, depth), "lost, control"])) < 0.3


def test_a_probe_learns_random_numbers_where_a_state_knows_its_noun(page):
    """The control can fail: at the subject it does, at [MASK] it need not."""
    probe, forms = page["probe"], page["forms"]
    known = np.eye(forms.max() + 1)[forms]  # states that are the form and no more
    blank = np.random.default_rng(0).normal(size=known.shape)
    for at, least, most in ((known, 1, 1), (blank, 0.3, 0.7)):
        right = [
            probe(at, d, ~page["late"], page["late"])[1].mean() for d in page["draws"]
        ]
        assert least <= np.mean(right) <= most
    labels = page["draws"][0]
    assert all(len(set(labels[forms == form])) == 1 for form in set(forms))


def test_the_control_of_the_removal_is_the_strongest_direction_beside_the_probe(page):
    rng = np.random.default_rng(0)
    at = rng.normal(size=(80, 4)) * [3, 5, 1, 1]
    other, mine, theirs = page["strongest_beside"](at, np.array([1.0, 0, 0, 0]))
    assert abs(other[1]) > 0.9 and abs(other[0]) < 1e-6
    assert mine == pytest.approx(at[:, 0].var()) and theirs > mine


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


def test_the_correction_leaves_no_head_where_none_has_an_effect(page):
    still_sure = page["still_sure"]
    noise = np.random.default_rng(0).normal(size=(144, 24))
    assert (ttest_1samp(noise, 0, axis=1).pvalue < 0.05).any()
    assert not still_sure(noise).any()
    noise[5] += 2
    assert still_sure(noise).nonzero()[0].tolist() == [5]
