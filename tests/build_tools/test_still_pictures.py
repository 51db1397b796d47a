"""Pictures that a cell has drawn, as one image each: whole, valid, with their words."""

from unittest import mock
from xml.etree import ElementTree

import pytest

from build_tools.print.pictures import WIDTH, pictures_of
from helpers.plotting.pictures import Matrix, curve, draw, matrices, slide

SVG = "{http://www.w3.org/2000/svg}"
TABLE = matrices(
    Matrix("A", [[1, 2]]), "×", Matrix("B & C", [[3], [4]]), words="A times B < C"
)


@pytest.fixture
def shown():
    """Call a function that shows something; returns the HTML."""

    def call(function, *given, **named):
        with mock.patch("IPython.display.display") as display:
            function(*given, **named)
        [[output]] = [call.args for call in display.call_args_list]
        return output.data

    return call


def read(picture):
    """The SVG of a picture as a deck writes it, parsed."""
    start = '<svg xmlns="http://www.w3.org/2000/svg"'
    return ElementTree.fromstring(picture.svg.replace("<svg", start, 1))


def test_parts_and_the_signs_between_them_become_one_valid_image(shown):
    [picture] = pictures_of(shown(draw, TABLE))
    drawing = read(picture)
    parts = list(drawing)
    assert [part.tag for part in parts] == [SVG + "svg", SVG + "text", SVG + "svg"]
    assert parts[1].text == "×" and len(drawing.findall(f".//{SVG}rect")) == 4
    assert all(part.get("viewBox") for part in parts[::2])
    left = [float(part.get("x")) for part in parts]
    assert left == sorted(left) and left[2] > float(parts[0].get("width"))
    assert picture.alt == "A times B < C. B & C."


@pytest.mark.parametrize("between", [(), ("\n",)])
def test_parts_wrap_as_on_a_page(shown, between):
    wide = Matrix("wide", [[0.0] * 9])
    parts = (wide, *between) * 3
    [picture] = pictures_of(shown(draw, matrices(*parts, words="three rows")))
    drawing = read(picture)
    assert float(drawing.get("width")) <= WIDTH
    assert len({part.get("y") for part in drawing}) == 3


def test_a_slider_stands_still_where_it_starts(shown):
    frames = [
        (f"Step {n}.", curve({"loss": ([0, 1], [1, n])}, "it falls")) for n in "123"
    ]
    [picture] = pictures_of(shown(slide, "step:", frames, start=1))
    assert picture.alt == "Step 2. it falls."
    assert len(list(read(picture))) == 1


def test_what_is_no_picture_gives_none():
    assert pictures_of('<div class="attention-view"><svg></svg></div>') == []
