"""All tests, those beside the chapters too, use the fixtures of tests/fixtures.py."""

pytest_plugins = ["tests.fixtures"]
