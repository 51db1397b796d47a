"""The steps from a text to a guess: what the page tells is what the model computes."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from build_tools.live import step_pictures, steps
from build_tools.live.looks import STEPS
from helpers.models import load_bert

PAGE = Path(__file__).parents[2] / "chapters/bert-step-by-step.md"
OPTION = re.compile(r"^:(text|other): (.+)$", re.M)
STEP = re.compile(r"^:::::\{live-step\} (\w+)\n(.*?)^:::::$", re.M | re.S)


@pytest.fixture(scope="module")
def page():
    """The texts of the page, and the code beside each step."""
    source = PAGE.read_text(encoding="utf-8")
    code = {
        name: re.search(r"```python\n(.*?)```", told, re.S)[1]
        for name, told in STEP.findall(source)
    }
    return SimpleNamespace(texts=dict(OPTION.findall(source)), code=code)


@pytest.fixture(scope="module", params=["course model", "random model"])
def run(request, page, bert, tmp_path_factory):
    """The page's code, run from top to bottom, and the journey beside it."""
    used = bert if request.param == "course model" else random_bert(tmp_path_factory)
    journey = steps.journey(used, **page.texts)
    given = {
        "torch": torch, "load_bert": lambda: used, **page.texts,
        "states": torch.tensor(journey.states), "size": journey.size,
        "piece": journey.piece, "layer": journey.layer, "head": journey.head,
    }  # fmt: skip
    with torch.inference_mode():
        exec("\n".join(page.code.values()), given)  # noqa: S102 - our own page
    return SimpleNamespace(given=given, journey=journey)


def random_bert(tmp_path_factory):
    """A random BERT of 12 layers of 12 heads, 768 wide, with a head for words."""
    import transformers

    from helpers.models import embedded_encoder, load_tokenizer

    folder = tmp_path_factory.mktemp("twelve-layers")
    torch.manual_seed(0)
    config = transformers.BertConfig()
    transformers.BertForPreTraining(config).save_pretrained(folder)
    load_tokenizer(embedded_encoder()).save_pretrained(folder)
    return load_bert(folder, "cpu")


def test_the_code_of_the_page_computes_what_its_pictures_show(run):
    given, j = run.given, run.journey
    layer, piece = j.layer, j.piece
    pairs = {
        "word": j.words, "segment": j.segments_added, "position": j.places_added,
        "query": steps.of_head(j, "query"), "key": steps.of_head(j, "key"),
        "value": steps.of_head(j, "value"), "weights": j.attention[layer, j.head],
        "mixed": steps.of_head(j, "mixed"), "each": j.attention[layer],
        "joined": j.mixed[layer], "projected": j.projected[layer],
        "between": j.between[layer], "wide": j.wide[layer],
        "narrow": j.narrow[layer], "after": j.states[layer + 1],
        "transformed": j.transformed[-1],
    }  # fmt: skip
    for name, expected in pairs.items():
        found = given[name].numpy()
        assert found.shape == expected.shape, name
        np.testing.assert_allclose(found, expected, atol=1e-4, err_msg=name)
    assert given["tokens"] == j.tokens and given["ids"].tolist() == j.ids
    total = given["products"].sum() - given["scores"][piece, given["looked_at"]]
    assert abs(total) < 1e-3
    assert [name for name, _ in j.guesses[-1]] == given["guesses"]
    best = given["by_layer"].argmax(dim=-1).tolist()
    names = load_tokens(given["bert"], best)
    assert names == [guesses[0][0] for guesses in j.guesses]
    bars = [value for _, value in steps.views(j)["parting"]["bars"]]
    np.testing.assert_allclose(given["apart"][:, piece], bars, atol=1e-5)


def load_tokens(bert, ids):
    return bert.tokenizer.convert_ids_to_tokens(ids)


def test_every_step_has_its_words_its_code_and_at_most_forty_numbers(run, page):
    assert list(page.code) == list(STEPS["steps"])
    for name, view in steps.views(run.journey).items():
        lines = page.code[name].strip().count("\n") + 1
        assert 3 <= lines <= 6, name
        shown = sum(len(row) for _, row in view.get("strips", ()))
        assert shown + len(view.get("bars", ())) <= 40, name


def test_a_view_shows_the_numbers_of_its_step(run):
    j, found = run.journey, steps.views(run.journey)
    products = dict(found["products"]["strips"])
    np.testing.assert_allclose(
        products["query"] * products["key"], products["product"], rtol=1e-5
    )
    rows = [values for _, values in found["mixed"]["strips"]]
    np.testing.assert_allclose(sum(rows[:-1]), rows[-1], atol=1e-5)
    rows = [values for _, values in found["between"]["strips"]]
    np.testing.assert_allclose(rows[0] + rows[1], rows[2], atol=1e-6)
    np.testing.assert_allclose(sum(dict(found["weights"]["strips"])["weight"]), 1, 1e-5)
    assert f"{(j.wide[j.layer, j.piece] > 0).sum()} of " in found["wide"]["words"]


def test_sentences_of_different_lengths_are_not_laid_over_each_other(tiny):
    j = steps.journey(tiny, "A [MASK] sat.", "The old [MASK] sat down.")
    assert "only sentences with the same number" in steps.parting(j)["words"]
    alone = steps.journey(tiny, "A cat sat.")
    assert alone.tokens[alone.piece] == "."
    assert "Type a second sentence" in steps.parting(alone)["words"]


def test_pictures_say_the_sign_without_colour_and_show_no_html():
    view = {"columns": ["<b>", "2"], "strips": [("row", np.array([-1.0, 0.5]))]}
    html = step_pictures.html_of(view | {"words": "<i>"})
    assert "<b>" not in html and "<i>" not in html
    assert html.count("<path") == 1  # the dash of the number below 0
    below, zero, above = STEPS["scale"]
    assert [step_pictures.colour(s) for s in (-1, 0, 1)] == [below, zero, above]
    assert "<td>-1.000</td><td>0.500</td>" in html
