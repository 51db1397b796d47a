"""The SMS Spam Collection: where it comes from, how it is read, the course's sample."""

import hashlib
import importlib
import os
import re
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from helpers import DATA, datasets
from helpers._support import downloads
from helpers.datasets import load_sms_spam
from helpers.spam import tfidf_classifier
from tests.bad_input import one_line
from tests.file_server import FileServer

SAMPLE = DATA / "sms-spam-mini"
HOME = os.environ.get("SMS_SPAM_HOME", "sample")
# the traps of the official file: an open quote, Windows-1252 read as Latin-1, a line
# separator, CR LF, a space at the end, a missing final line end
LINES = (
    'ham\t"Back soon\nspam\tWIN \x91cash\x92 \x96 now\r\nham\tone\u2028line \nham\tok'
)


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch, tmp_path):
    """Each test starts as a new process, with an empty cache and no network."""
    importlib.reload(downloads)
    importlib.reload(datasets)
    monkeypatch.delenv("SMS_SPAM_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("SMS_SPAM_URL", "http://127.0.0.1:9/messages.zip")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def load():
    """`load_sms_spam` of the modules as they are now."""
    return lambda **arguments: datasets.load_sms_spam(**arguments)


def write(folder, content=LINES, name="SMSSpamCollection"):
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content.encode())
    return folder


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


# Where the data comes from


def test_home_chooses_the_sample_without_a_word(monkeypatch, load, capsys):
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    frame = load()
    assert frame.attrs["source"] == "sample"
    assert list(frame.columns) == ["text", "label", "kind"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["SMSSpamCollection", "SMSSpamCollection.tsv"])
def test_home_names_a_folder(monkeypatch, tmp_path, load, name):
    home = write(tmp_path / "mine", name=name)
    monkeypatch.setenv("SMS_SPAM_HOME", str(home))
    frame = load()
    assert frame.attrs["source"] == str(home) and len(frame) == 4


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


def other_name(server):
    with zipfile.ZipFile(server.path, "w") as archive:
        archive.writestr("messages.txt", LINES)


def error_page(server):
    server.path.write_text("<html>please log in</html>")


def cut_short(server):
    server.path.write_bytes(server.path.read_bytes()[:-30])


def damaged_inside(server):
    content = bytearray(server.path.read_bytes())
    content[content.index(b"Back soon")] ^= 1  # stored, so the text stands there
    server.path.write_bytes(content)


BROKEN = {
    other_messages: "checksum",
    other_name: "checksum",
    error_page: "checksum",
    cut_short: "checksum",
    damaged_inside: "checksum",
    lambda server: server.path.unlink(): "answered 404",
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


@pytest.mark.parametrize("kind", ["absent", "empty", "a file"])
def test_wrong_home_is_named(monkeypatch, tmp_path, load, kind):
    home = tmp_path / "home"
    if kind == "empty":
        home.mkdir()
    elif kind == "a file":
        home.touch()
    monkeypatch.setenv("SMS_SPAM_HOME", str(home))
    message = one_line(FileNotFoundError, load)
    assert str(home) in message and "SMS_SPAM_HOME must name" in message


def test_absent_data_folder_is_named(monkeypatch, tmp_path, load):
    monkeypatch.setattr(downloads, "DATA", tmp_path / "nowhere")
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    message = one_line(FileNotFoundError, load)
    assert "nowhere" in message and "pip install -e ." in message


# How the file is read


def test_traps_of_the_official_file(monkeypatch, tmp_path, load):
    monkeypatch.setenv("SMS_SPAM_HOME", str(write(tmp_path / "home")))
    frame = load()
    assert frame.text.tolist() == [
        '"Back soon',
        "WIN ‘cash’ – now",
        "one\u2028line ",
        "ok",
    ]
    assert frame.kind.tolist() == ["ham", "spam", "ham", "ham"]
    assert frame.label.tolist() == [0, 1, 0, 0]


def test_n_samples_are_drawn_by_seed(monkeypatch, load):
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    full, drawn = load(), load(n_samples=30, seed=1)
    assert drawn.index.tolist() == list(range(30))
    assert drawn.attrs["source"] == "sample"
    assert set(drawn.text) <= set(full.text)
    assert drawn.equals(load(n_samples=30, seed=1))
    assert not drawn.equals(load(n_samples=30, seed=2))
    for wrong in (0, -1, 2.0, True, len(full) + 1):
        assert "n_samples" in one_line(ValueError, lambda n=wrong: load(n_samples=n))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("ham\tone\nhello\ttwo\n", "line 2: expected ham or spam, a TAB"),
        ("ham\tone\n\nham\ttwo\n", "line 2: expected"),
        ("ham one\n", "line 1: expected"),
        ("ham\t \n", "line 1: expected"),
        ("spam\n", "line 1: expected"),
        ("", "is empty"),
    ],
)
def test_malformed_line_is_named(monkeypatch, tmp_path, load, content, words):
    monkeypatch.setenv("SMS_SPAM_HOME", str(write(tmp_path / "home", content)))
    assert words in one_line(ValueError, load)


def test_file_that_is_no_text_is_named(monkeypatch, tmp_path, load):
    (write(tmp_path / "home") / "SMSSpamCollection").write_bytes(b"ham\tone \xff\n")
    monkeypatch.setenv("SMS_SPAM_HOME", str(tmp_path / "home"))
    assert "is not UTF-8" in one_line(ValueError, load)


# The course's own sample


@pytest.fixture
def sample(monkeypatch):
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    return load_sms_spam()


def test_sample_is_large_and_has_repeats_of_both_kinds(sample):
    distinct = sample.drop_duplicates("text")
    assert len(distinct) >= 400
    assert distinct.label.value_counts().min() >= 150
    assert set(sample.kind[sample.text.duplicated()]) == {"ham", "spam"}
    assert distinct.equals(sample.drop_duplicates())  # none has both labels
    assert not sample.label.is_monotonic_increasing
    assert not sample.label.is_monotonic_decreasing


def test_counting_words_does_not_solve_the_sample(sample):
    distinct = sample.drop_duplicates("text")
    accuracy = []
    for seed in range(5):
        train, test = train_test_split(
            distinct, test_size=0.25, stratify=distinct.label, random_state=seed
        )
        model = tfidf_classifier().fit(train.text, train.label)
        accuracy.append(model.score(test.text, test.label))
    assert 1.2 * max(distinct.label.mean(), 1 - distinct.label.mean()) < min(accuracy)
    assert np.mean(accuracy) < 0.93 and max(accuracy) < 0.97


def test_sample_calls_nobody(sample):
    """Telephone numbers and addresses are of the kinds that belong to nobody."""
    texts = " ".join(
        path.read_text(encoding="utf-8") for path in sorted(SAMPLE.glob("*.tsv"))
    )
    numbers = re.findall(r"\b0\d[\d ]{8,}\d\b", texts)
    drama = re.compile(r"(07700 ?900|01632 ?960|0909 ?8 ?790)\d{3}")
    assert len(numbers) > 20
    assert [n for n in numbers if not drama.fullmatch(n.strip())] == []
    hosts = re.findall(r"\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:[a-z]{2,})(?=/|\b)", texts)
    assert [host for host in hosts if not host.endswith(".example")] == []
    codes = re.findall(r"\b(?:to|on|2) (\d{5})\b(?! ?(?:790|900|960))", texts)
    assert len(codes) > 10 and all(code.startswith("00") for code in codes)


# The official set


@pytest.fixture
def official(monkeypatch):
    if HOME == "sample" or not Path(HOME).is_dir():
        warnings.warn(
            "The SMS Spam Collection is not here, so tests against it were skipped: "
            "set SMS_SPAM_HOME to its folder",
            stacklevel=1,
        )
        pytest.skip("SMS_SPAM_HOME names no folder")
    monkeypatch.setenv("SMS_SPAM_HOME", HOME)
    return load_sms_spam()


def test_official_set_is_read_whole(official):
    assert official.kind.value_counts().to_dict() == {"ham": 4827, "spam": 747}
    assert not official.text.str.contains("[\x80-\x9f]").any()
    # 403 repeat an earlier message to the letter, one more but for its quotes
    assert official.text.duplicated().sum() == 404


def test_official_checksum_is_that_of_the_file(official):
    [path] = [p for p in Path(HOME).iterdir() if p.name.startswith("SMSSpam")]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest == datasets.SMS_SPAM_SHA256


def test_sample_shares_nothing_with_the_official_set(official):
    known = set(official.text.str.lower().str.strip())
    short = 12  # "ok" and its like belong to everybody
    for path in SAMPLE.glob("*.tsv"):
        for line in path.read_text(encoding="utf-8").splitlines():
            text = line.split("\t")[1].lower()
            assert len(text) < short or text not in known
