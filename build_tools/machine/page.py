"""The page of the machine, written when all pages of the book are.

It carries the readings of its sentences and, hidden, the words and code of each step as
they stand in the book.
"""

import hashlib
import shutil
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup

from build_tools.book.templates import rendered
from build_tools.live import drawing, payload
from build_tools.live.graph import VERSION
from build_tools.live.widgets import MODEL
from helpers.whole_files import replace

PAGE = "machine.html"
STEP = ".machine-step"


def write(root, book, pairs, steps, told=""):
    """Write the page into a built book.

    steps: the name of the page that tells the steps. told: these, as HTML.
    """
    read = drawing.remembered(root, drawing.MACHINE, {"pairs": pairs})
    scripts = {
        f"{name}.js": f'(globalThis.machineParts??={{}})["{name}"]='.encode()
        + payload.as_json(content)
        for name, content in read["files"].items()
    }
    mark = hashlib.sha256(b"".join(scripts.values())).hexdigest()[:16]
    folder = Path(book) / "_static/machine" / mark
    shutil.rmtree(folder.parent, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, script in scripts.items():
        (folder / name).write_bytes(script)
    html = rendered(
        "page.html",
        code=f"_static/{payload.code_folder()}/",
        steps=steps,
        told=told,
        still=read["stills"]["still"],
        page=described(root, pairs, f"_static/machine/{mark}/"),
    )
    replace(Path(book) / PAGE, html.encode())


def described(root, pairs, folder):
    """Return what the page's script has to know."""
    known = payload.page_data("_static/", MODEL, payload.manifest(root))
    return known | {
        "folder": folder,
        "pairs": pairs,
        "scripts": [payload.WINDOW],
        "serviceWorker": payload.SERVICE_WORKER,
        "opens": VERSION,
    }


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
