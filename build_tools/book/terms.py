"""The terms of the glossary: their definitions, and where a text means one of them."""

import re
from pathlib import Path

GLOSSARY = "chapters/glossary"
ENTRY = re.compile(r"^(?P<term>[^\s:`].*)\n(?P<definition>(?:  .*\n)+)", re.M)
# Everyday words among the terms, meant where one of these begins a word beside them.
COMPANIONS = {
    "bit": ("surprise", "entropy", "doubt"),
    "confidence": ("calibrat", "probability"),
    "control": ("probe", "random", "shuffled", "baseline", "rival"),
    "decoder": ("gpt", "llama", "writes", "writing", "left"),
    "head": ("mlm", "nsp", "classif", "task", "small layer", "answer"),
    "key": ("quer",),
    "precision": ("recall",),
    "probe": ("classif", "linear", "control"),
    "process": ("launch", "rank", "processes"),
    "query": ("key",),
    "seed": ("random", "run", "train"),
    "surprise": ("bit", "log"),
    "value": ("quer", "key"),
}


def read_glossary(root):
    """Return {term in small letters: (term, definition)}; {} without a glossary."""
    file = Path(root) / f"{GLOSSARY}.md"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return {
        found["term"].lower(): (found["term"], " ".join(found["definition"].split()))
        for found in ENTRY.finditer(text)
    }


def mention_of(terms):
    """Return the pattern of a mention of any of the terms, the longest first."""
    names = "|".join(map(re.escape, sorted(terms, key=len, reverse=True)))
    return re.compile(rf"(?<![\w-])({names})(?=s?(?![\w-]))", re.IGNORECASE)


def is_meant(term, paragraph):
    """Whether an everyday word stands beside others of its meaning as a term."""
    starts = "|".join(COMPANIONS.get(term, ()))
    return bool(re.search(rf"\b(?:{starts})", paragraph, re.IGNORECASE))
