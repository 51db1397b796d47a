"""What the chapter claims: shards that can be stopped, and training that agrees."""

import json

import numpy as np
import pytest

from helpers.datasets import load_coarse_wsd
from helpers.embeddings.texts import embed_texts

# Published or made-up figures that the text holds.
TYPED = "0.01 0.5"

TEXTS = ["a crane", "no train today", "rain", "the crane rose over the river"] * 5


@pytest.fixture(scope="module")
def lifted(cells, tiny):
    """The functions and scripts that the chapter defines, on a random model."""
    return cells.defined("SENTENCES", "TUNE", "LOOP", "settings", bert=tiny)


@pytest.mark.parametrize("ranks", [(0,), (1, 0), (2, 0, 1)])
def test_shards_of_any_processes_give_the_vectors_in_order(lifted, tmp_path, ranks):
    for rank in ranks:
        lifted["embed_shards"](TEXTS, tmp_path, 3, rank, len(ranks))
    rows, vectors = lifted["in_order"](tmp_path)
    assert rows == list(range(20)) and len(list(tmp_path.iterdir())) == 7
    alone = embed_texts(lifted["bert"], TEXTS)
    np.testing.assert_allclose(vectors, alone, atol=1e-5)
    assert lifted["gap"](vectors, alone + 1) == pytest.approx(1, abs=1e-4)


def test_a_shard_that_was_begun_is_made_again_and_a_whole_one_is_kept(
    lifted, tmp_path, monkeypatch
):
    calls = []

    def broken(bert, texts):
        calls.append(texts)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return embed_texts(bert, texts)

    monkeypatch.setitem(lifted, "embed_texts", broken)
    with pytest.raises(KeyboardInterrupt):
        lifted["embed_shards"](TEXTS, tmp_path, 5)
    assert len(list(tmp_path.glob("*.parquet"))) == 2
    (tmp_path / "000002.unfinished").write_bytes(b"half")
    lifted["embed_shards"](TEXTS, tmp_path, 5)
    assert len(calls) == 3 + 2  # the two that were whole are not computed again
    (tmp_path / "000002.unfinished").unlink(missing_ok=True)
    assert lifted["in_order"](tmp_path)[0] == list(range(20))


@pytest.fixture(scope="module")
def folder(lifted, tmp_path_factory):
    """What the chapter puts beside its script."""
    folder = tmp_path_factory.mktemp("machines")
    lifted["bert"].model.save_pretrained(folder)
    lifted["bert"].tokenizer.save_pretrained(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COARSE_WSD_HOME", "sample")
        frame = load_coarse_wsd("bass", "train")[:24]
    sentences = [" ".join(words) for words in frame.sentence]
    data = {"texts": sentences, "labels": frame.label.tolist()}
    (folder / "bass.json").write_text(json.dumps(data))
    (folder / "sentences.py").write_text(lifted["SENTENCES"])
    (folder / "tune.py").write_text(lifted["TUNE"] + lifted["LOOP"])
    return folder


@pytest.mark.slow
def test_the_same_training_in_one_process_and_two_and_in_half_batches(lifted, folder):
    settings = lifted["settings"] | {"alone": {"batch": 4}}
    tuned = {}
    for processes in (1, 2):
        said = lifted["launch"](
            folder / "tune.py", folder, json.dumps(settings), processes=processes
        )
        said = json.loads(said.splitlines()[-1])
        assert said["processes"] == processes  # they know of each other
        tuned[processes] = said["runs"]
    apart, one, two = lifted["apart"], tuned[1], tuned[2]
    assert len(one["8 rows"]) == len(one["2 x 4 rows"]) == 6
    assert len(set(one["8 rows"])) == 6  # the weights moved
    for name in ("8 rows", "2 x 4 rows"):
        assert apart(one[name], two[name]) < 1e-4
        assert apart(one[name], one["8 rows"]) < 1e-4
    assert apart(one["another order"], two["another order"]) < 1e-4
    assert apart(one["another order"], one["8 rows"]) > 1e-3
    assert apart(one["dropout"], two["dropout"]) > 1e-3
    assert apart(one["last batch of 7"], two["last batch of 7"]) > 1e-4
    assert len(one["alone"]) == 12  # without accumulation: other steps


def test_a_script_that_fails_says_why(lifted, tmp_path):
    script = tmp_path / "broken.py"
    script.write_text("raise SystemExit('no such luck')")
    with pytest.raises(RuntimeError, match="no such luck"):
        lifted["launch"](script, processes=1)
