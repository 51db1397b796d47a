"""What a widget shows before anything is loaded: the course model's own answer.

Each function takes the Bert and the widget's texts and returns HTML, of which the
live widget draws the same with the reader's text.
"""

from html import escape

import numpy as np
import torch

from build_tools.live import looks
from build_tools.live.maps import place, split_words
from helpers.attention import head_scores, heads_off, read_attention
from helpers.attention.patterns import pattern_targets
from helpers.attention.views import describe_heads, draw_links
from helpers.embeddings import embed_words

COLORS, MARKS = looks.SENSES["colors"], looks.SENSES["marks"]


def tokens(bert, first, second=""):
    """A table with a column a piece: piece, id, segment, position."""
    encoding = bert.tokenizer(*filter(None, (first, second)))
    rows = (
        encoding.tokens(),
        encoding["input_ids"],
        encoding["token_type_ids"],
        range(len(encoding["input_ids"])),
    )
    lines = "".join(
        f'<tr><th scope="row">{name}</th>'
        + "".join(f"<td>{escape(str(value))}</td>" for value in values)
        + "</tr>"
        for name, values in zip(looks.TOKENS["rows"], rows, strict=True)
    )
    table = f'<table class="live-pieces"><tbody>{lines}</tbody></table>'
    return scrolling(looks.TOKENS["table"], table)


def masked(bert, text):
    """The five likeliest pieces for each [MASK]."""
    answers = [bars(answer) for answer in bert.predict_masked(text)]
    if len(answers) > 1:
        answers = [
            f'<p class="live-label">{looks.MASKED["hidden"]} {number}</p>{answer}'
            for number, answer in enumerate(answers, start=1)
        ]
    return said(text) + "".join(answers)


def next_sentence(bert, first, second):
    """The probability that the second text follows the first."""
    share = bert.predict_next(first, second)
    return said(first) + said(second) + bars([(looks.NEXT["follows"], share)])


def attention(bert, first, second="", pattern=looks.ATTENTION["patterns"][0]):
    """The links of the head that shows a pattern most."""
    reading = read_attention(bert, *filter(None, (first, second)))
    scores = head_scores(reading.attention, pattern_targets(reading)[pattern])
    layer, head = np.unravel_index(scores.argmax(), scores.shape)
    picture = draw_links(reading.tokens, reading.attention[layer, head])
    words = describe_heads(reading, int(layer), [int(head)])
    return f'<div class="live-card">{picture}</div><p>{escape(words)}</p>'


def board(bert, text, second=""):
    """The guesses untouched, and what each layer's heads off make of the first."""
    look = looks.BOARD
    untouched = mask_logits(bert, text)
    number = int(untouched.argmax())
    piece = bert.tokenizer.convert_ids_to_tokens(number)
    lines = [row("th", [*look["columns"][:-1], look["columns"][-1].format(piece)])]
    for layer in range(bert.n_layers):
        with heads_off(bert, [(layer, head) for head in range(bert.n_heads)]):
            logits = mask_logits(bert, text)
        shares = logits.softmax(dim=-1)
        best = int(shares.argmax())
        change = log_odds(logits, number) - log_odds(untouched, number)
        cells = (
            look["layer"].format(layer),
            bert.tokenizer.convert_ids_to_tokens(best),
            f"{100 * float(shares[best]):.1f} %",
            f"{change:+.2f}".replace("-", "−"),
        )
        lines.append(row("td", cells))
    table = f'<table class="live-pieces"><tbody>{"".join(lines)}</tbody></table>'
    return masked(bert, text) + scrolling(look["table"], table)


def mask_logits(bert, text):
    """The logits of the one [MASK] of a text, (vocabulary,)."""
    encoding = bert.encode(text)
    with torch.inference_mode():
        logits = bert.mlm(**encoding).logits
    return logits[encoding["input_ids"] == bert.tokenizer.mask_token_id][0]


def log_odds(logits, number):
    """The logarithm of one piece's probability against all others."""
    others = torch.cat([logits[:number], logits[number + 1 :]])
    return float(logits[number] - others.logsumexp(dim=0))


def row(tag, cells):
    """A row of a table; the first cell names it, the others are of that tag."""
    head, *rest = [escape(str(cell)) for cell in cells]
    others = "".join(f"<{tag}>{cell}</{tag}>" for cell in rest)
    return f'<tr><th scope="{"col" if tag == "th" else "row"}">{head}</th>{others}</tr>'


def scrolling(label, table):
    return (
        f'<div class="live-scroll" tabindex="0" role="group" aria-label="{label}">'
        f"{table}</div>"
    )


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
    width, height, margin = looks.SENSES["map"].values()
    room = np.array([width, height]) - 2 * margin
    places = margin + (points - low) / np.where(high > low, high - low, 1) * room
    places[:, 1] = height - places[:, 1]
    marks = "".join(
        f'<path d="{MARKS[point["sense"]]}" fill="{COLORS[point["sense"]]}" '
        f'transform="translate({x:.1f} {y:.1f})"><title>{escape(point["text"])}'
        "</title></path>"
        for point, (x, y) in zip(sense_map["points"], places, strict=False)
    )
    x, y = places[-1]
    ring = f'<circle class="live-ring" cx="{x:.1f}" cy="{y:.1f}" '
    ring += f'r="{looks.SENSES["ring"]}"/>'
    return (
        f'<svg viewBox="0 0 {width} {height}" class="live-map" aria-hidden="true">'
        f"{marks}{ring}</svg>"
    )


def legend(names):
    """Which mark is which sense."""
    look = looks.SENSES
    items = "".join(
        f'<li><svg viewBox="{look["room"]}" aria-hidden="true"><path d="{mark}" '
        f'fill="{color}"/></svg>{escape(name)}</li>'
        for name, mark, color in zip(names, MARKS, COLORS, strict=False)
    )
    ring = (
        f'<svg viewBox="{look["ringRoom"]}" aria-hidden="true">'
        f'<circle r="{look["ring"]}" class="live-ring"/></svg>'
    )
    return f'<ul class="live-legend">{items}<li>{ring}{look["here"]}</li></ul>'
