"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np


def wrong_1(names):
    def counts(lengths, batches):
        inside = [[lengths[place] for place in places] for places in batches]
        return inside, [len(part) * max(part) for part in inside]

    def mean_of_shares(lengths, batches):
        inside, computed = counts(lengths, batches)
        return np.mean([1 - sum(p) / c for p, c in zip(inside, computed, strict=True)])

    def filled(lengths, batches):
        inside, computed = counts(lengths, batches)
        return sum(map(sum, inside)) / sum(computed)

    def per_piece(lengths, batches):
        return 1 / filled(lengths, batches) - 1

    def longest_of_all(lengths, batches):
        return 1 - sum(lengths) / (len(lengths) * max(lengths))

    def number(lengths, batches):
        inside, computed = counts(lengths, batches)
        return sum(computed) - sum(map(sum, inside))

    yield mean_of_shares, "mean of the shares"
    yield filled, "share of real pieces"
    yield per_piece, "padding per real piece"
    yield longest_of_all, "longest of all"
    yield number, "divide it by all places"
    yield lambda *given: 100 - 100 * filled(*given), "per cent"
    yield lambda *given: [0.5, 0.5], "one number"

    def as_they_come(lengths, batches):
        ends = np.cumsum([len(places) for places in batches])
        parts = np.split(np.array(lengths), ends[:-1])
        return 1 - sum(lengths) / sum(len(part) * part.max() for part in parts)

    def to_the_first(lengths, batches):
        inside, _ = counts(lengths, batches)
        return 1 - sum(map(sum, inside)) / sum(len(p) * p[0] for p in inside)

    def squared(lengths, batches):
        inside, _ = counts(lengths, batches)
        computed = sum(len(part) * max(part) ** 2 for part in inside)
        return 1 - sum(n * n for part in inside for n in part) / computed

    def of_places(lengths, batches):
        return 1 - sum(map(sum, batches)) / sum(len(b) * max(b) for b in batches)

    def whole(lengths, batches):
        return round(1 - filled(lengths, batches), 1)

    def mean_by_text(lengths, batches):
        inside, _ = counts(lengths, batches)
        return np.mean([1 - n / max(part) for part in inside for n in part])

    def without_special(lengths, batches):
        return 1 - filled([length - 2 for length in lengths], batches)

    def single_left_out(lengths, batches):
        return 1 - filled(lengths, [places for places in batches if len(places) > 1])

    yield mean_by_text, "Expected padding over all places"
    yield without_special, "Expected padding over all places"
    yield single_left_out, "Expected padding over all places"
    yield as_they_come, "as they come"
    yield to_the_first, "first text of each batch"
    yield lambda lengths, batches: 1 - filled(lengths, batches[:-1]), "last batch"
    yield lambda lengths, batches: 1 - filled(lengths, batches[:1]), "Expected"
    yield squared, "Expected padding over all places"
    yield of_places, "Expected padding over all places"
    yield whole, "three decimals"
    yield lambda *given: 0.0, "Expected padding over all places"


def runner(longest_first=True, back="own place", sort=True, every=1):
    """run_sorted, with the mistakes that the arguments make."""

    def run_sorted(function, rows, size):
        lengths = np.array([len(row) for row in rows])
        order = np.argsort(-lengths if longest_first else lengths, kind="stable")
        if not sort:
            order = np.arange(len(rows))
        size = max(1, size * every)
        parts = [
            function([rows[place] for place in order[i : i + size]])
            for i in range(0, len(order), size)
        ]
        stacked = np.concatenate(parts)
        if back == "twice":
            return stacked[order]
        return stacked if back == "never" else stacked[np.argsort(order)]

    return run_sorted


def wrong_2(names):
    def one_by_one(function, rows, size):
        return np.concatenate([function([row]) for row in rows])

    def sorted_inside(function, rows, size):
        parts = [
            runner()(function, rows[i : i + size], size)
            for i in range(0, len(rows), size)
        ]
        return np.concatenate(parts)

    def loses_the_rest(function, rows, size):
        whole = len(rows) // size * size or len(rows)
        return runner()(function, rows[:whole], size)

    yield runner(back="never"), "order of their lengths"
    yield runner(back="twice"), "applied twice, where its"
    yield runner(longest_first=False), "begin with the longest"
    yield runner(sort=False), "came unsorted"
    yield runner(every=2), "more than size"
    yield one_by_one, "fill the batches"
    yield sorted_inside, "sort all rows first"
    yield loses_the_rest, "smaller batch lost"
    yield lambda function, rows, size: function(rows)[0], "shape"

    def padded_before(function, rows, size):
        longest = max(map(len, rows))
        return runner()(
            function, [row + [0] * (longest - len(row)) for row in rows], size
        )

    def cut(function, rows, size):
        return runner()(function, [row[:8] for row in rows], size)

    def whole_numbers(function, rows, size):
        return runner()(function, rows, size).astype(int)

    def turned(function, rows, size):
        return runner()(function, rows, size)[::-1]

    def tried_first(function, rows, size):
        function(rows[:1])
        return runner()(function, rows, size)

    def equal_lengths(function, rows, size):
        found = [None] * len(rows)
        for length in sorted({len(row) for row in rows}, reverse=True):
            places = [i for i, row in enumerate(rows) if len(row) == length]
            for i in range(0, len(places), size):
                now = places[i : i + size]
                for place, line in zip(
                    now, function([rows[p] for p in now]), strict=True
                ):
                    found[place] = line
        return np.array(found)

    def by_content(function, rows, size):
        order = sorted(range(len(rows)), key=lambda place: rows[place])[::-1]
        parts = [order[i : i + size] for i in range(0, len(order), size)]
        lines = [function([rows[place] for place in part]) for part in parts]
        return np.concatenate(lines)[np.argsort(order)]

    yield padded_before, "not padded or cut"
    yield cut, "not padded or cut"

    def by_sums(function, rows, size):
        order = sorted(range(len(rows)), key=lambda place: -sum(rows[place]))
        parts = [order[i : i + size] for i in range(0, len(order), size)]
        lines = [function([rows[place] for place in part]) for part in parts]
        return np.concatenate(lines)[np.argsort(order)]

    def batches_as_they_come(function, rows, size):
        order = np.argsort([-len(row) for row in rows], kind="stable")
        parts = np.split(order, range(size, len(order), size))
        parts = parts[1:] + parts[:1]
        lines = [function([rows[place] for place in part]) for part in parts]
        return np.concatenate(lines)[np.argsort(np.concatenate(parts))]

    def first_of_like_length(function, rows, size):
        longest = runner()(function, rows, size)
        lengths = [len(row) for row in rows]
        return np.array([longest[lengths.index(length)] for length in lengths])

    yield by_sums, "unlike length"
    yield batches_as_they_come, "longest rows are to come first"
    yield first_of_like_length, "not those that"
    yield whole_numbers, "whole numbers"
    yield turned, "another order"
    yield tried_first, "exactly once"
    yield equal_lengths, "fill the batches"
    yield by_content, "sort all rows first"
    yield lambda function, rows, size: function(rows), "more than size"


def wrong_3(names):
    texts = names["texts"][:16]
    rows = [row[:256] for row in names["bert"].tokenizer(texts)["input_ids"]]
    good = names["in_batches"](rows, names["by_length"](rows))
    order = np.argsort([len(row) for row in rows], kind="stable")
    short = [row[:6] for row in rows]
    cut = names["in_batches"](short, names["by_length"](short))
    times = {"a": [1.0, 1.5, 4.0], "b": [0.5, 0.7, 0.9], "c": [0.4, 0.6, 0.5]}

    def answer(**changes):
        whole = {
            "texts": texts,
            "seconds": times,
            "median": {name: float(np.median(part)) for name, part in times.items()},
            "vectors": dict.fromkeys(times, good),
        }
        return whole | changes

    right = answer()
    yield answer(vectors=right["vectors"] | {"c": good[order]}), "another order"
    yield answer(vectors=right["vectors"] | {"b": cut}), "whole text"
    yield answer(vectors=right["vectors"] | {"b": good[:5]}), "a line for each text"
    means = {name: float(np.mean(part)) for name, part in times.items()}
    yield answer(median=means), "the mean"
    fastest = {name: min(part) for name, part in times.items()}
    yield answer(median=fastest), "fastest round"
    close = {"a": [1.0, 1.0004, 1.0009], "b": [0.5, 0.7, 0.9], "c": [0.4, 0.6, 0.5]}
    near = {name: float(np.mean(part)) for name, part in close.items()}
    yield answer(seconds=close, median=near), "the mean"
    slowest = {name: max(part) for name, part in times.items()}
    yield answer(median=slowest), "is 1.500; yours is 4"
    clock = {name: [1.7e9 + x for x in part] for name, part in times.items()}
    late = {name: float(np.median(part)) for name, part in clock.items()}
    yield answer(seconds=clock, median=late), "readings of the clock"
    first = np.repeat(good[:1], len(good), axis=0)
    yield answer(vectors=right["vectors"] | {"c": first}), "has cosine"
    yield answer(seconds=times | {"a": [1.0]}), "three rounds"
    yield answer(seconds=times | {"a": [1.0, 1.0, 1.0]}), "same time"
    yield answer(texts=[text * 300 for text in texts]), "take fewer"
    yield answer(vectors=right["vectors"] | {"b": good * np.nan}), "vectors holds nan"
    yield answer(texts=["text " * 300_000] * 16), "far too large"
    yield answer(texts=["one text"] * 16), "unequal length"
    two = {key: {n: right[key][n] for n in "ab"} for key in ("seconds", "median")}
    yield answer(**two), "a start and two changes"
    yield answer(median={"a": 1.0}), "same ways"
    sums = good * np.array([[len(row)] for row in rows])
    yield answer(vectors=right["vectors"] | {"c": sums}), "Is it a sum"
    ones = good / np.linalg.norm(good, axis=1, keepdims=True)
    yield answer(vectors=right["vectors"] | {"c": ones}), "lengths are not"
    yield answer(vectors=right["vectors"] | {"c": good[::-1]}), "another order"
    yield answer(vectors=right["vectors"] | {"c": -good}), "cosine -1"
    yield answer(seconds=times | {"a": [-1.0, 1.5, 4.0]}), "positive"
    totals = {name: sum(part) for name, part in times.items()}
    yield answer(median=totals), "is 1.500; yours is 6.5"
    yield answer(texts=texts[:15]), "at least 16"
    yield answer(seconds=[1.0, 2.0, 3.0]), "by the name of the way"
    yield [1.0, 0.5], "dict with the keys"
