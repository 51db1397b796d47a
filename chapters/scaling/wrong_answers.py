"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    right = mistakes_of("scaling.1").right
    said = "Expected padding over all places"

    def mean_by_text(lengths, batches):
        inside = [[lengths[place] for place in places] for places in batches]
        return np.mean([1 - n / max(part) for part in inside for n in part])

    yield mean_by_text, said
    yield lambda lengths, batches: right([n - 2 for n in lengths], batches), said
    yield lambda *given: 0.0, said
    yield lambda *given: min(0.5, right(*given)), said
    yield lambda lengths, batches: max(right(lengths, [b]) for b in batches), said
    yield lambda *given: [0.5, 0.5], "one number"


def run(function, parts):
    """The results of batches, each back at the places of its rows."""
    places = np.argsort(np.concatenate(parts))
    return np.concatenate(list(map(function, parts)))[places]


def runner(key=lambda row: -len(row), turn=lambda parts: parts):
    """run_sorted, with the mistakes that the arguments make."""

    def run_sorted(function, rows, size):
        order = sorted(range(len(rows)), key=lambda place: key(rows[place]))
        parts = [order[i : i + size] for i in range(0, len(order), size)]
        return run(lambda part: function([rows[i] for i in part]), turn(parts))

    return run_sorted


def wrong_2(names):
    right = mistakes_of("scaling.2").right

    def sorted_inside(function, rows, size):
        starts = range(0, len(rows), size)
        return np.concatenate(
            [right(function, rows[i : i + size], size) for i in starts]
        )

    def loses_the_rest(function, rows, size):
        return right(function, rows[: len(rows) // size * size or len(rows)], size)

    def tried_first(function, rows, size):
        function(rows[:1])
        return right(function, rows, size)

    def equal_lengths(function, rows, size):
        lengths = np.array([len(row) for row in rows])
        parts = [np.flatnonzero(lengths == n) for n in sorted(set(lengths))[::-1]]
        return run(lambda part: right(function, [rows[i] for i in part], size), parts)

    def padded_before(function, rows, size):
        longest = max(map(len, rows))
        return right(function, [row + [0] * (longest - len(row)) for row in rows], size)

    def never_put_back(function, rows, size):
        return right(function, sorted(rows, key=len, reverse=True), size)

    def first_of_like_length(function, rows, size):
        lines, lengths = right(function, rows, size), [len(row) for row in rows]
        return lines[[lengths.index(length) for length in lengths]]

    def found_by_its_numbers(function, rows, size):
        lines, results = right(function, rows, size), np.zeros((len(rows), 3))
        for row, line in zip(rows, lines, strict=True):
            results[rows.index(row)] = line
        return results

    def given_a_generator(function, rows, size):
        return runner()(lambda part: function(row for row in part), rows, size)

    yield found_by_its_numbers, "not those that"
    yield given_a_generator, "gave it a generator"
    yield never_put_back, "order of their lengths"
    yield lambda *given: right(*given)[::-1], "another order"
    yield first_of_like_length, "not those that"
    yield runner(key=len), "begin with the longest"
    yield runner(key=lambda row: 0), "came unsorted"
    yield runner(key=lambda row: -sum(row)), "unlike length"
    yield runner(key=lambda row: -row[0]), "sort all rows first"
    yield sorted_inside, "sort all rows first"
    yield runner(turn=lambda parts: parts[1:] + parts[:1]), "longest rows are to come"
    yield lambda function, rows, size: function(rows), "more than size"
    yield lambda function, rows, size: right(function, rows, 1), "fill the batches"
    yield equal_lengths, "fill the batches"
    yield tried_first, "exactly once"
    yield padded_before, "not padded or cut"
    yield lambda f, rows, size: right(f, [row[:8] for row in rows], size), "or cut"
    yield loses_the_rest, "smaller batch lost"
    yield lambda function, rows, size: function(rows)[0], "shape"


def wrong_3(names):
    table = mistakes_of("scaling.3")
    right = table.answer(table.right)
    texts, good = right["texts"], right["vectors"]["half"]
    rows = [row[:6] for row in names["bert"].tokenizer(texts)["input_ids"]]
    lengths = np.linalg.norm(good, axis=1, keepdims=True)

    def answer(key, **changes):
        return right | {key: right[key] | changes}

    def medians(median, seconds=right["seconds"]):
        found = {name: float(median(times)) for name, times in seconds.items()}
        return right | {"seconds": seconds, "median": found}

    for vectors, said in (
        (good[::-1], "another order"),
        (names["in_batches"](rows, names["by_length"](rows)), "whole text"),
        (np.repeat(good[:1], len(good), axis=0), "has cosine"),
        (-good, "cosine -1"),
        (good * np.arange(2, 2 + len(good))[:, None], "Is it a sum"),
        (good / lengths, "lengths are not"),
        (good * 0, "vector of zeros"),
        (good * np.nan, "vectors holds nan"),
        (good[:5], "a line for each text"),
    ):
        yield answer("vectors", half=vectors), said
    yield medians(max), "loop: the median of your seconds is 1.500; yours is 4"
    close = right["seconds"] | {"half": [1.0, 1.0004, 1.0009]}
    near = medians(np.median, close)
    near["median"]["half"] = float(np.mean(close["half"]))
    yield near, "half: this is the mean, which"
    clock = {name: [1.7e9 + x for x in part] for name, part in right["seconds"].items()}
    yield medians(np.median, clock), "readings of the clock"
    yield answer("seconds", loop=[1.0]), "three rounds"
    yield answer("seconds", loop=[1.0, 1.0, 1.0]), "same time"
    yield answer("seconds", loop=[-1.0, 1.5, 4.0]), "positive"
    yield right | {"seconds": [1.0, 2.0, 3.0]}, "by the name of the way"
    yield right | {"median": {"loop": 1.0}}, "same ways"
    two = {k: {n: right[k][n] for n in ("loop", "half")} for k in ("seconds", "median")}
    yield right | two, "a start and two changes"
    yield right | {"texts": [text * 900 for text in texts]}, "take fewer"
    yield right | {"texts": ["text " * 300_000] * 16}, "far too large"
    yield right | {"texts": ["one text"] * 16}, "unequal length"
    yield right | {"texts": texts[:15]}, "at least 16"
