"""Attention views: one frame each, which the book keeps as a file of its own."""

import html
import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

from build_tools import assets, offline, views
from helpers.attention import Reading
from helpers.attention.views import head_view, model_view

SRCDOC = re.compile(r'srcdoc="([^"]*)"')


@pytest.fixture
def reading():
    """Two layers of three heads over five tokens; the last head looks at "b"."""
    generator = np.random.default_rng(0)
    attention = generator.dirichlet(np.ones(5), size=(2, 3, 5)).astype("float32")
    attention[1, 2] = [[0, 0, 1, 0, 0]] * 5
    return Reading(
        tokens=["[CLS]", "a", "b", "</script><b>", "[SEP]"],
        attention=attention,
        special=np.array([True, False, False, False, True]),
        segments=np.zeros(5, int),
        owners=np.array([-1, 0, 1, 2, -1]),
    )


def document(view):
    return html.unescape(SRCDOC.search(view.data)[1])


def data(view):
    """What the script of a view is given to draw."""
    text = document(view)
    start = text.index("const params = ") + len("const params = ")
    return json.JSONDecoder().raw_decode(text, start)[0]


@pytest.mark.parametrize("draw", [head_view, model_view])
def test_a_view_holds_the_weights_once_in_three_digits(reading, draw):
    view = draw(reading)
    drawn = np.array(data(view)["attention"][0]["attn"])
    np.testing.assert_allclose(drawn, reading.attention, atol=0.0005)
    assert not re.search(r"\d\.\d{4}", document(view))
    assert document(view).count('"attention":[') == 1


@pytest.mark.parametrize("draw", [head_view, model_view])
def test_no_token_or_title_can_put_anything_into_the_page(reading, draw):
    view = draw(reading, title='<i>"a" & b</i>')
    assert data(view)["attention"][0]["left_text"] == reading.tokens
    assert "</script><b>" not in document(view)
    assert "<b>" not in view.data and "<i>" not in view.data
    assert draw is model_view or "&lt;/script&gt;&lt;b&gt;</text>" in view.data
    assert 'title="&lt;i&gt;&quot;a&quot; &amp; b&lt;/i&gt;"' in view.data


def test_the_same_weights_give_the_same_view(reading):
    assert head_view(reading).data == head_view(reading).data


def test_a_pair_can_be_shown_direction_by_direction(reading):
    reading.segments = np.array([0, 0, 1, 1, 1])
    view = head_view(reading)
    assert len(data(view)["attention"]) == 5
    assert 'aria-label="Attention between"' in document(view)


def test_the_view_starts_at_the_layer_and_heads_asked_for(reading):
    view = head_view(reading, layer=np.int64(1), heads=[np.int64(2)])
    assert (data(view)["layer"], data(view)["heads"]) == (1, [2])
    assert "Layer 1, head 2: the strongest links between words are a → b 1.00" in (
        view.data
    )
    assert "[CLS] and [SEP] get 0 %" in view.data


def test_a_text_without_two_words_has_a_summary_too(reading):
    reading.tokens[1:4] = "?!."
    assert "Layer 0, mean of 3 heads: [CLS] and [SEP] get" in head_view(reading).data


@pytest.mark.parametrize(
    "wrong", [{"layer": 2}, {"layer": -1}, {"heads": []}, {"heads": [3]}]
)
def test_a_head_that_is_not_there_is_said_in_one_line(reading, wrong):
    with pytest.raises(ValueError, match="layer 2|layer -1|no such heads") as caught:
        head_view(reading, **wrong)
    assert "\n" not in str(caught.value)


def test_the_picture_for_print_holds_the_links_of_the_head_shown(reading):
    view = head_view(reading, layer=1, heads=[2])
    [path] = re.findall(r'<path d="([^"]*)" stroke-opacity="1"', view.data)
    ends = [int(y) for y in re.findall(r"L254 (\d+)", path)]
    assert len(ends) == 5 and len(set(ends)) == 1  # all five to one token


def test_the_summary_of_a_model_counts_its_heads(reading):
    text = model_view(reading).data
    assert "2 layers of 3 heads" in text
    counts = re.search(r"by number of heads: ([^<]*)\.</p>", text)[1]
    assert sum(map(int, re.findall(r" in (\d+)", counts))) == 6


def write_page(tmp_path, body):
    app = SimpleNamespace(
        builder=SimpleNamespace(format="html"), outdir=str(tmp_path / "html")
    )
    context = {"body": body, "pathto": lambda name, resource: f"../{name}"}
    views.move_to_files(app, "chapters/fake", "page.html", context, None)
    return context["body"]


@pytest.fixture
def warnings(monkeypatch):
    found = []
    monkeypatch.setattr(
        offline.LOGGER, "warning", lambda text, *args, **kw: found.append(text % args)
    )
    return found


def test_the_book_loads_each_view_from_a_file_and_lazily(reading, tmp_path, warnings):
    both = head_view(reading).data + model_view(reading).data
    page = write_page(tmp_path, both)
    names = re.findall(r'loading="lazy"[^>]* src="\.\./_static/views/([^"]*)"', page)
    files = tmp_path / "html" / "_static" / "views"
    assert sorted(names) == sorted(path.name for path in files.iterdir())
    assert len(set(names)) == 2
    assert "srcdoc" not in page
    assert "<svg" in page and "Layer 0, mean of 3 heads" in page
    assert warnings == []


def test_a_view_of_the_book_loads_its_scripts_from_the_book(reading, tmp_path):
    write_page(tmp_path, model_view(reading).data)
    [file] = (tmp_path / "html" / "_static" / "views").iterdir()
    text = file.read_text(encoding="utf-8")
    assert offline.outside_addresses(text) == []
    vendored = {
        f"../vendor/{package}/{name}"
        for package, (_, names) in assets.PACKAGES.items()
        for name in names
    }
    asked = set(re.findall(r"""["'](\.\./vendor/[^"']*)["']""", text))
    asked = {name if name.endswith(".js") else f"{name}.js" for name in asked}
    assert len(asked) == 3 and asked <= vendored


def test_an_outside_address_in_a_view_is_a_warning(reading, tmp_path, warnings):
    view = model_view(reading).data.replace("d3/5.7.0", "d3/5.8.0")
    write_page(tmp_path, view)
    assert len(warnings) == 1 and "d3/5.8.0" in warnings[0]


def test_other_frames_and_other_builders_are_left_alone(reading, tmp_path):
    frame = '<iframe srcdoc="&lt;p&gt;attention-view&lt;/p&gt;"></iframe>'
    assert write_page(tmp_path, frame) == frame
    app = SimpleNamespace(builder=SimpleNamespace(format="latex"), outdir="")
    views.move_to_files(app, "chapters/fake", "page.html", {"body": None}, None)
