"""Rows of boxes, place under place: all there, aligned, what is hidden dashed."""

from xml.etree import ElementTree

from chapters.inputs.figures import aligned

SVG = "{http://www.w3.org/2000/svg}"
ROWS = {("piece", "query"): ["[CLS]", "a<b", "[PAD]"], "mask": [1, 1, 0]}


def drawn(*given, **named):
    return ElementTree.fromstring(aligned(*given, **named))


def test_each_cell_and_each_name_is_written_and_places_stand_under_each_other():
    picture = drawn(ROWS, 'said "so"', "A & B")
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert texts == ["A & B", "piece", "[CLS]", "a<b", "[PAD]", "mask", "1", "1", "0"]
    boxes = [(b.get("x"), b.get("width")) for b in picture.iter(f"{SVG}rect")]
    assert boxes[:3] == boxes[3:] and len(set(boxes)) == 3
    assert picture.get("aria-label") == 'said "so"'
    x, width = map(float, boxes[2])
    assert x + width <= float(picture.get("viewBox").split()[2])


def test_only_what_is_hidden_is_dashed():
    boxes = drawn(ROWS, "rows", hidden=["[PAD]"]).iter(f"{SVG}rect")
    assert [bool(box.get("stroke-dasharray")) for box in boxes] == [
        False, False, True, False, False, False,
    ]  # fmt: skip
