"""What a plot and a picture of a page show, in words."""

import json
import re

DOCUMENT = re.compile(r"const docs_json = ")
SPACE = re.compile(r"\s+")


def words_of(box):
    """What a slider says of its state, then what the drawings say, each once."""
    frame = box.find_parent(class_="frame")
    said = [frame["data-said"]] if frame else []
    for drawing in box.select("svg"):
        words = drawing.get("aria-label", "").strip()
        said += [words] if not any(words in known for known in said) else []
    said = [words if words[-1] in ".?!" else f"{words}." for words in said if words]
    return SPACE.sub(" ", " ".join(said))


def described(script):
    """Say in words what a plot shows: its title and what its axes count."""
    text = script[DOCUMENT.search(script).end() :].replace(r"\x3c", r"\u003c")
    document = json.JSONDecoder().raw_decode(text)[0]
    titles, axes = [], []
    for model in _models(document):
        attributes = model.get("attributes", {})
        if model["name"] == "Title" and attributes.get("text"):
            titles.append(attributes["text"])
        elif label := attributes.get("axis_label"):
            axes.append(label if isinstance(label, str) else "")
    parts = [f"Plot: {'; '.join(titles) or 'without a title'}."]
    if axes := [label for label in dict.fromkeys(axes) if label]:
        parts.append(f"Axes: {'; '.join(axes)}.")
    return " ".join(parts)


def _models(part):
    """Every model of a document of Bokeh, in its order."""
    if isinstance(part, list):
        for item in part:
            yield from _models(item)
    elif isinstance(part, dict):
        if part.get("type") == "object" and "name" in part:
            yield part
        for item in part.values():
            yield from _models(item)
