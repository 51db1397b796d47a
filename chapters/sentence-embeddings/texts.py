"""The sentences of the page, and the methods that read no context."""

import re

import pandas as pd
import torch

from helpers import DATA

EIGHT = {
    "parcel": "My parcel never arrived.",
    "delivery": "I am still waiting for the delivery.",
    "soup": "The soup arrived cold.",
    "broth": "They served us lukewarm broth.",
    "phone": "Charge the phone.",
    "battery": "The battery needs to be plugged in.",
    "charge": "Is there a charge for the room?",
    "inn": "How much do you have to pay at the inn?",
}
FOUR = """It is raining|still raining|not raining|Water falls from the sky
The shop is open|now open|not open|You can buy things there now
The train was late|again late|not late|We got there behind schedule
The wound is healing|still healing|not healing|The cut is closing up
The bridge is safe|now safe|not safe|One may cross it without danger
The soup was hot|still hot|not hot|The broth burned my tongue
The child was afraid|again afraid|not afraid|The little girl felt scared
Her phone was stolen|again stolen|not stolen|Somebody took her mobile
He will pay|now pay|not pay|The money is going to come from him
It is worth seeing|still worth seeing|not worth seeing|You should watch that
The bank will help|again help|not help|We are going to get the loan
The keys are lost|now lost|not lost|We cannot find what unlocks the car"""


def four_ways():
    """Twelve sentences, and each changed in three ways: a table of texts."""
    rows = [line.split("|") for line in FOUR.splitlines()]
    table = {"sentence": [row[0] + "." for row in rows]}
    for n, name in ((1, "a harmless word more"), (2, "not")):
        table[name] = [
            row[0].replace(row[n].split(" ", 1)[1], row[n]) + "." for row in rows
        ]
    table["in other words"] = [row[3] + "." for row in rows]
    return pd.DataFrame(table)


def graded_pairs():
    """48 pairs: grade, first, second."""
    path = DATA / "sentence-pairs.tsv"
    names = ["grade", "first", "second"]
    return pd.read_csv(path, sep="\t", quoting=3, names=names)


def shared_words(first, second):
    """Share of the words of two sentences that both have.

    >>> shared_words("It is raining.", "It is not raining.")
    0.75
    """
    a, b = [set(re.findall(r"\w+", text.lower())) for text in (first, second)]
    return len(a & b) / len(a | b)


def static_mean(bert, texts):
    """Mean of the input embeddings of the pieces, without position: (n, hidden)."""
    table = bert.model.get_input_embeddings().weight.detach().cpu()
    ids = bert.tokenizer(list(texts), add_special_tokens=False)["input_ids"]
    return torch.stack([table[row].mean(dim=0) for row in ids])


def definitions_in(path):
    """(term, definition) of each entry of a glossary written in MyST."""
    text = path.read_text(encoding="utf-8").split(":sorted:\n", 1)[-1]
    entries = re.findall(r"^(\S.*)\n((?:  .+\n)+)", text, flags=re.M)
    return [
        (term, re.sub("[*`]", "", " ".join(words.split()))) for term, words in entries
    ]


def glossary():
    """The course's glossary, a table: term, definition."""
    entries = definitions_in(DATA.parent / "chapters" / "glossary.md")
    return pd.DataFrame(entries, columns=["term", "definition"])
