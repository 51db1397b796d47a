"""How well the next-sentence head tells what follows, and from which rivals.

Its pairs are drawn from books that training held out: see `scores.report`.
"""

import numpy as np
import torch
from scipy.stats import t
from sklearn.metrics import roc_auc_score, roc_curve

from experiments.course_model.encoded_files import encode_files, split_as_before
from helpers.corpus.masking import collate_pairs, sentence_pair

EACH = 600  # pairs of each kind
LONGEST = 125  # pieces of both parts
ROWS = 16  # of up to 128 pieces, in a batch


def batches(rows):
    return (rows[start : start + ROWS] for start in range(0, len(rows), ROWS))


def require_head(bert, head):
    if head in bert.missing:
        raise ValueError(f"{bert.name} has no such head: {bert.missing[head]}")


@torch.inference_mode()
def shares(bert, pairs):
    """Return the probability that each pair is consecutive, by the head: (pairs,)."""
    answers = []
    for batch in batches(pairs):
        inputs = collate_pairs(batch, bert.tokenizer)
        del inputs["next_sentence_label"]
        inputs = {name: tensor.to(bert.device) for name, tensor in inputs.items()}
        answers += bert.nsp(**inputs).logits.float().softmax(-1)[:, 0].tolist()
    return np.array(answers)


def score_pairs(bert, corpus, held_out, seed=0):
    """Judge EACH pairs of a kind: true, of the same book, and of another book.

    Returns for long parts (a row of 128 pieces) and for single sentences what `judged`
    returns; "books" has the same of each book's long parts, and "interval" the 95 %
    interval of the mean area over the books, as if they were drawn from many.
    """
    require_head(bert, "nsp")
    rng = np.random.default_rng(seed)
    files = split_as_before(corpus, held_out)[1]
    books = {f.name.split(".")[0]: encode_files([f], bert.tokenizer) for f in files}
    found = {}
    for parts, draw in (("long", sentence_pair), ("single", single_sentences)):
        rows = list(drawn(books, draw, rng))
        given = shares(bert, [pair for _, _, pair in rows])
        found[parts] = judged(rows, given)
        if parts == "long":
            found["books"] = {
                name: judged(rows, given, name, whole=False) for name in books
            }
    areas = [book["area"] for book in found["books"].values()]
    reach = t.ppf(0.975, len(areas) - 1) * np.std(areas, ddof=1) / len(areas) ** 0.5
    return found | {"interval": [np.mean(areas) - reach, np.mean(areas) + reach]}


def drawn(books, draw, rng):
    """Yield EACH rows (book, kind, pair) of each kind."""
    left = dict.fromkeys(("true", "same_book", "other_book"), EACH)
    while any(left.values()):
        name = list(books)[rng.integers(len(books))]
        first, second, is_next = draw(books[name], rng)
        kind = "true" if is_next else "same_book"
        if not is_next and rng.random() < 0.5:
            others = [other for other in books if other != name]
            other = others[rng.integers(len(others))]
            kind, second = "other_book", draw(books[other], rng)[1]
        if left[kind]:
            left[kind] -= 1
            yield name, kind, (first, second[: LONGEST - len(first)], is_next)


def single_sentences(documents, rng):
    """Draw a sentence, and the next one or one of another document."""
    while True:
        two = rng.choice(len(documents), 2, replace=False)
        one, other = (documents[i] for i in two)
        if len(one) > 1:
            place, is_next = rng.integers(len(one) - 1), rng.random() < 0.5
            second = one[place + 1] if is_next else other[rng.integers(len(other))]
            if len(one[place]) + len(second) <= LONGEST:
                return one[place], second, is_next


def judged(rows, given, book=None, whole=True):
    """Return shares judged rightly at 0.5, by kind, and the area under the ROC curve.

    The area is that of true pairs against those of the same book. whole: with the
    threshold that tells these two best apart in every other pair, and "chosen", the
    shares judged rightly at it among the rest.
    """
    own = np.array([book in (None, name) for name, *_ in rows])
    kinds = np.array([kind for _, kind, _ in rows])[own]
    given = given[own]

    def right_at(threshold, of=slice(None)):
        named, judged_true = kinds[of], given[of] >= threshold
        return {
            kind: float(np.mean(judged_true[named == kind] == (kind == "true")))
            for kind in ("true", "same_book", "other_book")
        }

    near = kinds != "other_book"
    area = roc_auc_score(kinds[near] == "true", given[near])
    found = right_at(0.5) | {"area": float(area)}
    if whole:
        learn = np.arange(len(kinds)) % 2 == 0
        false, true, at = roc_curve(kinds[near & learn] == "true", given[near & learn])
        best = float(at[np.argmax(true - false)])
        found |= {"threshold": best, "chosen": right_at(best, ~learn)}
    return found
