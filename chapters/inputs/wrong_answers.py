"""Typical wrong answers to the exercises of the chapter, and what is said to them."""

import itertools

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("inputs.1").truth()
    pieces = right["pieces"]
    one_separator = "[CLS] who wrote it ? she did . [SEP] [PAD] [PAD] [PAD]"
    attached = "[CLS] who wrote it? [SEP] she did. [SEP]" + 4 * " [PAD]"
    second = "[CLS] who wrote it ? [SEP] [CLS] she did . [SEP] [PAD]"
    yield right | {"pieces": one_separator.split()}, "[SEP] ends each"
    yield right | {"pieces": attached.split()}, "punctuation stands alone"
    yield right | {"pieces": second.split()}, "opens the whole input, once"
    capitals = [p.replace("who", "Who").replace("she", "She") for p in pieces]
    yield right | {"pieces": capitals}, "Mind capitals"
    yield right | {"pieces": pieces[10:] + pieces[:10]}, "padding goes to the end"
    yield right | {"segments": [1] * 12}, "Expected segment 0"
    yield right | {"mask": right["segments"]}, "every real piece"
    yield right | {"mask": [1] * 10}, "10 entries"


def wrong_2(names):
    fewest = mistakes_of("inputs.2").answer(mistakes_of("inputs.2").right)
    for limited in (_shorter_of_both, _free_first_cut):
        yield limited, "yours is"
    yield lambda *given: fewest(*given)[::-1], "Put together"
    yield lambda *given: [p.lstrip("#") for p in fewest(*given)], "must begin with ##"
    yield lambda word, vocabulary: [word], "no entry of the vocabulary"
    yield lambda word, vocabulary: [word[:1]], "Put together"
    yield _prefix_kept, "cannot be spelled to its end"


def _prefix_kept(word, vocabulary):
    """Returns what it could spell, and [UNK] for the rest alone."""
    for end in range(len(word), 0, -1):
        if pieces := _spelled(word[:end], vocabulary):
            return pieces + ["[UNK]"] * (end < len(word))
    return ["[UNK]"]


def _shorter_of_both(word, vocabulary):
    both = [_greedy(word, vocabulary), _from_the_right(word, vocabulary)]
    spelled = [pieces for pieces in both if pieces != ["[UNK]"]]
    return min(spelled, key=len, default=["[UNK]"])


def _free_first_cut(word, vocabulary):
    """Tries every first piece, and goes on with the longest match."""
    ends = range(len(word) + 1)
    parts = {word[i:j] for i, j in itertools.combinations(ends, 2)}
    starts = frozenset(part for part in parts if f"##{part}" in vocabulary)
    rests = starts | {f"##{part}" for part in starts}
    found = [[word]] if word in vocabulary else []
    for cut in range(1, len(word)):
        rest = _greedy(word[cut:], rests)
        if word[:cut] in vocabulary and rest != ["[UNK]"]:
            found.append([word[:cut], "##" + rest[0], *rest[1:]])
    return min(found, key=len, default=["[UNK]"])


def _greedy(word, vocabulary):
    return _by_mistake("longest match from the left")(word, vocabulary)


def _from_the_right(word, vocabulary):
    return _by_mistake("longest match from the right")(word, vocabulary)


def _by_mistake(named):
    answers = mistakes_of("inputs.2").answers()
    return next(function for message, function in answers if named in message)


def _spelled(word, vocabulary):
    table = mistakes_of("inputs.2")
    pieces = table.answer(table.right)(word, vocabulary)
    return None if pieces == ["[UNK]"] else pieces


def wrong_3(names):
    table = mistakes_of("inputs.3")
    right = table.answer(table.right)
    texts, values = right["texts"], right["fertility"]
    yield right | {"fertility": [9.0] * 3}, "words; yours is 9"
    yield right | {"fertility": [*values[:2], 9]}, "The fertility of text 3"
    yield right | {"fertility": [round(x, 1) for x in values]}, "to two decimals"
    short = "the keeper of the lighthouse wrote down every ship"
    yield right | {"texts": [texts[0], short, texts[1]]}, "Text 2 has only 9 words"
    twice = [texts[0], texts[0].upper(), texts[1]]
    yield right | {"texts": twice}, "are the same"
    yield {"texts": texts[:2], "fertility": values[:2]}, "2 entries"
