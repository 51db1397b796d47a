"""What stands in a page before anything is loaded: drawn by Node, text as text."""

import re

import pytest
from sphinx.errors import ExtensionError

from build_tools.live.widgets import WIDGETS
from tests.touched_runs import touched_logits, with_eight_bits

TEXT = "<b>field</b> & field"
ODD = {
    "tokens": {"first": TEXT, "second": TEXT},
    "masked": {"text": f"{TEXT} [MASK]"},
    "next": {"first": TEXT, "second": TEXT},
    "attention": {"first": TEXT},
    "board": {"text": f"{TEXT} [MASK]"},
    "senses": {"text": TEXT, "word": "field"},
    "merges": {"text": TEXT, "rule": "ratio"},
}


def html_of(told):
    pictures = told.get("pictures", {}).values()
    return told.get("output", "") + "".join(picture["html"] for picture in pictures)


@pytest.mark.parametrize("kind", ODD)
def test_a_drawing_has_no_html_of_a_text_and_nothing_to_click(still, kind):
    told = still(kind, ODD[kind])
    assert not re.search("<(b|button|select|textarea|input)\\b", html_of(told))
    if kind in ("tokens", "attention", "merges"):  # they draw the text
        assert "&lt;" in html_of(told)
    assert told["settings"].items() >= ODD[kind].items()
    assert set(WIDGETS[kind].texts) <= set(told["fields"])


def test_the_board_shows_first_what_each_layers_heads_do(still, bert):
    """In PyTorch with the weights that the page loads."""
    text, bert = "The [MASK] barked.", with_eight_bits(bert)
    lines = re.findall("<tr>(.*?)</tr>", still("board", {"text": text})["output"])
    assert len(lines) == 1 + bert.n_layers
    heads = [(2, head) for head in range(bert.n_heads)]
    plain, off = (
        touched_logits(bert, text, off=touched)[2].softmax(dim=-1)
        for touched in ((), heads)
    )
    first = plain.argmax()
    piece, best = bert.tokenizer.convert_ids_to_tokens([first, off.argmax()])
    assert f"“{piece}”" in lines[0]
    told = re.findall("<t[hd].*?>(.*?)</t[hd]>", lines[3])
    assert told[:2] == ["layer 2", best]
    share, change = (float(t.rstrip(" %").replace("−", "-")) for t in told[2:])
    assert share == pytest.approx(100 * float(off.max()), abs=0.2)
    assert change == pytest.approx(
        float(off[first].logit() - plain[first].logit()), abs=0.02
    )


def test_a_link_may_choose_the_words_that_the_page_has(still):
    settings = {"text": "The crane stood.", "word": "crane"}
    assert still("senses", settings)["fields"] == {"text": None, "word": ["crane"]}
    every = still("senses", settings | {"choose": True})["fields"]["word"]
    assert {"crane", "field", "seal"} < set(every) and every == sorted(every)


def test_what_cannot_be_drawn_is_one_line_and_the_next_is_drawn(still):
    with pytest.raises(ExtensionError, match="live senses .* word “crane” is not in"):
        still("senses", {"text": "A field.", "word": "crane"})
    assert still("tokens", {"first": "A field."})["words"].startswith("5 pieces")
