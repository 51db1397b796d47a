"""A view of a step as a drawing, and as a table for those who do not see it."""

from html import escape

import numpy as np

from build_tools.live import looks
from build_tools.live.scrolling_table import scrolling_table

LOOK = looks.STEPS
WIDE, LINE, HIGH, LETTER = 400, 20, 26, 8  # units of a drawing


def html_of(view):
    """Return the drawing, the sentence below it, and the table, folded."""
    svg = drawing(view)
    words = f"<p>{escape(view['words'])}</p>" if view["words"] else ""
    title = LOOK["say"]["numbers"]
    folded = f"<details><summary>{title}</summary>{table(view)}</details>"
    shown = f'<div class="live-card">{svg}</div>' if svg else ""
    return shown + words + (folded if svg else "")


def drawing(view):
    """Return an SVG that needs no style sheet; "" where there is nothing to draw."""
    parts, y = [], 0
    for draw in (draw_boxes, draw_bars, draw_strips):
        drawn, y = draw(view, y)
        parts += drawn
    if not parts:
        return ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {y}" '
        f'class="live-drawing" aria-hidden="true" font-family="sans-serif" '
        f'font-size="14" fill="{LOOK["ink"]}">'
        f'<rect width="{WIDE}" height="{y}" fill="#fff"/>{"".join(parts)}</svg>'
    )


def draw_boxes(view, y):
    """Boxes with a text and what stands below it, as many in a line as fit."""
    parts, x, below = [], 4, any(under for _, under in view.get("boxes", ()))
    high = 40 if below else 24
    for text, under in view.get("boxes", ()):
        width = min(WIDE - 8, 12 + 9 * max(len(text), len(under)))
        if x + width > WIDE - 4:
            x, y = 4, y + high + 6
        frame = f'x="{x}" y="{y + 4}" width="{width}" height="{high}"'
        parts.append(
            f'<rect {frame} fill="none" stroke="{LOOK["ink"]}"/>'
            + text_at(x + width / 2, y + 21, text, "middle")
            + text_at(x + width / 2, y + 38, under, "middle")
        )
        x += width + 6
    return parts, y + high + 8 if parts else y


def draw_bars(view, y):
    """A line for each name, with its bar and its number."""
    rows = view.get("bars", ())
    most = max([1e-9, *(value for _, value in rows)])
    parts = []
    for name, value in rows:
        parts.append(
            text_at(4, y + 16, name)
            + f'<rect x="190" y="{y + 4}" width="{140 * value / most:.1f}" height="14" '
            f'fill="{LOOK["scale"][2]}"/>'
            + text_at(WIDE - 4, y + 16, f"{value:.3f}", "end")
        )
        y += LINE + 2
    return parts, y + 4 if parts else y


def draw_strips(view, y):
    """A strip for each row of numbers, its colours up to its largest number."""
    parts, rows = [], view.get("strips", ())
    columns = view.get("columns", ())
    step = WIDE / max(1, len(columns))
    if rows:
        turned = any(len(name) > 3 for name in columns)
        room = min(14, max(map(len, columns))) * LETTER if turned else LINE
        y += room
        for i, name in enumerate(columns):
            x = (i + 0.5) * step
            kept = name if len(name) < 15 else name[:13] + "…"
            parts.append(
                f'<text transform="translate({x + 5:.1f} {y - 3}) rotate(-90)">'
                f"{escape(kept)}</text>"
                if turned
                else text_at(x, y - 4, kept, "middle")
            )
    for name, values in rows:
        most = max(1e-9, float(np.abs(values).max()))
        full = f"{LOOK['say']['full']} {most:.3f}"
        parts.append(text_at(0, y + 16, name) + text_at(WIDE, y + 16, full, "end"))
        y += LINE
        for i, value in enumerate(values):
            title = f"{name}, {columns[i]}: {value:.3f}"
            parts.append(cell(i * step, y, step, value / most, title))
        y += HIGH + 4
    return parts, y + 4 if rows else y


def cell(x, y, width, share, title):
    """A coloured box; what is below 0 has a bar across, for those who see no colour."""
    mark = ""
    if share < 0:
        middle, ink = y + HIGH / 2, "#fff" if share < -0.5 else LOOK["ink"]
        mark = (
            f'<path d="M{x + width / 2 - 4:.1f} {middle}h8" stroke="{ink}" '
            'stroke-width="2"/>'
        )
    return (
        f'<g><title>{escape(title)}</title><rect x="{x:.1f}" y="{y}" '
        f'width="{width:.1f}" height="{HIGH}" fill="{colour(share)}" stroke="#fff"/>'
        f"{mark}</g>"
    )


def colour(share):
    """The colour of a number as a share of the largest, -1 to 1."""
    below, zero, above = (
        [int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in LOOK["scale"]
    )
    end = above if share > 0 else below
    mixed = [round(a + abs(share) * (b - a)) for a, b in zip(zero, end, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def text_at(x, y, text, anchor="start"):
    if not text:
        return ""
    return f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def table(view):
    """All that a drawing shows, in a table of its own for each kind of it."""
    tables = []
    if view.get("boxes"):
        tables.append(([], view["boxes"]))
    if view.get("bars"):
        tables.append(([], [(name, f"{value:.3f}") for name, value in view["bars"]]))
    if view.get("strips"):
        rows = [(name, *(f"{v:.3f}" for v in vs)) for name, vs in view["strips"]]
        tables.append((["", *view["columns"]], rows))
    label = LOOK["say"]["numbers"]
    return "".join(scrolling_table(label, *parts) for parts in tables)
