"""Other forms of the exercises, for a class."""

import re

from helpers.exercises.variants import Variant

PLACES = 12


def pair(first, second, sign):
    pieces, segments = ["[CLS]"], [0]
    for segment, text in enumerate((first, second)):
        own = [*re.findall(r"\w+|[^\w\s]", text.lower()), "[SEP]"]
        pieces += own
        segments += [segment] * len(own)
    padding = PLACES - len(pieces)
    quoted = ", ".join(f'"{piece}"' for piece in [*pieces, *["[PAD]"] * padding])
    at = quoted.index('"[SEP]", ') + len('"[SEP]", ')
    edits = (
        (
            "The pair *Who wrote it?* and *She did.*",
            f"The pair *{first}* and *{second}*",
        ),
        (
            '"[CLS]", "who", "wrote", "it", "?", "[SEP]", "she", "did", ".", "[SEP]", '
            '"[PAD]", "[PAD]"',
            f"{quoted[:at].rstrip()}\n               {quoted[at:]}",
        ),
        (
            '"segments": [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0]',
            f'"segments": {segments + [0] * padding}',
        ),
        (
            '"mask": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]',
            f'"mask": {[1] * len(pieces) + [0] * padding}',
        ),
        ("The question mark and the full stop", f"The {sign} and the full stop"),
    )
    return Variant(f"{first} {second}", edits, given={"pair": (first, second)})


VARIANTS = {
    1: [
        pair("Come in!", "It is cold.", "exclamation mark"),
        pair("Who are they?", "My old friends.", "question mark"),
        pair("Run!", "He saw us all.", "exclamation mark"),
    ]
}
