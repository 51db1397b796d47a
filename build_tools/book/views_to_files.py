"""Attention views as files of their own.

In a notebook a view is a frame that carries its whole document, with scripts from a
CDN. A page would load all of that at once. Here each document becomes a file of the
book, which the frame loads when it comes into sight, with scripts from `assets`.
"""

import hashlib
import re
from html import unescape
from pathlib import Path

FRAME = re.compile(r'(<div class="attention-view"><iframe [^>]*?)srcdoc="([^"]*)"')
CDN = "https://cdnjs.cloudflare.com/ajax/libs"
SCRIPTS = {
    f"{CDN}/require.js/2.3.6/require.min.js": "requirejs/require.js",
    # require.js adds ".js" to these itself.
    f"{CDN}/d3/5.7.0/d3.min": "d3/d3.min",
    f"{CDN}/jquery/2.0.0/jquery.min": "jquery/jquery.slim.min",
}


def move_to_files(app, pagename, templatename, context, doctree):
    """Write the page's views to `_static/views` and let its frames load them."""
    if app.builder.format != "html" or not context.get("body"):
        return
    static = context["pathto"]("_static", 1).rstrip("/")

    folder = Path(app.outdir) / "_static" / "views"
    folder.mkdir(parents=True, exist_ok=True)

    def move(match):
        data = use_local_scripts(unescape(match[2])).encode()
        name = f"{hashlib.sha256(data).hexdigest()[:16]}.html"
        (folder / name).write_bytes(data)
        return f'{match[1]}src="{static}/views/{name}"'

    context["body"] = FRAME.sub(move, context["body"])


def use_local_scripts(document):
    """Turn the CDN addresses of a view into files beside the folder of the views."""
    for address, file in SCRIPTS.items():
        document = document.replace(address, f"../vendor/{file}")
    return document
