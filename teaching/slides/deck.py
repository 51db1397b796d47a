"""The slides of a chapter: which of its parts they show, as Markdown for Marp."""

import html
import json
import re
from pathlib import Path

from build_tools.print.plots import draw
from helpers.exercises.quizzes import read_questions

MOST = 20  # slides a deck
PREDICTIONS = 4  # of a deck; each takes two slides
LINES, COLUMNS = 14, 96  # of what a cell prints, as many as a slide holds
ROWS, CELLS = 9, 8  # of a table
PICTURES = ("figure", "plot", "view")
OUTPUTS = ("text", "table", "plot", "view")  # of a cell
BESIDE, ALONE = 330, 720  # letters of text beside a picture, and without one
SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z*`$\"(])")
WRAP = re.compile(r"(?<!\n)\n(?!\n|\s*[-*] )\s*")
STOP = re.compile(r"[,.;]?\s*\$\$[,.;]?$")
PROTECTED = re.compile(r"(`[^`]*`|\$[^$]*\$)")
STYLE = Path(__file__).with_name("style.css")
HEAD = """\
---
marp: true
theme: default
math: mathjax
paginate: true
lang: en
title: "{title}"
footer: "Inside BERT · {title} · CC BY 4.0"
style: |
{style}
---
"""


class Deck:
    """The slides of a chapter, and the pictures that they show.

    number, title: of the chapter. blocks: as `outline` gives them. name: the start of
    the names of its pictures.
    """

    def __init__(self, chapter, blocks):
        self.chapter, self.blocks = chapter, blocks
        self.name = f"{chapter.number:02}-{chapter.slug}"
        self.pictures, self.plots = {}, {}
        questions = read_questions(chapter.slug)
        asked = [questions[0], questions[len(questions) // 2]]
        before = [self._title(), self._objectives(), self._way()]
        after = [self._summary(), *(s for q in asked for s in _question(*q))]
        parts = self._parts(MOST - len(before) - len(after))
        self.slides = [*before, *(slide for part in parts for slide in part), *after]

    def markdown(self):
        """Return the deck as one text."""
        style = "\n".join(f"  {line}" for line in STYLE.read_text("utf-8").splitlines())
        title = f"{self.chapter.number}. {self.chapter.title}".replace('"', "'")
        head = HEAD.format(title=title, style=style)
        return head + "\n" + "\n\n---\n\n".join(self.slides) + "\n"

    def write(self, folder):
        """Write the Markdown and its pictures into a folder; return the text's path."""
        (folder / "pictures").mkdir(parents=True, exist_ok=True)
        drawn = draw(list(self.plots.values()))
        for name, plot in self.plots.items():
            self.pictures[name] = drawn[plot.place]
        for name, content in self.pictures.items():
            (folder / "pictures" / name).write_bytes(content)
        path = folder / f"{self.name}.md"
        path.write_text(self.markdown(), encoding="utf-8")
        return path

    def _title(self):
        question = next(b.text for b in self.blocks if b.kind == "prose").strip("*")
        title = f"{self.chapter.number}. {self.chapter.title}"
        return _slide(title, _joined(question), kind="title")

    def _objectives(self):
        box = next(b for b in self.blocks if b.title.startswith("After this "))
        return _slide(box.title, _joined(box.text))

    def _way(self):
        steps = [b.text for b in self.blocks if b.kind == "heading" and b.title == "##"]
        steps = [step for step in steps if step != "Summary"]
        listed = "\n".join(f"1. {_safe(step)}" for step in steps)
        return _slide("The way", listed, kind="dense" if len(steps) > 9 else "")

    def _summary(self):
        start = next(
            n
            for n, b in enumerate(self.blocks)
            if b.kind == "heading" and b.text == "Summary"
        )
        told = " ".join(b.text for b in self.blocks[start:] if b.kind == "prose")
        listed = "\n".join(f"- {_safe(s)}" for s in _sentences(told))
        return _slide("Summary", listed, kind="dense")

    def _parts(self, room):
        """Return the slides of the chosen parts of the page, in its order."""
        found = self._found()
        kinds = {}
        for part in found:
            kinds.setdefault(part[1], []).append(part)
        chosen = _spread(kinds.get("prediction", []), PREDICTIONS)
        room -= 2 * len(chosen)
        for kind in ("figure", "plot", "view", "formula", "mistake"):
            some = _spread(kinds.get(kind, []), room)
            room -= len(some)
            chosen += some
        return [make() for _, _, make in sorted(chosen, key=lambda part: part[0])]

    def _found(self):
        """Return (place, kind, function that makes the slides) of what may be shown."""
        found, heading, until = [], "", 0
        for at, block in enumerate(self.blocks):
            heading = block.text if block.kind == "heading" else heading
            if block.kind == "box" and block.title == "Predict first":
                answer, until = self._answer(at)
                if answer:
                    make = self._prediction(heading, block, *answer)
                    found.append((at, "prediction", make))
            elif block.kind == "box" and block.title.startswith("Common mistake"):
                found.append((at, "mistake", _mistake(block)))
            elif block.kind in PICTURES and at >= until:
                said = "" if block.kind == "figure" else self._said_after(at)
                found.append((at, block.kind, self._picture(heading, block, said)))
            elif block.kind == "formula":
                make = _formula(heading, block, self.blocks[at - 1])
                found.append((at, "formula", make))
        return found

    def _answer(self, at):
        """Return ((what to show or None, text), where it ends) of a prediction.

        The text is a box, the first prose with what the run has put in, or else the
        first prose after an output.
        """
        shown, said, seen = None, None, False
        for place, block in enumerate(self.blocks[at + 1 :], start=at + 1):
            if block.kind == "heading":
                break
            if block.kind == "box" and block.title.startswith("What came out"):
                return (shown, block.text), place
            if block.kind == "prose" and block.glued:
                return (shown, block.text), place
            if block.kind == "prose" and seen and not said:
                said = (shown, block.text), place
            seen |= block.kind in OUTPUTS
            if _fits(block):
                shown = block
        return said or (None, at)

    def _said_after(self, at):
        after = self.blocks[at + 1 :]
        return next((b.text for b in after[:3] if b.kind in ("prose", "heading")), "")

    def _prediction(self, heading, box, shown, text):
        def make():
            asked = _joined(box.text)
            return (
                _slide("Predict first", asked, kind="predict", over=heading),
                self._result("What came out", shown, text, over=heading),
            )

        return make

    def _picture(self, heading, block, said):
        return lambda: (self._result(heading, block, block.text or said),)

    def _result(self, title, shown, text, over=""):
        """A slide with a picture or an output and what is said of it."""
        if shown is None:
            return _slide(title, _safe(_clipped(text, ALONE)), note=text, over=over)
        content = f"{self._drawn(shown)}\n\n{_safe(_clipped(text, BESIDE))}"
        if shown.kind in PICTURES:
            kind = "beside"
        else:
            kind = "" if _is_small(shown) else "dense"
        return _slide(title, content, kind=kind, note=text, over=over)

    def _drawn(self, block):
        if block.kind == "text":
            return f"```text\n{block.text}\n```"
        if block.kind == "table":
            return block.text
        count = len(self.pictures) + len(self.plots) + 1
        name = f"{self.name}-{count}.{'png' if block.kind == 'plot' else 'svg'}"
        if block.kind == "plot":
            self.plots[name] = block.source
        elif block.kind == "figure":
            self.pictures[name] = block.source.read_bytes()
        else:
            start = '<svg xmlns="http://www.w3.org/2000/svg"'
            self.pictures[name] = block.source.replace("<svg", start, 1).encode()
        return f'<img src="pictures/{name}" alt="{html.escape(block.alt)}">'


def _slide(title, text, kind="", note="", over=""):
    """Return the Markdown of a slide.

    kind: its class in the style. note: what only the speaker sees. over: the section,
    in small letters above the slide.
    """
    parts = [f"<!-- _class: {kind} -->"] if kind else []
    parts += (
        [f"<!-- _header: {json.dumps(over, ensure_ascii=False)} -->"] if over else []
    )
    parts += [f"# {_safe(title)}", text.strip()]
    if note:
        parts.append(f"<!--\n{note.replace('--', '- -')}\n-->")
    return "\n\n".join(parts)


def _question(text, options):
    """A slide that asks, and one that tells."""
    asked, told = [], []
    for letter, option in zip("ABCDEFGHIJ", options, strict=False):
        verdict = "Right." if option["right"] else "No."
        asked.append(f"**{letter}** {_safe(option['text'])}")
        told.append(f"**{letter} {verdict}** {_safe(option['why'])}")
    question = f"**{_safe(text)}**"
    return (
        _slide("Which one?", "\n\n".join([question, *asked])),
        _slide("Which one: the answer", "\n\n".join([question, *told]), kind="dense"),
    )


def _mistake(box):
    return lambda: (_slide(box.title, _safe(_clipped(box.text, ALONE)), note=box.text),)


def _formula(heading, block, above):
    before = _safe(_sentences(above.text)[-1]) if above.kind == "prose" else ""
    formula = STOP.sub("$$", block.text)
    return lambda: (_slide(heading, f"{before}\n\n{formula}"),)


def _fits(block):
    """Whether a slide can show it with some text."""
    if block.kind == "text":
        lines = block.text.split("\n")
        return len(lines) <= LINES and max(map(len, lines)) <= COLUMNS
    if block.kind == "table":
        rows = block.text.split("<tr")[1:]
        widest = max(row.count("<td") + row.count("<th") for row in rows)
        return len(rows) <= ROWS and widest <= CELLS
    return block.kind in PICTURES


def _is_small(block):
    """Whether text beside it may have letters of the usual size."""
    if block.kind == "text":
        lines = block.text.split("\n")
        return len(lines) <= LINES // 2 and max(map(len, lines)) <= COLUMNS - 24
    return block.kind == "table" and block.text.count("<tr") <= ROWS * 2 // 3


def _joined(text):
    """Return a text without its line breaks, which Marp would keep."""
    return WRAP.sub(" ", text)


def _sentences(text):
    return SENTENCE.split(" ".join(text.split()))


def _clipped(text, letters):
    """Return the sentences of a text that have room, at least the first."""
    kept, *rest = _sentences(text)
    for sentence in rest:
        if len(kept) + len(sentence) > letters:
            break
        kept += " " + sentence
    return kept


def _safe(text):
    """Return Markdown in which no `<` outside of code and formulas begins a tag."""
    parts = PROTECTED.split(text)
    return "".join(p if n % 2 else p.replace("<", "&lt;") for n, p in enumerate(parts))


def _spread(some, most):
    """Return at most `most` of them, spread over the page."""
    if len(some) <= most:
        return list(some)
    if most < 2:
        return list(some[:most])
    return [some[round(n * (len(some) - 1) / (most - 1))] for n in range(most)]
