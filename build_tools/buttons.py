"""The buttons of a page that open its notebook on Colab or download it.

The theme links Colab to the chapter's MyST source, which Colab cannot open, and
offers the executed chapter for download. Both lead to the exported notebook instead.
"""

import re
from pathlib import Path

from build_tools import notebooks

SOURCE = re.compile(r"/chapters/([^/]+)\.md$")


def lead_to_notebook(app, pagename, templatename, context, doctree):
    """Make the page's buttons lead to the notebook that its chapter exports to.

    Pages that are executed but no chapters lose these buttons: they have none.
    """
    if context.get("ipynb_source") and not pagename.startswith("chapters/"):
        context["header_buttons"] = [
            button
            for button in context["header_buttons"]
            if button.get("label") not in ("launch-buttons", "download-buttons")
        ]
        (Path(app.outdir) / "_sources" / context["ipynb_source"]).unlink()
        return
    for button in list(_links(context.get("header_buttons", []))):
        if "colab" in button["url"]:
            folder = f"/{notebooks.FOLDER}/"
            button["url"] = SOURCE.sub(rf"{folder}\1.ipynb", button["url"])
    if source := context.get("ipynb_source"):
        root = Path(app.srcdir)
        text = notebooks.as_text(root / f"{pagename}.md", root)
        target = Path(app.outdir) / "_sources" / source
        target.write_text(text, encoding="utf-8")


def _links(buttons):
    for button in buttons:
        if isinstance(button, dict):
            if button.get("type") == "link":
                yield button
            yield from _links(button.get("buttons", []))
