"""The data sets of the course: word senses (CoarseWSD-20) and spam messages.

The course's own small samples, in `data/`, are what a run has unless it asks for
others. The official files are no part of this project (the licence of CoarseWSD-20
forbids it); whoever asks for them has them downloaded.
"""

import difflib
import json
import re
from functools import cache

import pandas as pd

from helpers._support.downloads import OfficialSet, project_data
from helpers._support.text_files import read_text
from helpers._support.this_run import OFFICIAL, SAMPLE, note_data

COARSE_WSD = OfficialSet(
    title="CoarseWSD-20",
    variable="COARSE_WSD",
    url="https://raw.githubusercontent.com/danlou/bert-disambiguation/"
    "d8728bc5f0bbd2a14cdeb19aa71844fb89a31cb6/data/CoarseWSD-20",
    cache="coarse-wsd-20",
    layout="the folder CoarseWSD-20, which holds one folder a word",
)
SMS_SPAM = OfficialSet(
    title="SMS Spam Collection",
    variable="SMS_SPAM",
    url="https://archive.ics.uci.edu/static/public/228/sms+spam+collection.zip",
    cache="sms-spam",
    layout="the folder of the file SMSSpamCollection",
)
SMS_SPAM_SHA256 = "7d039a24a6083ed9ef0f806ebad56bbb976e3aeb8de05669173bfdc4996c239d"
WORDS = (
    "apple arm bank bass bow chair club crane deck digit hood java mole pitcher "
    "pound seal spring square trunk yard"
).split()
SPLITS = ("train", "test")


def coarse_wsd_words():
    """Return the 20 ambiguous words of CoarseWSD-20, in alphabetical order.

    >>> len(coarse_wsd_words()), coarse_wsd_words()[:3]
    (20, ['apple', 'arm', 'bank'])
    """
    return list(WORDS)


def coarse_wsd_senses(word):
    """Return the senses of `word` as a dict from label (int) to name.

    Raises what `load_coarse_wsd` raises for the word and the data folder.

    >>> coarse_wsd_senses("apple")
    {0: 'apple_inc.', 1: 'apple'}
    """
    _check_word(word)
    folder, _ = _source(word, ["classes_map.txt"])
    return _read_senses(folder / "classes_map.txt", word)


def load_coarse_wsd(word, split="train"):
    """Return the sentences of one word of CoarseWSD-20 as a DataFrame.

    One row a sentence, in the order of the files, with the columns

    - `sentence`: its words, a list of str;
    - `word_pos`: index of the ambiguous word in that list, from 0;
    - `label`: number of the sense; `sense`: its name.

    `split` is "train" or "test". `frame.attrs["source"]` says where the data comes
    from: "official", "sample" or a folder. The environment variable `COARSE_WSD_HOME`
    decides:

    - `sample`, or unset: the course's own sample;
    - `official`: the official files, from an earlier download or from the network,
      each checked against its sha256 (`COARSE_WSD_URL` names another server, or
      several); where they cannot be had the sample, and one line says why;
    - a folder laid out as the official one (`<word>/train.data.txt`, ...).

    Raises ValueError for an unknown word or split and for a malformed file;
    FileNotFoundError for a missing folder or file.

    Data: Loureiro, Rezaee, Pilehvar and Camacho-Collados, "Analysis and Evaluation of
    Language Models for Word Sense Disambiguation", Computational Linguistics 47(2).
    The chapter "Word senses" works with it.

    >>> frame = load_coarse_wsd("bank")
    >>> list(frame.columns)
    ['sentence', 'word_pos', 'label', 'sense']
    >>> frame.sentence[0][frame.word_pos[0]]
    'bank'
    """
    _check_word(word)
    if split not in SPLITS:
        raise ValueError(f'unknown split {split!r}: choose "train" or "test"')
    names = ["classes_map.txt", f"{split}.data.txt", f"{split}.gold.txt"]
    folder, source = _source(word, names)
    frame = _read_split(folder, word, split)
    return _noted(frame, source, COARSE_WSD.title)


def load_sms_spam():
    """Return the messages of the SMS Spam Collection as a DataFrame.

    One row a message, in the order of the file, repeats included, with the columns
    `text`, `label` (0 or 1) and `kind` ("ham" or "spam"). Quotes and HTML entities
    are left as they are. Some quotes and dashes of Windows-1252 became control
    characters in the official file; they are put back.

    `frame.attrs["source"]`, the three sources and what is raised are as in
    `load_coarse_wsd`, with `SMS_SPAM_HOME`, whose folder holds the file
    SMSSpamCollection.

    Data: Almeida, Gómez Hidalgo and Yamakami, "Contributions to the Study of SMS Spam
    Filtering: New Collection and Results", DocEng 2011; CC BY 4.0. The chapter
    "Fine-tuning" works with it.

    >>> list(load_sms_spam().columns)
    ['text', 'label', 'kind']
    """
    path, source = _messages_source()
    rows = [
        _parse_message(line, f"{path}, line {number}")
        for number, line in enumerate(_lines(path), 1)
    ]
    _require_plain(path, [text for text, _, _ in rows])
    frame = pd.DataFrame(rows, columns=["text", "label", "kind"])
    return _noted(frame, source, SMS_SPAM.title)


def _check_word(word):
    if word in WORDS:
        return
    near = difflib.get_close_matches(str(word).lower(), WORDS)
    known = f"did you mean {' or '.join(near)}?" if near else ", ".join(WORDS)
    raise ValueError(f"unknown word {word!r}, not one of the 20: {known}")


def _noted(frame, source, title):
    """Note where the rows come from."""
    frame.attrs["source"] = source
    note_data(title, source)
    return frame


# Where the files come from


def _source(word, names):
    """Return the folder that holds the files `names` of `word`, and its source."""
    home = COARSE_WSD.home
    if COARSE_WSD.is_named:
        return COARSE_WSD.named_folder(*(f"{word}/{n}" for n in names)) / word, home
    if home == OFFICIAL and (folder := _official_folder(word)):
        return folder, OFFICIAL
    return project_data("coarse-wsd-20-mini") / word, SAMPLE


@cache
def _official_folder(word):
    """Return the cache folder with the official files of `word`, or None.

    All five files or none, and one answer a process, so that the two splits of a
    word never come from two sources.
    """
    lines = project_data("coarse-wsd-20.sha256").read_text().splitlines()
    checksums = {name: sha256 for sha256, name in map(str.split, lines)}
    folder = COARSE_WSD.downloaded(
        {name: c for name, c in checksums.items() if name.startswith(f"{word}/")}
    )
    return folder and folder / word


def _messages_source():
    """Return the file of spam messages, and its source."""
    home, name = SMS_SPAM.home, "SMSSpamCollection"
    if SMS_SPAM.is_named:
        there = {path.name for path in SMS_SPAM.named_folder().iterdir()}
        if f"{name}.tsv" in there:
            name = f"{name}.tsv"
        elif name not in there and "spam.csv" in there:
            raise FileNotFoundError(
                f"{home} holds no {name}; Kaggle's spam.csv will not do (Latin-1, "
                "5,572 rows of 5,574): SMS_SPAM_HOME=official downloads the file"
            )
        return SMS_SPAM.named_folder(name) / name, home
    checksum = {name: SMS_SPAM_SHA256}
    if home == OFFICIAL and (folder := SMS_SPAM.downloaded(checksum)):
        return folder / name, OFFICIAL
    return project_data("sms-spam-mini/messages.tsv"), SAMPLE


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
    lines = read_text(path).rstrip("\r\n").split("\n")
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


# What were quotes and dashes before someone read Windows-1252 as Latin-1
_CONTROLS = {n: bytes([n]).decode("cp1252", "ignore") for n in range(0x80, 0xA0)}


def _parse_message(line, place):
    kind, tab, text = line.removesuffix("\r").translate(_CONTROLS).partition("\t")
    if kind not in ("ham", "spam") or not tab or not text.strip():
        raise ValueError(f"{place}: expected ham or spam, a TAB and a message")
    if "\t" in text:
        raise ValueError(f"{place} has a second TAB: keep label and message alone")
    return text, int(kind == "spam"), kind


def _require_plain(path, texts):
    """Raise ValueError where a CSV program has put quotes around quotes and doubled."""
    quoted = [text for text in texts if '"' in text]
    doubled = any('""' in text for text in quoted)
    if doubled and all(re.fullmatch(r'"(?:[^"]|"")*"', text) for text in quoted):
        raise ValueError(
            f"{path} was written by a CSV program, which doubles quotes: "
            "write each message as it is"
        )


# The mini corpus


def mini_corpus(folder=None, seed=0):
    """Return small stories: a list of documents of sentences of lower-case words.

    Without `folder`, `helpers.corpus.grammar` writes at least 200,000 words; the same
    `seed` gives the same stories. With it, they are the text in that folder, as
    `helpers.corpus.read_words` reads it. Used in "Word vectors" and "Pre-training".

    >>> stories = mini_corpus(seed=0)
    >>> len(stories[0]), stories[0][0]  # sentences of the first story, and its first
    (11, ['peter', 'begins'])
    """
    if folder is not None:
        from helpers.corpus import read_words

        return read_words(folder)
    from helpers.corpus.grammar import generate

    return generate(seed)
