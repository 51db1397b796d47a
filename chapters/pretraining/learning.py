"""A small BERT at steps of its training: a picture of some, and all for the page.

In the book a click loads all of them, in 8 bits, and the page itself runs them
(`live/model/learner.js`); a notebook and paper show the picture alone.
"""

import base64
import gzip
import html
import json
import os

import numpy as np

from helpers.plotting.pictures.slider import card
from helpers.plotting.pictures.svg import drawing, letters, mixed

SNAPSHOTS = "application/x-snapshots"
ENDS = '<div class="learning">', "<!-- learning --></div>"


def in_eight_bits(states):
    """Round weights to 8 bits, a scale for each row of a matrix or for a vector.

    states: n dicts of name -> array, the same names and shapes in each. A scale serves
    all n, so that what hardly moves hardly changes. Returns the whole numbers, int8 (n,
    weights), the scales, float32 (rows,), and n dicts as whoever reads them will have.

    >>> whole, scales, read = in_eight_bits([{"w": np.array([[1.0, -127.0]])}])
    >>> whole.tolist(), read[0]["w"].tolist()
    ([[1, -127]], [[1.0, -127.0]])
    """
    wholes, scales, read = [], [], [{} for _ in states]
    for name in states[0]:
        values = np.stack([np.atleast_2d(np.float32(s[name])) for s in states])
        scale = np.abs(values).max(axis=(0, 2)) / np.float32(127)
        scale[scale == 0] = 1
        whole = np.round(values / scale[:, None]).astype(np.int8)
        wholes.append(whole.reshape(len(states), -1))
        scales.append(scale)
        for state, rounded in zip(read, whole * scale[:, None], strict=True):
            state[name] = rounded.reshape(np.shape(states[0][name]))
    return np.concatenate(wholes, axis=1), np.concatenate(scales), read


def packed(states, about):
    """Return weights and what is told of them as bytes: `learner.js` unpacks them.

    about: what JSON can hold. Of each state but the first only the difference from the
    one before is kept, which packs better.

    >>> len(packed([{"w": np.zeros((2, 2))}], {})) > 20
    True
    """
    whole, scales, _ = in_eight_bits(states)
    shapes = [[name, *np.atleast_2d(w).shape] for name, w in states[0].items()]
    head = json.dumps(about | {"weights": shapes, "snapshots": len(states)}).encode()
    head += b" " * (-len(head) % 4)
    change = np.concatenate([whole[:1], np.diff(whole, axis=0)])  # 8 bits wrap around
    parts = np.uint32(len(head)).tobytes(), head, scales.tobytes(), change.tobytes()
    return gzip.compress(b"".join(parts), mtime=0)


def guesses(when, shares, right=(), wrong=(), full=1.0):
    """Return what one snapshot says at a hole, as a picture.

    when: its title. shares: {word: share}, drawn as bars that reach the edge at the
    share `full`; those of the words `right` are purple, those of `wrong` orange.

    >>> picture = guesses("after 5 steps", {"cat": 0.5, "cats": 0.1}, right=["cat"])
    >>> picture.count('class="bar"')
    2
    """
    width, y = 146, 26
    parts = [letters(width / 2, 15, when, 14, bold=True)]
    for word, share in shares.items():
        reach = min(1, share / full) * (width - 100)
        hue = "weights" if word in right else "key" if word in wrong else "plain"
        own = hue != "plain"
        parts.append(letters(62, y + 13, word, 13, "end", bold=own))
        bar = f'x="66" y="{y + 2}" width="{reach:.1f}" height="14" {mixed(hue, 1)}'
        parts.append(f'<rect class="bar" {bar}/>')
        parts.append(letters(70 + reach, y + 13, f"{share:.2f}", 12, "start"))
        y += 20
    return drawing(parts, width, y + 4, f"{when}: guesses {', '.join(shares)}")


def show_learning(rows):
    """Show texts and pictures of snapshots; the book's page offers to load all.

    rows: (text, pictures) pairs.

    >>> show_learning([("a [MASK]", ["<svg></svg>"])])  # doctest: +SKIP
    """
    from IPython.display import HTML, display

    style = "flex-basis:100%;margin:0;font-size:16px"
    body = "".join(
        f'<p style="{style}">{html.escape(text)}</p>{"".join(pictures)}'
        for text, pictures in rows
    )
    display(HTML(ENDS[0] + card(body) + ENDS[1]))


def send_snapshots(states, about):
    """Give the book's page all snapshots; nothing elsewhere. The rest as `packed`.

    >>> send_snapshots([{"w": np.zeros((2, 2))}], {})
    """
    from IPython.display import display

    if os.environ.get("BOKEH_RESOURCES", "inline") != "inline":  # a page of the book
        data = base64.b64encode(packed(states, about)).decode()
        display({SNAPSHOTS: data, "text/html": "<!-- snapshots -->"}, raw=True)
