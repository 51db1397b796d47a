"""Characters that the page's tokenizer would cut otherwise than Python's.

Which characters are marks, signs or letters depends on the version of Unicode: the
tokenizer in Python has its own tables, a browser the newest. So each character is cut
by both, here, and the page's tokenizer replaces those that differ before it looks at
them, and those that no version has yet. They are in no vocabulary.
"""

import json
import subprocess
from functools import cache
from itertools import pairwise
from pathlib import Path

from build_tools.book import assets

SCRIPT = Path(__file__).with_name("code_points.mjs")
LETTER = "\ua4d0"  # in no vocabulary either, and in all versions of Unicode
# What Python makes of a character between a and b -> what stands for it on the page
STANDS = {"[UNK]": LETTER, "a [UNK] b": f" {LETTER} ", "ab": ""}
# Without surrogates, the ideographs and Hangul, which are blocks as old as the tables.
BLOCKS = ((1, 0x3400), (0xA000, 0xAC00), (0xD7A4, 0xD800), (0xF900, 0x20000))


def rules(tokenizer_json):
    """Return the normalizers, of the kind Replace, that the page needs first."""
    return [
        {"type": "Replace", "pattern": {"Regex": classed(points)}, "content": content}
        for points, content in _differing(json.dumps(tokenizer_json))
    ]


@cache
def _differing(tokenizer_json):
    """Return [(points, what stands for them), …] of a tokenizer."""
    from tokenizers import Tokenizer

    points = [point for block in BLOCKS for point in range(*block)]
    python = Tokenizer.from_str(tokenizer_json)
    python.no_truncation()
    python.no_padding()
    texts = [f"a{chr(point)}b" for point in points]
    cut = python.encode_batch(texts, add_special_tokens=False)
    asked = {"tokenizer": json.loads(tokenizer_json), "points": points}
    answer = subprocess.run(
        [*assets.node_command(), str(SCRIPT)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    node = json.loads(answer.stdout)
    unknown, replaced = set(node["unknown"]), {pieces: [] for pieces in STANDS}
    for point, ours, theirs in zip(points, cut, node["found"], strict=True):
        pieces = " ".join(ours.tokens)
        if pieces != theirs or (point in unknown and pieces == "[UNK]"):
            replaced[pieces].append(point)
    return [(found, STANDS[pieces]) for pieces, found in replaced.items() if found]


def classed(points):
    """Return ascending code points as a class of a regular expression."""
    ends = [
        (before, after) for before, after in pairwise(points) if after != before + 1
    ]
    firsts = [points[0], *(after for _, after in ends)]
    lasts = [*(before for before, _ in ends), points[-1]]
    spans = zip(map(chr, firsts), map(chr, lasts), strict=True)
    return "[" + "".join(a if a == b else f"{a}-{b}" for a, b in spans) + "]"
