"""Other forms of the exercises, for a class."""

from helpers.exercises.variants import Variant, on_result


def logarithm(base):
    edits = (
        (
            "for each pair of neighbours the score that courses give for WordPiece, as",
            f"for each pair of neighbours\nthe logarithm to base {base} of the score "
            "that "
            "courses give for WordPiece, as",
        ),
        (
            "def ratio_scores_solution(cuts):",
            "def ratio_scores_solution(cuts):\n    from math import log\n",
        ),
        (
            "{(a, b): n / (single[a] * single[b])",
            f"{{(a, b): log(n / (single[a] * single[b]), {base})",
        ),
    )

    def back(scores, cuts):
        return {pair: base ** float(score) for pair, score in dict(scores).items()}

    return Variant(f"logarithms to base {base}", edits, on_result(back))


VARIANTS = {2: [logarithm(2), logarithm(10), logarithm(3)]}
