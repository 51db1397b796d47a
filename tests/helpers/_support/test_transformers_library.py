"""An older transformers than the course supports is refused in one line."""

import pytest

from helpers._support import transformers_library as library
from helpers.models import load_bert
from tests.bad_input import one_line


def test_an_older_transformers_is_refused_in_one_line(monkeypatch):
    old = {"transformers": "4.57.6"}
    monkeypatch.setattr(library, "version", lambda name: old[name])
    message = one_line(ImportError, lambda: load_bert("embedded"))
    assert "transformers 4.57.6 is too old" in message
    assert f'"transformers>={library.OLDEST_TRANSFORMERS}"' in message


@pytest.mark.parametrize("version", ["5.0.0", "5.100.0", "6.0.0.dev0"])
def test_a_newer_transformers_is_taken(monkeypatch, version):
    monkeypatch.setattr(library, "version", lambda name: version)
    library.require_transformers()
