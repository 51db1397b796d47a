"""The table of grades: written whole after each submission, safe for spreadsheets."""

import csv
import os
import re
import unicodedata

from helpers.whole_files import whole

# A spreadsheet takes these for the start of a formula, and some take more than the
# comma for the end of a cell.
FORMULA = re.compile(r"""(^|[,;|])([\s"']*)([=+\-@＝＋－＠])""")
FORMULA_IN_TABLE = re.compile(FORMULA.pattern.replace("([=", "'([="))
ESCAPE = re.compile(r"\\(?:[\\tnr]|x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8})")
BLANKS = {9: "\\t", 10: "\\n", 13: "\\r"}
WAITING = "not graded"


def write(out, names, grades, known):
    """Write a row a submission, a column an exercise; the old table or the new one.

    names: of the submissions. grades: theirs, None where there is none yet.
    """
    done = [own for own in grades if own]
    exercises = [e for e in known if any(e in own.statuses for own in done)]
    rows = [["submission", "passed", *exercises, "remarks"]]
    rows += [_row(*pair, exercises) for pair in zip(names, grades, strict=True)]
    write_rows(out, [list(map(harmless, row)) for row in rows])


def write_rows(out, rows):
    """Write a CSV whole: afterwards there is the old one or the new one."""
    with (
        whole(out) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="") as stream,
    ):
        csv.writer(stream).writerows(rows)


def _row(name, own, exercises):
    if own is None:
        return [name, "", *("" for _ in exercises), WAITING]
    statuses = [own.statuses.get(exercise) or "missing" for exercise in exercises]
    return [name, own.passed, *statuses, own.remark]


def harmless(cell):
    """Return a cell as text in which nothing is hidden and nothing is a formula."""
    text = str(cell)
    if isinstance(cell, os.PathLike):  # two names stay two
        text = os.fsencode(cell).replace(b"\\", b"\\\\")
        text = text.decode(errors="backslashreplace").translate(BLANKS)
    text = "".join(map(_visible, text))[:2000]
    return FORMULA.sub(r"\1\2'\3", text)


def path_in(cell):
    """Return the path that a cell of `harmless` stands for."""
    text = FORMULA_IN_TABLE.sub(r"\1\2\3", cell)
    return ESCAPE.sub(lambda found: found[0].encode().decode("unicode_escape"), text)


def _visible(letter):
    if letter in "\t\r\n":
        return " "
    hidden = unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    return (
        letter.encode("unicode_escape", "surrogatepass").decode() if hidden else letter
    )
