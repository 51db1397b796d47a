"""Citations that tell works apart: 2013a and 2013b, in the text and in the list.

Neither pybtex nor sphinxcontrib-bibtex adds letters to the years of a list by author
and year, so the entries get them before anything is formatted: text, list, tooltips
and notebooks all print an entry's year.
"""

from collections import defaultdict
from string import ascii_lowercase

from pybtex.plugin import find_plugin


def add_letters(entries):
    """Add a, b, ... to the years of works whose citations would read the same.

    `entries` holds pybtex entries by key and is changed in place. The letters follow
    the order of the list of references, by author, year and title; those of an
    earlier call are replaced.
    """
    alike = defaultdict(list)
    for entry in entries.values():
        if year := entry.fields.get("year", "").rstrip(ascii_lowercase):
            entry.fields["year"] = year
            alike[authors_of(entry), year].append(entry)
    in_list = find_plugin("pybtex.style.sorting", "author_year_title")()
    for works in alike.values():
        letters = ascii_lowercase if len(works) > 1 else ""
        for entry, letter in zip(in_list.sort(works), letters, strict=False):
            entry.fields["year"] += letter


def authors_of(entry):
    """Return whom a citation names: the authors, or the editors, et al. from three."""
    people = entry.persons.get("author") or entry.persons.get("editor", [])
    names = [
        " ".join(map(str, person.rich_prelast_names + person.rich_last_names))
        for person in people
    ]
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names)


def add_letters_to_book(app):
    """Add the letters to the works that sphinxcontrib-bibtex has read."""
    add_letters(app.env.get_domain("cite").bibdata.data.entries)
