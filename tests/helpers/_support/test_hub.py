"""The hub: an older transformers than the course supports is refused.

What a bad hub does is in tests/faults/test_hub.py.
"""

import pytest

from helpers._support import hub
from helpers.models import load_bert
from tests.bad_input import one_line


def test_an_older_transformers_is_refused_in_one_line(monkeypatch):
    old = {"transformers": "4.57.6"}
    monkeypatch.setattr(hub, "version", lambda name: old[name])
    message = one_line(ImportError, lambda: load_bert("embedded"))
    assert "transformers 4.57.6 is too old" in message
    assert f'"transformers>={hub.OLDEST_TRANSFORMERS}"' in message


@pytest.mark.parametrize("version", ["5.0.0", "5.100.0", "6.0.0.dev0"])
def test_a_newer_transformers_is_taken(monkeypatch, version):
    monkeypatch.setattr(hub, "version", lambda name: version)
    hub.require_transformers()
