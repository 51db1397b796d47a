"""The course in one picture: BERT from bottom to top, and the chapters that open it.

    python -m build_tools.course_picture    # draws it anew, as `make notebooks` does

Boxes come from `chapters/course-in-one-picture.toml`, chapters, numbers and titles
from `_toc.yml` and the pages.
"""

import sys
import tomllib
from html import escape

from helpers.exercises.chapters import ROOT, read_chapters

PICTURE = "chapters/course-in-one-picture.svg"
COLOURS = {
    "green": ("#00805c", "#e5f3ef"),
    "purple": ("#a63d8f", "#f6ebf4"),
    "blue": ("#0072b2", "#e6f1f8"),
    "orange": ("#d55e00", "#fdeee3"),
    "grey": ("#444444", "#f2f2f2"),
}
WIDTH, LINE, GAP = 480, 24, 26
INPUT = "a crane lifts steel"


def boxes_of(root):
    """Return the picture's boxes and how many of them are BERT itself.

    Each box has its `chapters`: (number, title) pairs in the order of the book.
    Raises ValueError where the boxes name what is no chapter.
    """
    text = (root / PICTURE).with_suffix(".toml").read_text(encoding="utf-8")
    plan = tomllib.loads(text)
    box_of = {slug: box for box in plan["box"] for slug in box["chapters"]}
    chapters, box = read_chapters(root), plan["box"][0]
    if unknown := box_of.keys() - {chapter.slug for chapter in chapters}:
        raise ValueError(f"boxes of the picture name no chapters: {sorted(unknown)}")
    for each in plan["box"]:
        each["chapters"] = []
    for chapter in chapters:
        box = box_of.get(chapter.slug, box)
        title = chapter.title.partition(":")[0]
        box["chapters"].append((chapter.number, title))
    return plan["box"], plan["stack"]


def drawing(root=ROOT):
    """Return the picture as the text of an SVG."""
    boxes, stack = boxes_of(root)
    lines, y = [], 16
    for place, box in enumerate(boxes):
        height = max(2, len(box["chapters"])) * LINE + 12
        lines += drawn_box(box, y, height)
        y += height + GAP
        if place < stack:  # an arrow leads into it from below
            lines.append(
                f'<path d="M90 {y - 2}v{4 - GAP}" fill="none" stroke="#444444" '
                'stroke-width="2" marker-end="url(#tip)"/>'
            )
        if place == stack - 1:
            lines.append(text_at(90, y + 16, INPUT, "middle", "italic"))
            y += 46
    names = (f"{' '.join(b['name'])}: {titles_of(b)}." for b in boxes)
    return SVG.format(
        width=WIDTH,
        height=y - GAP + 16,
        desc=escape(" ".join(names)),
        body="".join(f"  {line}\n" for line in lines),
    )


def titles_of(box):
    return ", ".join(f"{number} {title}" for number, title in box["chapters"])


def drawn_box(box, y, height):
    """Yield a box with its name and, beside it, its chapters."""
    stroke, fill = COLOURS[box["colour"]]
    yield (
        f'<rect x="16" y="{y}" width="148" height="{height}" rx="8" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="2"/>'
    )
    first = y + height / 2 + 5 - 10 * (len(box["name"]) - 1)
    for row, words in enumerate(box["name"]):
        yield text_at(90, first + 20 * row, words, "middle", weight="bold")
    for row, (number, title) in enumerate(box["chapters"]):
        at = y + 23 + LINE * row
        yield text_at(200, at, number, "end") + text_at(210, at, title)


def text_at(x, y, words, anchor="start", style="normal", weight="normal"):
    looks = {"text-anchor": anchor, "font-style": style, "font-weight": weight}
    said = "".join(
        f' {name}="{look}"'
        for name, look in looks.items()
        if look not in ("start", "normal")
    )
    return f'<text x="{x}" y="{y:g}"{said}>{escape(str(words))}</text>'


SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" \
aria-labelledby="title desc" font-family="sans-serif" font-size="15" fill="#222222">
  <title id="title">The course in one picture</title>
  <desc id="desc">BERT from top to bottom, and the chapters that open it. {desc}</desc>
  <defs>
    <marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" \
markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="#444444"/></marker>
  </defs>
  <rect width="{width}" height="{height}" rx="12" fill="#ffffff"/>
{body}</svg>
"""


def main(root=ROOT):
    (root / PICTURE).write_text(drawing(root), encoding="utf-8")
    print(f"drew {PICTURE}")


if __name__ == "__main__":
    sys.exit(main())
