"""Checks of the chapter: PPMI, analogies by products, one vector for two senses."""

import re

import numpy as np

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_text,
    an_array,
    is_right_to,
    name_mistake,
    right_to,
)
from helpers.exercises.seeds import rng
from helpers.models import load_bert
from helpers.senses import unit

COUNTS = np.array([[3, 0, 5], [1, 4, 3], [4, 4, 8]])  # the table of exercise 1


def check_1(answer, counts=COUNTS):
    """Nine numbers: the PPMI of counts, to two decimals."""
    hint = "Give three rows of three numbers, as in the table."
    table = an_array(answer, (3, 3), "The table", finite=False, hint=hint)
    with np.errstate(divide="ignore"):
        pmi = np.log2(counts / _expected(counts))
    truth = np.maximum(pmi, 0)
    if is_right_to(table, truth, 2, SLACK):
        return "And the word with the largest counts has no surprise at all."
    if np.isneginf(table).any() or (table < -0.01).any():
        raise NotYet(
            "PPMI has no negative values: where PMI is below 0, or the count is 0, it "
            "is 0."
        )
    name_mistake(table, _table_slips(truth, pmi, counts), digits=2)
    right_to(table, truth, 2, "Each cell", slack=SLACK)


SLACK = 0.0005  # 0.585, rounded by hand, may become 0.59


def _table_slips(truth, pmi, counts):
    ratios = counts / _expected(counts)
    return {
        "These are natural logarithms; take the logarithm to base 2.": truth
        * np.log(2),
        "These are logarithms to base 10; take the logarithm to base 2.": truth
        * np.log10(2),
        "These are the ratios. PMI is their logarithm to base 2.": ratios,
        "This is by how much the ratios exceed 1. PMI is their logarithm to base "
        "2.": np.maximum(ratios - 1, 0),
        "The counted and the expected numbers are exchanged in the division.": (
            np.where(counts > 0, np.maximum(-pmi, 0), 0)
        ),
        "The minus signs were dropped. A negative PMI becomes 0.": np.where(
            counts > 0, np.abs(pmi), 0
        ),
        "These are the expected counts. Divide the counted ones by them, and take "
        "the logarithm.": _expected(counts),
        "These are the probabilities of the pairs. Compare each with what chance "
        "would give.": counts / counts.sum(),
        "These are logarithms of the counts themselves. Divide by the expected counts "
        "first.": np.log2(np.maximum(counts, 1)),
        "All cells are 0. Were the products of the sums divided by the total?": 0
        * truth,
        "The rows and columns are exchanged.": truth.T,
    }


def _expected(counts):
    return counts.sum(1, keepdims=True) * counts.sum(0, keepdims=True) / counts.sum()


def check_2(answer):
    """A function: (a, b, c, words, vectors) -> the word with the best product."""
    a_function(answer, "multiply")
    cases = list(_cases())
    got = [_one_word(answer(*case), case) for case in cases]
    truth = [_multiply(*case) for case in cases]
    if got == truth:
        return "Three cosines, none of which can drown the others."
    fitting = [
        message
        for message, change in MISTAKES.items()
        if got == [_multiply(*case, **change) for case in cases]
    ]
    if len(fitting) == 1:
        raise NotYet(fitting[0])
    if any(word in case[:3] for word, case in zip(got, cases, strict=True)):
        raise NotYet("One of a, b and c came out as the answer; leave all three out.")
    hits = sum(ours == yours for ours, yours in zip(truth, got, strict=True))
    raise NotYet(
        f"{hits} of {len(cases)} answers are right. The score is "
        "s(d, b) * s(d, c) / (s(d, a) + 0.001) with s = (cosine + 1) / 2."
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
    for to_b in (0.26, 0.17, 0.26):
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

    to_b: the angle between a and b. Where it is narrow, half of the 0.001 would do.
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


def _multiply(a, b, c, words, vectors, **change):
    given = [words.index(word) for word in (a, b, c)]
    scaled = vectors if change.get("lengths") else unit(vectors)
    cosines = scaled[given] @ scaled.T
    if not change.get("unshifted"):
        cosines = (cosines + 1) / change.get("divided by", 2)
    to_a, to_b, to_c = (cosines[i] for i in change.get("order", (0, 1, 2)))
    with np.errstate(divide="ignore"):
        score = to_b * to_c / (to_a + change.get("added to s", 0.001))
    if change.get("sum"):
        score = to_b - to_a + to_c
    if change.get("undivided"):
        score = to_b * to_c
    if not change.get("included"):
        score[given] = -np.inf
    return words[int(score.argmax())]


MISTAKES = {
    "Your answers are those with a, b and c allowed; leave all three out.": {
        "included": True
    },
    "These are products of vectors that have not been scaled to length 1: long "
    "vectors win. Use cosines.": {"lengths": True},
    "These come from the cosines themselves. Two negative ones make a positive "
    "product; shift them to (cosine + 1) / 2 first.": {"unshifted": True},
    "These come from cosine + 1. Divide it by 2: beside 0.001 it matters.": {
        "divided by": 1
    },
    "This is the sum b - a + c, not the product.": {"sum": True},
    "The product with b and c is there, but it is not divided by s(d, a) + 0.001.": {
        "undivided": True
    },
    "The 0.001 is missing, or outside the brackets: it belongs to s(d, a).": {
        "added to s": 0
    },
    "a and c are exchanged: the question is a : b = c : ?.": {"order": (2, 1, 0)},
    "a and b are exchanged: d should be near b and c, and far from a.": {
        "order": (1, 0, 2)
    },
}


def _one_word(result, case):
    result = result.item() if getattr(result, "shape", None) == () else result
    word = a_text(result, "The word")
    if word not in case[3]:
        raise NotYet(f"{word!r} is none of the words that were given.")
    return word


def check_3(answer):
    """A dict: word, synonyms, sentences, cosines (two each) and misled."""
    keys = ("word", "synonyms", "sentences", "cosines", "misled")
    word, *pairs, misled_said = a_dict(answer, keys)
    each = "Give two things, one for each sense."
    synonyms, sentences, cosines = (
        a_list(pair, key, 2, hint=each)
        for key, pair in zip(keys[1:4], pairs, strict=True)
    )
    rows = [_row(name) for name in (word, *synonyms)]
    if len({word, *synonyms}) < 3:
        raise NotYet("The word and its two synonyms must be three different words.")
    _check_sentences(word, synonyms, sentences)
    truth = [float(unit(rows[0]) @ unit(row)) for row in rows[1:]]
    _check_cosines(cosines, truth, rows)
    misled = "first" if truth[0] < truth[1] else "second"
    if str(misled_said).strip().lower() != misled:
        raise NotYet(
            'misled must be "first" or "second": the sentence whose own synonym has '
            "the lower cosine, for there the table points to the other one."
        )
    return (
        f"The table puts {word} nearer to {synonyms[misled == 'first']}, whatever "
        f"your {misled} sentence says."
    )


def _row(word):
    """The input embedding of a whole-word piece."""
    bert = load_bert()
    index = bert.tokenizer.convert_tokens_to_ids(word) if _is_word(word) else None
    if index is None or index == bert.tokenizer.unk_token_id:
        raise NotYet(
            f"{word!r} is no whole piece of the vocabulary; try a more frequent word "
            "in lower case."
        )
    return bert.model.embeddings.word_embeddings.weight[index].detach().cpu().numpy()


def _is_word(word):
    return isinstance(word, str) and word.isalpha()


def _check_sentences(word, synonyms, sentences):
    sentences = a_list(sentences, "sentences", each=a_text)
    split = [_words(sentence) for sentence in sentences]
    if split[0] == split[1]:
        raise NotYet("Write two different sentences, one for each sense.")
    for which, (parts, n) in zip(("first", "second"), split, strict=True):
        if n < 5:
            raise NotYet(f"The {which} sentence needs five words or more; it has {n}.")
        if word not in parts:
            raise NotYet(f"The {which} sentence does not hold the word {word!r}.")
        if held := set(synonyms) & set(parts):
            raise NotYet(
                f"The {which} sentence holds a synonym, {held.pop()!r}. The other "
                "words should show the sense."
            )


def _words(sentence):
    """The words without punctuation, club's as club and s; and how many they are."""
    parts = sentence.lower().split()
    return re.findall(r"\w+", sentence.lower()), sum(
        bool(re.search(r"\w", part)) for part in parts
    )


def _check_cosines(cosines, truth, rows):
    cosines = a_list(cosines, "cosines", each=a_number)
    if is_right_to(cosines, truth, 2, 1e-4):
        return
    name_mistake(
        cosines,
        {
            "The two cosines are exchanged: the first synonym's comes first.": truth[
                ::-1
            ],
            "These are 1 - cosine, distances; give the cosines.": 1 - np.array(truth),
        },
        digits=2,
    )
    products = "These are products of the vectors, not cosines: scale them to length 1."
    name_mistake(cosines, {products: [rows[0] @ row for row in rows[1:]]}, rtol=0.01)
    wrong = [
        round(given, 2) != round(true, 2)
        for given, true in zip(cosines, truth, strict=True)
    ]
    raise NotYet(
        f"cosines must be right to two decimals; yours are {cosines[0]:.4g} and "
        f"{cosines[1]:.4g}, and {'both are' if all(wrong) else 'one is'} not the "
        "cosine of two rows of bert_vectors, the table before any layer."
    )
