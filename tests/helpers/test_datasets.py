"""CoarseWSD-20: where it comes from, how it is read, and the course's own sample."""

import hashlib
import http.server
import importlib
import json
import logging
import os
import shutil
import socket
import subprocess
import sys
import threading
import types
import warnings
from collections import Counter
from pathlib import Path

import pooch
import pytest

import helpers
from helpers import datasets
from helpers._support import downloads
from helpers.datasets import coarse_wsd_senses, coarse_wsd_words, load_coarse_wsd
from tests.file_server import FileServer

DATA = Path(datasets.__file__).parents[1] / "data"
SAMPLE = DATA / "coarse-wsd-20-mini"
HOME = os.environ.get("COARSE_WSD_HOME", "sample")
FILES = [
    "classes_map.txt",
    *(f"{s}.{k}.txt" for s in ("train", "test") for k in ("data", "gold")),
]
# rows of train and test in the official set
OFFICIAL_ROWS = {
    "apple": (2358, 1032),
    "arm": (423, 164),
    "bank": (1107, 455),
    "bass": (3173, 1391),
    "bow": (523, 215),
    "chair": (271, 130),
    "club": (388, 202),
    "crane": (372, 157),
    "deck": (170, 99),
    "digit": (68, 42),
    "hood": (171, 82),
    "java": (4504, 1929),
    "mole": (480, 206),
    "pitcher": (6421, 2819),
    "pound": (186, 97),
    "seal": (875, 363),
    "spring": (1064, 457),
    "square": (508, 207),
    "trunk": (164, 77),
    "yard": (144, 72),
}
# the traps of the official files: quotes, a no-break space, two spaces in a row,
# CR LF, a missing final line end, an empty last line
CRANE = {
    "classes_map.txt": '{"0": "crane_crane_(machine)", "1": "crane_crane_(bird)"}',
    "train.data.txt": '2\t" the crane fell .\n3\tone\u00a0day  a crane flew by\n'
    "0\tcrane \u2028 \" ''s '' .",
    "train.gold.txt": "0\r\n1\r\n1",
    "test.data.txt": "1\ta crane .\n\n",
    "test.gold.txt": "0\n",
}


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch, tmp_path):
    """Each test starts as a new process, with an empty cache and no network."""
    importlib.reload(downloads)
    importlib.reload(datasets)
    monkeypatch.delenv("COARSE_WSD_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COARSE_WSD_URL", f"http://127.0.0.1:{free_port()}")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write_word(root, word="crane", **changed):
    """Write the folder of `word`; `changed` replaces a file: test_data="..."."""
    (root / word).mkdir(parents=True)
    for name, text in CRANE.items():
        text = changed.get(name.removesuffix(".txt").replace(".", "_"), text)
        if text is not None:
            (root / word / name).write_bytes(text.replace("crane", word).encode())


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
    """The folder of the official set, or a loud skip."""
    if HOME == "sample" or not Path(HOME).is_dir():
        warnings.warn(
            "CoarseWSD-20 is not here, so tests against it were skipped: set "
            "COARSE_WSD_HOME to its folder",
            stacklevel=1,
        )
        pytest.skip("COARSE_WSD_HOME names no folder")
    return Path(HOME)


def cached(tmp_path):
    files = [p for p in (tmp_path / "cache").rglob("*") if p.is_file()]
    return sorted(p.name for p in files if p.suffix != ".lock")


def shown(capsys):
    return capsys.readouterr().out.splitlines()


# The package


def test_importing_helpers_loads_no_library():
    heavy = {"torch", "pandas", "transformers"}
    code = f"import sys, helpers; print({heavy} & {{*sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=DATA.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("in_kernel", [True, False])
def test_glue_keeps_a_value_only_in_a_kernel(monkeypatch, in_kernel):
    kept = []
    fake = types.SimpleNamespace(glue=lambda name, value, display: kept.append(name))
    shell = types.SimpleNamespace(kernel=object() if in_kernel else None)
    monkeypatch.setitem(sys.modules, "myst_nb", fake)
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    helpers.glue("n_words", 20)
    assert kept == (["n_words"] if in_kernel else [])


def test_glue_does_nothing_without_myst_nb(monkeypatch):
    monkeypatch.setitem(sys.modules, "myst_nb", None)
    shell = types.SimpleNamespace(kernel=object())
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    helpers.glue("n_words", 20)


# Where the data comes from


def test_home_chooses_the_sample_without_a_word(monkeypatch, capsys):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    frame = load_coarse_wsd("crane")
    assert frame.attrs["source"] == "sample"
    assert list(frame.columns) == ["sentence", "word_pos", "label", "sense"]
    assert len(frame) == len((SAMPLE / "crane/train.gold.txt").read_text().split())
    assert shown(capsys) == []


def test_home_names_a_folder(monkeypatch, tmp_path, capsys):
    write_word(tmp_path / "mine")
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path / "mine"))
    frame = load_coarse_wsd("crane", "test")
    assert frame.attrs["source"] == str(tmp_path / "mine")
    assert frame.sentence.tolist() == [["a", "crane", "."]]
    assert shown(capsys) == []


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


def break_silent(served, monkeypatch):
    silent = socket.create_server(("127.0.0.1", 0))
    monkeypatch.setattr(downloads, "SECONDS_TO_ANSWER", 0.2)
    monkeypatch.setenv("COARSE_WSD_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
    served.keep = silent
    return "cannot be reached"


def break_missing(served, monkeypatch):
    (served.root / "crane/classes_map.txt").unlink()
    return "answered 404"


def break_bytes(served, monkeypatch):
    (served.root / "crane/classes_map.txt").write_text("<html>please log in</html>")
    return "does not match its checksum"


def break_cache(served, monkeypatch):
    blocked = served.root.parent / "a file"
    blocked.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    return "cannot be written"


@pytest.mark.parametrize(
    "broken", [break_refused, break_silent, break_missing, break_bytes, break_cache]
)
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


@pytest.mark.parametrize("lost", FILES)
def test_word_never_mixes_two_sources(served, tmp_path, lost):
    load_coarse_wsd("crane")
    [path] = (tmp_path / "cache").rglob(lost)
    path.unlink()
    served.stop()
    datasets._official_folder.cache_clear()
    assert load_coarse_wsd("crane", "train").attrs["source"] == "sample"
    assert load_coarse_wsd("crane", "test").attrs["source"] == "sample"


# How the files are read


def test_traps_of_the_official_files(monkeypatch, tmp_path):
    write_word(tmp_path)
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    frame = load_coarse_wsd("crane")
    assert frame.sentence.tolist() == [
        ['"', "the", "crane", "fell", "."],
        ["one", "day", "a", "crane", "flew", "by"],
        ["crane", '"', "''s", "''", "."],
    ]
    assert frame.word_pos.tolist() == [2, 3, 0]
    assert frame.label.tolist() == [0, 1, 1]
    assert frame.sense.tolist() == ["crane_(machine)", "crane_(bird)", "crane_(bird)"]
    assert len(load_coarse_wsd("crane", "test")) == 1


def test_n_samples_are_drawn_by_seed(monkeypatch):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    full, drawn = load_coarse_wsd("seal"), load_coarse_wsd("seal", n_samples=20, seed=1)
    assert drawn.index.tolist() == list(range(20))
    assert drawn.attrs["source"] == "sample"
    sentences = drawn.sentence.map(" ".join)
    assert sentences.is_unique and set(sentences) <= set(full.sentence.map(" ".join))
    assert drawn.equals(load_coarse_wsd("seal", n_samples=20, seed=1))
    assert not drawn.equals(load_coarse_wsd("seal", n_samples=20, seed=2))
    assert not drawn.equals(full.head(20))
    assert len(load_coarse_wsd("seal", n_samples=len(full))) == len(full)


def fails_in_one_line(error, call):
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"word": "crain"}, ["'crain'", "did you mean", "crane"]),
        ({"word": "CRANE"}, ["'CRANE'", "did you mean crane"]),
        ({"word": "zebra"}, ["'zebra'", *OFFICIAL_ROWS]),
        ({"word": None}, ["None", "apple"]),
        ({"split": "dev"}, ["'dev'", '"train"', '"test"']),
        ({"n_samples": 4}, ["4", "3 rows", "crane/train"]),
        ({"n_samples": 0}, ["n_samples=0", "positive"]),
        ({"n_samples": -2}, ["n_samples=-2", "positive"]),
        ({"n_samples": 2.0}, ["n_samples=2.0", "whole number"]),
        ({"n_samples": True}, ["n_samples=True", "whole number"]),
        ({"n_samples": "all"}, ["'all'", "whole number"]),
    ],
)
def test_wrong_argument_is_named(monkeypatch, tmp_path, arguments, words):
    write_word(tmp_path)
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    message = fails_in_one_line(
        ValueError, lambda: load_coarse_wsd(**{"word": "crane"} | arguments)
    )
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize("call", [load_coarse_wsd, coarse_wsd_senses])
@pytest.mark.parametrize("kind", ["absent", "empty", "a file", "other words"])
def test_wrong_home_is_named(monkeypatch, tmp_path, capsys, kind, call):
    home = tmp_path / "home"
    if kind == "empty":
        home.mkdir()
    elif kind == "a file":
        home.touch()
    elif kind == "other words":
        write_word(home, "mole")
    monkeypatch.setenv("COARSE_WSD_HOME", str(home))
    message = fails_in_one_line(FileNotFoundError, lambda: call("crane"))
    assert str(home) in message and "COARSE_WSD_HOME must" in message
    assert ("is not a folder" in message) == (kind in ("absent", "a file"))
    assert shown(capsys) == []


@pytest.mark.parametrize("lost", ["classes_map", "train_data", "train_gold"])
def test_missing_file_is_named(monkeypatch, tmp_path, lost):
    write_word(tmp_path, **{lost: None})
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    message = fails_in_one_line(FileNotFoundError, lambda: load_coarse_wsd("crane"))
    assert f"{lost.replace('_', '.', lost != 'classes_map')}.txt is missing" in message


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"train_data": "2\tcrane one two\n"}, ["train.data.txt, line 1", "index 2"]),
        ({"train_data": "0\tcrane\n7\ta crane\n"}, ["train.data.txt, line 2", "7"]),
        ({"train_data": "-1\ta crane\n"}, ["train.data.txt, line 1", "TAB"]),
        ({"train_data": "0\tcrane\n\n0\tcrane"}, ["train.data.txt, line 2", "TAB"]),
        ({"train_data": "0 crane\n"}, ["train.data.txt, line 1", "TAB"]),
        ({"train_data": "x\tcrane\n"}, ["train.data.txt, line 1", "index"]),
        ({"train_gold": "0\n1\n2\n"}, ["train.gold.txt, line 3", "'2'"]),
        ({"train_gold": "0\n\n1\n"}, ["train.gold.txt, line 2", "''"]),
        ({"train_gold": "0\n1\n"}, ["3 lines", "train.gold.txt 2"]),
        ({"train_data": ""}, ["train.data.txt is empty"]),
        ({"classes_map": "0: crane"}, ["classes_map.txt", "JSON"]),
        ({"classes_map": "[1]"}, ["classes_map.txt", "JSON"]),
    ],
)
def test_malformed_line_is_named(monkeypatch, tmp_path, changed, words):
    write_word(tmp_path, **changed)
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    message = fails_in_one_line(ValueError, lambda: load_coarse_wsd("crane"))
    assert [word for word in words if word not in message] == []


def test_file_that_is_no_text_is_named(monkeypatch, tmp_path):
    write_word(tmp_path)
    (tmp_path / "crane/train.data.txt").write_bytes(b"0\tcrane \xff\n")
    monkeypatch.setenv("COARSE_WSD_HOME", str(tmp_path))
    message = fails_in_one_line(ValueError, lambda: load_coarse_wsd("crane"))
    assert "train.data.txt is not UTF-8" in message


@pytest.mark.parametrize("home", ["", "sample"])
def test_absent_data_folder_is_named(monkeypatch, tmp_path, home):
    monkeypatch.setattr(downloads, "DATA", tmp_path / "nowhere")
    monkeypatch.setenv("COARSE_WSD_HOME", home)
    message = fails_in_one_line(FileNotFoundError, lambda: load_coarse_wsd("crane"))
    assert "nowhere" in message and "pip install -e ." in message


# The course's own sample


@pytest.fixture(scope="module")
def sample():
    """(word, split) to DataFrame, for all of the sample; loading checks positions."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COARSE_WSD_HOME", "sample")
        return load_all()


def load_all():
    pairs = [(word, split) for word in OFFICIAL_ROWS for split in ("train", "test")]
    return {pair: load_coarse_wsd(*pair) for pair in pairs}


def test_words_are_the_official_ones():
    assert coarse_wsd_words() == sorted(OFFICIAL_ROWS)
    lines = (DATA / "coarse-wsd-20.sha256").read_text().splitlines()
    known = {line.split("  ")[1] for line in lines}
    assert known == {f"{word}/{name}" for word in OFFICIAL_ROWS for name in FILES}
    assert {p.name for p in SAMPLE.iterdir() if p.is_dir()} == set(OFFICIAL_ROWS)


def test_sample_has_enough_of_every_sense(sample, monkeypatch):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    n_senses = 0
    for word in OFFICIAL_ROWS:
        senses = coarse_wsd_senses(word)
        n_senses += len(senses)
        for split, least in [("train", 10), ("test", 5)]:
            counts = sample[word, split].label.value_counts()
            assert set(counts.index) == set(senses), word
            assert counts.min() >= least, (word, split)
    assert n_senses == 53


def test_sample_points_at_its_words_and_looks_official(sample):
    for (word, split), frame in sample.items():
        text = (SAMPLE / word / f"{split}.data.txt").read_bytes().decode()
        assert text.endswith("\n") and "\r" not in text
        for line, row in zip(text.splitlines(), frame.itertuples(), strict=True):
            assert row.sentence[row.word_pos] == word
            assert line == f"{row.word_pos}\t{' '.join(row.sentence)}"
            assert line == line.lower() and "*" not in line


def test_sample_repeats_no_sentence(sample):
    counts = Counter(" ".join(s) for frame in sample.values() for s in frame.sentence)
    assert [sentence for sentence, n in counts.items() if n > 1] == []


def test_sample_is_shuffled(sample):
    assert not any(frame.label.is_monotonic_increasing for frame in sample.values())


# The official set


@pytest.fixture(scope="module")
def official_set(official):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COARSE_WSD_HOME", str(official))
        return load_all()


def test_official_set_is_read_whole(official_set):
    rows = {word: [] for word in OFFICIAL_ROWS}
    for (word, _), frame in official_set.items():
        rows[word].append(len(frame))
        targets = [s[i] for s, i in zip(frame.sentence, frame.word_pos, strict=True)]
        assert set(targets) == {word}
    assert {word: tuple(n) for word, n in rows.items()} == OFFICIAL_ROWS


def test_sample_has_the_official_senses(official):
    for word in OFFICIAL_ROWS:
        name = f"{word}/classes_map.txt"
        ours, theirs = (SAMPLE / name).read_text(), (official / name).read_text()
        assert json.loads(ours) == json.loads(theirs), word


def test_sample_shares_nothing_with_the_official_set(sample, official_set):
    everything = {" ".join(s) for f in official_set.values() for s in f.sentence}
    for word in OFFICIAL_ROWS:
        theirs = set().union(*(runs(official_set[word, s]) for s in datasets.SPLITS))
        for split in datasets.SPLITS:
            ours = sample[word, split]
            assert not everything & set(ours.sentence.map(" ".join)), word
            assert not theirs & runs(ours), word


def runs(frame, length=8):
    """All sequences of 8 words within a sentence."""
    return {
        " ".join(s[i : i + length])
        for s in frame.sentence
        for i in range(len(s) - length + 1)
    }


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
