"""Both sets: which folder is read, and what is refused."""

from types import SimpleNamespace

import pytest

from helpers._support import downloads
from helpers.datasets import load_coarse_wsd, load_sms_spam
from tests.bad_input import one_line
from tests.helpers.datasets.coarse_wsd import write_word

pytestmark = pytest.mark.usefixtures("fresh_process")


def write_messages(folder):
    folder.mkdir()
    (folder / "SMSSpamCollection").write_text("ham\tone\nspam\ttwo\nham\tthree\n")


SETS = {
    "COARSE_WSD_HOME": SimpleNamespace(
        load=lambda: load_coarse_wsd("crane"),
        columns=["sentence", "word_pos", "label", "sense"],
        write=write_word,
    ),
    "SMS_SPAM_HOME": SimpleNamespace(
        load=load_sms_spam,
        columns=["text", "label", "kind"],
        write=write_messages,
    ),
}


@pytest.fixture(params=SETS)
def of(request, monkeypatch):
    """One of the sets, with `name_home`, which names a folder of it, or the sample."""
    of = SETS[request.param]
    of.variable = request.param
    of.name_home = lambda home: monkeypatch.setenv(request.param, str(home))
    return of


@pytest.mark.parametrize("home", ["sample", None])
def test_the_sample_is_read_without_a_word_or_a_network(of, home, monkeypatch, capsys):
    monkeypatch.delenv(of.variable)
    if home:
        of.name_home(home)
    monkeypatch.setattr(downloads, "_download", None)  # to call it is an error
    frame = of.load()
    assert frame.attrs["source"] == "sample" and list(frame.columns) == of.columns
    assert capsys.readouterr().out == ""


def test_home_names_a_folder(of, tmp_path, capsys):
    of.write(tmp_path / "mine")
    of.name_home(tmp_path / "mine")
    frame = of.load()
    assert frame.attrs["source"] == str(tmp_path / "mine") and len(frame) == 3
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("kind", ["absent", "empty", "a file"])
def test_wrong_home_is_named(of, tmp_path, capsys, kind):
    home = tmp_path / "home"
    if kind == "empty":
        home.mkdir()
    elif kind == "a file":
        home.touch()
    of.name_home(home)
    message = one_line(FileNotFoundError, of.load)
    assert str(home) in message and f"{of.variable} must name" in message
    assert ("is not a folder" in message) == (kind != "empty")
    assert capsys.readouterr().out == ""
