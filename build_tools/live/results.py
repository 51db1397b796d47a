"""What a widget shows before anything is loaded: the course model's own answer.

Each function takes the Bert and the widget's texts and returns HTML, of which the
live widget draws the same with the reader's text.
"""

from html import escape

import numpy as np

from build_tools.live.maps import place, split_words
from helpers.attention import head_scores, read_attention
from helpers.attention.patterns import pattern_targets
from helpers.attention.views import describe_heads, draw_links
from helpers.embeddings import embed_words
from helpers.plotting import COLORS

# Shapes as the plots of the chapters have them, 12 wide around 0.
MARKS = [
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0",
    "M0 -6L6 5L-6 5Z",
    "M-5 -5H5V5H-5Z",
    "M0 -7L5 0L0 7L-5 0Z",
    "M0 6L6 -5L-6 -5Z",
]
WIDTH, HEIGHT, MARGIN = 560, 300, 20


def tokens(bert, first, second=""):
    """A table with a column a piece: piece, id, segment, position."""
    encoding = bert.tokenizer(*filter(None, (first, second)))
    rows = {
        "piece": encoding.tokens(),
        "id": encoding["input_ids"],
        "segment": encoding["token_type_ids"],
        "position": range(len(encoding["input_ids"])),
    }
    lines = "".join(
        f'<tr><th scope="row">{name}</th>'
        + "".join(f"<td>{escape(str(value))}</td>" for value in values)
        + "</tr>"
        for name, values in rows.items()
    )
    return (
        '<div class="live-scroll" tabindex="0" role="group" aria-label="Pieces">'
        f'<table class="live-pieces"><tbody>{lines}</tbody></table></div>'
    )


def masked(bert, text):
    """The five likeliest pieces for each [MASK]."""
    answers = [bars(answer) for answer in bert.predict_masked(text)]
    if len(answers) > 1:
        titles = (f"Hidden word {number}" for number in range(1, len(answers) + 1))
        answers = [
            f'<p class="live-label">{title}</p>{answer}'
            for title, answer in zip(titles, answers, strict=True)
        ]
    return said(text) + "".join(answers)


def next_sentence(bert, first, second):
    """The probability that the second text follows the first."""
    share = bert.predict_next(first, second)
    return said(first) + said(second) + bars([("follows", share)])


def attention(bert, first, second="", pattern="previous word"):
    """The links of the head that shows a pattern most."""
    reading = read_attention(bert, *filter(None, (first, second)))
    scores = head_scores(reading.attention, pattern_targets(reading)[pattern])
    layer, head = np.unravel_index(scores.argmax(), scores.shape)
    picture = draw_links(reading.tokens, reading.attention[layer, head])
    words = describe_heads(reading, int(layer), [int(head)])
    return f'<div class="live-card">{picture}</div><p>{escape(words)}</p>'


def senses(bert, text, word, sense_map):
    """The map of a word with one more sentence, and its cosine with each sense."""
    words = split_words(text)
    vector = embed_words(bert, [words], [words.index(word)], (-1,), "float32")[0]
    at, cosines = place(vector, sense_map)
    order = np.argsort(-cosines)
    rows = [(sense_map["senses"][i], float(cosines[i])) for i in order]
    picture = f'<div class="live-card">{draw_map(sense_map, at)}</div>'
    return said(text) + picture + legend(sense_map["senses"]) + bars(rows, "cosine")


def said(text):
    return f'<p class="live-text">{escape(text)}</p>'


def bars(rows, unit="share"):
    """A list of names with a bar and a number each; cosines are no percentages."""
    return (
        '<ol class="live-bars">'
        + "".join(
            f'<li><span class="live-name">{escape(name)}</span>'
            f'<span class="live-bar" style="--share:{max(0, value):.4f}"></span>'
            f'<span class="live-number">{number(value, unit)}</span></li>'
            for name, value in rows
        )
        + "</ol>"
    )


def number(value, unit):
    return f"{value:.3f}" if unit == "cosine" else f"{100 * value:.1f} %"


def draw_map(sense_map, at):
    """The points of a map and, as a ring, one more at `at`; its text says the rest."""
    points = np.array([point["at"] for point in sense_map["points"]] + [list(at)])
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.array([WIDTH, HEIGHT]) - 2 * MARGIN
    places = MARGIN + (points - low) / np.where(high > low, high - low, 1) * room
    places[:, 1] = HEIGHT - places[:, 1]
    marks = "".join(
        f'<path d="{MARKS[point["sense"]]}" fill="{COLORS[point["sense"]]}" '
        f'transform="translate({x:.1f} {y:.1f})"><title>{escape(point["text"])}'
        "</title></path>"
        for point, (x, y) in zip(sense_map["points"], places, strict=False)
    )
    x, y = places[-1]
    ring = f'<circle class="live-ring" cx="{x:.1f}" cy="{y:.1f}" r="11"/>'
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" class="live-map" aria-hidden="true">'
        f"{marks}{ring}</svg>"
    )


def legend(names):
    """Which mark is which sense."""
    items = "".join(
        f'<li><svg viewBox="-8 -8 16 16" aria-hidden="true"><path d="{mark}" '
        f'fill="{color}"/></svg>{escape(name)}</li>'
        for name, mark, color in zip(names, MARKS, COLORS, strict=False)
    )
    ring = '<svg viewBox="-13 -13 26 26" aria-hidden="true"><circle r="11" '
    ring += 'class="live-ring"/></svg>'
    return f'<ul class="live-legend">{items}<li>{ring}this sentence</li></ul>'
