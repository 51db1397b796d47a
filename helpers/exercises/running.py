"""How a student's function is run: on a copy, in time, and with errors put in words.

A check calls the function that it was given as any other. What goes wrong in it
becomes NotYet, which names the error, the line and the input.
"""

import _thread
import contextlib
import copy
import dis
import functools
import io
import math
import numbers
import reprlib
import signal
import sys
import threading
import traceback
import types
import warnings

from helpers.exercises.asking import came
from helpers.exercises.plain_form import in_plain_form
from helpers.exercises.replies import NotYet

SECONDS = 30  # for one call of an answer; None: without a limit
PRINTED = 5_000  # letters that an answer prints during one check
FUNCTIONS = (types.FunctionType, types.MethodType, functools.partial)
OF_A_STUB = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}

# For `without`: what does the work of a softmax.
SOFTMAX = (
    "torch.softmax torch.log_softmax torch.special_softmax torch.special_log_softmax "
    "torch.softmin torch.gumbel_softmax scipy.softmax scipy.log_softmax"
).split()
SPOKEN = {"_call_impl": "runs a network"}  # no name that a student writes
SHORT = reprlib.Repr()
SHORT.maxstring = SHORT.maxother = 60
_forbidden = ()


class Untouched(Exception):
    """Raised by a stub that nobody has written in."""


class _TooLong(BaseException):
    """Raised in an answer whose time is over; no `except Exception` stops it."""


@contextlib.contextmanager
def without(*names):
    """Let no answer that runs within call a function that is named.

    names: each a package and a function's name, as "torch.softmax": refused is every
    function or method of that name which the package defines, however it is called.
    "__main__.attention" is one that the notebook defines. What the check itself calls
    is not touched. The answer gets NotYet, which names the function.

    It keeps from a habit, not from a purpose: who has the function run where Python's
    profiler does not look, as in another process, in a low-level thread of `_thread` or
    in what torch.compile has made, is not found out.

    >>> import torch
    >>> answer = guarded(lambda scores: scores.softmax(-1))
    >>> with without(*SOFTMAX):
    ...     answer(torch.zeros(2))
    Traceback (most recent call last):
    helpers.exercises.replies.NotYet: Your function calls softmax; this exercise ...
    """
    global _forbidden
    before, _forbidden = _forbidden, (*_forbidden, *names)
    try:
        yield
    finally:
        _forbidden = before


def guarded(answer, name="function"):
    """Return an answer whose functions never raise anything but NotYet or Untouched.

    A function, or one among the values of a dict, gets a copy of its input, SECONDS
    for a call, and no warnings; of what it prints the first letters are shown. What
    it returns comes in plain form.
    """
    if type(answer) is dict:
        return {
            key: guarded(value, key) if isinstance(value, FUNCTIONS) else value
            for key, value in answer.items()
        }
    if not callable(answer):
        return answer
    printed = _Brief(sys.stdout)

    def call(*arguments):
        given = copy.deepcopy(arguments)
        try:
            with _quiet(printed), _in_time(SECONDS), watched(_forbidden):
                result = in_plain_form(answer(*given))
        except NotYet:
            raise
        except _TooLong:
            raise NotYet(
                f"Your {name} had not ended after {SECONDS} seconds"
                f"{_for(arguments)}. Does a loop in it never end?"
            ) from None
        except SystemExit:
            raise NotYet(
                f"Your {name} asks Python to end (SystemExit); leave it with return."
            ) from None
        except Exception as error:
            if isinstance(error, NotImplementedError) and not error.args:
                raise Untouched from None
            raise _stopped(name, error, answer, arguments) from None
        return _something(result, name, answer, arguments)

    return call


def _something(result, name, answer, arguments):
    if result is ... or result is None and untouched(answer):
        raise Untouched
    if result is None:
        raise NotYet(
            f"Your {name} returned None{_for(arguments)}. Does every way through it "
            "end in return, with a value?"
        )
    return result


def untouched(function):
    """Return whether the body of a function is empty: `...`, pass or a docstring.

    >>> untouched(lambda x: None), untouched(lambda x: print(x))
    (True, False)
    """
    code = getattr(function, "__code__", None)
    return code is not None and all(
        instruction.opname in OF_A_STUB for instruction in dis.get_instructions(code)
    )


def _stopped(name, error, answer, arguments):
    """NotYet for an answer that raised `error`: what, where, for which input."""
    steps = error.__traceback__.tb_next  # the first is the call above
    told = traceback.TracebackException(type(error), error, steps)
    said = " ".join("".join(told.format_exception_only()).split())
    text = "".join(told.format())
    return NotYet(
        f"Your {name} stopped with {_cut(said, 300)}{_where(steps, answer)}"
        f"{_for(arguments)}.",
        _cut(text[::-1], 10_000)[::-1],
    )


def _where(steps, answer):
    """The last line of the student's own that ran."""
    file = getattr(getattr(answer, "__code__", None), "co_filename", None)
    frames = zip(traceback.walk_tb(steps), traceback.extract_tb(steps), strict=True)
    own = [
        step
        for (frame, _), step in frames
        if frame.f_code.co_filename == file
        or frame.f_globals.get("__name__") == "__main__"
    ]
    if not own:
        return ""
    source = f": {_cut(own[-1].line, 60)}" if own[-1].line else ""
    return f", in line {own[-1].lineno}{source}"


def _for(arguments):
    return f", for {in_short(arguments)}" if arguments else ""


def in_short(arguments):
    """The input of a function, as a reply shows it."""
    return _cut(", ".join(map(_in_short, arguments)), 160)


def _in_short(value):
    if isinstance(shape := getattr(value, "shape", None), tuple):
        few = hasattr(value, "tolist") and math.prod(shape) <= 8
        value = _rounded(value.tolist()) if few else value
    if isinstance(value, str | numbers.Number | list | tuple | None):
        return " ".join(SHORT.repr(value).split())
    return came(value)


def _rounded(value):
    """Numbers of a small array as they are printed, to four decimals."""
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    return round(value, 4) if isinstance(value, float) else value


def _cut(text, most):
    return text if len(text) <= most else f"{text[: most - 1]}…"


class _Brief(io.TextIOBase):
    """Passes on the first letters that are printed, and says that there were more."""

    def __init__(self, stream):
        self.stream, self.left = stream, PRINTED

    def write(self, text):
        if 0 < self.left:
            self.stream.write(text[: self.left])
            if self.left < len(text):
                self.stream.write("\n... (more was printed; it is not shown)\n")
            self.left -= len(text)
        return len(text)


@contextlib.contextmanager
def _quiet(printed):
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _in_time(seconds):
    """Raise _TooLong in what runs here when `seconds` are over.

    As Ctrl-C does it, which every system and notebook knows; so it works in the main
    thread, where cells run, and between two steps of Python.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not (seconds and in_main):
        yield
        return
    over, done = threading.Event(), threading.Event()

    def interrupt(number, frame):
        if not over.is_set():
            (before if callable(before) else signal.default_int_handler)(number, frame)
        elif not done.is_set():
            raise _TooLong

    def ring():
        over.set()
        _thread.interrupt_main()

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        timer.start()
        yield
    finally:
        done.set()
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def watched(names):
    """Raise NotYet where one of the functions that `names` forbid is called."""
    if not names:
        yield
        return
    places = {}
    for name in (*names, "threading.setprofile"):  # and sys.setprofile, by its name
        package, _, function = name.rpartition(".")
        places.setdefault(function, []).append(f"{package}.")
    called = []

    def watch(frame, event, function):
        ours = function is sys.setprofile and frame.f_code.co_filename == __file__
        if event == "c_call" and function.__name__ in places and not ours:
            called.append(function.__name__)  # of a library: students write Python
        elif event == "call":
            home = f"{frame.f_globals.get('__name__')}."
            if home.startswith(tuple(places.get(frame.f_code.co_name, ()))):
                called.append(frame.f_code.co_name)
        if called:
            refuse()

    def refuse():
        does = SPOKEN.get(called[0], f"calls {called[0]}")
        raise NotYet(
            f"Your function {does}; this exercise asks to do without it."
        ) from None

    before = sys.getprofile(), threading.getprofile()
    threading.setprofile(watch)  # of threads that the answer begins
    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(before[0])
        threading.setprofile(before[1])
        if called:  # also where the answer went on after the error
            refuse()
