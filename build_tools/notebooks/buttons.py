"""The buttons of a page that open its notebook elsewhere, or download it.

The theme links Binder and Colab to the chapter's MyST source, which Colab cannot open,
and offers the executed chapter for download. All lead to the exported notebook instead.
Kaggle, which the theme does not know, opens the same address as Colab. Where no public
repository is named, only the download is left.
"""

import re
from pathlib import Path
from urllib.parse import quote

from build_tools.book.dependencies import name_of
from build_tools.notebooks import exporter

SOURCE = re.compile(r"(/blob/[^/]+/|[?]urlpath=lab/tree/)chapters/.*$")  # Colab, Binder


def setup(app):
    app.connect("config-inited", follow_repository)
    app.connect("html-page-context", offer_download, priority=500)  # the theme's: 501
    app.connect("html-page-context", lead_to_notebook, priority=860)


def follow_repository(app, config):
    """Leave out the buttons that lead to a repository where none is named.

    Jupyter Book would name its own.
    """
    if not exporter.Site.read(Path(app.srcdir)).url:
        for name in ("repository_url", "launch_buttons", "use_issues_button"):
            config.html_theme_options.pop(name, None)


def offer_download(app, pagename, templatename, context, doctree):
    """Offer the notebook where there are no launch buttons; the theme does not."""
    launch = app.config.html_theme_options.get("launch_buttons")
    in_book = app.builder.name == "html"  # an EPUB has no buttons
    if in_book and not launch and "kernelspec" in app.env.metadata[pagename]:
        context["ipynb_source"] = f"{pagename}.ipynb"


def lead_to_notebook(app, pagename, templatename, context, doctree):
    """Make the page's buttons lead to the notebook that its chapter exports to.

    Pages that are executed but no notebooks lose these buttons.
    """
    root, source = Path(app.srcdir), context.get("ipynb_source")
    if not source:
        return
    sources = Path(app.outdir) / "_sources"
    sources.mkdir(parents=True, exist_ok=True)
    (sources / source).unlink(missing_ok=True)  # the theme put it there
    path = root / f"{pagename}.md"
    if not exporter.is_exported(path):
        context["header_buttons"] = [
            button
            for button in context["header_buttons"]
            if button.get("label") not in ("launch-buttons", "download-buttons")
        ]
        return
    name = f"{name_of(path)}.ipynb"
    for button in list(_links(context.get("header_buttons", []))):
        address = SOURCE.sub(rf"\1{exporter.FOLDER}/{name}", button["url"])
        button["url"] = address.replace(source, name)
    for group in context.get("header_buttons", []):
        if group.get("label") == "launch-buttons":
            group["buttons"] += [kaggle(b) for b in group["buttons"] if _is_colab(b)]
    (sources / name).write_text(exporter.as_text(path, root), encoding="utf-8")


def _is_colab(button):
    return "colab.research" in button.get("url", "")


def kaggle(button):
    """Return the button that opens on Kaggle what Colab's button opens there."""
    _, _, place = button["url"].partition("/github/")
    source = quote(f"https://github.com/{place}", safe="")
    return button | {
        "url": f"https://www.kaggle.com/kernels/welcome?src={source}",
        "text": "Kaggle",
        "tooltip": "Launch on Kaggle",
        "icon": "fas fa-cloud",
    }


def _links(buttons):
    for button in buttons:
        if isinstance(button, dict):
            if button.get("type") == "link":
                yield button
            yield from _links(button.get("buttons", []))
