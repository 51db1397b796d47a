"""The book's own Sphinx extension: where chapters run, and pages that stay offline.

`jupyter-book build .` is enough. Before anything is read the model, the data and the
execution cache are chosen and what pages load is made; what is read and written again
follows from what has changed; pages are completed as they are read, as they are
written, and when all are: `setup` lists the steps.
"""

__version__ = "0.1.0"


def setup(app):
    """Connect the steps to Sphinx's events."""
    from build_tools.book import (
        assets,
        citations,
        claims,
        execution,
        findings,
        folded_cells,
        fresh_pages,
        numbers,
        offline,
        other_models,
        picture_words,
        reading_aids,
        views_to_files,
    )
    from build_tools.book_search import search_page as book_search
    from build_tools.live import live_page, snapshots
    from build_tools.machine import places
    from build_tools.notebooks import buttons
    from build_tools.print import markdown_twins, pdf

    app.connect("config-inited", execution.configure)
    for several in (buttons, fresh_pages, other_models, claims, numbers):
        several.setup(app)
    app.add_directive("findings", findings.Findings)
    app.connect("doctree-read", picture_words.check)
    app.connect("doctree-read", folded_cells.name_each)
    app.connect("builder-inited", assets.add_to_book)
    # After sphinxcontrib-bibtex has read the works.
    app.connect("builder-inited", citations.add_letters_to_book, priority=900)
    for several in (live_page, book_search, places):
        several.setup(app)
    app.connect("env-before-read-docs", execution.execute_chapters)
    app.connect("builder-inited", pdf.translate_as_pages_do)
    app.connect("doctree-resolved", reading_aids.add_to_chapter)
    app.connect("html-page-context", reading_aids.mark_computed)
    app.connect("html-page-context", snapshots.put_into_page, priority=830)
    # When the boxes are in the page, and before its notebook says the same.
    app.connect("html-page-context", reading_aids.say_minutes, priority=845)
    app.connect("html-page-context", views_to_files.move_to_files, priority=850)
    # Late, so that it sees what other extensions have put into the page.
    app.connect("html-page-context", offline.keep_page_offline, priority=900)
    app.connect("html-page-context", markdown_twins.write_twin, priority=950)
    app.connect("build-finished", markdown_twins.write_listing)
    return {
        "version": __version__,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
