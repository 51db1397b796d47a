"""The live page's scripts and files, for tests that run them in Node."""

import json
import subprocess
from pathlib import Path

import pytest

from build_tools.book import assets
from build_tools.live import drawing, payload

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def node():
    """Run Node: (arguments, given: JSON that it reads) => the JSON that it prints."""

    def run(*arguments, given=None):
        command = [*assets.node_command(), *map(str, arguments)]
        put = {"cwd": ROOT, "input": json.dumps(given), "text": True}
        done = subprocess.run(command, capture_output=True, **put)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="session")
def still():
    """Draw a widget as the build does: (kind, settings) => what stands in a page."""
    assets.fetch_assets(ROOT)
    if not (ROOT / "_build/live/static/live").is_dir():
        payload.make(ROOT)
    yield lambda kind, settings: drawing.still(ROOT, kind, settings)
    drawing.NODE.stop()
