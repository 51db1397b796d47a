"""The SMS Spam Collection from a server: fetched once, or the sample and one line."""

import hashlib
import zipfile

import pytest

from helpers import datasets
from helpers._support import downloads
from tests.file_server import FileServer

pytestmark = pytest.mark.usefixtures("fresh_process")

# the traps of the official file: an open quote, Windows-1252 read as Latin-1, a line
# separator, CR LF, a space at the end, a missing final line end
LINES = (
    'ham\t"Back soon\nspam\tWIN \x91cash\x92 \x96 now\r\nham\tone\u2028line \nham\tok'
)


@pytest.fixture
def load():
    """`load_sms_spam` of the modules as they are now."""
    return lambda **arguments: datasets.load_sms_spam(**arguments)


class Archive(FileServer):
    """A web server with a zip archive of one file, as UCI has it."""

    def __init__(self, folder, content=LINES, name="SMSSpamCollection"):
        folder.mkdir()
        self.path = folder / "messages.zip"
        with zipfile.ZipFile(self.path, "w") as archive:
            archive.writestr("readme", "about the messages")
            archive.writestr(name, content)
        super().__init__(folder)
        self.url += "/messages.zip"


@pytest.fixture
def served(tmp_path, monkeypatch):
    """A server whose messages are the known ones."""
    server = Archive(tmp_path / "served")
    checksum = hashlib.sha256(LINES.encode()).hexdigest()
    monkeypatch.setattr(datasets, "SMS_SPAM_SHA256", checksum)
    monkeypatch.setenv("SMS_SPAM_URL", server.url)
    yield server
    server.stop()


def cached(tmp_path):
    files = [p for p in (tmp_path / "cache").rglob("*") if p.is_file()]
    return sorted(p.name for p in files if p.suffix != ".lock")


def test_archive_is_downloaded_once(served, load, tmp_path, capsys):
    assert load().attrs["source"] == "official"
    assert load().text[3] == "ok"
    assert cached(tmp_path) == ["SMSSpamCollection"]
    assert len(served.asked) == 1
    assert capsys.readouterr().out == ""


def test_damaged_cache_is_downloaded_again(served, load, tmp_path):
    load()
    [damaged] = (tmp_path / "cache").rglob("SMSSpamCollection")
    damaged.write_text("<html>an error page</html>")
    assert len(load()) == 4
    assert damaged.read_bytes() == LINES.encode()


def other_messages(server):
    with zipfile.ZipFile(server.path, "w") as archive:
        archive.writestr("SMSSpamCollection", "ham\tsomething else\n")


def cut_short(server):
    server.path.write_bytes(server.path.read_bytes()[:-30])


def damaged_inside(server):
    content = bytearray(server.path.read_bytes())
    content[content.index(b"Back soon")] ^= 1  # stored, so the text stands there
    server.path.write_bytes(content)


BROKEN = {
    other_messages: "checksum",
    cut_short: "checksum",
    damaged_inside: "checksum",
    Archive.stop: "cannot be reached",
}


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_sample_stands_in_and_says_so_once(served, load, tmp_path, capsys, broken):
    broken(served)
    assert load().attrs["source"] == load().attrs["source"] == "sample"
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("SMS Spam Collection: using the course's own small sample")
    assert BROKEN[broken] in line and "SMS_SPAM_HOME=sample" in line
    assert cached(tmp_path) == []
    assert len(served.asked) <= 1 + downloads.RETRIES


def test_one_set_that_fails_says_nothing_of_the_other(
    served, load, tmp_path, monkeypatch, capsys
):
    monkeypatch.delenv("COARSE_WSD_HOME", raising=False)
    monkeypatch.setenv("COARSE_WSD_URL", "http://127.0.0.1:9/")
    assert datasets.load_coarse_wsd("crane").attrs["source"] == "sample"
    assert load().attrs["source"] == "official"
    assert "CoarseWSD-20" in capsys.readouterr().out
