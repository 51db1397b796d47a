"""All tests, those beside the chapters too, use the fixtures of tests/fixtures.py."""

import pytest
from xdist.scheduler import LoadFileScheduling

pytest_plugins = ["tests.fixtures"]

# Of two cores none waits for the other at the end: the longest files begin first.
LONGEST = [
    "tests/chapters/test_findings.py",
    "tests/browser/test_pages_in_chromium.py",
    "tests/browser/test_live_faults.py",
    "tests/chapters/test_exercises.py",
    "tests/chapters/test_exported_notebooks.py",
    "tests/browser/test_live_model.py",
    "tests/browser/test_live.py",
    "tests/teaching/test_hostile_notebooks.py",
    "tests/chapters/test_mistakes.py",
    "tests/chapters/test_exercises_on_random_weights.py",
    "chapters/many-machines/test_machines.py",
    "tests/browser/test_live_steps.py",
]
# A minute a page, and they share nothing.
APART = ("test_a_random_model_fails", "test_weights_in_random_order_fail")


class Files(LoadFileScheduling):
    """The tests of a file in one process, those named APART wherever one is free."""

    def _split_scope(self, nodeid):
        apart = any(name in nodeid for name in APART)
        return nodeid if apart else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return Files(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    place = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.location[0], len(LONGEST)))
