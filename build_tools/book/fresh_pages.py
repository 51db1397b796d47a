"""Which pages are read and written again when something has changed.

Sphinx reads a page again when its file or a file it names has changed, and writes the
pages it has read. It does not know that a page shows outputs, and titles, terms and
labels of other pages.
"""

import hashlib
import json
import os
from pathlib import Path

from build_tools.book import execution, glued_values, reading_aids

BUILD_STATUS = "chapters/build-status"


def configure(app, config):
    """Let Sphinx read every page anew for another model, other data or other tools."""
    root = Path(app.srcdir)
    chosen = [os.environ[name] for name in execution.DEFAULTS]
    tools = [
        root / name for name in ("pyproject.toml", "helpers/exercises/chapters.py")
    ]
    tools += sorted((root / "build_tools").rglob("*"))
    digest = hashlib.sha256(repr(chosen).encode())
    for path in (p for p in tools if p.is_file() and "__pycache__" not in p.parts):
        digest.update(f"\0{path.relative_to(root)}\0".encode() + path.read_bytes())
    config.choices_and_tools = digest.hexdigest()


def with_other_outputs(app, env, added, changed, removed):
    """Return the pages whose outputs are no longer those that Sphinx has read."""
    digests = {
        path.relative_to(app.srcdir).with_suffix("").as_posix(): digest
        for path, digest in app.chapter_digests.items()
    }
    known, env.chapter_digests = getattr(env, "chapter_digests", {}), digests
    others = [name for name, digest in digests.items() if known.get(name) != digest]
    listing = {BUILD_STATUS} & set(env.found_docs)  # what all pages have found
    return [*others, *listing] if others else []


def showing_other_pages(app, env):
    """Return all pages, to be written, where a text has changed that others show."""
    known, env.shared_text = getattr(env, "shared_text", None), shared_text(app, env)
    return [] if env.shared_text == known else sorted(env.found_docs)


def shared_text(app, env):
    """Return a digest of titles, numbers, labels, terms and citations of the book.

    The values in the notebooks, too: beside each page lies its notebook.
    """
    standard, citations = env.domaindata["std"], env.get_domain("cite").citations
    shared = {
        "titles": {name: title.astext() for name, title in env.titles.items()},
        "figures": env.toc_fignumbers,
        "equations": env.domaindata["math"]["objects"],
        "labels": [standard["labels"], standard["anonlabels"], standard["terms"]],
        "terms": reading_aids.definitions_of(app) if standard["terms"] else {},
        "values": glued_values.read(Path(app.srcdir)),
        "citations": sorted((c.key, c.entry.to_string("bibtex")) for c in citations),
    }
    text = json.dumps(shared, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def setup(app):
    """Connect these rules to Sphinx; called by the extension of the book."""
    app.add_config_value("choices_and_tools", "", "env")
    app.connect("config-inited", configure)
    app.connect("env-get-outdated", with_other_outputs)
    # Late: the numbers of figures are given at the same event.
    app.connect("env-get-updated", showing_other_pages, priority=900)
