"""Grade one notebook: ask its sandbox for answers and run the checks on them."""

import contextlib
import signal
import time
from functools import cache

from teaching.grading.running_submission import Ended
from teaching.grading.submitted_notebook import (
    checks_in,
    code_cells,
    mentions,
    needed,
)

PASSED, NOT_YET, OPEN = "passed", "not yet", "not attempted yet"


class OutOfTime(BaseException):
    """Raised in what runs when its time is over; no `except Exception` stops it."""


def grade_notebook(data, known, start, tell, seconds):
    """Grade a notebook's bytes.

    known: ids of the exercises. start: () -> a RunningSubmission. tell: takes
    {"found": ids}, then {"exercise", "status", "message"} whenever something is
    known; the last of an exercise counts. Raises ValueError for what is no notebook.

    The cells that an exercise needs run first. What has not passed then is run once
    more with all cells before it, for names alone do not show everything that a cell
    changes. Each exercise gets an even share of the time that is left, so that a loop
    without end in one takes no time of the others.
    """
    end = time.monotonic() + seconds
    cells = code_cells(data)
    checks = checks_in(cells, known)
    tell({"found": [exercise for _, exercise in checks]})
    left = _run_needed(cells, checks, start, tell, end)
    if left:
        _run_all(cells, left, start, tell, end)


def _run_needed(cells, checks, start, tell, end):
    """Grade by the needed cells; return the checks that may end otherwise."""
    left, waiting = [], list(checks)
    while waiting:
        plan = needed(cells, [place for place, _ in waiting])
        with start() as student:
            begin = 0
            while waiting and not student.ended:
                share = (end - time.monotonic()) / len(waiting)
                place, exercise = waiting.pop(0)
                sources = [cells[i] for i in plan if begin <= i <= place]
                begin = place + 1
                status, message = status_of(student, sources, exercise, share)
                tell({"exercise": exercise, "status": status, "message": message})
                left_out = [i for i in range(place) if i not in plan]
                if status == OPEN and not mentions(cells, left_out, place):
                    continue  # an untouched stub
                if status != PASSED and left_out and not student.late:
                    left.append((place, exercise, message))
    return left


def _run_all(cells, checks, start, tell, end):
    with start() as student:
        begin = 0
        for number, (place, exercise, earlier) in enumerate(checks):
            share = (end - time.monotonic()) / (len(checks) - number)
            sources = cells[begin : place + 1]
            begin = place + 1
            status, message = status_of(student, sources, exercise, share)
            if student.ended and not student.late:
                return  # what the needed cells gave stands
            message = f"{message}; {earlier}" if student.late else message
            tell({"exercise": exercise, "status": status, "message": message})
            if student.ended:
                return


def status_of(student, sources, exercise, seconds):
    """Return (status, message) of the exercise that the last source checks."""
    check = _check()
    try:
        with _in_time(seconds):
            outcome = check(exercise, student.run(sources or [""], exercise))
            status, message = str(outcome.status), str(outcome.message)
    except OutOfTime:
        student.end_late(f"it ran out of time ({seconds:.0f} seconds)")
        return NOT_YET, student.said
    except NotImplementedError:
        return OPEN, ""
    except Ended as error:
        return NOT_YET, str(error)
    except Exception as error:
        return NOT_YET, f"{type(error).__name__}: {str(error)[:1000]}"
    if student.ended and status != PASSED:
        return NOT_YET, student.said
    return status, message


@contextlib.contextmanager
def _in_time(seconds):
    """Raise OutOfTime in what runs here, in the main thread, after `seconds`."""

    def interrupt(*_):
        raise OutOfTime

    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.1))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@cache
def _check():
    from helpers.exercises import check

    return check
