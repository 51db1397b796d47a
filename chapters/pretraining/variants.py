"""Other forms of the exercises, for a class."""

from helpers.exercises.variants import Variant, on_arguments

NUMBERS = {2: "two", 5: "five", 10: "ten"}


def added(n):
    edits = (
        ("Add one to every count", f"Add {NUMBERS[n]} to every count"),
        ("(counts + 1) / (counts + 1).sum()", f"(counts + {n}) / (counts + {n}).sum()"),
        ("Adding one keeps", f"Adding {NUMBERS[n]} keeps"),
    )
    # n added to n times the counts gives the shares that one added to the counts gives
    undo = on_arguments(lambda counts, labels: (counts * n, labels))
    return Variant(f"{NUMBERS[n]} added to every count", edits, undo)


VARIANTS = {2: [added(2), added(5), added(10)]}
