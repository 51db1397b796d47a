"""Checks of the chapter: PPMI, analogies by products, one vector for two senses."""

import numpy as np

from helpers.exercises import NotYet
from helpers.exercises.asking import (
    a_dict,
    a_function,
    a_list,
    a_number,
    a_text,
    an_array,
    name_mistake,
)
from helpers.models import load_bert
from helpers.senses import unit

COUNTS = np.array([[3, 0, 5], [1, 4, 3], [4, 4, 8]])  # the table of exercise 1


def check_1(answer):
    """Nine numbers: the PPMI of COUNTS, to two decimals."""
    hint = "Give three rows of three numbers, as in the table."
    table = an_array(answer, (3, 3), "The table", finite=False, hint=hint)
    with np.errstate(divide="ignore"):
        pmi = np.log2(COUNTS / _expected(COUNTS))
    truth = np.maximum(pmi, 0)
    if np.allclose(table, truth, atol=0.011):
        return "And the word with the largest counts has no surprise at all."
    if np.isneginf(table).any() or (table < -0.01).any():
        raise NotYet(
            "PPMI has no negative values: where PMI is below 0, or the count is 0, it "
            "is 0."
        )
    shares = COUNTS / COUNTS.sum()
    mistakes = {
        "These are natural logarithms; take the logarithm to base 2.": truth
        * np.log(2),
        "These are the ratios. PMI is their logarithm to base 2.": COUNTS
        / _expected(COUNTS),
        "These are the expected counts. Divide the counted ones by them, and take "
        "the logarithm.": _expected(COUNTS),
        "These are the probabilities of the pairs. Compare each with what chance "
        "would give.": shares,
        "The rows and columns are exchanged.": truth.T,
    }
    name_mistake(table, mistakes, atol=0.011)
    i, j = np.argwhere(~np.isclose(table, truth, atol=0.011))[0]
    raise NotYet(
        f"The cell in row {i + 1}, column {j + 1} is not right yet. Its expected count "
        "is its row's sum times its column's sum, divided by the total."
    )


def _expected(counts):
    return counts.sum(1, keepdims=True) * counts.sum(0, keepdims=True) / counts.sum()


def check_2(answer):
    """A function: (a, b, c, words, vectors) -> the word with the best product."""
    a_function(answer, "multiply")
    cases = list(_cases())
    got = [_one_word(answer(*case), case) for case in cases]
    if got == [_multiply(*case) for case in cases]:
        return "Three cosines, none of which can drown the others."
    for message, change in MISTAKES.items():
        if got == [_multiply(*case, **change) for case in cases]:
            raise NotYet(message)
    if any(word in case[:3] for word, case in zip(got, cases, strict=True)):
        raise NotYet("One of a, b and c came out as the answer; leave all three out.")
    hits = sum(word == _multiply(*case) for word, case in zip(got, cases, strict=True))
    raise NotYet(
        f"{hits} of {len(cases)} answers are right. The score is "
        "s(d, b) * s(d, c) / (s(d, a) + 0.001) with s = (cosine + 1) / 2."
    )


def _cases():
    """Questions on random vectors of very different lengths, some of them alike."""
    rng = np.random.default_rng(1)
    for n, size in ((40, 4), (60, 3), (30, 6)):
        words = [f"w{i}" for i in range(n)]
        scale = rng.uniform(0.2, 5, size=(n, 1))
        vectors = rng.normal(size=(n, size)) * scale
        for _ in range(8):
            a, b, c = rng.choice(words, 3, replace=False).tolist()
            yield a, b, c, words, vectors


def _multiply(a, b, c, words, vectors, **change):
    given = [words.index(word) for word in (a, b, c)]
    scaled = vectors if change.get("lengths") else unit(vectors)
    cosines = scaled[given] @ scaled.T
    to_a, to_b, to_c = cosines if change.get("unshifted") else (cosines + 1) / 2
    if change.get("swapped"):
        to_a, to_c = to_c, to_a
    if change.get("other way"):
        to_a, to_b = to_b, to_a
    score = to_b * to_c / (to_a + 0.001)
    if change.get("added"):
        score = to_b - to_a + to_c
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
    "This is the sum b - a + c, not the product.": {"added": True},
    "a and c are exchanged: the question is a : b = c : ?.": {"swapped": True},
    "a and b are exchanged: d should be near b and c, and far from a.": {
        "other way": True
    },
}


def _one_word(result, case):
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
    if misled_said != misled:
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
    split = [sentence.lower().split() for sentence in sentences]
    if split[0] == split[1]:
        raise NotYet("Write two different sentences, one for each sense.")
    for which, found in zip(("first", "second"), split, strict=True):
        if word not in found or len(found) < 5:
            raise NotYet(
                f"The {which} sentence needs five words or more, {word!r} among them, "
                "with spaces around it."
            )
        if set(synonyms) & set(found):
            raise NotYet(
                f"The {which} sentence holds one of the synonyms. The other words "
                "should show the sense."
            )


def _check_cosines(cosines, truth, rows):
    cosines = a_list(cosines, "cosines", each=a_number)
    if np.allclose(cosines, truth, atol=0.006):
        return
    exchanged = "The two cosines are exchanged: the first synonym's comes first."
    name_mistake(cosines, {exchanged: truth[::-1]}, atol=0.006)
    products = "These are products of the vectors, not cosines: scale them to length 1."
    name_mistake(cosines, {products: [rows[0] @ row for row in rows[1:]]}, rtol=0.01)
    raise NotYet(
        "These are not the cosines in the model's input table. Take the rows of "
        "bert_vectors, before any layer has read a sentence."
    )
