"""The whole book as an EPUB 3, through Sphinx's own builder: `make epub`.

A reading device runs no scripts. So formulas become MathML, plots the pictures that
Chromium draws of them, attention views the drawings beside them and widgets their
answers (`pages`); the rest of a page is made the strict XHTML that an EPUB demands
(`strict`). `builder` says what the book is called and what its files hold, and
`python -m build_tools.print.epub` has epubcheck read it before it is put in its place.
"""


def setup(app):
    """Connect these steps to Sphinx; called by the extension of the book."""
    from build_tools.print.epub import builder, pages

    app.add_builder(builder.Epub, override=True)
    app.connect("config-inited", builder.configure)
    # After all that others add to the files of a site, and to a page.
    app.connect("builder-inited", builder.start_afresh, priority=990)
    app.connect("html-page-context", pages.make_strict, priority=950)
