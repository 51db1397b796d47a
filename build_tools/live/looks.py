"""What widgets look like: the colours, marks and words of an answer.

`answers` draws with them when the book is built, and pages carry them as data to the
scripts, which draw the same with a reader's text.
"""

from helpers.plotting import COLORS

TOKENS = {"table": "Pieces", "rows": ["piece", "id", "segment", "position"]}
MASKED = {"hidden": "Hidden word"}
NEXT = {"follows": "follows"}
ATTENTION = {
    "patterns": [  # of helpers.attention.patterns; the first is shown first
        "previous word",
        "next word",
        "same word",
        "same word, other sentence",
        "delimiter",
    ],
}
BOARD = {
    "untouched": "Untouched",
    "touched": "With your changes",
    "grid": "Heads that are off, by layer and head",
    "corner": "layer",
    "label": (
        "Click a head to switch it off, or a layer’s number for all of its heads; "
        "arrow keys walk, the space bar switches."
    ),
    "all": "All on",
    "table": "Each layer’s heads off",
    "columns": ["off", "likeliest", "probability", "log-odds of “{}”"],
    "layer": "layer {}",
}
SENSES = {
    "colors": COLORS,
    "marks": [  # shapes as the plots of the chapters have them, 12 wide around 0
        "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0",
        "M0 -6L6 5L-6 5Z",
        "M-5 -5H5V5H-5Z",
        "M0 -7L5 0L0 7L-5 0Z",
        "M0 6L6 -5L-6 -5Z",
    ],
    "room": "-8 -8 16 16",  # of a mark in the legend
    "map": {"width": 560, "height": 300, "margin": 20},
    "ring": 11,  # radius of the ring around the reader's sentence
    "ringRoom": "-13 -13 26 26",
    "here": "this sentence",
}
SEARCH = {
    "meaning": "By meaning",
    "words": "By words (the theme’s search)",
    "none": "Nothing: this search wants every word of the question on one page.",
    "missing": "The theme’s search is not loaded.",
    "page": "By words: 1 result.",
    "pages": "results by words.",
}
MERGES = {
    "rules": {"count": "count", "ratio": "ratio", "likelihood": "likelihood"},
    "merge": "merge",
    "score": "score",
    "table": "Merges",
    "keys": "Steps; the arrow keys walk, Home and End jump",
}
