"""Which pages are read and written again when something has changed.

Sphinx reads a page again when its file or a file it names has changed. It does not know
that a page shows outputs, nor that it shows titles, terms and labels of other pages: so
where one was read, all are written.

ONLY in the environment names a page: then no other is read, so that a changed sentence
is seen in seconds. What others show of it follows when the book is built.
"""

import hashlib
import os
from pathlib import Path

from sphinx.errors import ExtensionError

from build_tools.book import execution, other_models

BUILD_STATUS = "chapters/build-status"
ONLY = "INSIDE_BERT_ONLY_PAGE"


def configure(app, config):
    """Let Sphinx read every page anew for another model, other data or other tools."""
    config.choices_and_tools = choices_and_tools(Path(app.srcdir))


def choices_and_tools(root):
    """Return a digest of model, data, tools and order of the book."""
    chosen = [os.environ[name] for name in execution.DEFAULTS]
    tools = [
        root / name
        for name in ("pyproject.toml", "_toc.yml", "helpers/exercises/chapters.py")
    ]
    tools += sorted((root / "build_tools").rglob("*")) + other_models.paths_in(root)
    digest = hashlib.sha256(repr(chosen).encode())
    for path in (p for p in tools if p.is_file() and "__pycache__" not in p.parts):
        digest.update(f"\0{path.relative_to(root)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def with_other_outputs(app, env, added, changed, removed):
    """Return the pages whose outputs are no longer those that Sphinx has read."""
    app.only_page = os.environ.get(ONLY, "")
    if app.only_page and not added <= {app.only_page}:
        raise ExtensionError("the book has to be built first: make book")
    digests = {
        path.relative_to(app.srcdir).with_suffix("").as_posix(): digest
        for path, digest in app.chapter_digests.items()
    }
    # what all pages have found
    listing = {BUILD_STATUS, other_models.PAGE} & set(env.found_docs)
    known = getattr(env, "chapter_digests", {})
    if app.only_page:  # always: what Sphinx has once warned of it does not tell again
        env.chapter_digests = known | {app.only_page: digests.get(app.only_page)}
        return [app.only_page]
    env.chapter_digests = digests
    others = [name for name, digest in digests.items() if known.get(name) != digest]
    return [*dict.fromkeys([*others, *sorted(listing)])] if others else []


def read_one_page(app, env, docnames):
    """Leave ONLY in the list of what Sphinx is about to read."""
    if app.only_page:
        docnames[:] = [name for name in docnames if name == app.only_page]
    app.reads = bool(docnames)


def write_one_page(app):
    """Leave ONLY alone to be written: others that have changed have not run."""
    if only := os.environ.get(ONLY):
        app.builder.get_outdated_docs = lambda: [only]


def showing_other_pages(app, env):
    """Return all pages, to be written, where any was read: others may show of it."""
    return sorted(env.found_docs) if app.reads and not app.only_page else []


def setup(app):
    """Connect these rules to Sphinx; called by the extension of the book."""
    app.add_config_value("choices_and_tools", "", "env")
    app.connect("config-inited", configure)
    app.connect("builder-inited", write_one_page)
    app.connect("env-get-outdated", with_other_outputs)
    app.connect("env-before-read-docs", read_one_page, priority=100)
    app.connect("env-get-updated", showing_other_pages)
