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
    titles, axes = [], []

    def collect(part):
        told = part.get("attributes", {})
        if part.get("name") == "Title" and told.get("text"):
            titles.append(told["text"])
        elif isinstance(label := told.get("axis_label"), str) and label:
            axes.append(label)
        return part

    json.JSONDecoder(object_hook=collect).raw_decode(text)
    axes = [*dict.fromkeys(axes)]
    said = f"Plot: {'; '.join(titles) or 'without a title'}."
    return f"{said} Axes: {'; '.join(axes)}." if axes else said
