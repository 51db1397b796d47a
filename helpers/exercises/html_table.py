"""A table as notebooks show one."""

import html


def html_table(head, rows):
    """Return HTML: `head` names the columns; the cells of `rows` are shown as text."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(x))}</td>" for x in row) + "</tr>"
        for row in rows
    )
    return (
        f"<table class='dataframe'><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )
