"""CoarseWSD-20 from a server: fetched once and whole, or the sample and one line."""

import hashlib
import http.server
import importlib
import logging
import os
import shutil
import socket
import threading

import pooch
import pytest

from helpers import datasets
from helpers._support import downloads
from helpers.datasets import coarse_wsd_senses, load_coarse_wsd
from tests.file_server import FileServer
from tests.helpers.datasets.coarse_wsd import (
    CRANE,
    DATA,
    FILES,
    OFFICIAL_ROWS,
    SAMPLE,
    free_port,
    write_word,
)
from tests.official import official_folder

pytestmark = pytest.mark.usefixtures("fresh_process")

HOME = os.environ.get("COARSE_WSD_HOME", "sample")


@pytest.fixture
def served(tmp_path, monkeypatch):
    """A server with made-up files of crane and mole, whose checksums are the known."""
    root, data = tmp_path / "served", tmp_path / "data"
    write_word(root, "crane")
    write_word(root, "mole")
    data.mkdir()
    (data / SAMPLE.name).symlink_to(SAMPLE)
    (data / "coarse-wsd-20.sha256").write_text(
        "".join(
            f"{hashlib.sha256(path.read_bytes()).hexdigest()}  "
            f"{path.relative_to(root).as_posix()}\n"
            for path in root.rglob("*.txt")
        )
    )
    monkeypatch.setattr(downloads, "DATA", data)
    server = FileServer(root)
    server.root = root
    monkeypatch.setenv("COARSE_WSD_URL", server.url)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def official():
    return official_folder("CoarseWSD-20", "COARSE_WSD_HOME", HOME)


def cached(tmp_path):
    files = [p for p in (tmp_path / "cache").rglob("*") if p.is_file()]
    return sorted(p.name for p in files if p.suffix != ".lock")


def shown(capsys):
    return capsys.readouterr().out.splitlines()


@pytest.fixture
def pooch_log():
    logger, heard = pooch.get_logger(), []
    handler = logging.Handler()
    handler.emit = heard.append
    logger.setLevel("INFO")
    logger.addHandler(handler)
    yield heard
    logger.removeHandler(handler)


def test_official_files_are_downloaded_once(served, tmp_path, capsys, pooch_log):
    frame = load_coarse_wsd("crane")
    assert frame.attrs["source"] == "official" and len(frame) == 3
    assert coarse_wsd_senses("crane")[1] == "crane_(bird)"
    assert cached(tmp_path) == sorted(FILES)
    assert len(served.asked) == len(FILES)
    importlib.reload(downloads).DATA = served.root.parent / "data"  # a new process
    importlib.reload(datasets)
    assert len(datasets.load_coarse_wsd("crane", "test")) == 1
    assert len(served.asked) == len(FILES)
    assert shown(capsys) == [] and pooch_log == []


def test_cache_serves_without_a_network(served, monkeypatch, capsys):
    load_coarse_wsd("crane")
    datasets._official_folder.cache_clear()
    monkeypatch.setenv("COARSE_WSD_URL", f"http://127.0.0.1:{free_port()}")
    assert load_coarse_wsd("mole").attrs["source"] == "sample"
    assert load_coarse_wsd("crane").attrs["source"] == "official"
    assert len(shown(capsys)) == 1


def test_corrupted_cache_is_downloaded_again(served, tmp_path, capsys):
    load_coarse_wsd("crane")
    [damaged] = (tmp_path / "cache").rglob("test.data.txt")
    damaged.write_text("<html>an error page</html>")
    datasets._official_folder.cache_clear()
    assert load_coarse_wsd("crane", "test").sentence[0] == ["a", "crane", "."]
    assert damaged.read_text() == CRANE["test.data.txt"]
    assert shown(capsys) == []


def break_refused(served, monkeypatch):
    served.stop()
    return "cannot be reached"


def break_bytes(served, monkeypatch):
    (served.root / "crane/classes_map.txt").write_text("<html>please log in</html>")
    return "does not match its checksum"


def break_cache(served, monkeypatch):
    blocked = served.root.parent / "a file"
    blocked.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    return "cannot be written"


@pytest.mark.parametrize("broken", [break_refused, break_bytes, break_cache])
def test_sample_stands_in_and_says_so_once(
    served, monkeypatch, tmp_path, capsys, broken
):
    reason = broken(served, monkeypatch)
    assert load_coarse_wsd("crane").attrs["source"] == "sample"
    [line] = shown(capsys)
    assert reason in line and "sample" in line and "COARSE_WSD_HOME" in line
    assert not {"classes_map.txt"} & {*cached(tmp_path)}
    assert not [name for name in cached(tmp_path) if name not in FILES]
    asked = len(served.asked)
    for word, split in [("crane", "test"), ("mole", "train"), ("mole", "test")]:
        assert load_coarse_wsd(word, split).attrs["source"] == "sample"
    assert shown(capsys) == []
    assert len(served.asked) == asked


def test_look_up_of_the_name_is_not_waited_for(monkeypatch, capsys):
    test_is_over, looked_up = threading.Event(), []

    def slow_look_up(*args, **kwargs):
        test_is_over.wait(20)
        looked_up.append(args)
        raise socket.gaierror

    monkeypatch.setattr(downloads, "SECONDS_TO_ANSWER", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", slow_look_up)
    assert load_coarse_wsd("crane").attrs["source"] == "sample"
    assert looked_up == []
    assert "cannot be reached" in shown(capsys)[0]
    test_is_over.set()


def test_download_cut_short_is_not_kept(served, tmp_path, monkeypatch, capsys):
    def cut_off(handler, source, outputfile):
        outputfile.write(source.read()[:-1])

    handler = http.server.SimpleHTTPRequestHandler
    monkeypatch.setattr(handler, "copyfile", cut_off)
    assert load_coarse_wsd("crane").attrs["source"] == "sample"
    assert len(shown(capsys)) == 1
    assert cached(tmp_path) == []


@pytest.mark.parametrize("lost", [FILES[0], FILES[-1]])
def test_word_never_mixes_two_sources(served, tmp_path, lost):
    load_coarse_wsd("crane")
    [path] = (tmp_path / "cache").rglob(lost)
    path.unlink()
    served.stop()
    datasets._official_folder.cache_clear()
    assert load_coarse_wsd("crane", "train").attrs["source"] == "sample"
    assert load_coarse_wsd("crane", "test").attrs["source"] == "sample"


def test_official_checksums_hold_for_a_download(official, monkeypatch, tmp_path):
    for word in ("crane", "seal"):
        shutil.copytree(official / word, tmp_path / "served" / word)
    server = FileServer(tmp_path / "served")
    monkeypatch.setenv("COARSE_WSD_URL", server.url)
    assert load_coarse_wsd("crane").attrs["source"] == "official"
    assert len(load_coarse_wsd("seal", "test")) == OFFICIAL_ROWS["seal"][1]
    server.stop()
    for line in (DATA / "coarse-wsd-20.sha256").read_text().splitlines():
        sha256, name = line.split("  ")
        assert pooch.file_hash(official / name) == sha256, name
