"""Every exercise: its stub, the solution of its chapter, and other right answers."""

import importlib.util
import inspect
import re
from contextlib import nullcontext
from pathlib import Path

import pytest

from build_tools.notebooks.needed_cells import needed_cells
from helpers import plotting
from helpers.exercises import check, running
from helpers.exercises.chapters import chapters
from helpers.exercises.checks import checks_of, exercises, mistakes_of
from helpers.models import load_bert
from tests.chapters.equivalent_forms import formed, others, too_far_rounded
from tests.chapters.wrong_by_rule import spoiled
from tests.lifted import is_import, statements

ROOT = Path(__file__).parents[2]
CHECK = re.compile(r'check\("([a-z0-9-]+\.\d)"')


def all_exercises():
    """(id, its Chapter) for each exercise that a chapter or a check names."""
    found = {id: chapters()[id.split(".")[0]] for id in exercises()}
    for chapter in chapters().values():
        for id in CHECK.findall(chapter.page.read_text(encoding="utf-8")):
            found[id] = chapter
    return list(found.items())


every_exercise = pytest.mark.parametrize(
    ("exercise", "chapter"), all_exercises(), ids=[id for id, _ in all_exercises()]
)


_last = []  # the model whose results the checks remember


def use_model(monkeypatch, name):
    monkeypatch.setenv("BERT_COURSE_MODEL", name)
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    monkeypatch.setenv("TQDM_DISABLE", "1")
    monkeypatch.chdir(ROOT / "chapters")
    monkeypatch.setattr(plotting, "show", lambda plot: None)
    monkeypatch.setattr("helpers.exercises.check", recorded)
    load_bert()
    if _last != [name]:
        for slug in chapters():
            clear_caches(checks_of(slug))
        _reached.clear()
        _solved.clear()
        _last[:] = [name]


def clear_caches(module):
    """Forget what a check's functions remember of another model."""
    for function in vars(module).values():
        if clear := getattr(function, "cache_clear", None):
            if getattr(function, "__module__", "") == module.__name__:
                clear()


def is_solution(cell):
    return any(tag.startswith("solution-") for tag in cell.tags)


def place_of_check(cells, exercise):
    """Index of the cell in which the student's answer is checked."""
    [place] = [
        i
        for i, cell in enumerate(cells)
        if f'check("{exercise}"' in cell.source and not is_solution(cell)
    ]
    return place


def sources_of(cells, exercise):
    """The cells before an exercise, its own cell, and its solution."""
    place = place_of_check(cells, exercise)
    before = [cell.source for cell in cells[:place] if not is_solution(cell)]
    tag = f"solution-{exercise[-1]}"
    solution = "\n".join(cell.source for cell in cells if tag in cell.tags)
    return before, cells[place].source, solution


# For the model of now, exercise -> what a notebook holds there, and what solves it.
_reached, _solved = {}, {}


def reached(exercise, cells):
    """What a student's notebook has defined when it reaches an exercise, once a model.

    Returns the sources of the exercise's own cell and of its solution, and a copy of
    the names that the cells before define, of those that its exercises need.
    """
    slug = exercise.split(".")[0]
    if exercise not in _reached:
        numbers = [id for id in exercises() if id.split(".")[0] == slug]
        _reached.update(walked({id: sources_of(cells, id) for id in numbers}))
    _, stub, solution = sources_of(cells, exercise)
    return stub, solution, dict(_reached[exercise])


def walked(sources):
    """Yield (exercise, its names) along a page; sources: those of `sources_of`."""
    pages = {
        id: [part for cell in before for part in statements(cell)]
        for id, (before, *_) in sources.items()
    }
    needed = {
        index
        for id, (_, stub, solution) in sources.items()
        for index in needed_cells([*pages[id], f"{stub}\n{solution}"], len(pages[id]))
    }
    names, begin = {"__name__": "__main__"}, 0
    for id, page in sorted(pages.items(), key=lambda item: len(item[1])):
        for index, part in enumerate(page[begin:], begin):
            if index in needed or is_import(part):
                exec(part, names)
        begin = len(page)
        yield id, dict(names)


_pairs = []  # what was handed to `check`, and the outcome


def recorded(exercise, answer):
    _pairs.append((answer, check(exercise, answer)))
    return _pairs[-1][1]


def checked(source, names):
    """Run a cell; the pairs of answer and outcome that its checks made."""
    _pairs.clear()
    exec(source, names)
    return list(_pairs)


def solved(exercise, cells):
    """The answer of the chapter's solution, and its outcome, once a model."""
    if exercise not in _solved:
        stub, solution, names = reached(exercise, cells)
        checked(stub, names)
        _solved[exercise] = checked(solution, names)[-1]
        assert _solved[exercise][1].exercise == exercise
    return _solved[exercise]


@every_exercise
def test_the_untouched_stub_is_not_attempted_and_the_solution_passes(
    exercise, chapter, chapter_cells, course_model
):
    cells = chapter_cells(chapter.page)
    stub, _, names = reached(exercise, cells)
    [(_, outcome)] = checked(stub, names)
    assert outcome.status == "not attempted yet"
    assert_the_solution_passes(exercise, cells)


def assert_the_solution_passes(exercise, cells):
    _, outcome = solved(exercise, cells)
    assert outcome.passed, outcome


def right_answers(exercise, chapter, chapter_cells):
    """What `right_1` of right_answers.py yields, say; None without such a list.

    It is called with the names of the page, and the solution where it asks for it.
    """
    path = chapter.folder / "right_answers.py"
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not (function := getattr(module, f"right_{exercise[-1]}", None)):
        return None
    cells = chapter_cells(chapter.page)
    *_, names = reached(exercise, cells)
    if len(inspect.signature(function).parameters) == 1:
        return list(function(names))
    return list(function(names, solved(exercise, cells)[0]))


@every_exercise
def test_right_answers_in_unusual_forms_pass(
    exercise, chapter, chapter_cells, course_model
):
    assert_right_answers_pass(exercise, chapter, chapter_cells)


def assert_right_answers_pass(exercise, chapter, chapter_cells):
    answers = right_answers(exercise, chapter, chapter_cells)
    if answers is None:
        pytest.skip("its forms by rule are all there is")
    assert answers
    refused = [o for a in answers if not (o := check(exercise, a)).passed]
    assert not refused


# Slips after which the answer is still right, or another right one.
HARMLESS = {
    "next-sentence.2": {  # pairs have no order
        "result turned round",
        "result one place further",
        "first argument turned round",
    }
}


@pytest.mark.weekly
@every_exercise
def test_slips_that_anyone_can_make_are_caught(
    exercise, chapter, chapter_cells, course_model
):
    function, _ = solved(exercise, chapter_cells(chapter.page))
    if not callable(function):
        pytest.skip("the answer is no function")
    passed = [
        name
        for name, answer, shown in spoiled(function)
        if check(exercise, answer).passed and shown
    ]
    assert set(passed) == HARMLESS.get(exercise, set())


# Forms that do not mean the same, or that the exercise excludes in words.
REFUSED = {
    "fine-tuning.3": {"text"},  # labels are 0 and 1, as in the table
    "judging-a-classifier.3": {"text"},
    # the mean is asked for to three decimals, the differences to two
    "masked-language-model.3": {"rounded"},
    "many-machines.2": {"partial that returns text"},  # nan has no digits
    # `cuts` is to stay; as labels of a table its words would all be of one length
    "vocabularies.1": {"clears its arguments", "method that returns pandas"},
    "road-to-bert.3": {"rounded", "text"},  # the bits may be, 10,000 shares not
}


@every_exercise
def test_a_solution_passes_in_every_form_and_nothing_else_does(
    exercise, chapter, chapter_cells, course_model, monkeypatch
):
    answer, _ = solved(exercise, chapter_cells(chapter.page))
    monkeypatch.setattr(running, "watched", lambda names: nullcontext())  # for time
    digits = getattr(mistakes_of(exercise), "digits", None)
    refused = {
        name: str(outcome)
        for name, form in formed(answer, digits)
        if not (outcome := check(exercise, form)).passed
    }
    assert set(refused) == REFUSED.get(exercise, set()), refused
    unclear = {
        name: str(outcome)
        for name, other, word in others(answer)
        if (outcome := check(exercise, other)).status != "not yet"
        or "cannot be read" in outcome.message
        or word not in outcome.message
    }
    assert not unclear
    if callable(answer) and digits:
        function, shown = too_far_rounded(answer, digits)
        outcome = check(exercise, function)
        assert "decimals" in outcome.message or not shown, outcome


OWN_GENERATOR = re.compile(
    r"(default_rng|RandomState|manual_seed|random\.Random)\(\d*\)|torch\.Generator"
)


@pytest.mark.parametrize("slug", {id.split(".")[0]: id for id in exercises()})
def test_checks_draw_where_tests_can_choose_the_seed(slug):
    source = (chapters()[slug].folder / "exercises.py").read_text(encoding="utf-8")
    assert not OWN_GENERATOR.findall(source)
