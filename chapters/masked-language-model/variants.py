"""Other forms of the exercises, for a class."""

from helpers.exercises.variants import Variant, on_result


def logarithm(base):
    edits = (
        (
            "as a list of `(piece, probability)`.",
            f"as a list of\n`(piece, logarithm)`, the logarithm to base {base} of the "
            "probability.",
        ),
        ('[("table", 0.2), ...]', '[("table", -1.5), ...]'),
        (
            "def top_words_solution(text, k, n):",
            "def top_words_solution(text, k, n):\n    from math import log\n",
        ),
        (
            "return [(piece, p) for piece, p in guesses if piece.isalpha()][:n]",
            f"return [(piece, log(p, {base}))\n"
            "            for piece, p in guesses if piece.isalpha()][:n]",
        ),
    )

    def back(found, *_):
        return [(piece, base ** float(logarithm)) for piece, logarithm in found]

    return Variant(f"logarithms to base {base}", edits, on_result(back))


VARIANTS = {1: [logarithm(2), logarithm(10), logarithm(3)]}
