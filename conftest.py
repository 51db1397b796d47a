"""All tests, those beside the chapters too, use the fixtures of tests/fixtures.py."""

import re

import pytest
from xdist.scheduler import LoadFileScheduling

pytest_plugins = ["tests.fixtures"]

# Of two cores none waits for the other at the end: the longest files begin first.
LONGEST = [
    "tests/chapters/test_findings.py",
    "tests/chapters/test_exercises.py",
    "tests/chapters/test_mistakes.py",
    "tests/browser/test_pages_in_chromium.py",
    "tests/browser/test_live.py",
    "tests/browser/test_live_faults.py",
    "tests/chapters/test_exported_notebooks.py",
    "tests/teaching/test_grading_runs.py",
    "tests/browser/test_machine.py",
    "tests/chapters/test_exercises_on_random_weights.py",
    "tests/browser/test_live_model.py",
    "tests/build_tools/test_notebooks.py",
]
# Both need what solves each exercise: a minute to work out.
TOGETHER = {"tests/chapters/test_mistakes.py": "tests/chapters/test_exercises.py"}
# A minute a page, and they share nothing.
APART = ("test_a_random_model_fails", "test_weights_in_random_order_fail")


class Files(LoadFileScheduling):
    """The tests of a file in one process, as those of files that stand TOGETHER.

    Those named APART run wherever one is free.
    """

    def _split_scope(self, nodeid):
        apart = any(name in nodeid for name in APART)
        file = super()._split_scope(nodeid)
        return nodeid if apart else TOGETHER.get(file, file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return Files(config, log)


def pytest_addoption(parser):
    parser.addoption("--page", help="the tests of this page alone, by its name")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    if page := config.getoption("--page"):
        others = [item for item in items if not is_of_page(item, page)]
        items[:] = [item for item in items if is_of_page(item, page)]
        config.hook.pytest_deselected(items=others)
    place = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.location[0], len(LONGEST)))


def is_of_page(item, page):
    """Whether a test lies beside a page, or its parameters begin with its name."""
    if item.path.parent.name == page:
        return True
    parameters = getattr(item, "callspec", None)
    return bool(parameters and re.match(rf"{page}(?![\w-])", parameters.id))
