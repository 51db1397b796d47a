"""Pictures of small computations: matrices, arrows, curves, and a slider over them.

They are SVG that a page shows without a script; a slider turns over states that Python
has computed. Query blue, key orange, value green, weights purple; what is hidden is
dashed. Every picture carries its words, for who does not see it. Colours follow the
page, light or dark; a notebook shows a white card. A part up to 340 pixels wide keeps
its letters on a phone, where the parts of a picture stand below each other.
"""

import hashlib
import html
import math
from dataclasses import dataclass
from itertools import count

from helpers._support.valid_numbers import finite_numbers

HUES = {
    "query": (0, 114, 178),
    "key": (213, 94, 0),
    "value": (0, 128, 92),
    "weights": (166, 61, 143),
    "plain": (100, 100, 100),
}
DEEPEST = 0.55  # share of a hue in a cell, so that dark letters stay readable
FONT, SMALL = 15, 11
FACES = ("query", "plain", "weights", "key", "value")  # of arrows and curves, in turn
DASHES = {"plain": "2 4", "key": "8 4", "value": "8 4 2 4"}
HALO = (  # letters stay readable on a line
    '<g style="paint-order:stroke;stroke:var(--picture-ground,#fff);stroke-width:4px;'
    'stroke-linejoin:round">'
)
SCRIPT = """(() => {
const box = document.getElementById("ID"), said = box.querySelector("output");
const frames = [...box.querySelectorAll(".frame")];
const slider = box.querySelector("input");
const turn = () => {
  frames.forEach((frame, i) => { frame.hidden = i !== +slider.value; });
  said.textContent = frames[slider.value].dataset.said;
  slider.setAttribute("aria-valuetext", said.textContent);
};
slider.addEventListener("input", turn);
slider.parentNode.hidden = false;
turn();
})();"""
_numbers = count(1)  # of sliders


@dataclass
class Matrix:
    """A matrix to be drawn as coloured cells, the further from `low`, the darker.

    values: (r, c), nan or infinity where a place is hidden (dashed, without a number).
    rows, columns: their names. hue: query, key, value, weights or plain. form: of the
    numbers; "" for none. low, high: the values without colour and of the full hue, by
    default 0 and the farthest. copied: (r, c), true for a cell that only repeats
    another, drawn dashed.

    >>> Matrix("A", [[1, 0]], rows=["one"]).hue
    'weights'
    """

    title: str
    values: object
    rows: tuple = ()
    columns: tuple = ()
    hue: str = "weights"
    form: str = ".2f"
    cell: int = 44
    low: float = 0.0
    high: float | None = None
    copied: object = None

    def svg(self, words):
        """Return the matrix as SVG that says `words`."""
        values = [[float(value) for value in row] for row in self.values]
        small = max(SMALL, min(FONT, round(self.cell * 0.34)))
        upright = any(len(name) * small * 0.6 > self.cell for name in self.columns)
        over = 0.6 * small * max(map(len, self.columns), default=0) + 8
        top = 26 + (over if upright else small + 6 if self.columns else 0)
        left = 8 + 0.6 * small * max(map(len, self.rows), default=0)
        inner = self.cell * max(map(len, values), default=0)
        width = max(left + inner + 6, 0.58 * FONT * len(self.title) + 6)
        left += max(0, (width - left - inner) / 2 - 3) if not self.rows else 0
        half = 0.29 * FONT * len(self.title)
        middle = max(half, min(left + inner / 2, width - half))
        parts = [_text(middle, 15, self.title, FONT, bold=True)]
        for j, name in enumerate(self.columns):
            x = left + (j + 0.5) * self.cell
            parts.append(_text(x, top - 6, name, small, upright=upright))
        for i, row in enumerate(values):
            y = top + (i + 0.5) * self.cell + small / 3
            if self.rows:
                parts.append(_text(left - 5, y, self.rows[i], small, "end"))
            for j, value in enumerate(row):
                x = left + j * self.cell
                parts.append(self._cell(i, j, x, top + i * self.cell, value, small))
        return _svg(parts, width, top + len(values) * self.cell + 4, words)

    def _cell(self, i, j, x, y, value, small):
        size, hidden = self.cell, not math.isfinite(value)
        dashed = hidden or (self.copied is not None and bool(self.copied[i][j]))
        inset = 3 if dashed else 0
        fill = 'fill="none"' if hidden else _mixed(self.hue, self._share(value))
        box = (
            f'<rect x="{x + inset:.1f}" y="{y + inset:.1f}" width="{size - 2 * inset}"'
            f' height="{size - 2 * inset}" {fill}'
            f' stroke="currentColor" stroke-opacity="{0.7 if dashed else 0.25}"'
            + (' stroke-dasharray="3 3"' if dashed else "")
        )
        said = "" if hidden else f"{value:{self.form}}" if self.form else ""
        if not hidden and not self.form:
            return f"{box}><title>{value:.2f}</title></rect>"
        said = said.replace("-", "−")
        return f"{box}/>" + _text(x + size / 2, y + size / 2 + small / 3, said, small)

    def _share(self, value):
        known = [abs(v - self.low) for row in self.values for v in map(float, row)]
        farthest = max((v for v in known if math.isfinite(v)), default=1) or 1
        reach = farthest if self.high is None else abs(self.high - self.low) or 1
        return min(1, abs(value - self.low) / reach)


def matrices(*parts, words):
    """Return matrices and the signs between them as a picture; "\\n" starts a line.

    >>> picture = matrices(Matrix("A", [[1, 0]]), "=", Matrix("B", [[1, 0]]), words="A")
    >>> picture.count("<rect"), picture.count('class="sign"')
    (4, 1)
    """
    drawn, first = [], True
    for part in parts:
        if isinstance(part, Matrix):
            drawn.append(part.svg(words if first else part.title or words))
            first = False
        elif part == "\n":
            drawn.append('<span class="break" style="flex-basis:100%"></span>')
        else:
            drawn.append(f'<span class="sign">{html.escape(part)}</span>')
    return "".join(drawn)


def arrows(vectors, axes, words, before=None, title="", unit=78, reach=2.5):
    """Return vectors of two numbers, none negative, as arrows in a plane.

    vectors: {name: (x, y)}. before: the same for where they stood, drawn dashed. unit:
    pixels for 1. reach: how far the axes go. Raises ValueError for nan and infinity.

    >>> "stroke-dasharray" in arrows({"a": (1, 1)}, ("x", "y"), "a")
    False
    """
    edge, size = 44, reach * unit + 70
    low = size - edge
    parts = [_text(size / 2 + 10, 16, title, FONT, bold=True)]
    grid = 'stroke="currentColor" stroke-opacity="0.15"'
    for tick in range(int(reach) + 1):
        at, up = edge + tick * unit, low - tick * unit
        parts.append(f'<path d="M{at} {low}V{low - reach * unit}" {grid}/>')
        parts.append(f'<path d="M{edge} {up}h{reach * unit}" {grid}/>')
        parts.append(_text(at, low + 16, str(tick), 12))
        parts.append(_text(edge - 8, up + 4, str(tick), 12, "end"))
    parts.append(_text(edge + reach * unit / 2, low + 36, axes[0], FONT))
    parts.append(_text(18, low - reach * unit / 2 + 20, axes[1], FONT, upright=True))
    labels, names = [], []
    for index, (name, vector) in enumerate(vectors.items()):
        x, y = finite_numbers(vector, f"arrow {name}")
        stroke = _stroke(FACES[index % 3])
        start, end = (edge, low), (edge + x * unit, low - y * unit)
        old = before and tuple(map(float, before[name]))
        if old and old != (x, y):
            tip = edge + old[0] * unit, low - old[1] * unit
            parts.append(_arrow(start, tip, stroke, dashed=True))
        parts.append(_arrow(start, end, stroke))
        at = [end[0] + 8, end[1] - 8]
        while any(abs(at[0] - u) < 48 and abs(at[1] - v) < 16 for u, v in labels):
            at[1] -= 8
        labels.append(at)
        names.append(_text(*at, name, FONT, "start"))
    return _svg([*parts, HALO, *names, "</g>"], size + 34, size, words)


def pair_arrows(points, pairs, words, title="", unit=200):
    """Return an arrow from the first to the second word of each pair, in a plane.

    points: {word: (x, y)}. pairs: (word, word). unit: pixels for 1, the same in all
    pictures that are to be compared. Each arrow has its words at its ends.

    >>> points = {"cow": (0, 0), "calf": (1, 0)}
    >>> pair_arrows(points, [("cow", "calf")], "an arrow").count("<path")
    2
    """
    lines, labels, taken = [], [], []
    for index, pair in enumerate(pairs):
        start, end = ((unit * float(x), -unit * float(y)) for x, y in
                      (points[name] for name in pair))  # fmt: skip
        lines.append(_arrow(start, end, _stroke(FACES[index % len(FACES)])))
        labels.append(_label(pair[0], start, end, taken))
        labels.append(_label(pair[1], end, start, taken))
    left, top = (min(box[i] for box in taken) for i in (0, 2))
    right, bottom = (max(box[i] for box in taken) for i in (1, 2))
    width = max(right - left, 0.58 * FONT * len(title)) + 8
    moved = f'<g transform="translate({4 - left:.1f} {44 - top:.1f})">'
    parts = [_text(width / 2, 15, title, FONT, bold=True), moved, *lines, HALO]
    return _svg([*parts, *labels, "</g></g>"], width, bottom - top + 52, words)


def _label(name, at, other, taken):
    """A word at the end of an arrow, away from its other end and from what is taken."""
    length = math.dist(at, other) or 1
    u, v = ((a - b) / length for a, b in zip(at, other, strict=True))
    anchor = "middle" if abs(u) < 0.4 else "start" if u > 0 else "end"
    x, y, wide = at[0] + 8 * u, at[1] + 4 + 12 * v, 7 * len(name)
    left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]

    def free(y):
        beside = (box for box in taken if left < box[1] and box[0] < left + wide)
        return all(abs(y - box[2]) >= 13 for box in beside)

    moves = (0, -7, 7, -14, 14, -21, 21, -28, 28)
    y = next((y + move for move in moves if free(y + move)), y)
    taken.append((left, left + wide, y))
    return _text(x, y, name, 13, anchor)


def _arrow(start, end, stroke, dashed=False):
    """A line with a head at its end; a dot where it has no length."""
    (a, b), (x, y) = start, end
    length = math.hypot(x - a, y - b)
    if length < 1:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" {stroke} stroke-width="4"/>'
    u, v = (x - a) / length, (y - b) / length
    wings = " ".join(
        f"M{x:.1f} {y:.1f}L{x - 10 * u + s * 5 * v:.1f} {y - 10 * v - s * 5 * u:.1f}"
        for s in (1, -1)
    )
    dash = ' stroke-dasharray="5 4" stroke-opacity="0.6"' if dashed else ""
    return (
        f'<path d="M{a:.1f} {b:.1f}L{x:.1f} {y:.1f}" {stroke}'
        f' stroke-width="{2 if dashed else 3}"{dash}/>'
        f'<path d="{wings}" {stroke} stroke-width="{2 if dashed else 3}"/>'
    )


def curve(lines, words, title="", axes=("", ""), marks=(), size=(330, 230)):
    """Return curves on common axes, and points that have walked along them.

    lines: {name: (xs, ys)}; a name starting with "_" is not written. marks: (x, y)
    points, joined in their order, the last one large. The axes reach as far as the
    lines do, so that pictures of one series should share their lines. What is nan or
    infinite is left out. Raises ValueError where nothing is left.

    >>> picture = curve({"loss": ([0, 1], [1, 0])}, "falls", marks=[(0, 1), (1, 0)])
    >>> picture.count("<circle")
    2
    """
    (width, height), left, low = size, 46, size[1] - 40
    lines = {n: _finite(zip(*line, strict=True)) for n, line in lines.items()}
    if not (there := sum(lines.values(), [])):
        raise ValueError("no point of the lines is a finite number")
    xs, ys = zip(*there, strict=True)
    bottom, top = min(ys), max(ys)

    def place(x, y):
        share = (y - bottom) / ((top - bottom) or 1)
        across = (x - min(xs)) / ((max(xs) - min(xs)) or 1)
        return left + across * (width - left - 12), low - share * (low - 30)

    parts = [_text((left + width) / 2, 16, title, FONT, bold=True)]
    parts.append(
        f'<path d="M{left} 26V{low}H{width - 8}" stroke="currentColor"'
        ' stroke-opacity="0.4" fill="none"/>'
    )
    for x in (min(xs), max(xs)):
        parts.append(_text(place(x, bottom)[0], low + 15, f"{x:g}", SMALL))
    for y in (bottom, top):
        parts.append(
            _text(left - 5, place(min(xs), y)[1] + 4, f"{y:.2g}", SMALL, "end")
        )
    parts.append(_text((left + width) / 2, low + 32, axes[0], 13))
    parts.append(_text(14, (low + 30) / 2 + 30, axes[1], 13, upright=True))
    for index, (name, line) in enumerate(lines.items()):
        if not line:
            continue
        face = FACES[index % len(FACES)]
        dash = f' stroke-dasharray="{DASHES[face]}"' if face in DASHES else ""
        points = [place(x, y) for x, y in line]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        parts.append(f'<path d="M{path}" {_stroke(face)} stroke-width="2.5"{dash}/>')
        if not name.startswith("_") and len(lines) > 1:
            parts.append(_text(points[-1][0] - 4, points[-1][1] - 7, name, 12, "end"))
    walked = [place(*mark) for mark in _finite(marks)]
    if len(walked) > 1:
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in walked)
        parts.append(f'<path d="M{path}" {_stroke("key")} stroke-opacity="0.7"/>')
    for number, (x, y) in enumerate(walked, start=1):
        radius = 6 if number == len(walked) else 3
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {_stroke("key", True)}/>'
        )
    return _svg(parts, width, height, words)


def _finite(points):
    """The points that have a place, as floats."""
    points = [tuple(map(float, point)) for point in points]
    return [point for point in points if all(map(math.isfinite, point))]


def same_and_other(stages, words, low=0.0, title=""):
    """Return cosines as marks on a line for each stage: same sense and other sense.

    stages: {name: (cosines of the same sense, cosines of another sense)}. low: where
    the lines begin; they end at 1.

    >>> picture = same_and_other({"table": ([1.0], [1.0])}, "One vector for both.")
    >>> picture.count("<circle")  # one of each, and two in the legend
    4
    """
    left, wide, step, top = 108, 196, 40, 24 if title else 20

    def at(value):
        return left + (max(low, float(value)) - low) / (1 - low) * wide

    bottom = top + step * len(stages)
    parts = [_text(left + wide / 2, 15, title, FONT, bold=True)]
    for tick in range(3):
        value = low + (1 - low) * tick / 2
        parts.append(
            f'<path d="M{at(value):.1f} {top}V{bottom}" stroke="currentColor"'
            ' stroke-opacity="0.15"/>'
        )
        parts.append(_text(at(value), bottom + 16, f"{value:.2g}", 12))
    parts.append(
        _text(left + wide / 2, bottom + 34, "cosine of two of its vectors", 13)
    )
    for number, (name, (same, other)) in enumerate(stages.items()):
        y = top + step * (number + 0.5)
        parts.append(_text(left - 14, y + 4, name, 13, "end"))
        parts += [_dot(at(value), y - 6, "query", filled=True) for value in same]
        parts += [_dot(at(value), y + 6, "key", filled=False) for value in other]
    y = bottom + 56
    parts += [
        _dot(left, y - 4, "query", True),
        _text(left + 11, y, "same sense", 13, "start"),
    ]
    parts += [
        _dot(left + 112, y - 4, "key", False),
        _text(left + 123, y, "other sense", 13, "start"),
    ]
    return _svg(parts, left + wide + 20, y + 10, words)


def covered(title, words, hole, seen, guesses, answer="", said="", full=1.0):
    """Return a text with words covered, and what was guessed for the word at `hole`.

    words: of the text. seen: n booleans; a word that may not be seen is a dashed box.
    guesses: {word: share}, drawn as bars that reach the edge at the share `full`; that
    of the `answer` is purple. said: a line below them.

    >>> picture = covered("left", ["a", "b", "c"], 1, [1, 0, 0], {"b": 0.5, "d": 0.2})
    >>> picture.count("stroke-dasharray"), picture.count('class="bar"')
    (1, 2)
    """
    width, x, y, size = 216, 4.0, 42, 14
    parts = [_text(width / 2, 15, title, FONT, bold=True)]
    for i, word in enumerate(words):
        long = 0.56 * size * (3 if i == hole else len(word)) + 4
        if x + long > width - 4:
            x, y = 4.0, y + 26
        box = f'<rect x="{x:.1f}" y="{y - 15}" width="{long:.1f}" height="21" rx="3"'
        if i == hole:
            parts.append(f'{box} {_stroke("weights")} stroke-width="2"/>')
            parts.append(_text(x + long / 2, y, "?", size, bold=True))
        elif seen[i]:
            parts.append(_text(x + long / 2, y, word, size))
        else:
            dashes = 'fill="none" stroke="currentColor" stroke-opacity="0.7"'
            parts.append(f'{box} {dashes} stroke-dasharray="3 3"/>')
        x += long + 3
    y += 20
    for word, share in guesses.items():
        hue = "weights" if word == answer else "plain"
        reach = min(1, share / full) * (width - 122)
        shown = word.replace("##", "-")  # the end of a word
        parts.append(_text(80, y + 13, shown, 13, "end", bold=word == answer))
        parts.append(
            f'<rect class="bar" x="86" y="{y + 2}" width="{reach:.1f}" height="14"'
            f" {_mixed(hue, 1)}/>"
        )
        parts.append(_text(90 + reach, y + 13, f"{share:.2f}", 12, "start"))
        y += 20
    parts.append(_text(width / 2, y + 15, said, 13))
    sight = " ".join(
        "?" if i == hole else w if s else "…"
        for i, (w, s) in enumerate(zip(words, seen, strict=True))
    )
    words = f"{title}: {sight} Guesses: {', '.join(guesses)}. {said}"
    return _svg(parts, width, y + (24 if said else 6), words)


def _dot(x, y, hue, filled):
    look = f'{_stroke(hue, filled)} stroke-width="2"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {look}/>'


def draw(*pictures):
    """Show pictures in the running notebook, beside each other where there is room.

    >>> draw(matrices(Matrix("A", [[1, 0]]), words="one row"))  # doctest: +SKIP
    """
    from IPython.display import HTML, display

    display(HTML(_card("".join(pictures))))


def slide(label, frames, start=0):
    """Show pictures that a slider turns over; without a script the one at `start`.

    label: what the slider changes. frames: (sentence that says what is seen, picture)
    pairs, a state each. Raises ValueError where `start` is none of them.

    >>> slide("step:", [("It stands.", "<svg></svg>")])  # doctest: +SKIP
    """
    from IPython.display import HTML, display

    if not 0 <= start < len(frames):
        raise ValueError(f"start {start} is none of the {len(frames)} frames")
    body = "".join(
        f'<div class="frame" data-said="{html.escape(said)}"'
        f"{'' if i == start else ' hidden'}>{_card(picture)}</div>"
        for i, (said, picture) in enumerate(frames)
    )
    digest = hashlib.sha256((label + body).encode()).hexdigest()[:10]
    name = f"slide-{digest}-{next(_numbers)}"  # also where one is shown twice
    display(
        HTML(
            f'<div class="slide" id="{name}"><label hidden>{html.escape(label)} '
            f'<input type="range" min="0" max="{len(frames) - 1}" value="{start}" '
            'style="width:min(45%,16rem);vertical-align:middle"></label>'
            f'{body}<output aria-live="polite">{html.escape(frames[start][0])}</output>'
            f"<script>{SCRIPT.replace('ID', name)}</script></div>"
        )
    )


def _card(picture):
    """Parts beside each other on a ground of their own, below each other on a phone."""
    style = (
        "display:flex;flex-wrap:wrap;align-items:center;gap:0.5rem;padding:0.25rem;"
        "font-size:21px;background:var(--picture-ground,#fff);"
        "color:var(--picture-ink,#222)"
    )
    return f'<div class="picture" style="{style}">{picture}</div>'


def _text(x, y, text, size, anchor="middle", bold=False, upright=False):
    if not text:
        return ""
    turn = f' transform="rotate(-90 {x + size / 3:.1f} {y:.1f})"' if upright else ""
    at = f'x="{x + size / 3 if upright else x:.1f}" y="{y:.1f}"'
    anchor = "start" if upright else anchor
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text {at} font-size="{size}" text-anchor="{anchor}" fill="currentColor"'
        f"{weight}{turn}>{html.escape(text)}</text>"
    )


def _mixed(hue, share):
    """Fill of a cell: the hue mixed into the page's ground, else into white."""
    part = DEEPEST * share
    white = ",".join(str(round(255 - part * (255 - c))) for c in HUES[hue])
    mix = f"var(--picture-{hue},rgb{HUES[hue]}) {100 * part:.0f}%"
    ground = "var(--picture-ground,#fff)"
    return f'fill="rgb({white})" style="fill:color-mix(in srgb,{mix},{ground})"'


def _stroke(hue, filled=False):
    """Stroke in a hue, and the fill of a mark."""
    color = f"var(--picture-{hue},rgb{HUES[hue]})"
    inside = color if filled else "none"
    own = f"rgb{HUES[hue]}" if filled else "none"
    return f'stroke="rgb{HUES[hue]}" fill="{own}" style="stroke:{color};fill:{inside}"'


def _svg(parts, width, height, words):
    words = html.escape(words)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" font-family="sans-serif"'
        f' viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' style="max-width:100%;height:auto" aria-label="{words}">'
        f"<title>{words}</title>{''.join(parts)}</svg>"
    )
