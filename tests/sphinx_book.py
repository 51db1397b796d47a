"""Sphinx within a test: what one book registers must not reach the next."""

from contextlib import contextmanager

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils


@contextmanager
def sphinx_book(source, out, settings=None, conf=None, strict=False):
    """The Sphinx application of `source`, to build within the `with` block.

    `conf` is the folder of a conf.py; `settings` are settings above it; `strict` makes
    a warning an error. Directives, roles and nodes are global in docutils: they are put
    back when the block is left. An extension writes its endings into Sphinx's default
    `source_suffix`, so each book gets its own.
    """
    places = [source, conf, out, out.parent / f"{out.name}-trees"]
    quiet = {"status": None, "warning": None, "warningiserror": strict}
    settings = {"source_suffix": {".rst": "restructuredtext"}} | (settings or {})
    with patch_docutils(conf), docutils_namespace():
        yield Sphinx(*places, "html", settings, **quiet)
