"""The book's own Sphinx extension: where chapters run, and pages that stay offline.

`jupyter-book build .` is enough: before anything is read the extension chooses the
model, the data and the execution cache (`execution`) and puts the page assets in place
(`assets`) and the files of the live page (`live`); works of the same authors and year
get letters (`citations`); words whose claim failed are marked (`claims`), what pictures
say is held as well (`picture_words`), folded cells say what they hold
(`folded_cells`), Build status lists what the pages found
(`findings`), another page what other models found (`other_models`); what is read and
written again follows from what has changed (`fresh_pages`); each chapter says how
long it takes and gets its terms linked to the glossary (`reading_aids`); each page that
is written has its attention views moved to files (`views_to_files`), its CDN addresses
turned into files of the book (`offline`) and a Markdown twin put beside it
(`markdown_twins`); at last the book is searched by meaning (`book_search`) and the
machine gets a window of its own (`machine`). Numbers come from `_toc.yml` (`numbers`).
"""

__version__ = "0.1.0"


def setup(app):
    """Connect these steps to Sphinx's events."""
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
    buttons.setup(app)
    fresh_pages.setup(app)
    findings.setup(app)
    other_models.setup(app)
    claims.setup(app)
    picture_words.setup(app)
    folded_cells.setup(app)
    app.connect("builder-inited", assets.add_to_book)
    citations.setup(app)
    numbers.setup(app)
    live_page.setup(app)
    snapshots.setup(app)
    book_search.setup(app)
    places.setup(app)
    markdown_twins.setup(app)
    app.connect("env-before-read-docs", execution.execute_chapters)
    app.connect("builder-inited", pdf.translate_as_pages_do)
    app.connect("doctree-resolved", reading_aids.add_to_chapter)
    app.connect("html-page-context", reading_aids.mark_computed)
    # When the boxes are in the page, and before its notebook says the same.
    app.connect("html-page-context", reading_aids.say_minutes, priority=845)
    app.connect("html-page-context", views_to_files.move_to_files, priority=850)
    # Late, so that it sees what other extensions have put into the page.
    app.connect("html-page-context", offline.keep_page_offline, priority=900)
    return {
        "version": __version__,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
