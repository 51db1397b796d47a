"""The files of the live page, for tests that draw with its scripts."""

from pathlib import Path

import pytest

from build_tools import assets
from build_tools.live import drawing, payload

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def still():
    """Draw a widget as the build does: (kind, settings) => what stands in a page."""
    assets.fetch_assets(ROOT)
    if not (ROOT / "_build/live/static/live").is_dir():
        payload.make(ROOT)
    yield lambda kind, settings: drawing.still(ROOT, kind, settings)
    drawing.NODE.stop()
