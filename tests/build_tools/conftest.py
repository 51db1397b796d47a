"""What tests of pages share."""

import pytest

from build_tools.book import offline


@pytest.fixture
def warnings(monkeypatch):
    """The warnings of what would be loaded from elsewhere."""
    found = []
    monkeypatch.setattr(
        offline.LOGGER, "warning", lambda text, *args, **kw: found.append(text % args)
    )
    return found
