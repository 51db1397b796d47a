"""Mutants of the solutions: small changes by rule that each check has to find.

    python -m tests.chapters.mutants [SLUG[.N] ...]

Changed is, one at a time, the solution's source (`mutations.py`; of more than MOST
changes a seeded choice). A function, too, changes its arguments, goes wrong from its
second call on or for an edge case (`edges.py`); of an answer that is no function an
entry changes. The cells before a solution run once. A mutant that passes survives,
unless it gives what the solution gives for the arguments of the check and for those
spoiled by rule. mutants.toml says of survivors why they may; the command fails for any
other. Printed behind a survivor is where it shows: for arguments that the check tried,
or for some that it never did.
"""

import ast
import contextlib
import copy
import io
import math
import random
import sys
import time
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
import torch

from build_tools.notebooks.needed_cells import needed_cells, parse_cell
from helpers.exercises import check, running
from tests.chapters.edges import RULES, at_run_time, edge_calls, spoiled
from tests.chapters.mutations import mutations
from tests.chapters.slips import alike, other_entries
from tests.chapters.test_exercises import all_exercises, sources_of, use_model
from tests.fixtures import cells_of

EXPLAINED = Path(__file__).with_suffix(".toml")
MOST = 40  # changes of one source
FEW = {"pretraining.3": 6}  # each trains six networks
CALLS, VARIED = 12, 8  # of a check's calls those that are spoiled; of each rule
SECONDS = 3  # for a call
KINDS = ("caught", "equal", "only changes its arguments")  # guarded hands in copies


@dataclass
class Report:
    """What became of an exercise's mutants.

    survivors: {change: where it shows}. explained: of mutants.toml, {how changes begin:
    why they may survive}.
    """

    exercise: str
    explained: dict
    found: Counter = field(default_factory=Counter)
    survivors: dict = field(default_factory=dict)

    def unexplained(self):
        return [line for line in self.survivors if not self._why(line)]

    def superfluous(self):
        lines = tuple(self.survivors)
        return [
            begin
            for begin in self.explained
            if not any(line.startswith(begin) for line in lines)
        ]

    def _why(self, line):
        return next((w for b, w in self.explained.items() if line.startswith(b)), None)

    def __str__(self):
        counts = ", ".join(f"{self.found[kind]} {kind}" for kind in KINDS)
        new = len(self.unexplained())
        lines = [
            f"{self.exercise}: {self.found.total() + len(self.survivors)} mutants, "
            f"{counts}, {len(self.survivors) - new} explained, {new} survive"
        ]
        lines += [
            f"    {line}    [{self.survivors[line]}]" for line in self.unexplained()
        ]
        lines += [
            f"    explained, but does not survive: {b}" for b in self.superfluous()
        ]
        return "\n".join(lines)


class Solved:
    """A solution, without what its answer does not need, after the cells before it."""

    def __init__(self, exercise, chapter):
        cells = cells_of(chapter.page.read_text(encoding="utf-8"))
        before, stub, own = sources_of(cells, exercise)
        before.append(stub)
        parts = [ast.unparse(statement) for statement in parse_cell(own).body]
        while f"check('{exercise}'" not in parts[-1]:
            parts.pop()
        sources, last = [*before, *parts], len(before) + len(parts) - 1
        needed = [*needed_cells(sources, last), last]
        self.names, self.limit = {"__name__": "__main__"}, None
        with quiet():
            for place in needed:
                if place < len(before):
                    exec(sources[place], self.names)
        self.source = "\n".join(sources[i] for i in needed if i >= len(before))
        start = time.monotonic()
        self.given = self.answer(self.source)
        self.limit = 10 + 3 * (time.monotonic() - start)

    def answer(self, source):
        """What a source in place of the solution's hands to check."""
        handed = []
        names = {**self.names, "check": lambda id, answer: handed.append(answer)}
        for seed in (random.seed, np.random.seed, torch.manual_seed):
            seed(0)
        with quiet(), running._in_time(self.limit):
            exec(compile(source, "<mutant>", "exec"), names)
        return handed[-1]

    def changed(self, exercise):
        """{change: the source with it}."""
        found = mutations(self.source, choices=not callable(self.given))
        lines = [line for line, source in found.items() if "check(" in source]
        most = min(FEW.get(exercise, MOST), len(lines))
        chosen = random.Random(exercise).sample(lines, most)
        return {line: found[line] for line in lines if line in chosen}


@contextlib.contextmanager
def quiet():
    silent = io.StringIO()
    with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
        yield


def report(exercise, chapter):
    """Try all mutants of an exercise."""
    solved = Solved(exercise, chapter)
    known = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    said = Report(exercise, known.get(exercise, {}))
    makers = {
        line: lambda source=source: solved.answer(source)
        for line, source in solved.changed(exercise).items()
    }
    if callable(solved.given):
        calls = Calls(exercise, solved.given)
        makers |= at_run_time(solved.given, calls.own)
    else:
        calls = None
        makers |= {
            line: lambda new=new: new for line, new in other_entries(solved.given)
        }
    for line, make in makers.items():
        if not passes(exercise, make):
            said.found["caught"] += 1
        elif calls:
            kind, shows = calls.judge(make())
            said.found.update([kind] if kind else [])
            said.survivors.update({} if kind else {line: shows})
        elif alike(make(), solved.given):
            said.found["equal"] += 1
        else:
            said.survivors[line] = "another answer"
    return said


def passes(exercise, make):
    """Whether a check lets an answer pass; one that cannot be made does not."""
    try:
        answer = make()
    except (Exception, running._TooLong):
        return False
    with quiet(), mock.patch.object(running, "SECONDS", SECONDS):
        return check(exercise, answer).passed


class Calls:
    """The calls of a check, and those that rules make of them, with their results."""

    def __init__(self, exercise, function):
        self.own = []

        def call(*arguments):
            self.own.append(copy.deepcopy(arguments))
            return function(*arguments)

        if not passes(exercise, lambda: call):
            raise ValueError(f"the solution of {exercise} does not pass")
        start = time.monotonic()
        for arguments in self.own:
            outcome(function, arguments)
        # A solution may run for ever for arguments that no one hands in.
        self.limit = 0.3 + 20 * (time.monotonic() - start) / len(self.own)
        chosen = self.own[:: math.ceil(len(self.own) / CALLS)]
        edges = [new for call in chosen for new in edge_calls(call)]
        rest, draw = [], random.Random(exercise)
        for rule in RULES:
            some = [new for call in chosen for new in spoiled(call, rule)]
            rest += draw.sample(some, min(VARIED, len(some)))
        self.known = [
            (tried, arguments, right, after)
            for tried, some in (("tried", self.own), ("never tried", edges + rest))
            for arguments in some
            for right, after in [outcome(function, arguments, self.limit)]
            if sound(right)
        ]

    def judge(self, function):
        """(a kind of KINDS or None, for which arguments it is not the solution)."""
        kind = "equal"
        for tried, arguments, right, after in self.known:
            got, left = outcome(function, arguments, self.limit)
            if not alike(got, right):
                return None, f"{tried}{running._for(arguments)}"
            kind = kind if alike(left, after) else "only changes its arguments"
        return kind, ""


def outcome(function, arguments, seconds=SECONDS):
    """The result, None where there is none, and what became of the arguments."""
    given = copy.deepcopy(arguments)
    try:
        with quiet(), running._in_time(seconds), np.errstate(all="ignore"):
            result = function(*given)
            return (list(result) if hasattr(result, "__next__") else result), given
    except (Exception, running._TooLong):
        return None, given


def sound(value):
    """Whether a result says anything: no None, and no number that is none."""
    if isinstance(value, dict | list | tuple):
        return all(map(sound, value.values() if isinstance(value, dict) else value))
    if hasattr(value, "detach"):
        value = value.detach().numpy()
    if hasattr(value, "dtype") and value.dtype.kind == "f":
        return bool(np.isfinite(value).all())
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def main(wanted):
    failed = False
    with pytest.MonkeyPatch.context() as patch:
        use_model(patch, "embedded")
        for exercise, chapter in all_exercises():
            if not wanted or {exercise, chapter.slug} & set(wanted):
                said = report(exercise, chapter)
                print(said, flush=True)
                failed |= bool(said.unexplained())
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
