"""What tests of chapters run on: the course's model, the data of the book."""

import pytest

from build_tools.book.execution import DEFAULTS


@pytest.fixture
def course_model(monkeypatch):
    from tests.chapters.test_exercises import use_model

    use_model(monkeypatch, "embedded")


@pytest.fixture
def of_the_book(monkeypatch):
    """The book that anyone gets, whatever data the tests run on themselves."""
    for name, value in DEFAULTS.items():
        monkeypatch.setenv(name, value)
