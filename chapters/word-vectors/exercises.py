"""Checks of the chapter: PPMI, analogies by products, one vector for two senses."""

import re
from functools import partial

import numpy as np

from helpers.exercises import NotYet
from helpers.exercises.asking import a_dict, a_list, a_number, a_text, an_array
from helpers.exercises.mistakes import Mistakes
from helpers.exercises.seeds import rng
from helpers.models import load_bert
from helpers.senses import unit

COUNTS = np.array([[3, 0, 5], [1, 4, 3], [4, 4, 8]])  # the table of exercise 1
SLACK = 0.0005  # 0.585, rounded by hand, may become 0.59
NEGATIVE = (
    "PPMI has no negative values: where PMI is below 0, or the count is 0, it is 0."
)


def check_1(answer):
    """Nine numbers: the PPMI of counts, to two decimals."""
    hint = "Give three rows of three numbers, as in the table."
    table = an_array(answer, (3, 3), "The table", finite=False, hint=hint)
    if (table < -0.01).any():
        raise NotYet(NEGATIVE)
    TABLES[1].judge([((COUNTS,), table)])
    return "And the word with the largest counts has no surprise at all."


def _expected(counts):
    return counts.sum(1, keepdims=True) * counts.sum(0, keepdims=True) / counts.sum()


def _pmi(counts):
    with np.errstate(divide="ignore"):
        return np.log2(counts / _expected(counts))


def _ppmi(counts):
    return np.maximum(_pmi(counts), 0)


TABLE_MISTAKES = {
    NEGATIVE: (_pmi, lambda counts: np.where(counts > 0, _pmi(counts), 0)),
    "These are natural logarithms, or those to base 10; take the logarithm to base "
    "2.": (
        lambda counts: _ppmi(counts) * np.log(2),
        lambda counts: _ppmi(counts) * np.log10(2),
    ),
    "These are the ratios. PMI is their logarithm to base 2.": (
        lambda counts: counts / _expected(counts)
    ),
}


def check_2(answer):
    """A function: (a, b, c, words, vectors) -> the word with the best product."""
    TABLES[2].ask("multiply", answer, _cases(), read=_place, otherwise=_not_so)
    return "Three cosines, none of which can drown the others."


def _place(result, a, b, c, words, vectors):
    """Where the answer stands among the words."""
    result = result.item() if getattr(result, "shape", None) == () else result
    word = a_text(result, "The word")
    if word not in words:
        raise NotYet(f"{word!r} is none of the words that were given.")
    return words.index(word)


def _not_so(got, wanted, a, b, c, words, vectors):
    yours = words[int(got)]
    if yours in (a, b, c):
        return "One of a, b and c came out as the answer; leave all three out."
    return (
        f"For {a} : {b} = {c} : ? of {len(words)} words expected {words[int(wanted)]}; "
        f"yours is {yours}. The score is s(d, b) * s(d, c) / (s(d, a) + 0.001) with "
        "s = (cosine + 1) / 2."
    )


def _cases():
    """Questions on random vectors of very different lengths, some of them alike."""
    random = rng(1)
    for n, size in ((40, 4), (60, 3), (30, 6)):
        words = [f"w{i}" for i in range(n)]
        vectors = _stretched(random.normal(size=(n, size)), random)
        for _ in range(8):
            a, b, c = random.choice(words, 3, replace=False).tolist()
            yield a, b, c, words, vectors
    for to_b in (0.26, 0.17, 0.26, 0.38):
        yield _alike(random)
        yield _opposite(random, to_b)


def _stretched(vectors, random):
    return vectors * random.uniform(0.2, 5, size=(len(vectors), 1))


def _alike(random):
    """a, b and c are near one another, so that each would win if it were allowed."""
    vectors = random.normal(size=(12, 6))
    vectors[:3] = vectors[0] + 0.02 * vectors[:3]
    return _named(_stretched(vectors, random), random)


def _opposite(random, to_b):
    """Two words are nearly opposite to a: which is best hangs on the 0.001.

    to_b: the angle between a and b. Up to 0.33 less than 0.001 would find another
    word, from there on more.
    """
    turned, _ = np.linalg.qr(random.normal(size=(6, 6)))
    nearly = np.pi - 2 * np.arcsin(np.sqrt([1e-10, 0.001]))  # s(d, a), above rounding
    far = np.pi + random.uniform(0.4, 0.8, size=5)  # from b
    angles = np.concatenate([[0, to_b, to_b], nearly, far])
    plane = np.column_stack([np.cos(angles), np.sin(angles)]) @ turned[:2]
    return _named(_stretched(plane, random), random)


def _named(vectors, random):
    """A question about the first three vectors, in shuffled order."""
    order = random.permutation(len(vectors))
    words = [f"w{i}" for i in range(len(vectors))]
    a, b, c = (words[int(np.flatnonzero(order == i)[0])] for i in range(3))
    return a, b, c, words, vectors[order]


def _product(to_a, to_b, to_c, added=0.001):
    return to_b * to_c / (to_a + added)


def _best(
    *question,
    score=_product,
    s=lambda cosines: (cosines + 1) / 2,
    scaled=unit,
    left_out=True,
):
    """The place of the word with the highest score."""
    a, b, c, words, vectors = question
    given, rows = [words.index(word) for word in (a, b, c)], scaled(vectors)
    with np.errstate(divide="ignore"):
        scores = score(*s(rows[given] @ rows.T))
    if left_out:
        scores[given] = -np.inf
    return int(scores.argmax())


ANALOGY_MISTAKES = {
    "Your answers are those with a, b and c allowed; leave all three out.": (
        partial(_best, left_out=False)
    ),
    "These are products of vectors that have not been scaled to length 1: long "
    "vectors win. Use cosines.": partial(_best, scaled=np.asarray),
    "These come from the cosines themselves. Two negative ones make a positive "
    "product; shift them to (cosine + 1) / 2 first.": partial(_best, s=np.asarray),
    "This is the sum b - a + c, not the product.": (
        partial(_best, score=lambda to_a, to_b, to_c: to_b - to_a + to_c)
    ),
    "The product with b and c is there, but it is not divided by s(d, a) + 0.001.": (
        partial(_best, score=lambda to_a, to_b, to_c: to_b * to_c)
    ),
    "The 0.001 is missing, or outside the brackets: it belongs to s(d, a).": (
        partial(_best, score=partial(_product, added=0)),
        partial(_best, score=lambda *to: _product(*to, added=0) + 0.001),
    ),
    "a and b are exchanged: d should be near b and c, and far from a.": (
        lambda a, b, c, *others: _best(b, a, c, *others)
    ),
}


def check_3(answer):
    """A dict: word, synonyms, sentences, cosines (two each) and misled."""
    keys = ("word", "synonyms", "sentences", "cosines", "misled")
    word, *pairs, misled_said = a_dict(answer, keys)
    each = "Give two things, one for each sense."
    synonyms, sentences, cosines = (
        a_list(pair, key, 2, hint=each)
        for key, pair in zip(keys[1:4], pairs, strict=True)
    )
    rows = np.array([_row(name) for name in (word, *synonyms)])
    if len({word, *synonyms}) < 3:
        raise NotYet("The word and its two synonyms must be three different words.")
    _check_sentences(word, synonyms, sentences)
    cosines = a_list(cosines, "cosines", each=a_number)
    TABLES[3].judge([((rows,), cosines)])
    misled = _misled(rows)
    if (said := str(misled_said).strip().lower()) not in ("first", "second"):
        raise NotYet('misled must be "first" or "second".')
    if said != misled:
        raise NotYet(
            f"misled is not {said!r}: it is the sentence whose own synonym has the "
            "lower cosine, for there the table points to the other one."
        )
    return (
        f"The table puts {word} nearer to {synonyms[misled == 'first']}, whatever "
        f"your {misled} sentence says."
    )


def _row(word):
    """The input embedding of a whole-word piece."""
    bert = load_bert()
    is_word = isinstance(word, str) and word.isalpha()
    index = bert.tokenizer.convert_tokens_to_ids(word) if is_word else None
    if index in (None, bert.tokenizer.unk_token_id):
        raise NotYet(
            f"{word!r} is no whole piece of the vocabulary; try a more frequent word "
            "in lower case."
        )
    return bert.model.embeddings.word_embeddings.weight[index].detach().cpu().numpy()


def _check_sentences(word, synonyms, sentences):
    sentences = a_list(sentences, "sentences", each=a_text)
    split = [re.findall(r"\w+", sentence.lower()) for sentence in sentences]
    if split[0] == split[1]:
        raise NotYet("Write two different sentences, one for each sense.")
    for which, sentence, parts in zip(
        ("first", "second"), sentences, split, strict=True
    ):
        if (n := len(re.findall(r"\S*\w\S*", sentence))) < 5:
            raise NotYet(f"The {which} sentence needs five words or more; it has {n}.")
        if word not in parts:
            raise NotYet(f"The {which} sentence does not hold the word {word!r}.")
        if held := set(synonyms) & set(parts):
            raise NotYet(
                f"The {which} sentence holds a synonym, {held.pop()!r}. The other "
                "words should show the sense."
            )


def _cosines(rows):
    return unit(rows[1:]) @ unit(rows[0])


def _misled(rows):
    first, second = _cosines(rows)
    return "first" if first < second else "second"


COSINE_MISTAKES = {
    "The two cosines are exchanged: the first synonym's comes first.": (
        lambda rows: _cosines(rows)[::-1]
    ),
    "These are products of the vectors, not cosines: scale them to length 1.": (
        lambda rows: rows[1:] @ rows[0]
    ),
}


def _in_words(place):
    return lambda *question: question[3][place(*question)]


TABLES = {
    1: Mistakes(_ppmi, TABLE_MISTAKES, "Each cell", 2, slack=SLACK),
    2: Mistakes(_best, ANALOGY_MISTAKES, "The answer", answer=_in_words),
    3: Mistakes(_cosines, COSINE_MISTAKES, "cosines", 2, slack=1e-4),
}
