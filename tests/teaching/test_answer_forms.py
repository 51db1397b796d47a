"""An answer in any form gets the same status in the notebook and in the grader."""

import pytest

from helpers.exercises import check
from teaching.grading import sandbox
from teaching.grading.one_notebook import status_of
from teaching.grading.running_submission import RunningSubmission

# Right answers; each is handed in as `changed(answer)`.
FUNCTION = """
def changed(function):
    return lambda *given: form(function(*given))
"""
ANSWERS = {
    "attention.1": FUNCTION
    + """
def answer(scores):
    powers = (scores - scores.max(-1, keepdim=True).values).exp()
    return (powers / powers.sum(-1, keepdim=True)).tolist()
""",
    "many-machines.1": FUNCTION
    + """
def answer(count, finished, rank, ranks):
    return [n for n in range(rank, count, ranks) if n not in set(finished)]
""",
    "inputs.1": """
changed = lambda answer: {name: form(row) for name, row in answer.items()}
answer = {
    "pieces": "[CLS] who wrote it ? [SEP] she did . [SEP] [PAD] [PAD]".split(),
    "segments": [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0],
    "mask": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0],
}
""",
}
IMPORTS = """
import collections, itertools, types
from decimal import Decimal
from fractions import Fraction
import numpy as np, pandas as pd, torch
from helpers.exercises import check

class Number(float): pass
class Whole(int): pass
class Text(str): pass
class Pair(collections.namedtuple("Pair", "first second")): pass
class Sequence(collections.UserList): pass
class Table(collections.UserDict): pass
class Arrayed:
    def __init__(self, value): self.value = value
    def __array__(self, dtype=None, copy=None): return np.asarray(self.value, dtype)
def each(change):  # to the innermost entries
    def deep(x):
        return [deep(e) for e in x] if isinstance(x, (list, tuple)) else change(x)
    return deep
def number(kind): return each(lambda x: x if isinstance(x, str) else kind(x))
def bit(kind): return each(lambda x: kind(x) if x in (0, 1) else x)
def once(x): yield from x
def stub(x):
    yield from x[:1]
    raise NotImplementedError
def failing(x):
    yield from x
    raise ValueError("at the end")
"""
# What is made of each list: of the answer itself, or of what the function returns.
FORMS = """list
Sequence
once
failing
stub
lambda x: dict(enumerate(x)).values()
lambda x: collections.deque(x)
lambda x: Pair(*x) if len(x) == 2 else x
lambda x: [once(e) if isinstance(e, list) else e for e in x]
lambda x: [torch.tensor(e) if not isinstance(e, str) else e for e in x]
lambda x: [pd.Series(e) if isinstance(e, list) else e for e in x]
np.array
lambda x: np.array(x, object)
lambda x: np.ma.masked_array(x)
lambda x: Arrayed(x)
lambda x: memoryview(np.array(x)) if not isinstance(x[0], str) else x
lambda x: torch.tensor(x) if not isinstance(x[0], str) else x
lambda x: torch.tensor(x).bfloat16() if not isinstance(x[0], str) else x
lambda x: torch.nn.Parameter(torch.tensor(x) * 1.0) if not isinstance(x[0], str) else x
lambda x: torch.tensor(x).to_sparse() if not isinstance(x[0], str) else x
lambda x: pd.Index(x) if np.ndim(x) == 1 else pd.DataFrame(x)
lambda x: pd.Series(x, [f"at {i}" for i in range(len(x))])
lambda x: pd.Categorical(x) if np.ndim(x) == 1 else x
number(Decimal)
number(Fraction)
number(Number)
number(np.float16)
number(np.longdouble)
number(torch.tensor)
number(str)
number(complex)
number(lambda x: float("nan"))
number(lambda x: 10**400)
number(lambda x: Decimal("sNaN"))
number(lambda x: ...)
bit(bool)
bit(Whole)
bit(np.bool_)
each(lambda x: Text(x) if isinstance(x, str) else x)
each(lambda x: x.encode() if isinstance(x, str) else x)
each(lambda x: collections.UserString(x) if isinstance(x, str) else x)
lambda x: set(map(str, x))
lambda x: Table(enumerate(x))
lambda x: "text"
lambda x: x[:-1]
lambda x: None
lambda x: ...
lambda x: object()
lambda x: range(len(x))
lambda x: (lambda: x)""".splitlines()
ENDLESS = "lambda x: itertools.count()"
WHOLE = """Table
types.MappingProxyType
collections.ChainMap
pd.Series
lambda answer: collections.defaultdict(list, answer)
lambda answer: Table(answer, mask=...)
lambda answer: {**answer, "mask": None}
lambda answer: Table(answer, mask=Table(one=None))
lambda answer: Table(dict.fromkeys(answer))
lambda answer: answer.values()""".splitlines()


def source(exercise, form, whole="lambda answer: answer"):
    """A cell that hands the answer in: its parts in a form, and itself in another."""
    lines = [IMPORTS, f"form = {form}", ANSWERS[exercise], f"whole = {whole}"]
    return "\n".join([*lines, f"check({exercise!r}, whole(changed(answer)))"])


CELLS = [
    *((id, source(id, form), form) for id in ANSWERS for form in FORMS),
    *(("inputs.1", source("inputs.1", "list", form), form) for form in WHOLE),
    ("many-machines.1", source("many-machines.1", ENDLESS), ENDLESS),
]


def in_notebook(exercise, cell):
    outcomes = []

    def noted(exercise, answer):
        outcomes.append(check(exercise, answer))

    names = {"__name__": "__main__"}
    cell = cell.replace("from helpers.exercises import check", "")
    try:
        exec(cell, names | {"check": noted})
    except Exception:
        return "not yet"  # nothing was handed in
    return outcomes[0].status


@pytest.mark.skipif(sandbox.fault() is not None, reason=str(sandbox.fault()))
def test_any_form_gets_the_same_status_in_notebook_and_grader(tmp_path):
    statuses = {"passed": 0, "not yet": 0, "not attempted yet": 0}
    differ = []
    with RunningSubmission(tmp_path, 4 * 2**30, []) as student:
        for exercise, cell, form in CELLS:
            graded, said = status_of(student, [cell], exercise, 60)
            own = in_notebook(exercise, cell)
            statuses[own] += 1
            if graded != own:
                differ.append((exercise, form, own, graded, said))
    assert not differ, "\n".join(map(str, differ))
    assert min(statuses.values()) > 2 and statuses["passed"] > len(CELLS) / 2
