"""The command of the page: equal to the loop, resumed, nothing lost."""

import gzip
import json
import os
import random

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from embed_job import job as jobs
from embed_job.__main__ import main
from embed_job.reading import Texts

from helpers.embeddings import texts as embeddings_of_texts

WORDS = "the crane rose over a river bank and nobody looked up at it".split()


def some_texts(count=23):
    rng = np.random.default_rng(0)
    return [" ".join(rng.choice(WORDS, n)) for n in rng.integers(1, 40, count)]


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(some_texts()))
    return path


@pytest.fixture
def embed(tiny_bert_folder, tmp_path, monkeypatch):
    """Run the command on the random model, without its bar; returns the folder."""
    monkeypatch.setenv("TQDM_DISABLE", "1")

    def run(texts, *options, out="out", shard=5):
        out = tmp_path / out
        options = ["--model", tiny_bert_folder, "--shard", shard, *options]
        main([str(part) for part in (texts, out, *options)])
        return out

    return run


def vectors_of(out):
    """The rows of all shards, in order, and their vectors."""
    table = pd.read_parquet(out / "vectors").sort_values("row")
    return table.row.tolist(), np.stack(table.vector)


def bad_rows(out):
    lines = [
        json.loads(line)
        for path in sorted((out / "bad").glob("*"))
        for line in path.read_text().splitlines()
    ]
    return {line["row"]: line["reason"] for line in lines}


@torch.inference_mode()
def loop(bert, texts, layers=(-1,), pooling="mean"):
    vectors = []
    for text in texts:
        limit = bert.model.config.max_position_embeddings
        encoding = bert.tokenizer(
            text, truncation=True, max_length=limit, return_tensors="pt"
        )
        states = bert.model(**encoding, output_hidden_states=True).hidden_states
        state = torch.stack([states[layer][0] for layer in layers]).mean(0)
        vectors.append((state.mean(0) if pooling == "mean" else state[0]).numpy())
    return np.array(vectors)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("layers", [[-1], [0, 1, -1]])
def test_vectors_are_those_of_the_loop(embed, tiny, tmp_path, layers, pooling):
    texts = [*some_texts(), "bank " * 600]  # one longer than the model reads
    path = tmp_path / "texts.txt"
    path.write_text("\r\n".join(texts) + "\r\n")
    out = embed(path, "--layers", *layers, "--pooling", pooling)
    rows, vectors = vectors_of(out)
    assert rows == list(range(24))
    np.testing.assert_allclose(vectors, loop(tiny, texts, layers, pooling), atol=1e-5)
    assert len(list((out / "vectors").iterdir())) == 5
    assert pd.read_parquet(out / "vectors").pieces.max() == 602


def test_parquet_gives_what_text_gives(embed, texts, tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    frame = pd.DataFrame({"said": some_texts()})
    frame[:9].to_parquet(folder / "a.parquet", row_group_size=4)
    frame[9:].astype("category").to_parquet(folder / "b.parquet")
    lines = vectors_of(embed(texts, out="lines"))
    for shard in (5, 100):
        out = embed(folder, "--column", "said", out=f"columns-{shard}", shard=shard)
        rows, vectors = vectors_of(out)
        assert rows == lines[0]
        np.testing.assert_allclose(vectors, lines[1], atol=1e-5)


def test_bad_rows_are_named_and_the_others_keep_their_numbers(embed, tiny, tmp_path):
    good = some_texts(4)
    path = tmp_path / "texts.txt"
    lines = [b"", good[0].encode(), b"\xff\xfe", good[1].encode(), b" \t ", b"\x00"]
    path.write_bytes(b"\n".join([*lines, *(text.encode() for text in good[2:])]))
    out = embed(path, shard=3)
    bad, (rows, vectors) = bad_rows(out), vectors_of(out)
    assert rows == [1, 3, 6, 7] and set(bad) == {0, 2, 4, 5}
    assert "no pieces" in bad[0] and "no UTF-8 from byte 0" in bad[2]
    np.testing.assert_allclose(vectors, loop(tiny, good), atol=1e-5)
    manifest = json.loads((out / "manifest.json").read_text())
    assert (manifest["vectors"], manifest["bad rows"]) == (4, 4)
    (out / "bad/000000.jsonl").unlink()  # what is lost is made again
    embed(path, shard=3)
    assert bad_rows(out) == bad and vectors_of(out)[0] == rows
    missing = tmp_path / "texts.parquet"
    pd.DataFrame({"text": [good[0], None]}).to_parquet(missing)
    assert bad_rows(embed(missing, out="missing")) == {1: "is missing"}


def test_a_run_that_broke_goes_on_and_keeps_what_is_whole(embed, texts, monkeypatch):
    calls, embed_batch = [], embeddings_of_texts.embed_batch

    def broken(*given):
        calls.append(given)
        if len(calls) == 3:
            raise OSError("the plug was pulled")
        return embed_batch(*given)

    whole = vectors_of(embed(texts, out="whole"))
    monkeypatch.setattr(embeddings_of_texts, "embed_batch", broken)
    with pytest.raises(SystemExit):
        embed(texts)
    monkeypatch.setattr(embeddings_of_texts, "embed_batch", embed_batch)
    out = texts.with_name("out")
    finished = {path: path.stat().st_mtime_ns for path in out.glob("vectors/*")}
    assert len(finished) == 2
    last = out / "vectors/000001.parquet"
    last.write_bytes(last.read_bytes()[:-9])  # the disk was full
    (out / "vectors/.000003.parquet.12345678.unfinished").write_bytes(b"half")
    assert embed(texts) == out
    first = out / "vectors/000000.parquet"
    assert first.stat().st_mtime_ns == finished[first]
    rows, vectors = vectors_of(out)
    assert rows == whole[0] and np.allclose(vectors, whole[1], atol=1e-6)
    names = sorted(path.name for path in (out / "vectors").iterdir())
    assert names == [f"{n:06}.parquet" for n in range(5)]
    monkeypatch.setattr(
        embeddings_of_texts, "embed_batch", None
    )  # calling it would fail
    embed(texts)


def test_what_became_of_a_shard_is_noticed_and_made_again(embed, texts):
    out = embed(texts)
    whole = vectors_of(out)
    first, second, third = (out / f"vectors/00000{n}.parquet" for n in range(3))
    flipped = bytearray(first.read_bytes())
    for place in range(len(flipped) // 3, len(flipped) // 3 + 100):
        flipped[place] ^= 0xFF
    first.write_bytes(flipped)
    third.write_bytes(second.read_bytes())  # as many rows, but other ones
    embed(texts)
    rows, vectors = vectors_of(out)
    assert rows == whole[0]
    np.testing.assert_allclose(vectors, whole[1], atol=1e-6)


def test_without_its_manifest_a_folder_goes_on_with_the_same_settings_alone(
    embed, texts, capsys
):
    out = embed(texts)
    manifest = out / "manifest.json"
    for damaged in (b"{", b"[]", b'{"settings": 3}', b"\xff"):
        manifest.write_bytes(damaged)
        with pytest.raises(SystemExit):
            embed(texts)
        said = capsys.readouterr().err
        assert f"{manifest} is damaged" in said and said.count("\n") == 1
    manifest.unlink()
    with pytest.raises(SystemExit):
        embed(texts, "--pooling", "cls")
    assert "000000.parquet was made with other settings" in capsys.readouterr().err
    manifest.unlink()
    embed(texts)
    assert "5 of 5 shards" in capsys.readouterr().out


def rewrite(texts):
    texts.write_text("\n".join(["another text"] * 23))


def replace_alike(texts):
    """Put a file of the same size and time in its place, as a copy may be."""
    new, state = texts.with_name("new"), texts.stat()
    new.write_text(texts.read_text().replace("crane", "raven"))
    os.utime(new, ns=(state.st_atime_ns, state.st_mtime_ns))
    new.replace(texts)


@pytest.mark.parametrize("change", [rewrite, replace_alike])
def test_texts_that_change_while_the_job_runs_stop_it(
    embed, texts, monkeypatch, capsys, change
):
    calls, embed_batch = [], embeddings_of_texts.embed_batch

    def rewriting(*given):
        calls.append(given)
        if len(calls) == 3:
            change(texts)
        return embed_batch(*given)

    monkeypatch.setattr(embeddings_of_texts, "embed_batch", rewriting)
    with pytest.raises(SystemExit):
        embed(texts)
    assert "changed while the job ran" in capsys.readouterr().err
    assert len(list(texts.with_name("out").glob("vectors/*.parquet"))) == 2


def test_locks_of_killed_processes_are_no_data_and_go(embed, texts):
    """One dies between its last byte and its lock, one with a lock just taken."""
    locks = "vectors/.000001.parquet.lock", "vectors/.000003.parquet.lock"
    out = embed(texts)
    (out / "vectors/000003.parquet").unlink()
    for lock in locks:
        (out / lock).touch()
    assert len(vectors_of(out)[0]) == 23 - 5  # while locks are there
    embed(texts)
    assert vectors_of(out)[0] == list(range(23))
    assert not [path for path in out.rglob("*") if path.suffix == ".lock"]


def test_a_folder_of_another_job_is_refused(embed, texts, capsys):
    embed(texts)
    capsys.readouterr()
    for options in (
        ["--layers", 0],
        ["--pooling", "cls"],
        ["--shard", 7],
        ["--dtype", "bfloat16"],
        ["--model", "embedded"],
    ):
        with pytest.raises(SystemExit):
            embed(texts, *options)
        said = capsys.readouterr().err
        assert "was begun with" in said and said.count("\n") == 1, options
    embed(texts, "--layers", 2)  # the last one, counted from the other end
    texts.write_text("other texts")
    with pytest.raises(SystemExit):
        embed(texts)
    assert "was begun with texts" in capsys.readouterr().err


def test_processes_take_turns_and_any_of_them_may_be_last(
    embed, texts, monkeypatch, capsys
):
    monkeypatch.setenv("WORLD_SIZE", "2")
    made = {}
    for rank in (1, 0):
        monkeypatch.setenv("RANK", str(rank))
        out = embed(texts)
        made[rank] = {path.name[:6] for path in out.glob("vectors/*")}
        said = capsys.readouterr().out
    assert made[1] == {"000001", "000003"}
    assert "5 of 5 shards: 23 vectors, 0 bad rows" in said
    assert vectors_of(out)[0] == list(range(23))


def test_texts_are_read_a_shard_at_a_time(embed, texts, monkeypatch):
    read, done, ahead, embed_batch = 0, 0, [], embeddings_of_texts.embed_batch
    one_by_one = Texts.__iter__

    def counted(self):
        nonlocal read
        for text in one_by_one(self):
            read += 1
            yield text

    def watched(bert, encoder, rows, layers):
        nonlocal done
        done += len(rows)
        ahead.append(read - done)
        return embed_batch(bert, encoder, rows, layers)

    monkeypatch.setattr(Texts, "__iter__", counted)
    monkeypatch.setattr(embeddings_of_texts, "embed_batch", watched)
    embed(texts, shard=2)
    assert read == done == 23 and max(ahead) <= 4


GZIP = gzip.compress(random.Random(0).randbytes(20_000))


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        (b"", [], "holds no text"),
        (b"one\rtwo\r", [], "CR alone"),
        ("one\ntwo".encode("utf-16"), [], "is UTF-16: save it as UTF-8"),
        (GZIP, ["--shard", 50], "texts cannot be read (row 0"),
        (b"\n" * 40, ["--shard", 50], "40 of the first 40 texts cannot be read (row 0"),
        (None, [], "No such file"),
        (b"a text", ["--layers", 9], "name one or more of -3 to 2"),
        (b"a text", ["--model", "nowhere"], "cannot load the model"),
    ],
)
def test_bad_input_gets_one_line(embed, tmp_path, capsys, content, options, words):
    path = tmp_path / "texts.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SystemExit):
        embed(path, *options)
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ({"said": ["a"]}, "no column 'text'; name one of said"),
        ({"text": [1]}, "holds int64"),
        ({"text": [["a"], ["b"]]}, "holds list<"),
    ],
)
def test_parquet_without_text_gets_one_line(embed, tmp_path, capsys, frame, words):
    path = tmp_path / "texts.PARQUET"
    pd.DataFrame(frame).to_parquet(path)
    with pytest.raises(SystemExit):
        embed(path)
    assert words in capsys.readouterr().err


def test_a_column_that_is_there_twice_gets_one_line(embed, tmp_path, capsys):
    columns = [pa.array(["a"]), pa.array(["b"])]
    table = pa.Table.from_arrays(columns, names=["text", "text"])
    pq.write_table(table, tmp_path / "texts.parquet")
    with pytest.raises(SystemExit):
        embed(tmp_path / "texts.parquet")
    assert "more than one column 'text'" in capsys.readouterr().err


@pytest.mark.parametrize("rank", ["one", "-1", "2", ""])
def test_a_process_that_there_is_not_gets_one_line(
    embed, texts, capsys, monkeypatch, rank
):
    monkeypatch.setenv("RANK", rank)
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(SystemExit):
        embed(texts)
    said = capsys.readouterr().err
    assert "no such process" in said and said.count("\n") == 1


def test_a_manifest_of_brackets_gets_one_line(embed, texts, capsys):
    (embed(texts) / "manifest.json").write_text("[" * 100_000)
    with pytest.raises(SystemExit):
        embed(texts)
    assert "is damaged: delete it" in capsys.readouterr().err


def test_damaged_parquet_and_empty_folder_get_one_line(embed, tmp_path, capsys):
    (tmp_path / "texts.parquet").write_bytes(b"PAR1 no more")
    (tmp_path / "empty").mkdir()
    for name, words in (("texts.parquet", "arquet"), ("empty", "ends in .parquet")):
        with pytest.raises(SystemExit):
            embed(tmp_path / name)
        said = capsys.readouterr().err
        assert words in said and said.count("\n") == 1


def test_the_checksum_follows_weights_and_tokenizer(tiny, bert):
    before = jobs.checksum(tiny)
    tiny.tokenizer("a text", truncation=True, max_length=4)  # no part of the model
    assert jobs.checksum(tiny) == before != jobs.checksum(bert)
    with torch.no_grad():
        weight = tiny.model.encoder.layer[0].output.dense.bias
        kept = weight[0].item()
        weight[0] += 1
        assert jobs.checksum(tiny) != before
        weight[0] = kept
    assert jobs.checksum(tiny) == before


def test_a_text_that_cannot_be_embedded_is_named(tiny):
    with pytest.raises(ValueError, match="text 1 has no pieces"):
        embeddings_of_texts.embed_texts(tiny, ["a text", ""])
    with pytest.raises(ValueError, match="text 0 is a int, no string"):
        embeddings_of_texts.embed_texts(tiny, [3])
    with pytest.raises(ValueError, match="pooling is 'max'"):
        embeddings_of_texts.embed_texts(tiny, ["a"], pooling="max")
