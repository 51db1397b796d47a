"""The works that a notebook cites, and their list at its end."""

import re
from functools import cache

from pybtex.database import parse_file
from pybtex.plugin import find_plugin

from build_tools.book.citations import add_letters, authors_of

ESCAPED = re.compile(r"\\([-.()])")  # by pybtex, with no need: as in arXiv:1810\.04805
FORMS = {"cite:t": "{} ({})"}  # of authors and year


class Works:
    """The works of `references.bib`, of which some get cited."""

    def __init__(self, root):
        file = root / "references.bib"
        self._known, self._cited = _works_in(file, file.stat().st_mtime_ns), []

    def cite(self, key, role):
        """Return how a text names a work, which is listed from now on, or None."""
        if key not in self._known:
            return None
        if key not in self._cited:
            self._cited.append(key)
        work = self._known[key]
        return FORMS.get(role, "{}, {}").format(authors_of(work), work.fields["year"])

    def listed(self):
        """Return a list of what has been cited so far, as Markdown."""
        if not self._cited:
            return ""
        style, markdown = _style_and_form()
        listed = style.format_entries(self._known[key] for key in self._cited)
        rows = [f"- {entry.text.render(markdown)}" for entry in listed]
        rows = [ESCAPED.sub(r"\1", row.replace("\n", " ")) for row in rows]
        return "## References\n\n" + "\n".join(rows)


@cache
def _style_and_form():
    """What pybtex writes a list with, which takes it a while to find."""
    style = find_plugin("pybtex.style.formatting", "plain")
    return style(), find_plugin("pybtex.backends", "markdown")()


@cache
def _works_in(file, changed):
    """The works of a file, read once as long as it does not change."""
    works = parse_file(file).entries
    add_letters(works)
    return works
