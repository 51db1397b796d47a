"""The official sets from a server: whole files, or the sample and one line of why."""

import hashlib
import importlib
import io
import json
import shlex
import socket
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pooch
import pytest

from helpers import datasets
from helpers._support import downloads
from helpers.exercises import passed as progress
from tests.faults import bad_server as bad
from tests.faults.bad_server import BadServer
from tests.helpers.datasets.coarse_wsd import CRANE, SAMPLE

ROOT = Path(__file__).resolve().parents[2]
MESSAGES = b"ham\tback soon\nspam\tWIN cash\n" * 1000
WORD_FILES = {f"crane/{name}": text.encode() for name, text in CRANE.items()}


def archive_of(messages):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("readme", "about the messages")
        archive.writestr("SMSSpamCollection", messages)
    return file.getvalue()


SETS = {
    "COARSE_WSD": SimpleNamespace(
        title="CoarseWSD-20",
        load=lambda: datasets.load_coarse_wsd("crane"),
        files=WORD_FILES,
        served=WORD_FILES,
        address="/",
    ),
    "SMS_SPAM": SimpleNamespace(
        title="SMS Spam Collection",
        load=lambda: datasets.load_sms_spam(),
        files={"SMSSpamCollection": MESSAGES},
        served={"messages.zip": archive_of(MESSAGES)},
        address="/messages.zip",
    ),
}
for name, of in SETS.items():
    of.variable, of.folder = name, datasets.__dict__[name].cache
    of.checksums = {n: hashlib.sha256(c).hexdigest() for n, c in of.files.items()}


@pytest.fixture(autouse=True)
def new_process(fresh_process, monkeypatch, tmp_path):
    """Start as a new process that is impatient and knows the checksums of our files.

    Returns a function that starts another.
    """
    data = tmp_path / "data"
    data.mkdir()
    (data / SAMPLE.name).symlink_to(SAMPLE)
    (data / "sms-spam-mini").symlink_to(SAMPLE.parent / "sms-spam-mini")
    sums = SETS["COARSE_WSD"].checksums.items()
    lines = "".join(f"{sha256}  {name}\n" for name, sha256 in sums)
    (data / "coarse-wsd-20.sha256").write_text(lines)

    def start():
        importlib.reload(downloads)
        importlib.reload(datasets)
        monkeypatch.setattr(downloads, "SECONDS_TO_ANSWER", 0.7)
        monkeypatch.setattr(downloads, "DATA", data)
        [sha256] = SETS["SMS_SPAM"].checksums.values()
        monkeypatch.setattr(datasets, "SMS_SPAM_SHA256", sha256)

    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=lambda seconds: None))
    start()
    return start


@pytest.fixture(params=SETS)
def of(request):
    """One of the sets."""
    return SETS[request.param]


@pytest.fixture
def serve(monkeypatch):
    """Start a server of a set and point the set at it; more than one are mirrors."""
    servers, urls = [], []

    def start(of, fault=None):
        servers.append(BadServer(of.served, fault))
        urls.append(servers[-1].url + of.address)
        monkeypatch.setenv(f"{of.variable}_URL", " ".join(urls))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def cached(of, tmp_path):
    """All files of the cache but the lock, which holds nothing."""
    folder = tmp_path / "cache/inside-bert" / of.folder
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def assert_sample(of, tmp_path, capsys, reason):
    """The sample stands in, one line says why, once, and nothing is kept or asked."""
    assert of.load().attrs["source"] == "sample"
    assert cached(of, tmp_path) == {}
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{of.title}: using the course's own small sample, because ")
    assert reason in line and f"{of.variable}_HOME=sample" in line
    datasets._official_folder.cache_clear()
    assert of.load().attrs["source"] == "sample" and capsys.readouterr().out == ""


def send_another(request, content):
    """A well-made file that is not the published one."""
    packed = request.path.endswith(".zip")
    bad.answer(request, archive_of(b"ham\tother") if packed else content + b"\n")


FAULTS = {
    BadServer.stop: "cannot be reached",
    bad.hang: "did not send the files whole, or not in time",
    bad.refuse: "answered 404",
    send_another: "sent what does not match its checksum",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_bad_server_is_named_and_the_sample_stands_in(
    serve, of, tmp_path, capsys, fault
):
    server = serve(of, fault)
    if fault is BadServer.stop:
        server.stop()
    assert_sample(of, tmp_path, capsys, f"because {server.url[7:]} {FAULTS[fault]}.")
    assert len(server.asked) <= 1 + downloads.RETRIES


def test_full_disk_is_named_and_no_half_file_is_left(serve, of, tmp_path):
    if subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.DEVNULL).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    serve(of)
    cache = tmp_path / "cache"
    cache.mkdir()
    mount = f"mount -t tmpfs -o size=8k none {shlex.quote(str(cache))}"
    program = (
        "import json, sys; from helpers import datasets;"
        f"datasets.{of.variable}.downloaded(json.loads(sys.argv[1]))"
    )
    look = f'find {shlex.quote(str(cache))} -type f -size +0 -printf "%f\\n"'
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", f'{mount} && "$@" && {look}', "sh"]
        + [sys.executable, "-c", program, json.dumps(of.checksums)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    line, *files = done.stdout.splitlines()
    assert "cannot be written (No space left on device)" in line
    assert {*files} < {Path(name).name for name in of.files}


def test_files_are_fetched_once_and_those_that_were_damaged_again(
    serve, of, tmp_path, capsys, caplog, new_process, monkeypatch
):
    pooch.get_logger().setLevel("INFO")
    monkeypatch.setattr(pooch.get_logger(), "handlers", [caplog.handler])
    server = serve(of)
    assert of.load().attrs["source"] == "official"
    assert cached(of, tmp_path) == of.files
    assert len(server.asked) == len(of.files)
    new_process()
    assert of.load().attrs["source"] == "official"
    assert len(server.asked) == len(of.files)
    new_process()
    name = list(of.files)[-1]
    (tmp_path / "cache/inside-bert" / of.folder / name).write_text("damaged")
    assert of.load().attrs["source"] == "official"
    assert cached(of, tmp_path) == of.files
    assert len(server.asked) == 1 + len(of.files)
    server.stop()
    new_process()
    assert of.load().attrs["source"] == "official"
    assert capsys.readouterr().out == "" and not caplog.records


def test_mirror_stands_in_and_where_all_fail_all_are_named(
    serve, of, tmp_path, capsys, new_process
):
    first = serve(of, bad.refuse)
    second = serve(of, send_another)
    reason = f"{first.url[7:]} answered 404; {second.url[7:]} sent what"
    assert_sample(of, tmp_path, capsys, reason)
    new_process()
    serve(of)
    assert of.load().attrs["source"] == "official"
    assert cached(of, tmp_path) == of.files


@pytest.mark.parametrize("lost", ["classes_map.txt", "test.gold.txt"])
def test_word_never_mixes_two_sources(serve, tmp_path, new_process, lost):
    server = serve(SETS["COARSE_WSD"])
    SETS["COARSE_WSD"].load()
    server.stop()
    new_process()
    (tmp_path / "cache/inside-bert/coarse-wsd-20/crane" / lost).unlink()
    for split in ("train", "test"):
        frame = datasets.load_coarse_wsd("crane", split)
        assert frame.attrs["source"] == "sample"


def test_look_up_of_the_name_is_not_waited_for(of, tmp_path, capsys, monkeypatch):
    over, looked_up = threading.Event(), []

    def slow_look_up(*args, **kwargs):
        over.wait(20)
        looked_up.append(args)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", slow_look_up)
    assert_sample(of, tmp_path, capsys, "cannot be reached")
    assert looked_up == []
    over.set()


@pytest.mark.parametrize("url", ["numbers", "ftp://127.0.0.1/", "http://["])
def test_address_that_is_none_is_named(of, monkeypatch, tmp_path, capsys, url):
    monkeypatch.setenv(f"{of.variable}_URL", url)
    assert_sample(of, tmp_path, capsys, "cannot be reached")


@pytest.fixture
def no_home(monkeypatch, tmp_path):
    """A user without a home, as in a container with a number for a name."""

    def nobody(number):
        raise KeyError(number)

    for name in ("HOME", "XDG_CACHE_HOME", "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    monkeypatch.chdir(tmp_path)


def test_user_without_a_home_is_told_so(serve, of, no_home, tmp_path, capsys):
    server = serve(of)
    assert_sample(of, tmp_path, capsys, "there is no home folder")
    assert server.asked == []


def test_progress_of_a_user_without_a_home_is_not_kept(no_home, tmp_path, monkeypatch):
    monkeypatch.delenv("INSIDE_BERT_PROGRESS")
    progress.record("01.1", "passed")
    assert progress.read() == {} and [p.name for p in tmp_path.iterdir()] == ["data"]
