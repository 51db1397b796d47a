"""What all pictures are made of: letters, strokes, colours, and the SVG around them."""

import html
import re

HUES = {
    "query": (0, 114, 178),
    "key": (213, 94, 0),
    "value": (0, 128, 92),
    "weights": (166, 61, 143),
    "plain": (100, 100, 100),
}
DEEPEST = 0.55  # share of a hue in a cell, so that dark letters stay readable
FONT, SMALL = 15, 11
# What XML 1.0 cannot hold, not even escaped.
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
FACES = ("query", "plain", "weights", "key", "value")  # of arrows and curves, in turn
HALO = (  # letters stay readable on a line
    '<g style="paint-order:stroke;stroke:var(--picture-ground,#fff);stroke-width:4px;'
    'stroke-linejoin:round">'
)


def drawing(parts, width, height, words):
    """Return parts as one SVG that says `words` to who does not see it."""
    words = html.escape(words)
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" font-family="sans-serif"'
        f' viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' style="max-width:100%;height:auto" aria-label="{words}">'
        f"<title>{words}</title>{''.join(parts)}</svg>"
    )
    return NOT_IN_XML.sub("\ufffd", drawn)


def letters(x, y, text, size, anchor="middle", bold=False, upright=False):
    """Return a text at a place; an upright one is read from below."""
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


def stroke_in(hue, filled=False):
    """Return the stroke in a hue, and the fill of a mark."""
    color = f"var(--picture-{hue},rgb{HUES[hue]})"
    inside = color if filled else "none"
    own = f"rgb{HUES[hue]}" if filled else "none"
    return f'stroke="rgb{HUES[hue]}" fill="{own}" style="stroke:{color};fill:{inside}"'


def mixed(hue, share):
    """Return the fill of a cell: its hue mixed into the page's ground, else white."""
    part = DEEPEST * share
    white = ",".join(str(round(255 - part * (255 - c))) for c in HUES[hue])
    mix = f"var(--picture-{hue},rgb{HUES[hue]}) {100 * part:.0f}%"
    ground = "var(--picture-ground,#fff)"
    return f'fill="rgb({white})" style="fill:color-mix(in srgb,{mix},{ground})"'


def dot(x, y, hue, filled):
    """Return a mark at a place, a disc or a ring."""
    look = f'{stroke_in(hue, filled)} stroke-width="2"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {look}/>'
