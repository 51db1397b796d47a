"""Other forms of the exercises, for a class."""

from helpers.exercises.variants import Variant, on_result

NUMBERS = {3: "three", 4: "four", 5: "five"}


def segments(n):
    edits = (
        ("with two segments and a pooler", f"with {NUMBERS[n]} segments and a pooler"),
        (
            "(vocabulary + places + 2) * embedding",
            f"(vocabulary + places + {n}) * embedding",
        ),
    )

    def back(count, vocabulary, embedding, *_):
        return float(count) - (n - 2) * embedding

    return Variant(f"{NUMBERS[n]} segments", edits, on_result(back))


def weighted(share):
    edits = (
        (
            "averaged over the rows and multiplied by the temperature squared, to",
            "averaged over the rows and multiplied by the temperature squared\nand by "
            f"{share}, the weight that it has beside the loss on the labels, to",
        ),
        (
            "return per_row.mean() * temperature ** 2",
            f"return {share} * per_row.mean() * temperature ** 2",
        ),
    )
    back = on_result(lambda loss, *_: loss / share)
    return Variant(f"weighted by {share}", edits, back)


VARIANTS = {
    1: [segments(3), segments(4), segments(5)],
    2: [weighted(0.5), weighted(0.7), weighted(0.9)],
}
