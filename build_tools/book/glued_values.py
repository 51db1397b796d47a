"""What the cells of an executed page have glued, and the picture that it opens on.

Notebooks that nobody has run yet show both (`build_tools.notebooks.kept`).
"""

import ast
import html
import re

import nbformat

from helpers import CLAIM, filled

RECORD = "application/papermill.record/text/plain"
MARK = "*These are the numbers of the built book, until you run this cell.*"
OPENING = "first output"
OPENING_MARK = "This is what the built book shows, until you run this cell."
END = f"\n<p><em>{OPENING_MARK}</em></p>"
PICTURE, SLIDE = '<div class="picture"', '<div class="slide"'
START = re.compile(  # of a slider, the frame that is not hidden: its words, its picture
    rf'<div class="frame" data-said="([^"]*)">({PICTURE}.*?</div>)</div>', re.S
)
CLAIMED = re.compile(r"\{claim:([a-z0-9 -]+)\}")
HELD = {"holds": True}
NUMBER = re.compile(r"(?<!\{)(?:\{\{)*\{(?!claim:|\{)")  # a field of a glued value
TABLE = 'class="dataframe"'
LARGEST = 10_000  # characters of a table that a preview opens on


def values_of(notebook):
    """Return {name: value} of what the cells of an executed notebook have glued."""
    found = {}
    for name, text in records_of(notebook):
        if not name.startswith(CLAIM):
            found |= _value(name, text)
    return found


def records_of(notebook):
    """Yield (name, text) of all that the cells of an executed notebook have glued."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if name and RECORD in output["data"]:
                yield name, output["data"][RECORD]


def _value(name, text):
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):  # a table, which no sentence holds
        return {}
    return {name: float(f"{value:.6g}") if isinstance(value, float) else value}


def opening_of(notebook):
    """Return {OPENING: HTML} where the first cell shows a still picture or a table."""
    first = next((cell for cell in notebook.cells if cell.cell_type == "code"), {})
    shown = (still(out.get("data", {})) for out in first.get("outputs", []))
    return {OPENING: found} if (found := next(filter(None, shown), "")) else {}


def still(data):
    """Return the HTML of an output without its script; "" for what is no picture."""
    text = data.get("text/html", "").strip()
    if text.startswith(SLIDE):
        start = START.search(text)
        return f"{start[2]}<p>{start[1]}</p>" if start else ""
    if text.startswith(PICTURE) or (TABLE in text and len(text) <= LARGEST):
        return "" if "<script" in text else text
    return ""


def opening(values):
    """Return the output on which a notebook opens before its first run, or None."""
    if OPENING not in values:
        return None
    shown = values[OPENING]
    said = dict.fromkeys(re.findall(r'aria-label="([^"]*)"', shown))
    data = {
        "text/html": shown + END,
        "text/plain": html.unescape("\n".join([*said, OPENING_MARK])),
    }
    return nbformat.v4.new_output("display_data", data)


def opened_on(notebook):
    """Return {OPENING: HTML} that `opening` has put into an exported notebook."""
    for cell in notebook.cells:
        for shown in cell.get("outputs", []):
            text = shown.get("data", {}).get("text/html", "")
            if text.endswith(END):
                return {OPENING: text.removesuffix(END)}
    return {}


def output(text, values):
    """Return the output that shows a text with its values; None where one lacks."""
    names = " ".join(CLAIMED.findall(text)).split()
    held = {CLAIM + name: HELD for name in names}  # as the build proves
    mark = f"\n\n{MARK}" if NUMBER.search(text) else ""
    try:
        shown = filled(text, values | held) + mark
    except KeyError:
        return None
    data = {"text/markdown": shown, "text/plain": shown}
    return nbformat.v4.new_output("display_data", data)
