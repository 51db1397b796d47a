"""The buttons of a page that open its notebook elsewhere, or download it.

The theme links Binder and Colab to the chapter's MyST source, which Colab cannot open,
and offers the executed chapter for download. All lead to the exported notebook instead:
Colab, and Kaggle, which the theme does not know, to the branch that the workflow
writes, Binder to the one in a checkout. One more leads to the repository's discussions.
Without a repository on GitHub only the download is left.
"""

import re
from pathlib import Path
from urllib.parse import quote

from build_tools.book.dependencies import name_of
from build_tools.book.site import Site
from build_tools.notebooks import exporter, kept

BRANCH = "published-notebooks"  # of .github/workflows/ci.yml
COLAB = re.compile(r"/blob/.*")
BINDER = re.compile(r"/[^/]+[?]urlpath=lab/tree/.*")


def setup(app):
    app.add_config_value("course_site", "", "html")  # a change: all pages anew
    app.connect("config-inited", follow_site, priority=400)
    app.connect("html-page-context", leave_cards_out, priority=400)
    app.connect("html-page-context", offer_download, priority=500)  # the theme's: 501
    app.connect("html-page-context", lead_to_notebook, priority=860)
    app.connect("html-page-context", offer_discussion, priority=860)


def follow_site(app, config):
    """Name the repository and the address of the book, or let nothing lead there.

    Jupyter Book would name its own repository.
    """
    app.site, options = Site.read(Path(app.srcdir)), config.html_theme_options
    config.course_site = repr(app.site)
    config.html_baseurl = config.ogp_site_url = app.site.book
    if app.site.github:
        options["repository_url"] = app.site.url
    else:
        for name in ("repository_url", "launch_buttons", "use_issues_button"):
            options.pop(name, None)


def leave_cards_out(app, pagename, templatename, context, doctree):
    """Write no card for social media, which needs the address of the book."""
    if not app.site.book:
        context["meta"] = (context.get("meta") or {}) | {"ogp_disable": True}


def offer_download(app, pagename, templatename, context, doctree):
    """Offer the notebook where there are no launch buttons; the theme does not."""
    launch = app.config.html_theme_options.get("launch_buttons")
    in_book = app.builder.name == "html"
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
    in_checkout = f"/{app.site.commit}?urlpath=lab/tree/{exporter.FOLDER}/{name}"
    for button in list(_links(context.get("header_buttons", []))):
        address = COLAB.sub(f"/blob/{BRANCH}/{name}", button["url"])
        button["url"] = BINDER.sub(in_checkout, address).replace(source, name)
    for group in context.get("header_buttons", []):
        if group.get("label") == "launch-buttons":
            group["buttons"] += [kaggle(b) for b in group["buttons"] if _is_colab(b)]
    minutes = getattr(app, "reading_minutes", {}).get(pagename, {})
    known = kept.of_run(path, root, minutes)
    text = exporter.as_text(path, root, site=app.site, known=known)
    (sources / name).write_text(text, encoding="utf-8")


def offer_discussion(app, pagename, templatename, context, doctree):
    """Lead to where questions about the course are asked."""
    if app.site.github and app.builder.name == "html":
        button = {
            "type": "link",
            "url": f"{app.site.url}/discussions",
            "text": "",
            "tooltip": "Ask or discuss",
            "icon": "fas fa-comments",
            "label": "discussion-button",
        }
        context["header_buttons"].append(button)


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
