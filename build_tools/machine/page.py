"""The page of the machine, written when all pages of the book are.

It carries the readings of its sentences and, hidden, the words and code of each step as
they stand in the book.
"""

import json
import shutil
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup

from build_tools.live import payload
from build_tools.live.graph import VERSION
from build_tools.live.widgets import MODEL
from build_tools.machine.readings import STILLS, made, stills
from helpers.whole_files import replace

PAGE = "machine.html"
TEMPLATE = payload.SCRIPTS / "window/page.html"
STEP = ".machine-step"


def write(root, book, pairs, steps, told=""):
    """Write the page into a built book.

    steps: the name of the page that tells the steps. told: these, as HTML.
    """
    folder = made(root, pairs)
    target = Path(book) / "_static/machine" / folder.name
    if not target.is_dir():
        shutil.rmtree(target.parent, ignore_errors=True)
        shutil.copytree(folder, target, ignore=shutil.ignore_patterns(STILLS))
    values = {
        "code": code(),
        "steps": steps,
        "told": told,
        "still": without_script(stills(root, pairs)["still"], steps),
        "page": in_html(described(root, pairs, f"_static/machine/{folder.name}/")),
    }
    html = TEMPLATE.read_text("utf-8")
    for name, value in values.items():
        html = html.replace(f"{{{{{name}}}}}", value)
    replace(Path(book) / PAGE, html.encode())


def code():
    return f"_static/{payload.code_folder()}/"


def without_script(picture, steps):
    """Return what a reader without scripts sees: a still, its words, the way on."""
    return (
        f'<noscript><div id="still"><p>{escape(picture["words"])}</p>{picture["svg"]}'
        "<p>With JavaScript every part of this drawing opens. "
        f'<a href="{steps}.html">All steps as text, with their code</a>, or '
        '<a href="index.html">the course from its start</a>.</p></div></noscript>'
    )


def described(root, pairs, folder):
    """Return what the page's script has to know."""
    files = payload.manifest(root)
    return {
        "folder": folder,
        "pairs": pairs,
        "code": code(),
        "files": {
            name: file | {"url": f"_static/{file['url']}"}
            for name, file in files.items()
        },
        "parts": MODEL,
        "bytes": payload.size_of(MODEL, files),
        "scripts": [payload.WINDOW],
        "serviceWorker": payload.SERVICE_WORKER,
        "opens": VERSION,
    }


def in_html(value):
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def told_steps(page, name):
    """Return words and code of the steps of a built page, for the machine's page."""
    soup = BeautifulSoup(page, "html.parser")
    up = Path(name).parent.as_posix()
    steps = []
    for step in soup.select(STEP):
        title = step.h2.get_text().partition("·")[2].removesuffix("#").strip()
        for unwanted in step.select("h2, .headerlink, button"):
            unwanted.decompose()
        for block in step.select("[class^=highlight-]"):
            pre = soup.new_tag("pre")
            pre.string = block.get_text().strip("\n")
            block.replace_with(pre)
        for link in step.select("a[href]"):
            if "://" not in link["href"]:
                link["href"] = f"{up}/{link['href']}"
        inside = step.decode_contents().strip()
        named = f'data-step="{step["data-step"]}" data-title="{escape(title)}"'
        steps.append(f"<div {named}>{inside}</div>")
    return "".join(steps)
