"""The sentences of "Contextual embeddings": which they are, and how they are split."""

import re

import numpy as np
import pandas as pd

_NOUNS = """actor artist author baby baker banker boy brother captain cat chief child
cook cow dancer daughter doctor dog driver farmer father fox friend girl goat gardener
guard guest hero horse hunter judge king knight lady lawyer leader lion merchant monk
mother nurse officer painter pilot player poet porter prince prisoner pupil queen rabbit
rider sailor scholar scientist servant singer sister soldier son stranger student tailor
teacher thief tiger tutor victim visitor waiter witch wolf worker writer"""
NOUNS = _NOUNS.split()
VERBS = "chased helped kicked pushed followed watched washed carried".split()
KNOWN = 40  # of the nouns, from which a probe learns; it is tested on the others


def split(labelled, word):
    """Return senses, lists of words and places of a word, of (sense, sentence) pairs.

    >>> senses, sentences, places = split([("farm", "He left the field.")], "field")
    >>> senses.tolist(), sentences, places
    (['farm'], [['he', 'left', 'the', 'field', '.']], [3])
    """
    senses = np.array([sense for sense, _ in labelled])
    sentences = [re.findall(r"\w+|[^\w\s]", text.lower()) for _, text in labelled]
    return senses, sentences, [words.index(word) for words in sentences]


def any_words(sentences, seed=0):
    """Return the sentences and, for each, the place of a word drawn at random."""
    rng = np.random.default_rng(seed)
    return list(sentences), [
        int(rng.choice([i for i, word in enumerate(words) if word.isalpha()]))
        for words in sentences
    ]


def shuffled_nouns():
    nouns = NOUNS.copy()
    rng = np.random.default_rng(0)
    rng.shuffle(nouns)
    return nouns, rng


def doer_sentences(n, forms, nouns, rng):
    """Two rows a sentence: words, place of a noun, is it the doer?, number of the form.

    forms: texts in which A stands for the doer, B for the other and V for the verb.
    """
    rows = []
    for _ in range(n):
        doer, other = rng.choice(nouns, 2, replace=False)
        fill = {"A": str(doer), "B": str(other), "V": str(rng.choice(VERBS))}
        which = int(rng.integers(len(forms)))
        form = ["yesterday"] * rng.integers(2) + forms[which].split()
        words = [fill.get(slot, slot) for slot in form]
        rows += [(words, form.index(noun), noun == "A", which) for noun in "AB"]
    return pd.DataFrame(rows, columns=["words", "place", "does", "form"])


def who_does_it(forms):
    """500 rows: the first 300 hold known nouns, the others new ones (`new`)."""
    nouns, rng = shuffled_nouns()
    parts = [
        doer_sentences(n, forms, part, rng).assign(new=new)
        for n, part, new in ((150, nouns[:KNOWN], False), (100, nouns[KNOWN:], True))
    ]
    return pd.concat(parts, ignore_index=True)


def more_of_them(forms, n=350):
    """n further sentences, two rows each, of the known nouns."""
    nouns, _ = shuffled_nouns()
    return doer_sentences(n, forms, nouns[:KNOWN], np.random.default_rng(2))


def plural(noun):
    """The plural of the nouns of the list.

    >>> plural("lady"), plural("wolf")
    ('ladies', 'wolves')
    """
    odd = {"child": "children", "wolf": "wolves", "thief": "thieves"}
    if noun[-1] == "y" and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return odd.get(noun, noun + ("es" if noun[-1] in "shx" else "s"))


def with_plurals(people):
    """The rows but those of the passive; the noun of each is a plural where `many`."""
    rng = np.random.default_rng(1)
    many = rng.integers(2, size=len(people)).astype(bool)
    rows = people.assign(many=many)[people.form != 1].reset_index(drop=True)
    words = [
        [
            plural(w) if i == row.place and row.many else w
            for i, w in enumerate(row.words)
        ]
        for row in rows.itertuples()
    ]
    return rows.assign(words=words)
