"""Downloads from a server that misbehaves: whole files, or one line of why."""

import contextlib
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

import tests.faults.bad_server as bad
from helpers._support import downloads
from helpers.exercises import passed as progress
from tests.faults.bad_server import BadServer, with_status

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "one.txt": "\n".join(map(str, range(2000))).encode(),
    "two.txt": "déjà vu ❤\n".encode() * 40,
}
SHA256 = {name: hashlib.sha256(text).hexdigest() for name, text in FILES.items()}


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch, tmp_path):
    """Each test starts as a new process with an empty cache, and is impatient."""
    monkeypatch.setattr(downloads, "_failures", {})
    for name, value in {
        "SECONDS_TO_ANSWER": 0.7,
        "SECONDS_TO_FETCH": 5,
        "MOST_BYTES": 1_000_000,
    }.items():
        monkeypatch.setattr(downloads, name, value)
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=lambda seconds: None))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def serve(monkeypatch):
    """Start a BadServer and point the set at it; more than one are mirrors."""
    servers = []

    def start(faults=None, knocks=None, files=FILES):
        servers.append(BadServer(files, faults, knocks))
        monkeypatch.setenv("NUMBERS_URL", " ".join(server.url for server in servers))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def numbers():
    return downloads.OfficialSet(
        title="Numbers",
        variable="NUMBERS",
        url="http://127.0.0.1:9",
        cache="numbers",
        layout="the folder of the numbers",
    )


def download():
    return numbers().downloaded(SHA256)


def cached(tmp_path):
    """All files of the cache but the lock, which holds nothing."""
    files = [p for p in (tmp_path / "cache").rglob("*") if p.is_file()]
    return {p.name: p.read_bytes() for p in files if p.suffix != ".lock"}


def succeeds(tmp_path, capsys):
    assert download() == tmp_path / "cache/inside-bert/numbers"
    assert cached(tmp_path) == FILES
    assert capsys.readouterr().out == ""


def fails(tmp_path, capsys, reason, kept=()):
    """Nothing but whole files is kept, and one line says why, once."""
    assert download() is None
    assert cached(tmp_path) == {name: FILES[name] for name in kept}
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("Numbers: using the course's own small sample, because ")
    assert reason in line and "NUMBERS_HOME=sample" in line
    assert download() is None and capsys.readouterr().out == ""


# What no attempt can mend

NOT_WHOLE = "did not send the files whole"
FAULTS = {
    bad.hang_before_headers: NOT_WHOLE,
    bad.hang_in_headers: NOT_WHOLE,
    bad.trickle_headers: "takes too long",
    bad.hang_in_body: NOT_WHOLE,
    bad.hang_up: NOT_WHOLE,
    bad.talk_nonsense: NOT_WHOLE,
    bad.cut_body: NOT_WHOLE,
    bad.cut_chunks: NOT_WHOLE,
    bad.cut_silently: downloads.MISMATCH,
    bad.change_bytes: downloads.MISMATCH,
    bad.send_nothing: downloads.MISMATCH,
    bad.send_web_page: downloads.MISMATCH,
    bad.redirect_in_a_circle: NOT_WHOLE,
    bad.redirect_to_a_file: NOT_WHOLE,
    bad.trickle: "takes too long",
    bad.send_without_end: "takes too long",
    bad.send_gzip_bomb: "takes too long",
    bad.claim_gzip: NOT_WHOLE,
    bad.claim_strange_encoding: downloads.MISMATCH,
    bad.cut_compressed: downloads.MISMATCH,
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_bad_server_is_named_and_nothing_of_it_is_kept(serve, tmp_path, capsys, fault):
    server = serve(fault)
    fails(tmp_path, capsys, f"because {server.url[7:]} {FAULTS[fault]}.")
    assert server.asked


@pytest.mark.parametrize("status", [403, 404, 429, 500, 503])
def test_refusal_is_asked_again_but_not_for_ever(serve, tmp_path, capsys, status):
    # who waited as long as the server asks for would still wait
    server = serve(with_status(status, Retry_After="100000"))
    fails(tmp_path, capsys, f"answered {status}")
    assert len(server.asked) == 1 + downloads.RETRIES


@pytest.mark.parametrize(
    "knocks", [bad.hang_before_headers, bad.trickle_headers, bad.hang_up]
)
def test_server_that_does_not_answer_a_knock_is_not_asked_for_files(
    serve, tmp_path, capsys, knocks
):
    server = serve(knocks=knocks)
    fails(tmp_path, capsys, "cannot be reached")
    assert server.asked == []


def test_refused_connection_is_named(serve, tmp_path, capsys):
    serve().stop()
    fails(tmp_path, capsys, "cannot be reached")


@pytest.mark.parametrize(
    "url", ["numbers", "ftp://127.0.0.1/", "http://[", "http://", "http://a b.zip"]
)
def test_address_that_is_none_is_named(monkeypatch, tmp_path, capsys, url):
    monkeypatch.setenv("NUMBERS_URL", url)
    fails(tmp_path, capsys, "cannot be reached")


def test_whole_files_are_kept_when_a_later_one_fails(serve, tmp_path, capsys):
    serve([bad.answer, *[with_status(404)] * 3])
    fails(tmp_path, capsys, "answered 404", kept=["one.txt"])


def test_nothing_more_is_written_once_the_answer_is_given(
    serve, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(downloads, "MOST_BYTES", 10**12)
    monkeypatch.setattr(downloads, "SECONDS_TO_FETCH", 0.5)
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    before = set(threading.enumerate())
    serve(bad.send_without_end)
    fails(tmp_path, capsys, "takes too long")
    for thread in set(threading.enumerate()) - before:
        if "run" in thread.name:
            thread.join(10)
            assert not thread.is_alive()
    assert list(place.iterdir()) == []


# What ends well


@pytest.mark.parametrize(
    "faults",
    [
        [with_status(500)],
        [with_status(503), with_status(502)],
        [with_status(429, Retry_After="0")],
        [with_status(429, Retry_After="100000")],
        [bad.cut_body],
        [bad.cut_chunks],
        [bad.hang_up],
        [bad.answer, bad.cut_body],
    ],
    ids=["500", "503, 502", "429", "429 for a day", "cut", "chunk", "gone", "2nd"],
)
def test_fault_that_passes_is_waited_out(serve, tmp_path, capsys, faults):
    server, asked = serve(list(faults)), len(FILES) + len(faults)
    succeeds(tmp_path, capsys)
    assert len(server.asked) == (asked - (faults[0] is bad.answer))


@pytest.mark.parametrize(
    "way", [bad.compress, bad.redirect_once, bad.send_slowly_but_surely]
)
def test_unusual_but_honest_server_is_understood(serve, tmp_path, capsys, way):
    serve(way)
    succeeds(tmp_path, capsys)


# Mirrors


@pytest.mark.parametrize(
    "fault", [with_status(404), bad.change_bytes, bad.cut_body, bad.send_web_page]
)
def test_mirror_stands_in(serve, tmp_path, capsys, fault):
    first, second = serve(fault), serve()
    succeeds(tmp_path, capsys)
    assert first.asked and len(second.asked) == len(FILES)


def test_mirror_is_asked_only_for_what_is_lacking(serve, tmp_path, capsys):
    serve([bad.answer, *[with_status(404)] * 3])
    second = serve()
    succeeds(tmp_path, capsys)
    assert second.asked == ["/two.txt"]


def test_mirrors_that_all_fail_are_all_named(serve, tmp_path, capsys):
    first, second = serve(with_status(404)), serve(bad.hang_in_body)
    reason = f"{first.url[7:]} answered 404; {second.url[7:]} {NOT_WHOLE}"
    fails(tmp_path, capsys, reason)


# Several processes

CROWD = """
import json, os, sys
from helpers._support import downloads
checksums = json.loads(sys.argv[1])
numbers = downloads.OfficialSet("Numbers", "NUMBERS", "", "numbers", "")
ready, go = os.pipe(), os.pipe()
for _ in range(8):
    if not os.fork():
        os.write(ready[1], b"x")
        os.read(go[0], 1)
        os._exit(numbers.downloaded(checksums) is None)
for _ in range(8):
    os.read(ready[0], 1)
os.write(go[1], b"x" * 8)
print([os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(8)])
"""


def test_eight_processes_fetch_once(serve, tmp_path):
    server = serve(bad.send_slowly_but_surely)
    done = subprocess.run(
        [sys.executable, "-c", CROWD, json.dumps(SHA256)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.strip() == str([0] * 8), done.stderr
    assert sorted(server.asked) == ["/one.txt", "/two.txt"]
    assert cached(tmp_path) == FILES


def test_lock_that_is_held_for_too_long_is_named(serve, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(downloads, "SECONDS_TO_FETCH", 0.3)
    server, over, held = serve(), threading.Event(), threading.Event()

    def hold():
        with downloads.alone(tmp_path / "cache/inside-bert/numbers", 1):
            held.set()
            over.wait(20)

    threading.Thread(target=hold).start()
    held.wait(5)
    try:
        fails(tmp_path, capsys, "numbers.lock for too long")
    finally:
        over.set()
    assert server.asked == []


# The machine


@contextlib.contextmanager
def another_user():
    """Run as one who owns nothing; without root's rights we are bound already."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def shared_cache(monkeypatch):
    """A cache in a place that every user can reach."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        cache = Path(folder, "cache")
        cache.mkdir()
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        yield cache
        for path in [cache, *cache.rglob("*")]:
            path.chmod(0o755)


def why_not(capsys):
    assert download() is None
    [line] = capsys.readouterr().out.splitlines()
    return line


def test_cache_that_is_read_only_is_named(serve, shared_cache, capsys):
    serve()
    shared_cache.chmod(0o555)
    with another_user():
        line = why_not(capsys)
    assert f"{shared_cache}/inside-bert/numbers cannot be written (Permission" in line
    assert list(shared_cache.iterdir()) == []


def test_another_user_reads_what_one_has_fetched(serve, shared_cache):
    server = serve()
    download()
    server.stop()
    with another_user():
        assert download() == shared_cache / "inside-bert/numbers"


@pytest.mark.parametrize("closed", ["numbers/one.txt", "numbers.lock"])
def test_files_of_another_user_that_are_closed_are_named(
    serve, shared_cache, capsys, closed
):
    serve()
    download()
    (shared_cache / "inside-bert/numbers/two.txt").unlink()
    (shared_cache / "inside-bert/numbers.lock").chmod(0o444)
    (shared_cache / "inside-bert" / closed).chmod(0)
    with another_user():
        assert "cannot be written (Permission denied)" in why_not(capsys)


IN_A_PROCESS = """
import json, os, sys
from pathlib import Path
from helpers._support import downloads
numbers = downloads.OfficialSet("Numbers", "NUMBERS", "", "numbers", "")
numbers.downloaded(json.loads(sys.argv[1]))
cache = Path(os.environ["XDG_CACHE_HOME"])
print(*sorted(p.name for p in cache.rglob("*") if p.is_file()))
"""
FULL = {
    "disk": ("mount -t tmpfs -o size=8k none {cache}", "No space left on device"),
    "quota": ("ulimit -f 8", "File too large"),
}


@pytest.mark.parametrize("what", FULL)
def test_full_disk_is_named_and_no_half_file_is_left(serve, tmp_path, what):
    serve()
    (tmp_path / "cache").mkdir()
    fill, reason = FULL[what]
    prefix = ["unshare", "-rm"] if what == "disk" else []
    allowed = subprocess.run([*prefix, "true"], stderr=subprocess.DEVNULL)
    if allowed.returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    fill = fill.format(cache=shlex.quote(str(tmp_path / "cache")))
    done = subprocess.run(
        [*prefix, "sh", "-c", f'{fill} && exec "$@"', "sh"]
        + [sys.executable, "-c", IN_A_PROCESS, json.dumps(SHA256)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    line, files = done.stdout.splitlines()
    assert f"cannot be written ({reason})" in line and files == "numbers.lock"


@pytest.mark.parametrize("name", ["my cache", "mañana 日本 ❤", "a'b\"c", "-f", "%s{}"])
def test_cache_may_have_any_name(serve, tmp_path, monkeypatch, name):
    serve()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name))
    assert download() == tmp_path / name / "inside-bert/numbers"


@pytest.fixture
def no_home(monkeypatch, tmp_path):
    """A user without a home, as in a container with a number for a name."""

    def nobody(number):
        raise KeyError(number)

    for name in ("HOME", "XDG_CACHE_HOME", "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    monkeypatch.chdir(tmp_path)


def test_user_without_a_home_is_told_so(serve, no_home, tmp_path, capsys):
    server = serve()
    assert "there is no home folder" in why_not(capsys)
    assert server.asked == [] and list(tmp_path.iterdir()) == []


def test_progress_of_a_user_without_a_home_is_not_kept(no_home, tmp_path, monkeypatch):
    monkeypatch.delenv("INSIDE_BERT_PROGRESS")
    progress.record("01.1", "passed")
    assert progress.read() == {} and list(tmp_path.iterdir()) == []


def test_clock_in_the_past_changes_nothing(serve, tmp_path, monkeypatch):
    server = serve()
    download()
    for path in (tmp_path / "cache").rglob("*"):
        os.utime(path, (2**31, 2**31))  # of the year 2038
    server.asked.clear()
    assert download() and server.asked == []
    (tmp_path / "cache/inside-bert/numbers/one.txt").write_text("damaged")
    os.utime(tmp_path / "cache/inside-bert/numbers/one.txt", (2**31, 2**31))
    assert download() and server.asked == ["/one.txt"]
