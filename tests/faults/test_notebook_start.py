"""A notebook where nobody has set anything and the hub and the data both answer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from build_tools.notebooks import set_up
from tests.faults.bad_server import BadServer
from tests.faults.fake_hub import FakeHub, save_legacy
from tests.helpers.datasets.coarse_wsd import CRANE

ROOT = Path(__file__).resolve().parents[2]
LOADED = """
from helpers.datasets import load_coarse_wsd, load_sms_spam
from helpers.models import load_bert

load_bert()
print(load_coarse_wsd("crane").attrs["source"], load_sms_spam().attrs["source"])
"""


@pytest.fixture
def hub(tiny_bert_folder, tmp_path):
    """A hub that answers for bert-base-uncased with a model of two layers."""
    folder = tmp_path / "remote"
    save_legacy(tiny_bert_folder, folder)
    hub = FakeHub(folder)
    yield hub
    hub.stop()


@pytest.fixture
def server():
    """A server of the official sentences with *crane*."""
    server = BadServer({f"crane/{name}": t.encode() for name, t in CRANE.items()})
    yield server
    server.stop()


@pytest.mark.parametrize(
    ("switch", "model"),
    [("embedded", "embedded course model, 6"), ("bert-base-uncased", "uncased, 2")],
)
def test_the_switch_and_not_the_network_decides(hub, server, tmp_path, switch, model):
    choices = ("BERT_COURSE_MODEL", "COARSE_WSD_HOME", "SMS_SPAM_HOME")
    kept = {name: v for name, v in os.environ.items() if name not in choices}
    answering = {
        "HF_ENDPOINT": hub.url,
        "HF_HUB_CACHE": str(tmp_path / "hub"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "COARSE_WSD_URL": server.url,
        "SMS_SPAM_URL": server.url,
        "NO_PROXY": "127.0.0.1",
        "PYTHONPATH": str(ROOT),
    }
    cells = set_up.SWITCHES.replace('"embedded"', f'"{switch}"') + LOADED
    done = subprocess.run(
        [sys.executable, "-c", cells],
        env=kept | answering, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert lines[0] == f"MODEL: {switch}; DATA: sample", done.stderr
    assert model in lines[1] and lines[2] == "sample sample"
    assert server.asked == [] and bool(hub.asked) == (switch != "embedded")
