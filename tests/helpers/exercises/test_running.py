"""What a student is told when a function goes wrong while a check runs it."""

import linecache
import signal
import sys
import threading
import time

import numpy as np
import pytest
import scipy.special
import torch

from helpers import exercises
from helpers.exercises import NotYet, check, running
from helpers.exercises.running import SOFTMAX, guarded, without


@pytest.fixture
def reply(monkeypatch):
    """What `check` says to an answer of an exercise that calls it with inputs."""

    def checked(answer, *inputs):
        monkeypatch.setattr(
            exercises, "checker_of", lambda id: lambda f: str(f(*inputs))
        )
        return check("attention.1", answer)

    return checked


def written(source, name="answer"):
    """The function that a student has written in a cell of a notebook."""
    linecache.cache["cell-7"] = len(source), None, source.splitlines(True), "cell-7"
    names = {"__name__": "__main__"}
    exec(compile(source, "cell-7", "exec"), names)
    return names[name]


def test_an_error_is_told_with_its_line_and_its_input(reply):
    answer = written("def answer(word, table):\n    n = 1\n    return table[word]\n")
    outcome = reply(answer, "abx", {})
    assert outcome.status == "not yet"
    assert outcome.message == (
        "Your function stopped with KeyError: 'abx', in line 3: return table[word], "
        "for 'abx', a dict of length 0."
    )
    assert outcome.traceback.startswith("Traceback")
    assert 'File "cell-7", line 3, in answer' in outcome.traceback
    assert "running.py" not in outcome.traceback  # the course's own steps
    assert "Where it stopped" in outcome._repr_html_()
    assert "Traceback" not in repr(outcome)


def test_the_line_is_the_students_own_not_that_of_a_library(reply):
    source = "import numpy as np\ndef answer(x):\n    return np.linalg.inv(x)\n"
    outcome = reply(written(source), np.ones((2, 2)))
    assert "LinAlgError: Singular matrix, in line 3" in outcome.message
    assert outcome.message.endswith("for [[1.0, 1.0], [1.0, 1.0]].")


def test_a_long_error_is_cut(reply):
    def answer(x):
        raise ValueError("word " * 10_000)

    outcome = reply(answer, "x" * 10_000)
    assert len(outcome.message) < 700 and len(outcome.traceback) <= 10_000


def test_what_breaks_while_it_yields_is_told_too(reply):
    def answer(x):
        yield 1
        yield 1 / x

    assert "ZeroDivisionError" in reply(answer, 0).message
    assert guarded(answer)(1) == [1, 1.0]


def test_none_is_named_with_its_input(reply):
    assert reply(lambda x: x.get("a"), {"b": 1}).message == (
        "Your function returned None, for a dict of length 1. Does every way through "
        "it end in return, with a value?"
    )


def test_a_stub_that_nobody_has_written_in_is_not_attempted(reply):
    def stub(x):
        """Double x."""
        ...
        # return double

    def raises(x):
        raise NotImplementedError

    for answer in (stub, raises, lambda x: None, lambda x: ...):
        assert reply(answer, 1).status == "not attempted yet"
    begun = written("def answer(x):\n    y = 2 * x\n    ...\n")
    assert "returned None, for 1" in reply(begun, 1).message
    of_torch = reply(lambda x: x.softmax(-1), torch.ones(3).long())
    assert "NotImplementedError" in of_torch.message  # PyTorch's own, for integers


def test_an_endless_loop_is_ended(reply, monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(running, "SECONDS", 0.2)

    def answer(word):
        while True:
            try:
                for _ in range(1_000_000):
                    len(word)
            except Exception:
                pass

    assert reply(answer, "abx").message == (
        "Your function had not ended after 0.2 seconds, for 'abx'. Does a loop in it "
        "never end?"
    )
    monkeypatch.setattr(running, "SECONDS", 30)
    assert reply(lambda word: word, "abx").passed
    time.sleep(0.3)  # nothing rings later, in other cells
    assert signal.getsignal(signal.SIGINT) is before


def test_the_end_of_python_is_refused_and_an_interrupt_goes_on(reply):
    assert "leave it with return" in reply(lambda x: sys.exit(), 1).message

    def interrupted(x):
        signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        reply(interrupted, 1)
    assert signal.getsignal(signal.SIGINT) is before


def test_prints_are_shown_up_to_a_limit_and_warnings_are_not(reply, capsys, recwarn):
    def answer(x):
        for _ in range(3000):
            print("seen", x)
        return np.log(np.zeros(2)) / 0

    reply(answer, 5)
    printed = capsys.readouterr().out
    assert printed.startswith("seen 5\nseen 5\n")
    assert len(printed) < 6000 and printed.endswith("it is not shown)\n")
    # Another test may have left something to be collected just now.
    assert not [told for told in recwarn if told.category is RuntimeWarning]


FORMS = [
    lambda scores: scores.softmax(-1),
    lambda scores: torch.softmax(scores, -1),
    lambda scores: torch.nn.functional.softmax(scores, dim=-1),
    lambda scores: torch.nn.Softmax(-1)(scores),
    lambda scores: scores.log_softmax(-1).exp(),
    lambda scores: torch.special.softmax(scores, -1),
    lambda scores: scipy.special.softmax(scores.numpy(), -1),
]


@pytest.mark.parametrize("form", FORMS)
def test_a_forbidden_call_is_refused_in_all_its_forms(form):
    with without(*SOFTMAX), pytest.raises(NotYet, match="calls (log_|special_)?soft"):
        guarded(form)(torch.zeros(2, 3))
    assert guarded(form)(torch.zeros(2, 3)).shape == (2, 3)


def test_what_is_forbidden_cannot_be_caught_and_the_check_may_call_it():
    def catches(scores):
        try:
            return scores.softmax(-1)
        except Exception:
            return scores

    own = written(
        "def softmax(x):\n    return x\ndef answer(x):\n    return softmax(x)\n"
    )
    with without(*SOFTMAX):
        with pytest.raises(NotYet, match="calls softmax"):
            guarded(catches)(torch.zeros(2))
        assert guarded(own)(3) == 3  # the student's own function of that name
        assert torch.zeros(2).softmax(-1).tolist() == [0.5, 0.5]
    assert sys.getprofile() is None


@pytest.mark.parametrize("module", [sys, threading])
def test_the_watch_goes_into_threads_and_cannot_be_called_off(module, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda told: None)

    def in_thread(scores):
        found = []
        thread = threading.Thread(target=lambda: found.append(scores.softmax(-1)))
        thread.start()
        thread.join()
        return found

    def called_off(scores):
        module.setprofile(None)
        return in_thread(scores)

    for answer, said in ((in_thread, "softmax"), (called_off, "setprofile")):
        with without(*SOFTMAX), pytest.raises(NotYet, match=f"calls {said}"):
            guarded(answer)(torch.zeros(2))
    assert sys.getprofile() is None and threading.getprofile() is None
