"""Right answers of the chapter by other ways than the solutions."""

from helpers.attention import heads_off


def right_1(names):
    bert, measure = names["bert"], names["word_log_probability"]
    sentence, word, head = "they put the [MASK] into the box .", "book", (1, 0)
    heads = [(i, j) for i in range(bert.n_layers) for j in range(bert.n_heads)]
    others = [other for other in heads if other != head][-10:]

    def change(other):
        intact = measure(sentence, word)
        with heads_off(bert, [other]):
            return measure(sentence, word) - intact

    changes = sorted((change(other), other) for other in others)
    answer = {"sentence": sentence, "word": word, "head": head, "change": change(head)}
    answer["other_changes"], answer["others"] = zip(*changes, strict=True)
    yield answer


def right_2(names):
    def one_by_one(first, second):
        moved = solved = 0
        for a, b in zip(first, second, strict=True):
            moved += bool(b < a)
            solved += bool(b < 0 < a)
        return moved, solved

    yield one_by_one
