"""A table that scrolls sideways in its own box, for what the build writes."""

from html import escape


def scrolling_table(label, heads, rows, kind="live-pieces"):
    """Return HTML; label: for screen readers. The first cell of a row is its header."""
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    head = f"<thead><tr>{head}</tr></thead>" if head else ""
    lines = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, *cells in rows
    )
    return (
        f'<div class="live-scroll" tabindex="0" role="group" aria-label="{label}">'
        f'<table class="{kind}">{head}<tbody>{lines}</tbody></table></div>'
    )
