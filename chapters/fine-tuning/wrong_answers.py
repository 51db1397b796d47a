"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import train_test_split


def wrong_1(names):
    def four(matrix):
        (kept, lost), (let_in, found) = matrix
        precision, recall = found / (found + lost or 1), found / (found + let_in)
        f1 = 2 * precision * recall / (precision + recall or 1)
        return (kept + found) / matrix.sum(), precision, recall, f1

    def f1_of_ham(matrix):
        return four(matrix[::-1, ::-1])

    def transposed(matrix):
        return four(matrix.T)

    def arithmetic(matrix):
        accuracy, precision, recall, _ = four(matrix)
        return accuracy, precision, recall, (precision + recall) / 2

    yield f1_of_ham, "of ham"
    yield transposed, "exchanged"
    yield arithmetic, "harmonic"
    yield lambda matrix: (matrix[1, 1] / matrix.sum(), 0, 0, 0), "diagonal"
    yield lambda matrix: four(matrix)[:3], "four numbers"
    yield lambda matrix: [0.9 if m == 0.9 else m for m in naive(matrix)], "count as 0"
    yield lambda matrix: four(matrix.tolist()), "AttributeError"

    def mixed(way):
        return lambda matrix: way(*four(matrix))

    def over_both(matrix):
        other = four(matrix[::-1, ::-1])
        return four(matrix)[0], *np.add(four(matrix), other)[1:] / 2

    def all_zero(matrix):
        return four(matrix) if matrix[:, 1].any() else (0, 0, 0, 0)

    def one_added(matrix):
        accuracy, _, _, f1 = four(matrix)
        found = matrix[1, 1]
        return accuracy, found / (found + matrix[0, 1] + 1), found / sum(matrix[1]), f1

    yield mixed(lambda a, p, r, f: (a, r, p, f)), "exchanged"
    yield mixed(lambda a, p, r, f: (a, p, r, f / 2)), "half of it"
    yield mixed(lambda a, p, r, f: (a, p, r, p * r)), "precision times recall"
    yield mixed(lambda a, p, r, f: (a, p, r, (p * r) ** 0.5)), "geometric"
    yield mixed(lambda a, p, r, f: (a, p, r, f / (2 - f))), "counts it once"
    yield mixed(lambda a, p, r, f: (1 - a, p, r, f)), "that of the mistakes"
    yield mixed(lambda a, p, r, f: (100 * a, 100 * p, 100 * r, 100 * f)), "per cent"
    yield mixed(lambda a, p, r, f: (f, a, p, r)), "F1 stands first"
    yield mixed(lambda a, p, r, f: np.round((a, p, r, f), 1)), "three decimals"
    yield mixed(lambda a, p, r, f: (a, p, r, a)), "All but F1 is right"
    yield lambda matrix: four(matrix[::-1]), "diagonal"
    yield over_both, "means over ham and spam"
    yield one_added, "are not"
    yield all_zero, "still the share of right answers"
    yield lambda matrix: naive(matrix), "count as 0"


def naive(matrix):
    """Right, but for 0 / 0, which gives nan."""
    with np.errstate(invalid="ignore"):
        precision = matrix[1, 1] / matrix[:, 1].sum()
        recall = matrix[1, 1] / matrix[1].sum()
        f1 = 2 * precision * recall / (precision + recall)
    return np.trace(matrix) / matrix.sum(), precision, recall, f1


def wrong_2(names):
    def alone(learn, known, labels, texts):
        return np.array([learn(known, labels, [text])[0] for text in texts])

    def gaps(*given):
        return given[0](*given[1:]) - alone(*given)

    def differ(choose):
        """Looks at some of the texts only."""
        return lambda *given: bool(choose(abs(gaps(*given)) > 1e-3))

    def other_order(learn, known, labels, texts):
        there = learn(known, labels, texts)
        back = learn(known, labels, texts[::-1])[::-1]
        return not np.allclose(there, back, atol=1e-3)

    def with_a_stranger(before, after):
        def peeks(learn, known, labels, texts):
            more = learn(known, labels, before + texts + after)
            more = more[len(before) : len(before) + len(texts)]
            return not np.allclose(learn(known, labels, texts), more, atol=1e-3)

        return peeks

    def by_answers(learn, known, labels, texts):
        together = learn(known, labels, texts) > 0.5
        return bool((together != (alone(learn, known, labels, texts) > 0.5)).any())

    def learned_again(learn, known, labels, texts):
        there = learn(known, labels, texts)
        again = learn(known + texts, labels + [0] * len(texts), texts)
        return not np.allclose(there, again, atol=1e-3)

    def one_of_the_names(learn, known, labels, texts):
        return "honest" not in getattr(learn, "__name__", "")

    yield lambda *given: True, "True for every learner"
    yield lambda *given: False, "False for every learner"
    yield lambda *given: not differ(np.any)(*given), "exchanged"
    yield differ(lambda far: far[0]), "False for a learner"
    yield differ(lambda far: far[-1]), "first test text only"
    yield differ(lambda far: far[:3].any()), "last test text only"
    yield differ(lambda far: far[1:].any()), "first test text only"
    yield differ(lambda far: far[:-1].any()), "last test text only"
    yield differ(np.all), "False for a learner"
    yield other_order, "fitted on all texts"
    yield with_a_stranger([], ["zzz"]), "False for a learner"
    yield with_a_stranger(["zzz"], []), "False for a learner"
    yield by_answers, "False for a learner"
    yield lambda *given: bool((gaps(*given) != 0).any()), "that is rounding"
    yield lambda *given: bool((abs(gaps(*given)) > 0.1).any()), "False for a learner"
    yield lambda *given: bool((gaps(*given) > 1e-3).any()), "first test text only"
    yield lambda *given: bool((gaps(*given) < -1e-3).any()), "one test text only"
    yield lambda *given: bool(abs(gaps(*given).sum()) > 1e-3), "False for a learner"
    yield learned_again, "for every learner"
    yield one_of_the_names, "that is rounding"
    yield lambda *given: abs(gaps(*given)) > 1e-3, "one True or False"
    yield lambda *given: abs(gaps(*given)).max(), "one True or False"
    yield lambda *given: "yes", "True or False"
    yield lambda learn, known, labels, texts: learn(texts), "TypeError"


def wrong_3(names):
    messages, distinct = names["messages"], names["distinct"]
    yield curve(messages, messages), "drop the repeats"
    yield curve(distinct, distinct, aside=False), "rows of the test part"
    right = curve(distinct, distinct)
    yield curve(distinct, distinct, seeds=(0, 1)), "three seeds"
    yield curve(distinct, distinct, sizes=(8, 32)), "three or more sizes"
    many = {n: parts * 100 for n, parts in right["train"].items()}
    yield right | {"train": many}, "lists in all"
    yield right | {"mean": dict.fromkeys(right["mean"], np.nan)}, "mean holds nan"
    yield curve(distinct, distinct, seeds=(0, 0, 0)), "drew the same rows"
    yield curve(distinct, distinct, score=f1_of_ham), "F1 of ham"
    yield curve(distinct, distinct, score=accuracy_score), "mean accuracy"
    yield right | {"spread": dict.fromkeys(right["spread"], 0.5)}, "standard deviation"
    yield right | {"mean": right["spread"], "spread": right["mean"]}, "exchanged"
    yield curve(distinct, distinct, score=macro_f1), "macro-F1"
    yield curve(distinct, distinct, score=lambda *x: 100 * f1_score(*x)), "per cent"
    for spread, said in (
        (lambda found: np.std(found, ddof=1), "n - 1"),
        (np.var, "the variance"),
        (np.ptp, "highest less the lowest"),
        (lambda found: np.std(found) / len(found) ** 0.5, "standard error"),
        (lambda found: np.std(found).round(1), "three decimals"),
    ):
        yield curve(distinct, distinct, spread=spread), said
    for mean, said in (
        (np.median, "mean[16] is"),
        (np.max, "mean[16] is"),
        (lambda found: found[0], "mean[16] is"),
        (lambda found: np.mean(found).round(1), "three decimals"),
    ):
        yield curve(distinct, distinct, mean=mean), said
    truth = messages.label[right["test"]].tolist()
    for given, said in ((truth, "true labels"), ([0] * 150, "learned nothing")):
        same = {n: [given] * 3 for n in right["predicted"]}
        of_all = dict.fromkeys(same, float(said == "true labels"))
        none = dict.fromkeys(same, 0.0)
        yield right | {"predicted": same, "mean": of_all, "spread": none}, said
    twice = {n: [[*p[1:], p[1]] for p in ps] for n, ps in right["train"].items()}
    yield right | {"train": twice}, "holds a row twice"
    yield (
        right | {"train": {str(n): p for n, p in right["train"].items()}},
        "a number n",
    )
    yield right | {"test": right["test"][:99]}, "take 100 or more"
    flat = {n: parts[0] for n, parts in right["train"].items()}
    yield right | {"train": flat}, "train[16][0] must be a list; this is "
    by_seed = {n: dict(enumerate(parts)) for n, parts in right["train"].items()}
    yield right | {"train": by_seed}, "train[16] must be a list; this is a dict"
    held = messages.index.isin(right["test"])
    yield right | {"test": held}, "yours is True or False"
    yield right | {"test": [10**6, *right["test"][1:]]}, "no row labels"
    turned = {
        n: [[1 - x for x in p] for p in ps] for n, ps in right["predicted"].items()
    }
    yield right | {"predicted": turned}, "0 and 1 exchanged"
    shares = {
        n: [[x / 2 for x in p] for p in ps] for n, ps in right["predicted"].items()
    }
    yield right | {"predicted": shares}, "other than 0"
    shifted = {n: [p[1:] + p[:1] for p in ps] for n, ps in right["predicted"].items()}
    yield right | {"predicted": shifted}, "order of the test rows"
    yield [0.8, 0.9], "dict with the keys"


def f1_of_ham(labels, predicted):
    return f1_score(labels, predicted, pos_label=0)


def macro_f1(labels, predicted):
    return f1_score(labels, predicted, average="macro")


def curve(
    pool,
    whole,
    aside=True,
    seeds=(0, 1, 2),
    sizes=(16, 40, 90),
    score=f1_score,
    mean=np.mean,
    spread=np.std,
):
    """A learning curve of TF-IDF, with the mistakes that the arguments make."""
    rest, test = train_test_split(
        whole, test_size=150, random_state=1, stratify=whole.label
    )
    pool = rest if aside else pool
    result = {"test": test.index.tolist(), "train": {}, "predicted": {}}
    result |= {"mean": {}, "spread": {}}
    for n in sizes:
        draws = [
            train_test_split(
                pool, train_size=n, random_state=seed, stratify=pool.label
            )[0]
            for seed in seeds
        ]
        given = []
        for rows in draws:
            words = TfidfVectorizer().fit(rows.text)
            model = LogisticRegression(C=100, max_iter=2000)
            model.fit(words.transform(rows.text), rows.label)
            given.append(model.predict(words.transform(test.text)).tolist())
        found = [score(test.label, part) for part in given]
        result["train"][n] = [rows.index.tolist() for rows in draws]
        result["predicted"][n] = given
        result["mean"][n], result["spread"][n] = mean(found), spread(found)
    return result
