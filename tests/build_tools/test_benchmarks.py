"""What engines and servers make of the same rows is judged row by row."""

import numpy as np
import pandas as pd
import pytest

from benchmarks import engines
from helpers.models import load_bert


@pytest.fixture
def tiny(tiny_bert_folder, monkeypatch):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    monkeypatch.setenv("BERT_COURSE_MODEL", str(tiny_bert_folder))
    return load_bert(tiny_bert_folder, "cpu")


def test_rows_that_are_lost_doubled_moved_or_scaled_are_seen(tiny, tmp_path):
    texts = ["the crane", "rose over", "a river bank", "and nobody looked up"]
    places = engines.write_rows(tmp_path / "texts.parquet", texts)
    read = engines.texts_in(tmp_path / "texts.parquet")
    assert len(read) == 7 and read[places["empty"]] == ""
    wanted = engines.references(tiny, read)
    assert set(wanted["mean"]) == set(range(7)) - {
        places["empty"],
        places["half a character"],
    }
    bad = pd.DataFrame({"row": [places["empty"]], "reason": ["is empty"]})

    def found(kind, change=lambda table: table):
        rows = wanted[kind]
        table = pd.DataFrame({"row": list(rows), "vector": list(rows.values())})
        return engines.judged(pd.concat([change(table), bad]), wanted, places)

    whole = found("mean")
    assert whole["vectors"] == 5 and whole["set aside"] == 1
    assert (whole["lost"], whole["doubled"], whole["difference"]) == (0, 0, 0)
    assert found("cls")["pooling"] == "cls"
    lost = found("mean", lambda table: pd.concat([table[1:], table[-2:]]))
    assert (lost["lost"], lost["doubled"]) == (1, 2)
    moved = found("mean", lambda table: table.assign(row=table.row[::-1].tolist()))
    assert moved["difference"] > 0.01
    norms = np.linalg.norm(list(wanted["mean"].values()), axis=1)
    assert whole["longest"] == pytest.approx(norms.max())
