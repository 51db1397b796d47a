"""Still pictures of `helpers.plotting.pictures` in the outputs of a page, for slides.

On a page a picture has parts, drawings and the signs between them, which wrap; a slide
shows one image. Of a slider it shows the state that the page starts with.
"""

import html
import re
from dataclasses import dataclass

from bs4 import BeautifulSoup

from build_tools.print.epub.strict import mend_drawing

WIDTH, GAP, LETTER = 700, 8, 21  # of a page; between parts; of a sign
SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Picture:
    """A picture as one SVG, and the words that stand for it."""

    svg: str
    alt: str


def pictures_of(text):
    """Return the Pictures in an output's HTML, in their order.

    >>> pictures_of("<p>no picture</p>")
    []
    """
    if 'class="picture"' not in text:
        return []
    soup = BeautifulSoup(text, "html.parser")
    for frame in soup.select(".frame[hidden]"):
        frame.decompose()
    return [_still(box) for box in soup.select(".picture")]


def _still(box):
    words = words_of(box)  # before the drawings lose theirs
    return Picture(_joined(box), words)


def words_of(box):
    """What a slider says of its state, then what the drawings say, each once."""
    frame = box.find_parent(class_="frame")
    said = [frame["data-said"]] if frame else []
    for drawing in box.select("svg"):
        words = drawing.get("aria-label", "").strip()
        said += [words] if not any(words in known for known in said) else []
    said = [words if words[-1] in ".?!" else f"{words}." for words in said if words]
    return SPACE.sub(" ", " ".join(said))


def _joined(box):
    """Return the parts of a picture beside each other, in lines as long as a page's."""
    lines = [[]]
    for part in box.find_all(True, recursive=False):
        if "break" in part.get("class", ()):
            lines.append([])
            continue
        if part.name != "svg" and "sign" not in part.get("class", ()):
            continue  # texts beside a drawing
        size = _size(part)
        if lines[-1] and _length(lines[-1]) + GAP + size[0] > WIDTH:
            lines.append([])
        lines[-1].append((part, *size))
    placed, y = [], 0
    for line in filter(None, lines):
        x, tall = 0, max(height for _, _, height in line)
        for part, width, height in line:
            placed.append(_placed(part, x, y + (tall - height) / 2, width, height))
            x += width + GAP
        y += tall + GAP
    wide, tall = max(map(_length, filter(None, lines))), y - GAP
    return (
        f'<svg viewBox="0 0 {wide:.0f} {tall:.0f}" width="{wide:.0f}"'
        f' height="{tall:.0f}" font-family="sans-serif" color="#222">'
        f"{''.join(placed)}</svg>"
    )


def _length(line):
    return sum(width for _, width, _ in line) + GAP * (len(line) - 1)


def _size(part):
    if part.name == "svg":
        return tuple(float(number) for number in part["viewbox"].split()[2:])
    return 0.6 * LETTER * len(part.get_text()), LETTER


def _placed(part, x, y, width, height):
    if part.name != "svg":
        text = html.escape(part.get_text())
        return (
            f'<text x="{x + width / 2:.1f}" y="{y + 0.8 * height:.1f}"'
            f' font-size="{LETTER}" text-anchor="middle"'
            f' fill="currentColor">{text}</text>'
        )
    for inside in [part, *part.find_all(True)]:
        mend_drawing(inside)
    for name in ("xmlns", "role", "aria-label", "style"):
        part.attrs.pop(name, None)
    part.attrs |= {
        "x": f"{x:.1f}",
        "y": f"{y:.1f}",
        "width": f"{width:.0f}",
        "height": f"{height:.0f}",
    }
    return str(part)
