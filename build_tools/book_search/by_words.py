"""What the theme's own search finds by the words of a question."""

import json
import subprocess
from pathlib import Path

from build_tools.book import assets

SCRIPT = Path(__file__).with_name("theme_search.mjs")
# The index's words lie in objects, which have a `constructor` and a `__proto__` too.
KEEPS = "    Search._index = index;\n"
OWN = """\
    const own = {__proto__: null, hasOwnProperty: Object.prototype.hasOwnProperty};
    for (const words of [index.terms, index.titleterms])
      Object.setPrototypeOf(words, own);
"""


def find_own_words(book):
    """Let the search of a built book find no word that every object of a script has."""
    script = book / "_static" / "searchtools.js"
    text = script.read_text("utf-8")
    if OWN in text:
        return
    if text.count(KEEPS) != 1:
        raise ValueError(f"{script} keeps its index otherwise than Sphinx 7 does")
    script.write_text(text.replace(KEEPS, OWN + KEEPS), "utf-8")


def ask_theme(book, questions):
    """Return, for each question, what the theme finds: {terms, found}, in its order.

    found: {page, anchor: "" or "#...", title}. It is Sphinx's own script that finds,
    run by Node on the index of the built book.
    """
    run = [*assets.node_command(), str(SCRIPT), str(book)]
    done = subprocess.run(
        run, input=json.dumps(questions), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)
