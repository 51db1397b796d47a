"""CoarseWSD-20, the word-sense data of the course, and where it comes from.

The official files carry a licence that keeps them out of this project, so they are
downloaded when first needed; without a network the course's own small sample, in
`data/coarse-wsd-20-mini`, takes their place.
"""

import difflib
import json
import numbers
import os
import re
import threading
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pandas as pd
import pooch
import requests

from helpers import DATA

URL = (
    "https://raw.githubusercontent.com/danlou/bert-disambiguation/"
    "d8728bc5f0bbd2a14cdeb19aa71844fb89a31cb6/data/CoarseWSD-20"
)
SECONDS_TO_ANSWER = 3
WORDS = (
    "apple arm bank bass bow chair club crane deck digit hood java mole pitcher "
    "pound seal spring square trunk yard"
).split()
SPLITS = ("train", "test")

_failure = None  # why the official files cannot be had: asked once a process


def coarse_wsd_words():
    """Return the 20 ambiguous words of CoarseWSD-20, in alphabetical order."""
    return list(WORDS)


def coarse_wsd_senses(word):
    """Return the senses of `word` as a dict from label (int) to name.

    Raises what `load_coarse_wsd` raises for the word and the data folder.
    """
    _check_word(word)
    folder, _ = _source(word, ["classes_map.txt"])
    return _read_senses(folder / "classes_map.txt", word)


def load_coarse_wsd(word, split="train", n_samples=None, seed=0):
    """Return the sentences of one word of CoarseWSD-20 as a DataFrame.

    One row a sentence, in the order of the files, with the columns

    - `sentence`: its words, a list of str;
    - `word_pos`: index of the ambiguous word in that list, from 0;
    - `label`: number of the sense; `sense`: its name.

    `n_samples` draws that many rows without replacement; the same `seed` draws the same
    rows. `split` is "train" or "test". `frame.attrs["source"]` says where the data
    comes from: "official", "sample" or a folder. Sources in order:

    1. what the environment variable `COARSE_WSD_HOME` names: a folder laid out as the
       official one (`<word>/train.data.txt`, ...), or `sample`;
    2. the official files, from an earlier download or from the network, each
       checked against its sha256 (`COARSE_WSD_URL` names another server for them);
    3. the course's own sample, after printing one line that says so.

    Raises ValueError for an unknown word or split, for an `n_samples` that is not a
    positive whole number or exceeds the rows, and for a malformed file;
    FileNotFoundError for a missing folder or file.

    Data: Loureiro, Rezaee, Pilehvar and Camacho-Collados, "Analysis and Evaluation of
    Language Models for Word Sense Disambiguation", Computational Linguistics 47(2).
    """
    _check_word(word)
    if split not in SPLITS:
        raise ValueError(f'unknown split {split!r}: choose "train" or "test"')
    names = ["classes_map.txt", f"{split}.data.txt", f"{split}.gold.txt"]
    folder, source = _source(word, names)
    frame = _read_split(folder, word, split)
    if n_samples is not None:
        _check_n_samples(n_samples, len(frame), f"{word}/{split} ({source})")
        frame = frame.sample(n=n_samples, random_state=seed).reset_index(drop=True)
    frame.attrs["source"] = source
    return frame


def _check_word(word):
    if word in WORDS:
        return
    near = difflib.get_close_matches(str(word).lower(), WORDS)
    known = f"did you mean {' or '.join(near)}?" if near else ", ".join(WORDS)
    raise ValueError(f"unknown word {word!r}, not one of the 20: {known}")


def _check_n_samples(n_samples, n_rows, rows):
    whole = isinstance(n_samples, numbers.Integral) and not isinstance(n_samples, bool)
    if not whole or n_samples < 1:
        raise ValueError(
            f"n_samples={n_samples!r} is not a positive whole number: "
            "leave it out for all rows"
        )
    if n_samples > n_rows:
        raise ValueError(
            f"n_samples={n_samples} is more than the {n_rows} rows of {rows}: "
            f"ask for at most {n_rows}, or leave it out for all"
        )


# Where the files come from


def _source(word, names):
    """Return the folder that holds the files `names` of `word`, and its source."""
    home = os.environ.get("COARSE_WSD_HOME")
    if home and home != "sample":
        return _named_folder(home, word, names), home
    if not home and (folder := _official_folder(word)):
        return folder, "official"
    folder = _project_data("coarse-wsd-20-mini") / word
    _require(folder, names, "restore the project's data folder")
    return folder, "sample"


def _named_folder(home, word, names):
    root = Path(home).expanduser().resolve()
    advice = (
        "COARSE_WSD_HOME must name the folder CoarseWSD-20, which holds one folder a "
        'word, or be "sample" for the course\'s own sentences'
    )
    if not root.is_dir():
        raise FileNotFoundError(f"{root} is not a folder: {advice}")
    _require(root / word, names, advice)
    return root / word


def _require(folder, names, advice):
    for name in names:
        if not (folder / name).is_file():
            raise FileNotFoundError(f"{folder / name} is missing: {advice}")


def _project_data(name):
    path = DATA / name
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is missing: helpers must stay in the course's own folder, "
            "installed from there with 'pip install -e .'"
        )
    return path


@cache
def _official_folder(word):
    """Return the cache folder with the official files of `word`, or None.

    All five files or none, and one answer a process, so that the two splits of a
    word never come from two sources.
    """
    global _failure
    lines = _project_data("coarse-wsd-20.sha256").read_text().splitlines()
    checksums = {name: sha256 for sha256, name in map(str.split, lines)}
    files = pooch.create(
        path=pooch.os_cache("inside-bert") / "coarse-wsd-20",
        base_url=os.environ.get("COARSE_WSD_URL") or URL,
        registry={n: c for n, c in checksums.items() if n.startswith(f"{word}/")},
    )
    if _is_cached(files):
        return files.abspath / word
    _failure = _failure or _download(files)
    return None if _failure else files.abspath / word


def _is_cached(files):
    return all(
        (files.abspath / name).is_file()
        and pooch.file_hash(files.abspath / name) == sha256
        for name, sha256 in files.registry.items()
    )


def _download(files):
    """Fetch all `files`; return None, or the reason why not after printing it."""
    pooch.get_logger().setLevel("WARNING")  # else five lines a word
    try:
        _knock(files.base_url)
        downloader = pooch.HTTPDownloader(timeout=SECONDS_TO_ANSWER)
        for name in files.registry:
            files.fetch(name, downloader=downloader)
    except (OSError, ValueError) as error:
        reason = _reason(error, files)
        print(
            f"CoarseWSD-20: using the course's own small sample, because {reason}. For "
            "the official set, restart with a network or set COARSE_WSD_HOME to a "
            "folder that holds it; COARSE_WSD_HOME=sample chooses the sample."
        )
        return reason
    return None


def _knock(url):
    """Raise requests.RequestException unless the server of `url` answers in time.

    In a thread, because the timeout of requests covers neither the look-up of the
    name nor a host with several addresses, each of which is waited for in turn.
    """
    outcome = [requests.Timeout()]

    def ask():
        try:
            requests.head(url, timeout=SECONDS_TO_ANSWER)
            outcome.append(None)
        except requests.RequestException as error:
            outcome.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(SECONDS_TO_ANSWER)
    if outcome[-1] is not None:
        raise outcome[-1]


def _reason(error, files):
    host = urlsplit(files.base_url).netloc or files.base_url
    if isinstance(error, requests.HTTPError):
        return f"{host} answered {error.response.status_code}"
    if isinstance(error, requests.RequestException):
        return f"{host} cannot be reached"
    if isinstance(error, ValueError):
        return f"what {host} sent does not match its checksum"
    return f"{files.abspath} cannot be written ({error.strerror or error})"


# Reading the files


def _read_split(folder, word, split):
    """Return all rows of a split; `folder` holds the word's files."""
    senses = _read_senses(folder / "classes_map.txt", word)
    data, gold = folder / f"{split}.data.txt", folder / f"{split}.gold.txt"
    sentences = [
        _parse_sentence(line, word, f"{data}, line {number}")
        for number, line in enumerate(_lines(data), 1)
    ]
    labels = [
        _parse_label(line, senses, f"{gold}, line {number}")
        for number, line in enumerate(_lines(gold), 1)
    ]
    if len(sentences) != len(labels):
        raise ValueError(
            f"{data} has {len(sentences)} lines and {gold} {len(labels)}: "
            "each sentence needs one label, get both files anew"
        )
    frame = pd.DataFrame(sentences, columns=["sentence", "word_pos"])
    return frame.assign(label=labels, sense=[senses[label] for label in labels])


def _read_senses(path, word):
    try:
        names = json.loads("\n".join(_lines(path)))
        return {int(k): name.removeprefix(f"{word}_") for k, name in names.items()}
    except (ValueError, AttributeError) as error:
        raise ValueError(
            f"{path} should be a JSON object of sense numbers and names: get it anew"
        ) from error


def _lines(path):
    # split("\n"), since splitlines() also cuts at characters that occur in sentences;
    # no CSV reader, since quotes are text here
    try:
        lines = path.read_bytes().decode("utf-8-sig").rstrip().split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text: get it anew") from error
    if lines == [""]:
        raise ValueError(f"{path} is empty: get it anew")
    return lines


def _parse_sentence(line, word, place):
    match = re.match(r"(\d+)\t(.*)", line, re.DOTALL)
    if not match:
        raise ValueError(f"{place}: expected an index, a TAB and a sentence")
    position, words = int(match[1]), match[2].split()  # the indexes count these words
    if position >= len(words) or words[position] != word:
        raise ValueError(
            f"{place}: index {position} does not point at {word!r} ({len(words)} words)"
        )
    return words, position


def _parse_label(text, senses, place):
    label = int(text) if text.strip().isdecimal() else None
    if label not in senses:
        raise ValueError(f"{place}: {text.strip()!r} is no sense of classes_map.txt")
    return label
