"""The model that exercises run on, for all tests of them."""

import pytest


@pytest.fixture
def course_model(monkeypatch):
    from tests.chapters.test_exercises import use_model

    use_model(monkeypatch, "embedded")
