"""The data engines of the page give what the command gives (`make test-engines`)."""

import os
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from embed_job.__main__ import main

from helpers.exercises.chapters import chapter_named

PAGE = chapter_named("many-machines").page


@pytest.mark.weekly
def test_engines_give_the_vectors_of_the_command(
    tiny_bert_folder, tmp_path, monkeypatch
):
    datasets = pytest.importorskip("datasets", reason="make test-engines installs it")
    ray = pytest.importorskip("ray", reason="make test-engines installs it")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    rng = np.random.default_rng(0)
    words = "the crane rose over a river bank and nobody looked up at it".split()
    texts = [" ".join(rng.choice(words, n)) for n in rng.integers(1, 40, 600)]
    path = tmp_path / "texts.parquet"
    pd.DataFrame({"row": range(600), "text": texts}).to_parquet(path)
    main([str(path), str(tmp_path / "own"), "--model", str(tiny_bert_folder)])
    own = by_row(pd.read_parquet(tmp_path / "own/vectors"))

    [lines] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    names = {"TEXTS": str(path), "OUT": str(tmp_path / "ray")}
    names |= {"MODEL": str(tiny_bert_folder), "__name__": "__main__"}
    monkeypatch.setattr(ray, "init", partial(ray.init, **QUIET))
    try:
        exec(lines, names)
    finally:
        ray.shutdown()
    engines = {"datasets": names["mapped"].to_pandas()}
    engines["ray"] = pd.concat(map(pd.read_parquet, (tmp_path / "ray").iterdir()))
    for name, table in engines.items():
        assert sorted(table.row) == list(range(600)), name  # none lost or doubled
        np.testing.assert_allclose(by_row(table), own, atol=1e-5, err_msg=name)


ENV = {"PYTHONPATH": os.pathsep.join([str(PAGE.parents[2])]), "OMP_NUM_THREADS": "1"}
QUIET = {"include_dashboard": False, "runtime_env": {"env_vars": ENV}}


def by_row(table):
    return np.stack([np.array(v) for v in table.sort_values("row").vector])
