"""The table of grades, and a page of replies for each student.

Both quote what students wrote: the table holds no formula of a spreadsheet, the pages
no HTML of theirs.
"""

import csv
import io
import re
import unicodedata
from html import escape

from helpers.exercises.checks import exercises, shown
from helpers.whole_files import replace, whole

# A spreadsheet takes these for the start of a formula, and some take more than the
# comma for the end of a cell.
FORMULA = re.compile(r"""(^|[,;|])([\s"']*)([=+\-@＝＋－＠])""")
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<title>{name}</title><body><h1>{name}</h1><p>{passed}</p><p>{remark}</p>
<table><tr><th>exercise<th>status<th>reply
{rows}
</table></body></html>
"""


def harmless(cell):
    """Return a cell as text in which nothing is hidden and nothing is a formula.

    >>> harmless("=1+1")
    "'=1+1"
    """
    return FORMULA.sub(r"\1\2'\3", "".join(map(_visible, str(cell)))[:2000])


def _visible(letter):
    if letter in "\t\r\n":
        return " "
    hidden = unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    return (
        letter.encode("unicode_escape", "surrogatepass").decode() if hidden else letter
    )


def write(out, grades):
    """Write a row a submission, a column an exercise; the old table or the new one.

    grades: {name: Grade}.
    """
    found = set().union(*(grade.replies for grade in grades.values()))
    columns = [exercise for exercise in exercises() if exercise in found]
    rows = [["submission", "passed", *columns, "remarks", "ran on"]]
    for name, grade in grades.items():
        statuses = [grade.replies.get(e, ("missing",))[0] for e in columns]
        said = [f"{e}: {r}" for e, (s, r) in grade.replies.items() if s == "not yet"]
        remark = "; ".join(filter(None, [grade.remark, *said]))
        rows.append([name, len(grade.passed), *statuses, remark, grade.ran_on])
    write_rows(out, rows)


def write_rows(out, rows, kept=harmless):
    """Write a CSV whole: afterwards there is the old or the new.

    kept: what becomes of a cell.
    """
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([kept(cell) for cell in row] for row in rows)
    replace(out, stream.getvalue().encode())


def write_replies(folder, grades):
    """Write a page of replies for each submission into a new folder."""
    with whole(folder) as unfinished:
        unfinished.mkdir()
        for number, (name, grade) in enumerate(grades.items(), 1):
            file = re.sub(r"[^\w.-]+", "_", name, flags=re.A)[-80:]
            page = page_of(name, grade).encode("utf-8", "replace")
            replace(unfinished / f"{number:03d}-{file}.html", page)


def page_of(name, grade):
    """Return the HTML of a submission's replies."""
    rows = "\n".join(
        f"<tr><td>{shown(exercise)}<td>{escape(status)}<td>{escape(reply)}"
        for exercise, (status, reply) in sorted(grade.replies.items())
    )
    passed = f"{len(grade.passed)} of {len(grade.replies)} exercises passed."
    remark = escape(grade.remark)
    return PAGE.format(name=escape(name), passed=passed, remark=remark, rows=rows)
