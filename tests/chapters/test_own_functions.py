"""A notebook's own functions: handed in as an answer, none passes that is not right."""

import ast
import inspect
from types import ModuleType

import pytest

from build_tools.notebooks.needed_cells import parse_cell
from helpers.exercises import check, running
from helpers.exercises.chapters import chapters
from helpers.exercises.checks import exercises

HOMES = "__main__", "chapters.", "helpers."
NOT_ANSWERS = {"check", "quiz", "claim", "show"}  # show nothing of an answer
DEFINITIONS = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom

# Right: {exercise: {function: why it may pass}}.
ACCEPTED = {}


def own_functions(cells):
    """The functions that a notebook defines or imports from the course, by name.

    What trains does not run: a function that lacks a result says so and is refused.
    """
    names = {"__name__": "__main__"}
    for cell in cells:
        if 'check("' in cell.source or any(t.startswith("solution") for t in cell.tags):
            continue
        for node in parse_cell(cell.source).body:
            if isinstance(node, DEFINITIONS) or _is_loaded(node):
                try:
                    exec(compile(ast.Module([node], []), "page", "exec"), names)
                except Exception:
                    continue  # it needs what was not run
    return dict(_functions(names))


def _is_loaded(node):
    """Whether a statement names a constant, or a model or data that are loaded."""
    if not isinstance(node, ast.Assign):
        return False
    calls = [n.func for n in ast.walk(node) if isinstance(n, ast.Call)]
    return all(getattr(call, "id", "").startswith("load_") for call in calls)


def _functions(names):
    for name, value in names.items():
        if isinstance(value, ModuleType) and value.__name__.startswith(HOMES):
            members = inspect.getmembers(value, inspect.isfunction)
            own = [(n, f) for n, f in members if f.__module__ == value.__name__]
            yield from ((f"{name}.{n}", f) for n, f in own if not n.startswith("_"))
        elif inspect.isfunction(value) and name not in NOT_ANSWERS:
            if value.__module__.startswith(HOMES) and not running.untouched(value):
                yield name, value


def _outcomes(exercise, functions):
    """Yield (name, outcome) for each function, and for its mean where it ran."""
    for name, function in functions.items():
        outcome = check(exercise, function)
        yield name, outcome
        if not outcome.traceback:  # else its mean stops at the same place
            mean = lambda *given, f=function: f(*given).mean()  # noqa: E731
            yield f"{name} .mean()", check(exercise, mean)


# A thread of a server stops where its notebook's queue is missing.
@pytest.mark.weekly
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("slug", {id.split(".")[0]: id for id in exercises()})
def test_no_function_of_a_notebook_answers_its_exercises(
    slug, chapter_cells, course_model, monkeypatch
):
    monkeypatch.setattr(running, "SECONDS", 2)
    functions = own_functions(chapter_cells(chapters()[slug].page))
    assert functions
    unclear, passed = {}, {}
    for exercise in (id for id in exercises() if id.split(".")[0] == slug):
        for name, outcome in _outcomes(exercise, functions):
            if outcome.passed:
                passed.setdefault(exercise, set()).add(name)
            elif not outcome.message or "cannot be read" in outcome.message:
                unclear[exercise, name] = str(outcome)
    assert not unclear
    expected = {id: set(ACCEPTED.get(id, ())) for id in passed}
    assert passed == expected
