"""Command line of the grading; see the package."""

import argparse
import contextlib
import os
import signal
import sys
import tempfile
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path

from filelock import Timeout

from build_tools.book import execution
from build_tools.console import say
from helpers.exercises.chapters import chapter_named, chapters
from helpers.exercises.checks import exercises
from helpers.whole_files import alone
from teaching.grading import feedback, gradebook, grades_table, sandbox
from teaching.grading.intake import submissions, without_notebook
from teaching.grading.marking import add_options, marking_of, said_of
from teaching.grading.submission_grade import (
    JudgeFault,
    Judges,
    grade_submission,
)
from teaching.grading.turns import Turns

SECONDS = 300
GIBIBYTES = 3


def _parser():
    parser = argparse.ArgumentParser(prog="python -m teaching.grading")
    parser.add_argument("folder", type=Path, help="of submitted notebooks (.ipynb)")
    parser.add_argument("--out", type=Path, default=Path("grades.csv"))
    parser.add_argument(
        "--seconds", type=_positive, default=SECONDS, help="a submission"
    )
    parser.add_argument("--workers", type=int, default=2, help="at a time")
    parser.add_argument(
        "--memory", type=_positive, default=GIBIBYTES, help="GiB, a submission"
    )
    parser.add_argument(
        "--roster",
        type=Path,
        help="from Canvas or Moodle; its gradebook is written too",
    )
    add_options(parser)
    parser.add_argument(
        "--chapters", nargs="+", metavar="SLUG", help="of --result; without it, all"
    )
    parser.add_argument(
        "--result", type=Path, help="result.json, as Classroom 50 reads it"
    )
    parser.add_argument(
        "--summary", type=Path, help="a page of replies in Markdown, added to a file"
    )
    return parser


def main(arguments=None):
    parser = _parser()
    options = parser.parse_args(arguments)
    try:  # before minutes of grading
        marking = marking_of(options)
        slugs = [chapter_named(slug).slug for slug in options.chapters or chapters()]
    except ValueError as error:
        parser.exit(2, f"error: {error}\n")
    paths = submissions(options.folder)
    if not paths:
        parser.exit(2, f"{options.folder} holds no notebooks (.ipynb) to grade\n")
    bare = without_notebook(options.folder, paths) if marking else []
    for name, default in execution.DEFAULTS.items():  # the same for all, no network
        os.environ[name] = os.environ.get(name) or default
    if fault := sandbox.fault():
        parser.exit(2, f"{fault}\n")
    if options.deadline:
        say(said_of(options.deadline))
    with contextlib.ExitStack() as held:
        try:
            _reserve(options.out, held, marking)
            judges = Judges()  # before anything is written
        except (OutFault, JudgeFault) as error:
            parser.exit(2, f"nothing can be graded: {error}\n")
        grades = Grades(options.out, options.folder, paths)
        if not grades.write():
            parser.exit(2, f"cannot write {options.out}: {grades.fault}\n")
        code, said = grades.fill(judges, options)
        names = map(grades_table.harmless, bare)
        lines = [said, *(f"{name}: no notebook, so not graded" for name in names)]
        try:
            if not code and (options.result or options.summary):
                feedback.write(grades.grades, slugs, options.result, options.summary)
            if marking and not grades.fault:
                lines += grades.marked(marking)
        except OSError as error:
            say(said)
            parser.exit(1, f"error: {error}\n")
        say("\n".join(lines))
    return code


class OutFault(ValueError):
    """The table has no place; the text says why."""


def _reserve(out, held, marking):
    """Keep other runs from writing `out` until `held` is left.

    It must be new, and so must the files for the gradebook beside it.
    """
    try:
        held.enter_context(alone(out, seconds=0, kept=False))
    except Timeout:
        raise OutFault(f"another run is writing {out}") from None
    except OSError as error:
        raise OutFault(f"cannot write {out}: {error.strerror}") from None
    beside = gradebook.files_beside(out, marking.roster.form) if marking else []
    for path in filter(os.path.lexists, [out, *beside]):
        raise OutFault(f"{path} is there already: move it away, or name another OUT")


def _positive(text):
    number = float(text)
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


class Grades:
    """The grades so far, and their table."""

    def __init__(self, out, folder, paths):
        self.out, self.folder, self.paths = out, folder, paths
        self.names = [path.relative_to(folder) for path in paths]
        self.grades = [None] * len(paths)
        self.known = exercises()
        self.fault = None

    def fill(self, judges, options):
        """Grade all; return (exit code, line that says what was done)."""
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with tempfile.TemporaryDirectory(prefix="grading-") as copies:
            pool = ThreadPoolExecutor(max(1, options.workers))
            try:
                self._grade_all(judges, options, Path(copies), pool)
            except KeyboardInterrupt:
                done = sum(own is not None for own in self.grades)
                return 130, f"stopped: {done} of {len(self.paths)} {self._where()}"
            finally:
                judges.close()
                pool.shutdown(cancel_futures=True)
        return int(bool(self.fault)), f"graded {len(self.paths)} {self._where()}"

    def _grade_all(self, judges, options, copies, pool):
        memory = int(options.memory * 2**30)
        limits = (set(self.known), options.seconds, memory)
        turns, jobs = Turns(self.names, options.seconds), {}
        for number in turns.order():
            taken = self.paths[number], self.folder, copies / str(number)
            grade = partial(grade_submission, *taken, judges, *limits)
            jobs[pool.submit(turns.take, number, grade)] = number
        waiting = set(jobs)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for job in done:
                self.grades[jobs[job]] = job.result()
            self.write()

    def write(self):
        """Write the table; whether that went well, else `fault` says why."""
        try:
            grades_table.write(self.out, self.names, self.grades, self.known)
            self.fault = None
        except OSError as error:
            self.fault = error.strerror
        return not self.fault

    def marked(self, marking):
        """Write the files for the gradebook; return lines that say what was done."""
        given = self.folder, self.paths, self.grades, marking.deadline
        return gradebook.write(self.out, marking, gradebook.submissions_of(*given))

    def _where(self):
        if self.fault:
            return f"submissions, but cannot write {self.out}: {self.fault}"
        return f"submissions: {self.out}"


if __name__ == "__main__":
    sys.exit(main())
