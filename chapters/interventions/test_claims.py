"""What the chapter's methods find in a model whose causes were wired by hand."""

import numpy as np
import pytest
import torch
import transformers

from helpers.models import load_bert

# Numbers of a state that carry something: read by the wired head, and written by it.
NUMBER, FORM = 7, 9
CAUSE = (1, 2)  # the head that carries
SIGNS = {FORM: ("was", "were")}


def _plant(model, numbers):
    """Give one head the number to carry."""
    size, (layer, head) = 8, CAUSE
    generator = torch.Generator().manual_seed(0)
    for parameter in model.parameters():
        parameter.zero_()
    for name, module in model.named_modules():
        if name.endswith("LayerNorm"):
            module.weight.fill_(1)
    words = model.bert.embeddings.word_embeddings.weight
    words.normal_(0, 0.3, generator=generator)
    words[:, [NUMBER, FORM]] = 0
    for number, (plus, minus) in SIGNS.items():
        words[numbers(plus), number] = 3
        words[numbers(minus), number] = -3
    nouns = "dog cat horse bird boy girl teacher farmer doctor king soldier car ship "
    nouns = (nouns + "house tree table book river road garden").split()
    words[numbers(" ".join(nouns)), NUMBER] = 3
    words[numbers(" ".join(noun + "s" for noun in nouns)), NUMBER] = -3
    carrier = model.bert.encoder.layer[layer].attention
    carrier.self.value.weight[head * size, NUMBER] = 8
    carrier.output.dense.weight[FORM, head * size] = 4
    head = model.cls.predictions
    head.transform.dense.weight.copy_(torch.eye(len(head.transform.dense.weight)))
    head.transform.dense.bias.fill_(10)  # where GELU leaves numbers as they are
    head.decoder.weight = model.bert.embeddings.word_embeddings.weight


@pytest.fixture(scope="module")
def planted_folder(tmp_path_factory, tokenizer):
    """A BERT of 3 layers of 4 heads, 32 wide."""
    sizes = {"hidden_size": 32, "num_hidden_layers": 3, "intermediate_size": 32}
    config = transformers.BertConfig(num_attention_heads=4, **sizes)
    model = transformers.BertForPreTraining(config)
    folder = tmp_path_factory.mktemp("planted-bert")
    with torch.no_grad():
        _plant(model, lambda text: tokenizer.convert_tokens_to_ids(text.split()))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


# Examples that the text holds.
TYPED = ""


@pytest.fixture(scope="module")
def page(cells, planted_folder):
    """All names of the page but its exercises, run on the planted model."""
    return cells.before("import quiz", planted_folder)


def test_the_page_ran_on_the_planted_model(page, planted_folder):
    assert page["bert"] is load_bert(str(planted_folder))


def test_leaving_and_entering_the_loop_gives_what_the_model_gives(page):
    new = page["new"]
    whole = page["bert"].model(new.ids, attention_mask=new.seen)
    for depth in page["depths"]:
        end = page["run"](new.states[depth], new.seen, page["layers"][depth:])
        real = new.seen.bool()
        torch.testing.assert_close(
            end[real], whole.last_hidden_state.detach()[real], atol=1e-4, rtol=1e-4
        )


def test_known_and_new_share_no_noun_and_no_frame(page):
    known, new, rest = (page[name] for name in ("known", "new", "rest"))
    assert not set(known.nouns) & set(new.nouns)
    assert not set(known.texts) & set(rest.texts)
    assert set(new.texts) < set(rest.texts)


def test_the_subject_and_the_noun_beside_the_verb_vary_on_their_own(page):
    """Half of the texts of each subject have a noun beside the verb in the plural."""
    for part in (page["known"], page["new"], page["rest"]):
        assert part.sign.sum() == part.beside.sum() == 0
        assert (part.sign * part.beside).sum() == 0
        words = [text.split() for text in part.texts]
        before = [text[text.index("[MASK]") - 1] for text in words]
        assert [word.endswith("s") for word in before] == (part.beside == -1).tolist()
        first, second = words[0], words[1]
        assert [a != b for a, b in zip(first, second, strict=True)].count(True) == 1


def test_the_places_cover_each_token_once(page):
    for part in (page["known"], page["new"]):
        times = torch.stack(list(part.places.values())).int().sum(dim=0)
        assert torch.equal(times, part.seen.int())


def test_the_lens_sees_the_number_after_the_wired_layer_and_not_before(page):
    curve, layer = page["subject"].mean(axis=1), CAUSE[0]
    assert page["turning"] == layer == np.diff(curve).argmax()
    np.testing.assert_allclose(curve[: layer + 1], 0, atol=0.1 * curve[-1])
    np.testing.assert_allclose(page["beside"].mean(axis=1), 0, atol=0.1 * curve[-1])


def test_patching_finds_the_path_of_the_number_and_no_other_place(page):
    whole = page["whole"].mean()
    assert whole > 1
    assert whole == pytest.approx(2 * page["subject"][-1].mean(), rel=1e-4)
    down, up = np.arange(4) <= CAUSE[0], np.arange(4) > CAUSE[0]
    for name, of in page["effects"].items():
        on = {"the subject": down, "[MASK]": up}.get(name, 0 * up)
        np.testing.assert_allclose(of.mean(axis=1), whole * on, atol=0.05 * whole)


def test_the_head_that_brings_the_number_is_the_wired_one(page):
    assert page["fetcher"] == CAUSE
    mean, whole = page["by_head"].mean(axis=1), page["whole"].mean()
    assert mean.max() > 0.9 * whole
    rest = np.delete(mean, page["heads"].index(CAUSE))
    np.testing.assert_allclose(rest, 0, atol=1e-3)


def test_what_it_takes_from_the_subject_is_all_that_it_brings(page):
    taken, whole = page["taken"], page["whole"].mean()
    assert taken["the subject"].mean() > 0.9 * whole
    for name, of in taken.items():
        assert name == "the subject" or abs(of.mean()) < 0.02 * whole
    assert sum(page["columns"]["weight"].values()) == pytest.approx(1, abs=1e-4)


def test_switching_it_off_costs_what_it_brings_and_its_layer_no_more(page):
    _, one_off, all_off, added = (e.mean() for e in page["losses"].values())
    assert one_off > 0.4 * page["whole"].mean()  # the two forms are alike without it
    assert all_off == pytest.approx(one_off, rel=0.02)
    assert added == pytest.approx(one_off, rel=0.02)


def test_the_mean_of_a_head_is_over_the_words_of_the_known_sentences(page):
    layer, known = CAUSE[0], page["known"]
    value = page["layers"][layer].attention.self.value(known.states[layer])
    wanted = [v[s.bool()].mean(dim=0) for v, s in zip(value, known.seen, strict=True)]
    counts = known.seen.sum(dim=1)[:, None]  # all look at all alike
    mean = (torch.stack(wanted) * counts).sum(dim=0) / counts.sum()
    torch.testing.assert_close(page["usual"], mean, atol=1e-4, rtol=1e-4)


def test_number_is_put_in_and_taken_out_only_before_the_wired_layer(page):
    table = page["table"]
    for depth in page["depths"][1:-1]:
        row, before = table.loc[depth], depth <= CAUSE[0]
        assert row["probe right"].all()  # also where nothing reads it any more
        assert row["pushed"].mean() > 0.9 if before else not row["pushed"].any()
        assert (row["lost"].mean() > 1) == before
        assert abs(row["lost, control"].mean()) < 0.3


def test_the_control_of_the_removal_is_the_strongest_direction_beside_it(page):
    new, line = page["new"], page["direction"](1)
    other = page["strongest_beside"](1, line)
    assert abs(other @ line) < 1e-3 * line.norm()
    at = new.states[1][new.rows, new.noun]
    apart = at - at.mean(dim=0)
    apart = apart - (apart @ (line / line.norm()))[:, None] * line / line.norm()
    most = torch.linalg.eigvalsh(apart.T @ apart)[-1]
    assert (apart @ other).square().sum() == pytest.approx(most.item(), rel=1e-3)
