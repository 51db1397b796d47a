"""What the theme's own search finds by the words of a question."""

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace

from build_tools.book import assets

SCRIPT = Path(__file__).with_name("theme_search.mjs")


def ask_theme(book, questions):
    """Return, for each question, what the theme finds: terms, and found in order.

    found has page, anchor ("" or "#..."), title. It is Sphinx's own script that finds,
    run by Node on the index of the built book.
    """
    run = [*assets.node_command(), str(SCRIPT), str(book)]
    done = subprocess.run(
        run, input=json.dumps(questions), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout, object_hook=lambda named: SimpleNamespace(**named))
