"""Whose a submission is: as its platform wrote it into the path, or as a table says.

Canvas names a file `lastfirst_<ID>_<number>_...`, with `_LATE` before the ID of a late
one. Moodle names a file or its folder `First Last_<number>_assignsubmission_...`. Only
what stands at that place counts, for the rest of a path is the student's choice.
"""

import re
import unicodedata
from pathlib import Path

from teaching.grading import rosters

# The outermost part of a path that has the form was named by the platform.
FORMS = {
    rosters.CANVAS: re.compile(r"(.+?)(?P<late>_LATE)?_(\d+)_\d+_.+", re.S),
    rosters.MOODLE: re.compile(r"(.+?)_\d+_assignsubmission_.*", re.S),
}
HAND_IN = re.compile(r"(.+?_\d+)(?:_\d+_.+|_assignsubmission_.*)", re.S)
NO_FORM = "it is not named as {form} exports it; name its owner in a table (OWNERS)"


class OwnerFault(ValueError):
    """A table of owners that cannot be used; the text says which line and why."""


def words(text):
    """Return the words of a name; signs such as vowels of Hindi are part of them.

    >>> words("Müller, Anna")
    ['müller', 'anna']
    """
    return "".join(map(_of_word, composed(text).casefold())).split()


def composed(text):
    """Return a text in one form: macOS keeps an é in names of files as two letters."""
    return unicodedata.normalize("NFC", text)


def _of_word(letter):
    """A letter as it stands in a word, a blank for what stands between words."""
    kind = unicodedata.category(letter)
    if kind == "Cf":  # of no width
        return ""
    return letter if kind[0] in "LMN" else " "


def owner(path, roster):
    """Return (student or None, how it was found or why it was not).

    path: of a submission, in the folder of all.
    """
    found = filter(None, map(FORMS[roster.form].fullmatch, Path(path).parts))
    if not (named := next(found, None)):
        return None, NO_FORM.format(form=roster.form.capitalize())
    if roster.form == rosters.CANVAS:
        return _by_id(named[1], named[3], roster.students)
    said = sorted(words(named[1]))
    fits = [s for s in roster.students if sorted(words(s.name)) == said]
    return _only(fits, "name", named[1])


def marked_late(path):
    """Whether Canvas has marked a submission as late, at its own place in a name.

    >>> marked_late("lee_LATE_1001_3_a.ipynb"), marked_late("lee_1001_3_LATE_1.ipynb")
    (True, False)
    """
    for part in Path(path).parts:
        if FORMS[rosters.MOODLE].fullmatch(part):
            return False
        if named := FORMS[rosters.CANVAS].fullmatch(part):
            return bool(named["late"])
    return False


def hand_in(path):
    """Return what stands for a student: the platform's name of a path, or its folder.

    >>> hand_in("leeanna_10001_3_a.ipynb"), hand_in("week 1/anna/b.ipynb")
    ('leeanna_10001', 'week 1/anna')
    """
    path = Path(path)
    folder = path.parent if len(path.parts) > 1 else path
    return named_by_platform(path) or str(folder)


def named_by_platform(path):
    """Return the part of a path's name that is one student's alone, or None."""
    named = next(filter(None, map(HAND_IN.fullmatch, Path(path).parts)), None)
    return named and named[1]


def _by_id(name, number, students):
    """The student of an ID, unless the name beside it is another's."""
    fits = [
        student for student in students if student.cells.get("ID", "").strip() == number
    ]
    student, how = _only(fits, "id", number)
    called = [s for s in students if "".join(words(name)) in _joined(s.name)]
    if student and called and student not in called:
        names = f"the name is that of {called[0].name}, the ID that of {student.name}"
        return None, names
    return student, "name and id" if student in called else how


def _joined(name):
    own = words(name)
    return {"".join(own), "".join(reversed(own))}


def _only(fits, how, said):
    if len(fits) == 1:
        return fits[0], how
    names = "; ".join(student.name for student in fits)
    return None, f"{said!r} " + (f"fits several: {names}" if fits else "fits nobody")


def read_owners(path, roster):
    """Return {file, as `composed`: student} of a CSV with the columns file and owner.

    owner: an id or the whole name of a student in the roster. Raises OwnerFault.
    """
    found = {}
    for line, row in rosters.table(path):
        file, said = row.get("file"), row.get("owner")
        if not file or not said:
            raise OwnerFault(f"{path}, line {line}: needs the columns file and owner")
        fits = [
            student
            for student in roster.students
            if said in student.ids or words(said) == words(student.name)
        ]
        student, why = _only(fits, "table", said)
        if not student:
            raise OwnerFault(f"{path}, line {line}: {why}")
        if found.setdefault(composed(file), student) is not student:
            raise OwnerFault(f"{path}, line {line}: {file} has two owners")
    return found
