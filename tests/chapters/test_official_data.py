"""Every chapter runs on the official sets, within the memory that Colab gives."""

import os
from pathlib import Path

import pytest

from build_tools.book.dependencies import name_of
from build_tools.notebooks.exporter import chapters
from tests.limited_runs import run_all

HOMES = {
    name: os.environ.get(name, "") for name in ("COARSE_WSD_HOME", "SMS_SPAM_HOME")
}
pytestmark = [
    pytest.mark.weekly,
    pytest.mark.skipif(
        not all(Path(home).is_absolute() for home in HOMES.values()),
        reason="COARSE_WSD_HOME and SMS_SPAM_HOME name no folders of the official sets",
    ),
]


@pytest.fixture(scope="session")
def runs():
    return run_all(chapters(), "official", {"BERT_COURSE_MODEL": "embedded"} | HOMES)


@pytest.mark.parametrize("path", chapters(), ids=name_of)
def test_a_chapter_runs_on_the_official_sets(runs, path):
    assert runs[path].failure is None, runs[path].failure
