"""What the pictures of a page say to who does not see them is held, or says why not.

`picture_words.toml` beside a page has an entry for each such text: the claims of the
page that hold it, or the kind of text that needs none; the kinds, and what a page
without a folder says, are listed beside this module. An entry knows a text by its first
words, with # for each number and * for any words. Names of at most four words, and the
texts that a drawing of guesses makes itself, need no entry. A text without an entry is
a warning, with which the book is not built, and so is an entry whose claim is not made.
"""

import html
import re
import tomllib
from pathlib import Path

from sphinx.util import logging

from build_tools.book.dependencies import CELL, code_in
from build_tools.book.execution import run_of
from build_tools.book.findings import findings_of

LOGGER = logging.getLogger(__name__)
PLACE = Path(__file__).with_suffix(".toml")
ALT = re.compile(r"^:alt:[ \t]*(?P<text>.*(?:\n(?![:`\n]).*)*)", re.M)
SAID = re.compile(r'\b(?:aria-label|data-said|alt|title)="([^"]*)"')
NUMBER = re.compile(r"[-−+]?\d+(?:[.,]\d+)*")
GUESSES = re.compile(r".*: .*\? .*Guesses: ", re.S)  # helpers.plotting.pictures.covered
NAME_WORDS = 4


def check(app, doctree):
    """Warn of each text of a page's pictures that nothing holds."""
    page = Path(app.env.doc2path(app.env.docname))
    app.env.note_dependency(str(place_of(page)))
    for line, fault in faults(page, texts_of(page, Path(app.srcdir))):
        LOGGER.warning(fault, location=(app.env.docname, line), type="picture")


def texts_of(page, root):
    """Yield (line, text) of what the pictures of a page say."""
    source = page.read_text(encoding="utf-8")
    for alt in ALT.finditer(source):
        yield _line(source, alt), " ".join(alt["text"].split())
    if code_in(source):
        cells = [c for c in run_of(page, root).cells if c.cell_type == "code"]
        for cell, place in zip(cells, CELL.finditer(source), strict=True):
            yield from ((_line(source, place), text) for text in texts_in(cell))


def _line(source, found):
    return source[: found.start()].count("\n") + 1


def texts_in(cell):
    """Return what the pictures in the outputs of a code cell say, each text once."""
    codes = (out.get("data", {}).get("text/html", "") for out in cell.outputs)
    found = [html.unescape(text) for code in codes for text in SAID.findall(code)]
    return list(dict.fromkeys(filter(None, found)))


def faults(page, texts):
    """Yield (line, what is wrong) of the texts, and of the page's entries."""
    kinds, entries = entries_of(page)
    made = {finding.name for finding in findings_of(page)}
    for line, text in texts:
        if not needs_none(text) and not any(fits(text, start) for start in entries):
            place = place_of(page)
            yield line, f"nothing holds what a picture says, {text[:60]!r}: see {place}"
    for start, held_by in entries.items():
        names = [held_by] if isinstance(held_by, str) else held_by
        for name in names:
            if name not in (kinds if isinstance(held_by, str) else made):
                yield 1, f"{PLACE.name}: {start!r} names {name!r}, which there is not"


def needs_none(text):
    """Whether a text is a name, or words and guesses that a drawing tells by itself."""
    is_name = len(text.split()) <= NAME_WORDS and text[-1] not in ".!?"
    return is_name or bool(GUESSES.match(text))


def fits(text, start):
    """Whether a text begins with the words of an entry.

    >>> fits("With 0.5, bank takes 3", "With #, bank"), fits("BERT: 3 of 4", "*: # of")
    (True, True)
    """
    form = re.escape(NUMBER.sub("#", start)).replace(r"\#", "#").replace(r"\*", ".*?")
    return bool(re.match(form, NUMBER.sub("#", text), re.S))


def entries_of(page):
    """Return the kinds of texts that need no claim, and a page's entries."""
    place, listed = place_of(page), read(PLACE)
    if place == PLACE:
        return listed["kinds"], listed.get(page.stem, {})
    return listed["kinds"], read(place) if place.is_file() else {}


def place_of(page):
    """Return the file with the entries of a page."""
    in_folder = "chapters" in page.parts[-3:-2]
    return page.with_name(PLACE.name) if in_folder else PLACE


def read(place):
    """Return what a file lists."""
    return tomllib.loads(place.read_text(encoding="utf-8"))
