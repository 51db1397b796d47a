"""bertviz's head view and model view, each in a frame of its own.

A frame keeps the view's ids and scripts apart from the page's, in the book, in
JupyterLab and in Colab. Beside it stand a summary in words and, for print, for
readers without JavaScript and where the libraries of the view do not come, a picture
drawn from the same weights.
"""

import html
import json
import re
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
# The page fits the frame to its contents: a frame cannot reach the page that holds it
# when both are files.
PAGE_PARTS = (HERE / "page.html").read_text(encoding="utf-8")
DIGITS = 3
BLUE = "#0072b2"
MOST = 2_000_000  # weights in a view, of about six bytes each
LESS_THAN = "\ue000"  # stands for "<", which could end the script that holds the data

LATE = (
    "The libraries of the interactive view, which come from the network, have not "
    "answered; this is its picture."
)
# By default require.js gives up after 7 s; a frame that is out of sight may take more.
# Where the libraries are slow or out of reach, the page shows the picture meanwhile.
PATIENCE = """<script>var require = {waitSeconds: 0};
setTimeout(() => parent.postMessage(
  {attentionViewDrawn: document.querySelector("#vis svg") !== null}, "*"), 3000);
</script>"""
HINTS = {
    "head": "A square is a head: click to switch it, double-click for it alone. Point "
    "at a word to see its links only. Keyboard: Tab, arrows, Enter, Shift+Enter.",
    "model": "Click a head to enlarge it, then point at a word on its left side. "
    "Keyboard: Tab, arrows, Enter.",
}


def head_view(reading, layer=0, heads=None, title="Attention, head view"):
    """Show the heads of one layer at a time, as lines between two columns of tokens.

    reading: as from `read_attention`; for a pair the view can show each direction
    between the sentences alone. layer: the one shown first. heads: those switched on
    at first, all by default. Returns an IPython HTML object. Raises ValueError for a
    layer or a head that the model does not have, for weights of nan or infinity, and
    for a text so long that the view would take many megabytes.

    >>> from helpers.attention import read_attention
    >>> view = head_view(read_attention(bert, "A cat."), layer=2, heads=[0, 1])
    >>> type(view).__name__, view.data.count("<iframe")
    ('HTML', 1)
    """
    import bertviz

    n_layers, n_heads = reading.attention.shape[:2]
    heads = list(range(n_heads) if heads is None else heads)
    if layer not in range(n_layers):
        raise ValueError(f"there is no layer {layer}: layers are 0 to {n_layers - 1}")
    if not heads or not all(head in range(n_heads) for head in heads):
        raise ValueError(f"no such heads: {heads}; heads are 0 to {n_heads - 1}")
    layer, heads = int(layer), list(map(int, heads))  # NumPy's are none for JSON
    view = bertviz.head_view(
        *_for_bertviz(reading), layer=layer, heads=heads, html_action="return"
    )
    shown = reading.attention[layer][heads].mean(axis=0)  # (n, n)
    return _framed(
        "head",
        view.data,
        title,
        height=23 * len(reading.tokens) + 130,
        summary=describe_heads(reading, layer, heads),
        picture=draw_links(reading.tokens, shown),
    )


def model_view(reading, title="Attention, model view"):
    """Show all heads of all layers as small pictures; a click enlarges one.

    reading: as from `read_attention`. Returns an IPython HTML object. Raises ValueError
    for weights of nan or infinity, and for a text that is too long for a view.

    >>> from helpers.attention import read_attention
    >>> view = model_view(read_attention(bert, "A cat."))
    >>> type(view).__name__, view.data.count("<iframe")
    ('HTML', 1)
    """
    import bertviz

    view = bertviz.model_view(
        *_for_bertviz(reading), display_mode="light", html_action="return"
    )
    n_layers, n_heads = reading.attention.shape[:2]
    rows = n_layers * (len(reading.tokens) * 84 / n_heads + 10)
    return _framed(
        "model",
        view.data,
        title,
        height=round(0.75 * rows) + 100,
        summary=describe_model(reading),
        picture=draw_model(reading),
    )


def _for_bertviz(reading):
    """bertviz's first arguments: a tensor (1, heads, n, n) a layer, tokens, pair."""
    import torch

    n_layers, n_heads, n, _ = reading.attention.shape
    if reading.attention.size > MOST:
        most = int((MOST / (n_layers * n_heads)) ** 0.5)
        raise ValueError(
            f"the text has {n} pieces; a view of {n_layers} layers of {n_heads} heads "
            f"holds up to {most}, else the notebook grows by many megabytes"
        )
    if not np.isfinite(reading.attention).all():
        raise ValueError("the attention holds nan or infinity; is the model damaged?")
    layers = [torch.from_numpy(layer)[None] for layer in reading.attention]
    tokens = [token.replace("<", LESS_THAN) for token in reading.tokens]
    second = int(reading.segments.argmax()) if reading.segments.any() else None
    return layers, tokens, second


def _framed(kind, view, title, height, summary, picture):
    from IPython.display import HTML

    title, summary = html.escape(title), html.escape(summary)
    style, script = (
        (HERE / name).read_text(encoding="utf-8") for name in ("frame.css", "frame.js")
    )
    document = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{title}</title><style>{style}</style>{PATIENCE}</head>"
        f'<body class="{kind}"><main>{_lighter(_labelled(view))}'
        f"<p>{HINTS[kind]}</p></main><script>{script}</script></body></html>"
    )
    # The extension of the book looks for exactly this start.
    return HTML(
        f'<div class="attention-view"><iframe title="{title}" loading="lazy" '
        f'style="width:100%;height:{height}px;border:0;color-scheme:light" '
        f'srcdoc="{html.escape(document)}"></iframe>{picture}<p>{summary}</p>'
        f'<p class="late">{LATE}</p>'
        f"{PAGE_PARTS}</div>"
    )


def _labelled(view):
    """Name the controls, and drop an id that differs from run to run."""
    view = view.replace('<select id="layer"', '<select aria-label="Layer" id="layer"')
    view = view.replace(
        '<select id="filter"', '<select aria-label="Attention between" id="filter"'
    )
    return re.sub(r"bertviz-[0-9a-f]{32}", "bertviz", view)


def _lighter(view):
    """Round the weights; bertviz also repeats all its data in a comment."""
    start = view.index("const params = ")
    end = view.index("\n", start)
    data, _ = json.JSONDecoder().raw_decode(view, start + len("const params = "))
    for part in data["attention"]:
        part["attn"] = np.round(np.array(part["attn"], float), DIGITS).tolist()
    text = json.dumps(data, separators=(",", ":"))
    text = text.replace(json.dumps(LESS_THAN)[1:-1], r"\u003c")
    return f"{view[:start]}const params = {text};{view[end:]}"


def describe_heads(reading, layer, heads):
    """Return a sentence or two on what the mean of these heads looks at most."""
    weights = reading.attention[layer][heads].mean(axis=0)
    is_word = [token.removeprefix("##").isalnum() for token in reading.tokens]
    words = np.where(np.outer(is_word, is_word), weights, 0)
    best = np.argsort(-words, axis=None, kind="stable")[:3]
    links = [
        f"{reading.tokens[i]} → {reading.tokens[j]} {words[i, j]:.2f}"
        for i, j in zip(*np.unravel_index(best, words.shape), strict=True)
        if words[i, j] > 0
    ]
    share = weights[:, reading.special].sum(axis=1).mean()
    who = f"head {heads[0]}" if len(heads) == 1 else f"mean of {len(heads)} heads"
    strongest = f"the strongest links between words are {', '.join(links)}; "
    return (
        f"Layer {layer}, {who}: {strongest if links else ''}"
        f"[CLS] and [SEP] get {100 * share:.0f} % of the attention."
    )


def describe_model(reading):
    """Return, in words, how many heads put most of their attention on what."""
    tokens, word, n = np.array(reading.tokens), ~reading.special, len(reading.tokens)
    kinds = {
        "[CLS]": np.tile(tokens == "[CLS]", (n, 1)),
        "[SEP]": np.tile(tokens == "[SEP]", (n, 1)),
        "the token itself": np.eye(n, dtype=bool),
        "the one before": np.eye(n, k=-1, dtype=bool) & word,
        "the one after": np.eye(n, k=1, dtype=bool) & word,
    }
    kinds["other tokens"] = ~np.any(list(kinds.values()), axis=0)
    share = [
        np.where(kind, reading.attention, 0).sum(axis=-1)[..., word].mean(axis=-1)
        for kind in kinds.values()
    ]  # (layers, heads) each
    most = np.bincount(np.argmax(share, axis=0).ravel(), minlength=len(kinds))
    said = [f"{kind} in {n}" for kind, n in zip(kinds, most, strict=True) if n]
    n_layers, n_heads = reading.attention.shape[:2]
    return (
        f"{n_layers} layers of {n_heads} heads. Where the words put most of their "
        f"attention, by number of heads: {', '.join(said)}."
    )


def draw_links(tokens, weights):
    """Draw one head as SVG: the darker a line, the greater the weight."""
    height = 22 * len(tokens) + 10
    words = "".join(
        f'<text x="{x}" y="{22 * i + 20}" text-anchor="{side}">{html.escape(token)}'
        "</text>"
        for i, token in enumerate(tokens)
        for x, side in ((120, "end"), (260, "start"))
    )
    lines = _links(weights, 126, 254, 15, 22)
    return _svg(f"0 0 380 {height}", 380, words + _paths(lines, 2))


def draw_model(reading):
    """Draw all heads as SVG: a row a layer, a column a head."""
    n_layers, n_heads = reading.attention.shape[:2]
    step, width = 4, 56
    tall = step * len(reading.tokens) + 8
    parts = [
        f'<text x="{40 + width * (head + 0.4):.0f}" y="14">{head}</text>'
        for head in range(n_heads)
    ]
    for layer, heads in enumerate(reading.attention):
        top = 24 + layer * tall
        parts.append(f'<text x="8" y="{top + tall / 2:.0f}">{layer}</text>')
        lines = {}
        for head, weights in enumerate(heads):
            left = 40 + width * head
            for dark, path in _links(weights, left, left + 44, top, step, 4).items():
                lines[dark] = lines.get(dark, "") + path
        parts.append(_paths(lines, 1.5))
    size = f"0 0 {40 + width * n_heads} {30 + tall * n_layers}"
    return _svg(size, 40 + width * n_heads, "".join(parts))


def _links(weights, left, right, top, step, shades=8):
    """Paths of the lines from row i to column j, by rounded weight; 0 has no line."""
    lines = {}
    for (i, j), shade in np.ndenumerate(np.round(weights * shades).astype(int)):
        if shade:
            path = f"M{left} {top + step * i}L{right} {top + step * j}"
            lines[shade / shades] = lines.get(shade / shades, "") + path
    return lines


def _paths(lines, width):
    paths = "".join(
        f'<path d="{path}" stroke-opacity="{dark:.3g}"/>'
        for dark, path in sorted(lines.items())
    )
    return f'<g fill="none" stroke="{BLUE}" stroke-width="{width}">{paths}</g>'


def _svg(view_box, width, content):
    """A picture whose meaning the summary after it says in words."""
    return (
        f'<svg viewBox="{view_box}" width="{width}" aria-hidden="true" '
        f'font-family="sans-serif" font-size="14" fill="#1a1a1a">'
        f'<rect width="100%" height="100%" fill="#fff"/>{content}</svg>'
    )
