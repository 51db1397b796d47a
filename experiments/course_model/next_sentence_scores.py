"""How well the next-sentence head tells what follows, and from which rivals.

Its pairs are drawn from books that training held out: see `scores.report`.
"""

import numpy as np
import torch
from scipy.stats import t
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from experiments.course_model.encoded_files import encode_files, split_files
from helpers.corpus.masking import collate_pairs, sentence_pair
from helpers.embeddings.texts import vectors_of_rows
from helpers.models import embedded_encoder, load_bert
from helpers.senses import unit

PAIRS, BASELINE_PAIRS, BASELINE_FILES = 1000, 4000, 12
EACH, KINDS = 600, ("true", "same_book", "other_book")  # so many pairs of each kind
LONGEST = 125  # pieces of both parts
ROWS = 16  # of up to 128 pieces, in a batch


def batches(rows):
    return (rows[start : start + ROWS] for start in range(0, len(rows), ROWS))


def require_head(bert, head):
    if head in bert.missing:
        raise ValueError(f"{bert.name} has no such head: {bert.missing[head]}")


def standard_error(share, count):
    """Return the standard error of a share of `count` independent answers."""
    return float((share * (1 - share) / count) ** 0.5)


def score_next(bert, corpus, held_out):
    """Tell whether the second part of 1,000 pairs of unseen text follows the first.

    Half of the pairs are consecutive text, half end in another document. held_out: the
    files in `corpus`, by their paths within, that the model was not trained on. The
    baselines, bag_of_words and mean_vectors, are fitted on other files of the same
    folders: texts of another kind would make them worse.
    """
    require_head(bert, "nsp")
    seen, unseen = split_files(corpus, held_out)
    if not held_out:
        raise ValueError("training held out no file; train on two files or more")
    rng = np.random.default_rng(0)
    test = _draw_pairs(unseen, PAIRS, rng, bert.tokenizer)
    folders = {file.parent for file in unseen}
    seen = [file for file in seen if file.parent in folders] or seen
    drawn = rng.choice(len(seen), min(BASELINE_FILES, len(seen)), replace=False)
    seen = [seen[i] for i in drawn]
    train = _draw_pairs(seen, BASELINE_PAIRS, rng, bert.tokenizer)
    accuracy = float(np.mean((shares(bert, test) > 0.5) == [p[2] for p in test]))
    return {
        "accuracy": accuracy,
        "standard_error": standard_error(accuracy, len(test)),
        "bag_of_words": bag_of_words_baseline(train, test, bert.tokenizer),
        "mean_vectors": mean_vectors_baseline(train[:: len(train) // PAIRS or 1], test),
        "pairs": len(test),
    }


def _draw_pairs(files, count, rng, tokenizer):
    """Draw `count` pairs, the first half of which are made to follow."""
    documents, pairs = encode_files(files, tokenizer), {True: [], False: []}
    while min(map(len, pairs.values())) < count // 2:
        pair = sentence_pair(documents, rng)
        pairs[pair[2]].append(pair)
    return pairs[True][: count // 2] + pairs[False][: count // 2]


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


def score_pairs(bert, corpus, held_out):
    """Judge EACH pairs of a kind: true, of the same book, and of another book.

    Of long parts (a row of 128 pieces) and of single sentences; "books" has those of
    each book's long parts, and "interval" the 95 % interval of the mean area over the
    books, as if they were drawn from many.
    """
    require_head(bert, "nsp")
    rng, found = np.random.default_rng(0), {}
    files = split_files(corpus, held_out)[1]
    books = {f.name.split(".")[0]: encode_files([f], bert.tokenizer) for f in files}
    for parts, draw in (("long", sentence_pair), ("single", single_sentences)):
        rows = list(drawn(books, draw, rng))
        given = shares(bert, [pair for _, _, pair in rows])
        found[parts] = judged(rows, given)
        if parts == "long":
            of, kinds = (np.array([row[i] for row in rows]) for i in (0, 1))
            found["books"] = {
                name: right_by_kind(kinds[of == name], given[of == name])
                | {"area": area(kinds[of == name], given[of == name])}
                for name in books
            }
    areas = [book["area"] for book in found["books"].values()]
    reach = t.ppf(0.975, len(areas) - 1) * np.std(areas, ddof=1) / len(areas) ** 0.5
    return found | {"interval": [np.mean(areas) - reach, np.mean(areas) + reach]}


def drawn(books, draw, rng):
    """Yield EACH rows (book, kind, pair) of each kind."""
    left = dict.fromkeys(KINDS, EACH)
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


def judged(rows, given):
    """Return shares judged rightly at 0.5, by kind, and the `area`.

    Then the threshold that tells true pairs best from those of the same book in every
    other pair, and "chosen", the shares judged rightly at it among the rest.
    """
    kinds = np.array([kind for _, kind, _ in rows])
    found = right_by_kind(kinds, given) | {"area": area(kinds, given)}
    learn = np.arange(len(kinds)) % 2 == 0
    near = learn & (kinds != "other_book")
    false, true, at = roc_curve(kinds[near] == "true", given[near])
    best = float(at[np.argmax(true - false)])
    chosen = right_by_kind(kinds[~learn], given[~learn], best)
    return found | {"threshold": best, "chosen": chosen}


def right_by_kind(kinds, given, threshold=0.5):
    right = (given >= threshold) == (kinds == "true")
    return {kind: float(np.mean(right[kinds == kind])) for kind in KINDS}


def area(kinds, given):
    """The area under the ROC curve of true pairs against those of the same book."""
    near = kinds != "other_book"
    return float(roc_auc_score(kinds[near] == "true", given[near]))


def bag_of_words_baseline(train, test, tokenizer):
    """Return the accuracy on `test` of a logistic regression fitted on `train`.

    Of a pair it sees six features: the words in each part, the words that both hold,
    their share of the second part's words and of all, and the cosine of the two parts'
    tf-idf vectors (weights from `train`).
    """

    def texts(pairs, part):
        return tokenizer.batch_decode([pair[part] for pair in pairs])

    def features(pairs):
        first, second = texts(pairs, 0), texts(pairs, 1)
        vectors = weigh.transform(first), weigh.transform(second)
        cosine = np.asarray(vectors[0].multiply(vectors[1]).sum(axis=1)).ravel()
        sets = [
            (set(a.split()), set(b.split())) for a, b in zip(first, second, strict=True)
        ]
        counts = np.array([(len(a), len(b), len(a & b)) for a, b in sets])
        one, two, both = counts.T
        return np.column_stack([counts, both / two, both / (one + two - both), cosine])

    weigh = TfidfVectorizer(sublinear_tf=True).fit(texts(train, 0) + texts(train, 1))
    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    return _accuracy(classifier, features, train, test)


def mean_vectors_baseline(train, test):
    """The same of one feature, the cosine of the bare encoder's mean vectors."""
    bare = load_bert(str(embedded_encoder()))

    def cosines(pairs):
        rows = ([pair[part].tolist() for pair in pairs] for part in (0, 1))
        first, second = (unit(vectors_of_rows(bare, part)) for part in rows)
        return (first * second).sum(axis=1, keepdims=True)

    return _accuracy(LogisticRegression(max_iter=1000), cosines, train, test)


def _accuracy(classifier, features, train, test):
    classifier.fit(features(train), [pair[2] for pair in train])
    return float(classifier.score(features(test), [pair[2] for pair in test]))
