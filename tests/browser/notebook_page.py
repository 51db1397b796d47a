"""What a notebook shows of the outputs of its cells, as a page."""

import json

from markdown_it import MarkdownIt


def notebook_page(outputs):
    """Return HTML that does with the outputs what a notebook does, in their order."""
    parts = []
    for data in (output.get("data", {}) for output in outputs):
        if script := data.get("application/javascript"):
            quoted = json.dumps(script).replace("<", "\\u003c")
            parts.append(f"<script>(0, eval)({quoted})</script>")
        elif "text/markdown" in data:
            parts.append(MarkdownIt("commonmark").render(data["text/markdown"]))
        else:
            parts.append(data.get("text/html", ""))
    return "<!doctype html><meta charset=utf-8><body>" + "".join(parts)
