"""Who is in the class: the CSV that Canvas or Moodle exports, read as it is.

Canvas: the export of the gradebook, with the columns Student, ID, SIS User ID, SIS
Login ID and Section before the assignments, and a row "Points Possible".
https://community.canvaslms.com/t5/Instructor-Guide/How-do-I-import-grades-in-the-Gradebook/ta-p/807

Moodle: a grade export as plain text, or a list of participants, with the columns First
name, Last name (or Surname), ID number, Email address or Username.
https://docs.moodle.org/en/Grade_import
"""

import csv
import io
from dataclasses import dataclass

CANVAS, MOODLE = "canvas", "moodle"
# Who a row is about, by form: the names, then what tells students apart.
NAMES = {
    CANVAS: ["Student", "LastName", "FirstName"],
    MOODLE: ["First name", "Last name", "Surname", "Full name"],
}
IDS = {
    CANVAS: ["ID", "SIS User ID", "SIS Login ID", "Integration ID"],
    MOODLE: ["ID number", "Email address", "Username"],
}
KEPT = {
    CANVAS: [*NAMES[CANVAS], *IDS[CANVAS], "Root Account", "Section"],
    MOODLE: [*NAMES[MOODLE], *IDS[MOODLE], "Institution", "Department"],
}
LARGEST = 10 * 2**20  # bytes
POINTS_ROW = "Points Possible"


class RosterFault(ValueError):
    """A roster that cannot be used; the text says which line and why."""


@dataclass(frozen=True)
class Student:
    """cells: {column: text} as they stand in the roster."""

    cells: dict
    form: str

    @property
    def name(self):
        return " ".join(self._filled(NAMES))

    @property
    def ids(self):
        return self._filled(IDS)

    def _filled(self, columns):
        cells = (self.cells.get(column, "").strip() for column in columns[self.form])
        return [cell for cell in cells if cell]


@dataclass(frozen=True)
class Roster:
    """columns: those that say who a student is; others: headers of the grades."""

    form: str
    columns: list
    others: list
    students: list


def read(path):
    """Return the Roster of a file; raises RosterFault."""
    rows = _rows(path)
    try:
        return _roster(rows)
    except RosterFault as error:
        raise RosterFault(f"{path}: {error}") from None


def table(path):
    """Return [(line, {column: cell})] of a CSV, as a spreadsheet may have saved it.

    Raises RosterFault, also where a row has not the columns of the first.
    """
    (_, header), *rows = _rows(path)
    if len(set(header)) < len(header):
        raise RosterFault(f"{path}: two columns have one name")
    for line, cells in rows:
        if len(cells) != len(header):
            counts = f"{len(cells)} cells where the header has {len(header)}"
            raise RosterFault(f"{path}: line {line} has {counts}")
    return [(line, dict(zip(header, cells, strict=True))) for line, cells in rows]


def _rows(path):
    """Return [(line, cells)] of a CSV without blank rows; raises RosterFault."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RosterFault(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise RosterFault(f"{path} is larger than {LARGEST / 2**20:.0f} MB")
    try:
        return _cells(_text(data))
    except RosterFault as error:
        raise RosterFault(f"{path}: {error}") from None


def _text(data):
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        raise RosterFault("is not UTF-8; export it again as CSV in UTF-8") from None


def _cells(text):
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    if "\0" in text:
        raise RosterFault("holds zero bytes, so it is no CSV")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise RosterFault(f"line {reader.line_num} is no CSV: {error}") from None
    if not rows:
        raise RosterFault("is empty")
    return rows


def _roster(rows):
    header = [cell.strip() for cell in rows[0][1]]
    form = _form(header)
    columns = [name for name in header if name in KEPT[form]]
    twice = {name for name in columns if columns.count(name) > 1}
    if twice:
        raise RosterFault(f"has two columns {', '.join(sorted(twice))}")
    students, seen = [], {}
    for line, cells in rows[1:]:
        if len(cells) != len(header):
            raise RosterFault(
                f"line {line} has {len(cells)} cells where the header has "
                f"{len(header)}; is a name with a comma without quotes?"
            )
        own = dict(zip(header, cells, strict=True))
        student = Student({name: own[name] for name in columns}, form)
        if POINTS_ROW in student.name or not (student.name or student.ids):
            continue
        for name in IDS[form]:
            key = (name, student.cells.get(name, "").strip().casefold())
            if key[1] and seen.setdefault(key, line) != line:
                raise RosterFault(
                    f"lines {seen[key]} and {line} have the same {name} {key[1]!r}"
                )
        students.append(student)
    if not students:
        raise RosterFault("names no student")
    others = [name for name in header if name not in KEPT[form]]
    return Roster(form, columns, others, students)


def _form(header):
    for form in (CANVAS, MOODLE):
        if set(NAMES[form]) & set(header) and set(IDS[form]) & set(header):
            if form == MOODLE or "Section" in header:
                return form
    raise RosterFault(
        "its first line is neither that of a Canvas gradebook (Student, ID, ..., "
        "Section) nor of a Moodle export (First name, Last name, ID number, Email "
        f"address), in English: {', '.join(header)[:200]}"
    )
