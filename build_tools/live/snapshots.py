"""The training that a page has sent: a file of the book, and the widget that loads it.

`chapters/pretraining/learning.py` shows some snapshots and sends all; in the page the
picture of some is what stands there until a reader asks for all.
"""

import base64
import gzip
import hashlib
import json
from pathlib import Path

from build_tools.book.execution import run_of
from build_tools.live import live_page, payload
from chapters.pretraining.learning import ENDS, SNAPSHOTS


def put_into_page(app, pagename, templatename, context, doctree):
    """Write the snapshots of a page to `_static/snapshots`, its picture as a widget."""
    body = context.get("body") or ""
    if app.builder.name != "html" or ENDS[0] not in body:
        return
    root, folder = Path(app.srcdir), Path(app.outdir) / "_static" / "snapshots"
    data = sent_by(run_of(root / f"{pagename}.md", root))
    path = folder / f"{hashlib.sha256(data).hexdigest()[:16]}.gz"
    folder.mkdir(parents=True, exist_ok=True)
    for earlier in folder.iterdir():
        earlier.unlink()
    path.write_bytes(data)
    before, after = body.split(ENDS[0])
    picture, after = after.split(ENDS[1])
    about = about_of(data)
    still = {
        "settings": {"step": "0", "sentence": "0"},
        "fields": {
            "step": [str(number) for number in range(about["snapshots"])],
            "sentence": [str(number) for number in range(len(about["sentences"]))],
        },
        "words": "",
        "output": picture,
    }
    file = payload.described(f"snapshots/{path.name}", path)
    html = live_page.widget(root, "learning", still, {"snapshots": file})
    context["body"] = before + html + after


def sent_by(notebook):
    """Return the bytes that an executed page has sent; ValueError for none."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if sent := output.get("data", {}).get(SNAPSHOTS):
                return base64.b64decode(sent)
    raise ValueError("a page shows a training and sends no snapshots of it")


def about_of(data):
    """Return what is told of snapshots, as `packed` was given it."""
    content = gzip.decompress(data)
    length = int.from_bytes(content[:4], "little")
    return json.loads(content[4 : 4 + length])
