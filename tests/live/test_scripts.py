"""The live page's scripts, tested by Node's own test runner (live/test)."""

import os
import subprocess
from pathlib import Path

import pytest

from build_tools.book import assets
from build_tools.live import payload

ROOT = Path(__file__).resolve().parents[2]
TESTS = sorted((ROOT / "live/test").glob("*.test.js"))


@pytest.fixture(scope="module")
def tokenizer_file(tmp_path_factory):
    """The tokenizer as the live page loads it."""
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    path.write_bytes(payload.tokenizer())
    return path


def test_scripts_pass_their_own_tests(tokenizer_file):
    assets.fetch_assets(ROOT)
    result = subprocess.run(
        [*assets.node_command(), "--test", *map(str, TESTS)],
        cwd=ROOT,
        env=os.environ | {"LIVE_TOKENIZER": str(tokenizer_file)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stdout[-5000:] + result.stderr[-2000:]
    passed = [line for line in result.stdout.splitlines() if "# pass " in line]
    assert passed and int(passed[0].split()[-1]) > 20


def test_each_script_puts_text_into_the_page_as_text():
    banned = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
    for script in payload.scripts():
        text = script.read_text(encoding="utf-8")
        assert not [name for name in banned if name in text], script.name
