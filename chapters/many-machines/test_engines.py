"""The engines and the server of the page give what a row at a time gives.

`make test-engines` installs them. What runs are the lines that the page prints.
"""

import numpy as np
import pytest

from benchmarks import engines
from helpers.models import load_bert

pytestmark = pytest.mark.weekly
WORDS = "the crane rose over a river bank and nobody looked up at it".split()


@pytest.fixture
def rows(tmp_path):
    """A file of 600 texts and three bad ones, and where these are."""
    pytest.importorskip("datasets", reason="make test-engines installs it")
    pytest.importorskip("ray", reason="make test-engines installs it")
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, n)) for n in rng.integers(1, 40, 600)]
    path = tmp_path / "texts.parquet"
    return path, engines.write_rows(path, texts)


@pytest.mark.parametrize("name", engines.WAYS)
def test_every_way_sets_the_same_rows_aside_and_gives_the_same_vectors(
    name, rows, tiny_bert_folder, tmp_path
):
    path, places = rows
    model = str(tiny_bert_folder)
    way = engines.WAYS[name](path, tmp_path / "out", model)
    way.go()
    wanted = engines.references(load_bert(model, "cpu"), engines.texts_in(path))
    found = engines.judged(way.table(), wanted, places)
    assert found["vectors"] == 601 and found["set aside"] == 2
    assert found["lost"] == found["doubled"] == 0
    assert found["pooling"] == "mean" and found["difference"] < 1e-5
