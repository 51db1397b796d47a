"""`embed_words(..., out=file)`: a full disk, and two processes with one file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EMBED = """
import sys, time
import numpy as np
from helpers.embeddings import embed_words
from helpers.models import load_bert
folder, out, word, count, wait = sys.argv[1:]
bert = load_bert(folder, "cpu")
sentences = [[word, "rose", str(i)] for i in range(int(count))]

def slowly():
    for i, words in enumerate(sentences):
        time.sleep(float(wait) * (i % 1024 == 0))
        yield words

places = [0] * len(sentences)
print("begun", flush=True)
sys.stdin.readline()
found = embed_words(bert, slowly(), places, [-1], "float32", out)
right = embed_words(bert, sentences, places, [-1], "float32")
print("right", np.array_equal(found, right))
"""


def command(folder, out, word, count, wait=0):
    return [sys.executable, "-c", EMBED, folder, out, word, str(count), str(wait)]


def test_a_full_disk_is_one_line_and_nothing_stays(tiny_bert_folder, tmp_path):
    mount = 'mount -t tmpfs -o size=100k none "$0" && cd "$0/.." && "$@"; ls -A "$0"'
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", mount, disk]
        + command(tiny_bert_folder, disk / "vectors.npy", "crane", 2000),
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        input="",
        capture_output=True,
        text=True,
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith("OSError") and f"0.3 MB do not fit into {disk}" in last
    assert done.stdout.splitlines()[-1] == "begun"  # and no file of the disk after it


def test_two_processes_with_one_file_both_end_right(tiny_bert_folder, tmp_path):
    out = tmp_path / "vectors.npy"
    runs = [
        subprocess.Popen(
            command(tiny_bert_folder, out, word, 4000, 1.0),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for word in ("crane", "heron")
    ]
    for run in runs:
        assert run.stdout.readline().startswith("Model")
        assert run.stdout.readline() == "begun\n"
    for run in runs:
        run.stdin.write("\n")
        run.stdin.flush()
    said = [run.communicate(timeout=300) for run in runs]
    for (words, errors), run in zip(said, runs, strict=True):
        assert run.returncode == 0, errors
        assert words.splitlines()[-1] == "right True"
    assert sum("waiting for another process" in words for words, _ in said) == 1
    assert list(tmp_path.iterdir()) == [out]
