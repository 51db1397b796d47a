"""Points for a platform's gradebook, from the table of grades and a roster.

    python -m teaching.grading.gradebook grades.csv roster.csv --folder submissions

Beside grades.csv it writes grades-canvas.csv or grades-moodle.csv, whichever the
roster came from, and grades-matches.csv: whose each submission is, and who handed in
nothing. A student's cells stay empty for a chapter of which nothing was handed in; who
handed in a notebook without any check gets 0, for its checks may have been deleted.

A submission belongs to the student whom the platform's own name of it says, or a table
`file,owner` (`owners`); where name and id contradict each other it belongs to none, and
the line says so. Of several submissions of an exercise the best counts.

A submission is late when its file was changed after the deadline, which is true only of
files as they were unpacked: a copy, or a notebook that was opened and saved, is newer.
`_LATE_` in a name, where Canvas puts it, counts too.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from build_tools.console import say
from helpers.exercises.chapters import chapters
from helpers.exercises.checks import exercises
from helpers.whole_files import alone
from teaching.grading import grades_table, intake, rosters
from teaching.grading.marking import GradebookFault, add_options, marking_of, said_of
from teaching.grading.owners import composed, marked_late, owner
from teaching.grading.submission_grade import STATUSES

IN_TABLE = {*STATUSES, "missing", ""}


@dataclass
class Submission:
    name: str  # as the table shows it
    path: str  # in the folder of all, or the name where there is only the table
    count: str  # of the exercises that passed, empty where it was not graded
    passed: dict  # {exercise: whether it passed}
    late: str = ""  # why it is


def submissions_of(folder, paths, grades, deadline=None):
    """Return the Submissions of what was graded; grades: a Grade or None a path."""
    found = []
    for path, own in zip(paths, grades, strict=True):
        name = path.relative_to(folder)
        passed = {e: s == "passed" for e, s in own.statuses.items() if s} if own else {}
        count = str(own.passed) if own else ""
        late = _late(name, [path], deadline)
        shown = grades_table.harmless(name)
        found.append(Submission(shown, str(name), count, passed, late))
    return found


def read_grades(path, folder=None, deadline=None):
    """Return the Submissions of a table of grades."""
    lines = rosters.table(path)
    rows = [row for _, row in lines]
    if not rows or not {"submission", "passed"} <= set(rows[0]):
        raise GradebookFault(f"{path} is no table of grades, or has no rows")
    ids = [name for name in rows[0] if name.rpartition(".")[0] in chapters()]
    for line, row in lines:
        if odd := [name for name in ids if row[name] not in IN_TABLE]:
            said = f"{odd[0]} is {row[odd[0]]!r}, none of {', '.join(STATUSES)}"
            raise GradebookFault(f"{path}, line {line}: {said}")
    if deadline and not folder:
        raise GradebookFault("a deadline needs the folder of the submissions")
    files = {}
    for file in intake.submissions(folder) if deadline else []:
        shown = grades_table.harmless(file.relative_to(folder))
        files.setdefault(shown, []).append(file)
    return [
        Submission(
            row["submission"],
            grades_table.path_in(row["submission"]),
            row["passed"],
            {i: row[i] == "passed" for i in ids if row[i] != "missing" and row[i]},
            _late(
                grades_table.path_in(row["submission"]),
                files.get(row["submission"], []),
                deadline,
            ),
        )
        for row in rows
    ]


def _late(name, files, deadline):
    """Why a submission is late, or ""; files: those that the name may stand for."""
    if marked_late(name):
        return "marked LATE by Canvas"
    if deadline is None:
        return ""
    if len(files) != 1:
        there = "several files of that name are" if files else "it is not"
        raise GradebookFault(f"{name}: {there} in the folder, so it may be late or not")
    try:
        changed = files[0].lstat().st_mtime
    except OSError as error:  # such as a path that is too long
        return f"its time cannot be read: {error.strerror}"
    if changed <= deadline.timestamp():
        return ""
    try:
        return (
            f"changed {datetime.fromtimestamp(changed).astimezone():%Y-%m-%d %H:%M %Z}"
        )
    except (ValueError, OverflowError, OSError):  # an archive may name any number
        return "changed after the year 9999"


def points_of(own, slug, exercises, weights):
    """Return a student's points for a chapter, "" where nothing was handed in.

    A notebook that holds no check is of any chapter: its checks may have been deleted.
    """
    handed_in = [s for s in own if any(e in s.passed for e in exercises)]
    if not handed_in:
        return "0" if any(s.count and not s.passed for s in own) else ""
    most = weights.points.get(slug, len(exercises))
    shares = [
        max((weights.late if s.late else 1) * s.passed.get(e, 0) for s in handed_in)
        for e in exercises
    ]
    return _number(most * sum(shares) / len(exercises))


def _number(points):
    return f"{points:.2f}".rstrip("0").rstrip(".")


def files_beside(grades, form):
    """Return the files that `write` writes: to import, and whose each submission is."""
    return [grades.with_name(f"{grades.stem}-{n}.csv") for n in (form, "matches")]


def write(grades, own, submissions):
    """Write the two files beside `grades`; return lines that say what was done.

    own: a Marking. Raises OSError where nothing can be written.
    """
    roster, weights = own.roster, own.weights
    found = {e.rpartition(".")[0] for own in submissions for e in own.passed}
    worth = {
        slug: weights.points.get(slug, len(_exercises_of(slug)))
        for slug in chapters()
        if slug in found
    }
    slugs = [slug for slug, most in worth.items() if most]
    owners = [_owner(submission, own) for submission in submissions]
    book = _book(roster, slugs, worth, submissions, owners, weights)
    matches = _matches(roster, submissions, owners)
    import_file, match_file = files_beside(grades, roster.form)
    for path, rows in ((import_file, book), (match_file, matches)):
        with alone(path, kept=False):  # clears away what a run that was ended left
            grades_table.write_rows(path, rows)
    formulas = [
        f"{own} would be a formula in a spreadsheet; it stays, since ids are matched"
        for student in roster.students
        for own in student.ids
        if grades_table.harmless(own) != own
    ]
    there = {composed(name) for s in submissions for name in (s.path, s.name)}
    unused = [
        f"{name} stands in the table of owners, but there is no such submission"
        for name in own.owners
        if name not in there
    ]
    done = f"wrote {import_file} and {match_file}"
    return [*formulas, *unused, *_said(matches), done]


def _owner(submission, own):
    for name in map(composed, (submission.path, submission.name)):
        if name in own.owners:
            return own.owners[name], "table"
    return owner(submission.path, own.roster)


def _exercises_of(slug):
    return [e for e in exercises() if e.rpartition(".")[0] == slug]


def _book(roster, slugs, worth, submissions, owners, weights):
    """The rows to import. Ids stay as the roster has them, since these are matched."""
    rows = [[*roster.columns, *(_column(slug, roster) for slug in slugs)]]
    if roster.form == rosters.CANVAS:
        blank = [""] * (len(roster.columns) - 1)
        row = [f"    {rosters.POINTS_ROW}", *blank]
        rows.append([*row, *(_number(worth[slug]) for slug in slugs)])
    for student in roster.students:
        own = [
            submission
            for submission, (whose, _) in zip(submissions, owners, strict=True)
            if whose is student
        ]
        cells = [
            text if column in rosters.IDS[roster.form] else grades_table.harmless(text)
            for column, text in student.cells.items()
        ]
        rows.append(
            [
                *cells,
                *(points_of(own, s, _exercises_of(s), weights) for s in slugs),
            ]
        )
    return rows


def _column(slug, roster):
    """The header of a chapter's points, with the number that Canvas gave it, if any."""
    chapter = chapters()[slug]
    title = f"{chapter.number}. {chapter.title}"
    numbered = re.compile(rf"{re.escape(title)} \(\d+\)")
    return next(filter(numbered.fullmatch, roster.others), title)


def _matches(roster, submissions, owners):
    rows = [["submission", "student", "id", "found by", "late", "passed"]]
    for submission, (student, how) in zip(submissions, owners, strict=True):
        name, own = (student.name, student.ids[:1]) if student else ("", [])
        person = map(grades_table.harmless, [name, *(own or [""]), how])
        rows.append([submission.name, *person, submission.late, submission.count])
    handed_in = [id(student) for student, _ in owners]
    for student in roster.students:
        if id(student) not in handed_in:
            own = student.ids[:1] or [""]
            person = map(grades_table.harmless, [student.name, *own])
            rows.append(["", *person, "no submission", "", ""])
    return rows


def _said(matches):
    """Lines for whoever grades: what has no student, and who has no submission."""
    lines = [f"{row[0]}: {row[3]}" for row in matches[1:] if row[0] and not row[1]]
    missing = [row[1] or row[2] for row in matches[1:] if not row[0]]
    late = sum(bool(row[4]) for row in matches[1:])
    matched = sum(bool(row[0] and row[1]) for row in matches[1:])
    lines.append(
        f"{matched} submissions have a student, {len(lines)} have none; {late} are late"
    )
    if missing:
        lines.append(f"without a submission: {'; '.join(missing)}")
    return lines


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m teaching.grading.gradebook")
    parser.add_argument("grades", type=Path, help="the table that grading wrote")
    parser.add_argument("roster", type=Path, help="CSV from Canvas or Moodle")
    parser.add_argument(
        "--folder", type=Path, help="of the submissions, for --deadline"
    )
    add_options(parser)
    options = parser.parse_args(arguments)
    try:
        own = marking_of(options)
        read = (options.grades, options.roster, options.points, options.owners)
        taken = [path.resolve() for path in filter(None, read)]
        for path in files_beside(options.grades, own.roster.form):
            if path.resolve() in taken:
                raise GradebookFault(f"{path} would be written over: rename it first")
        submissions = read_grades(options.grades, options.folder, options.deadline)
        lines = write(options.grades, own, submissions)
    except (ValueError, OSError) as error:
        parser.exit(2, f"error: {error}\n")
    if options.deadline:
        lines.insert(0, said_of(options.deadline))
    say("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
