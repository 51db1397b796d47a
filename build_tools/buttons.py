"""The buttons of a page that open its notebook on Colab or download it.

The theme links Colab to the chapter's MyST source, which Colab cannot open, and
offers the executed chapter for download. Both lead to the exported notebook instead.
"""

import re
from pathlib import Path

from build_tools import notebooks
from build_tools.dependencies import name_of

SOURCE = re.compile(r"/blob/([^/]+)/chapters/.*$")


def lead_to_notebook(app, pagename, templatename, context, doctree):
    """Make the page's buttons lead to the notebook that its chapter exports to.

    Pages that are executed but no notebooks lose these buttons.
    """
    root, source = Path(app.srcdir), context.get("ipynb_source")
    if not source:
        return
    sources = Path(app.outdir) / "_sources"
    (sources / source).unlink()
    path = root / f"{pagename}.md"
    if not notebooks.is_exported(path):
        context["header_buttons"] = [
            button
            for button in context["header_buttons"]
            if button.get("label") not in ("launch-buttons", "download-buttons")
        ]
        return
    name = f"{name_of(path)}.ipynb"
    for button in list(_links(context.get("header_buttons", []))):
        colab = rf"/blob/\1/{notebooks.FOLDER}/{name}"
        address = button["url"].replace(source, name)
        button["url"] = SOURCE.sub(colab, address) if "colab" in address else address
    (sources / name).write_text(notebooks.as_text(path, root), encoding="utf-8")


def _links(buttons):
    for button in buttons:
        if isinstance(button, dict):
            if button.get("type") == "link":
                yield button
            yield from _links(button.get("buttons", []))
