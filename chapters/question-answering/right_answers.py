"""Right answers of the chapter by other ways than the solutions."""

import re
import string
from collections import Counter

import numpy as np
import torch


def right_1(names):
    def with_a_triangle(start, end, longest):
        sums = np.add.outer(start, end)
        allowed = np.triu(np.ones_like(sums)) - np.triu(np.ones_like(sums), longest)
        return np.unravel_index(np.where(allowed, sums, -np.inf).argmax(), sums.shape)

    def end_by_end(start, end, longest):
        """The best start of a window that ends here, from the left to the right."""
        best, place = -np.inf, None
        for last in range(len(end)):
            low = max(0, last - longest + 1)
            first = low + int(np.argmax(start[low : last + 1]))
            if start[first] + end[last] > best:
                best, place = start[first] + end[last], (first, last)
        return place

    def with_torch(start, end, longest):
        sums = torch.as_tensor(start)[:, None] + torch.as_tensor(end)
        mask = torch.ones_like(sums).triu() * torch.ones_like(sums).tril(longest - 1)
        place = sums.masked_fill(mask == 0, -torch.inf).argmax()
        return torch.stack([place // len(end), place % len(end)])

    yield with_a_triangle
    yield end_by_end
    yield with_torch


def right_2(names):
    marks = str.maketrans("", "", string.punctuation)

    def words(text):
        return re.sub(r"\b(?:a|an|the)\b", " ", text.lower().translate(marks)).split()

    def by_precision_and_recall(said, golds):
        best = [(0.0, 0.0)]
        said = words(said)
        for gold in map(words, golds or [""]):
            if not said or not gold:
                best.append((float(said == gold), float(said == gold)))
            elif common := sum(min(said.count(w), gold.count(w)) for w in set(gold)):
                p, r = common / len(said), common / len(gold)
                best.append((float(said == gold), 2 * p * r / (p + r)))
        return tuple(max(column) for column in zip(*best, strict=True))

    def by_difference(said, golds):
        """All words less those that differ."""
        exact, f1 = [0], [0]
        for gold in golds or [""]:
            ours, theirs = Counter(words(said)), Counter(words(gold))
            both = ours.total() + theirs.total()
            apart = (ours - theirs).total() + (theirs - ours).total()
            exact.append(int(words(said) == words(gold)))
            f1.append(1 - apart / both if both else 1)
        return [max(exact), max(f1)]

    def in_two_kinds(said, golds):
        """A truth value beside a number that was printed."""
        exact, f1 = by_difference(said, golds)
        return exact == 1, f"{f1:.3f}"

    yield by_precision_and_recall
    yield by_difference
    yield in_two_kinds


def right_3(names):
    def in_a_table(lead, right, there, half):
        """Every threshold at once: a row for each."""
        half = np.asarray(half, bool)
        tried = np.unique(lead[half])
        good = np.where(lead > tried[:, None], right, np.logical_not(there))
        best = good[:, half].mean(axis=1).argmax()
        return tried[best], good[best, ~half].mean()

    def one_by_one(lead, right, there, half):
        best, most = None, -1
        for threshold in sorted(x for x, h in zip(lead, half, strict=True) if h):
            dealt = [
                bool(r) if x > threshold else not t
                for x, r, t, h in zip(lead, right, there, half, strict=True)
                if h
            ]
            if sum(dealt) > most:
                best, most = threshold, sum(dealt)
        other = [
            bool(r) if x > best else not t
            for x, r, t, h in zip(lead, right, there, half, strict=True)
            if not h
        ]
        return {"threshold": best, "share": sum(other) / len(other)}.values()

    yield in_a_table
    yield lambda *given: list(one_by_one(*given))
