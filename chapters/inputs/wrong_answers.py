"""Typical wrong answers to the exercises of the chapter, and what is said to them."""

import re

from helpers.models import load_bert

RIGHT = {
    "pieces": "[CLS] who wrote it ? [SEP] she did . [SEP] [PAD] [PAD]".split(),
    "segments": [0] * 6 + [1] * 4 + [0] * 2,
    "mask": [1] * 10 + [0] * 2,
}


def wrong_1(names):
    one_separator = "[CLS] who wrote it ? she did . [SEP] [PAD] [PAD] [PAD]".split()
    yield RIGHT | {"pieces": one_separator}, "[SEP] ends each"
    attached = "[CLS] who wrote it? [SEP] she did. [SEP]".split() + ["[PAD]"] * 4
    yield RIGHT | {"pieces": attached}, "punctuation stands alone"
    capitals = [p.replace("who", "Who").replace("she", "She") for p in RIGHT["pieces"]]
    yield RIGHT | {"pieces": capitals}, "Mind capitals"
    yield RIGHT | {"pieces": [p.lower() for p in RIGHT["pieces"]]}, "Mind capitals"
    in_front = RIGHT["pieces"][10:] + RIGHT["pieces"][:10]
    yield RIGHT | {"pieces": in_front}, "padding goes to the end"
    second = "[CLS] who wrote it ? [SEP] [CLS] she did . [SEP] [PAD]".split()
    yield RIGHT | {"pieces": second}, "opens the whole input, once"
    exchanged = {"segments": RIGHT["mask"], "mask": RIGHT["segments"]}
    yield RIGHT | exchanged, "your mask the segments"
    yield RIGHT | {"segments": [0] * 6 + [1] * 6}, "Padding belongs to no part"
    yield RIGHT | {"segments": [0] * 5 + [1] * 5 + [0] * 2}, "first [SEP]"
    yield RIGHT | {"segments": [0] * 12}, "two texts went in"
    yield RIGHT | {"segments": [1] * 12}, "Expected segment 0"
    yield RIGHT | {"mask": [1] * 12}, "all ones"
    yield RIGHT | {"mask": RIGHT["segments"]}, "every real piece"
    yield RIGHT | {"mask": [0] * 10 + [1] * 2}, "wrong way round"
    yield RIGHT | {"mask": [1] * 10}, "10 entries"
    yield RIGHT | {"mask": 12}, "must be a list"


def wrong_2(names):
    def from_the_left(word, vocabulary):
        return _greedy(word, vocabulary, longest_first=True)

    def shortest_match(word, vocabulary):
        return _greedy(word, vocabulary, longest_first=False)

    yield from_the_left, "another may still reach the end"
    yield shortest_match, "Expected the fewest"
    yield _from_the_right, "yours is"
    yield _shorter_of_both, "yours is"
    yield _two_or_greedy, "yours is"
    yield _free_first_cut, "yours is"
    yield _never_whole, "yours is"
    yield (lambda word, vocabulary: _fewest(word, vocabulary, max)), "fewest"
    yield (lambda word, vocabulary: _fewest(word, vocabulary) or []), "[UNK]"
    yield (
        lambda word, vocabulary: [p.lstrip("#") for p in _fewest(word, vocabulary)],
        "must begin with ##",
    )
    yield (lambda word, vocabulary: list(word)), "must begin with ##"
    yield (lambda word, vocabulary: word), "list of pieces"
    yield (lambda word, vocabulary: [word]), "no entry of the vocabulary"
    yield (lambda word, vocabulary: [word[:1]]), "Put together"
    yield _greedy, "KeyError"
    yield _prefix_kept, "cannot be spelled to its end"


def _prefix_kept(word, vocabulary):
    """Returns what it could spell, and [UNK] for the rest alone."""
    for end in range(len(word), 0, -1):
        if pieces := _fewest(word[:end], vocabulary):
            return pieces + ["[UNK]"] * (end < len(word))
    return ["[UNK]"]


def _from_the_right(word, vocabulary):
    pieces, end = [], len(word)
    while end:
        for start in range(end):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces, end = [piece, *pieces], start
    return pieces


def _shorter_of_both(word, vocabulary):
    both = [_greedy(word, vocabulary, True), _from_the_right(word, vocabulary)]
    spelled = [pieces for pieces in both if pieces != ["[UNK]"]]
    return min(spelled, key=len, default=["[UNK]"])


def _two_or_greedy(word, vocabulary):
    if word in vocabulary:
        return [word]
    for cut in range(1, len(word)):
        if word[:cut] in vocabulary and "##" + word[cut:] in vocabulary:
            return [word[:cut], "##" + word[cut:]]
    return _greedy(word, vocabulary, True)


def _free_first_cut(word, vocabulary):
    """Tries every first piece, and goes on with the longest match."""
    starts = frozenset({p.removeprefix("##") for p in vocabulary if p[:2] == "##"})
    rests = starts | {p for p in vocabulary if p.startswith("##")}
    found = [[word]] if word in vocabulary else []
    for cut in range(1, len(word)):
        rest = _greedy(word[cut:], rests, True)
        if word[:cut] in vocabulary and rest != ["[UNK]"]:
            found.append([word[:cut], "##" + rest[0], *rest[1:]])
    return min(found, key=len, default=["[UNK]"])


def _never_whole(word, vocabulary):
    best = _fewest(word, vocabulary - {word}) or _fewest(word, vocabulary)
    return best or ["[UNK]"]


def _greedy(word, vocabulary, longest_first=None):
    pieces, start = [], 0
    order = {True: -1, False: 1}[longest_first]
    while start < len(word):
        prefix = "##" if start else ""
        ends = [
            end
            for end in range(start + 1, len(word) + 1)[::order]
            if prefix + word[start:end] in vocabulary
        ]
        if not ends:
            return ["[UNK]"]
        pieces.append(prefix + word[start : ends[0]])
        start = ends[0]
    return pieces


def _fewest(word, vocabulary, best_of=min):
    best = [[]] + [None] * len(word)
    for end in range(1, len(word) + 1):
        found = [
            [*best[start], ("##" if start else "") + word[start:end]]
            for start in range(end)
            if best[start] is not None
            and ("##" if start else "") + word[start:end] in vocabulary
        ]
        best[end] = best_of(found, key=len, default=None)
    return best[-1]


def wrong_3(names):
    tokenizer = load_bert().tokenizer
    plain = "the keeper of the lighthouse wrote down every ship that passed him in the"
    texts = [f"{plain} night and the weather of {place}" for place in ("a", "b", "c")]
    texts[0] += ", photosynthesis included; endocarditis was not"
    pieces = [len(tokenizer.tokenize(text)) for text in texts]
    words = [len(text.split()) for text in texts]
    right = [p / w for p, w in zip(pieces, words, strict=True)]
    with_special = [(p + 2) / w for p, w in zip(pieces, words, strict=True)]
    yield {"texts": texts, "fertility": with_special}, "[CLS] and [SEP]"
    inverse = [w / p for p, w in zip(pieces, words, strict=True)]
    yield {"texts": texts, "fertility": inverse}, "other way round"
    once = [
        len(set(tokenizer.tokenize(text))) / w
        for text, w in zip(texts, words, strict=True)
    ]
    yield {"texts": texts, "fertility": once}, "come again"
    by_letter = [p / len(text) for p, text in zip(pieces, texts, strict=True)]
    yield {"texts": texts, "fertility": by_letter}, "pieces a character"
    yield {"texts": texts, "fertility": [9.0] * 3}, "words; yours is 9"
    yield {"texts": texts, "fertility": [100 * x for x in right]}, "per cent"
    yield {"texts": texts, "fertility": right[::-1]}, "another order"
    yield {"texts": texts, "fertility": pieces}, "how many pieces there are"
    twice = [texts[0], texts[0].upper(), texts[1]]
    yield {"texts": twice, "fertility": right}, "are the same"
    yield {"texts": texts[:2], "fertility": right[:2]}, "2 entries"
    yield {"texts": [plain, *texts[1:]], "fertility": right}, "at least 20"
    yield {"texts": [texts[1]] * 3, "fertility": [right[1]] * 3}, "different"
    yield {"texts": texts, "fertility": ["high"] * 3}, "must be a number"
    punctuated = [f"{text}, - and then ,  went on." for text in texts]
    pieces = [len(tokenizer.tokenize(text)) for text in punctuated]
    words = [len(text.split()) for text in punctuated]

    def answer(values):
        return {"texts": punctuated, "fertility": values}

    bare = [re.sub(r"[^\w\s]", "", text) for text in punctuated]
    bare = [len(tokenizer.tokenize(text)) for text in bare]
    yield answer([p / w for p, w in zip(bare, words, strict=True)]), "has pieces too"
    apart = [len(re.findall(r"\w+|[^\w\s]", text)) for text in punctuated]
    by_marks = [p / n for p, n in zip(pieces, apart, strict=True)]
    yield answer(by_marks), "with its punctuation"
    spaces = [len(text.split(" ")) for text in punctuated]
    by_spaces = [p / n for p, n in zip(pieces, spaces, strict=True)]
    yield answer(by_spaces), "split without an argument"
    one_decimal = [round(p / w, 1) for p, w in zip(pieces, words, strict=True)]
    yield answer(one_decimal), "to two decimals"
