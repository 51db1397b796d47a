"""How long a built page takes: one count, for the page, its notebook and the plans.

A rule, until somebody has timed a class. A minute has 120 words, boxes, captions and
printed text included. A visible line of code takes 20 seconds, a folded one 5. A
picture, table, slider or live box takes 40 seconds instead of its words, and a *Predict
first* box 90 besides its words. A quiz takes the words of its questions and options,
and 30 seconds a question. An exercise takes its words, the visible lines of its stub,
and 80 seconds for each line of its solution, which is what is to be written: as much
as four that are read. To read the solutions takes nothing.
"""

import re
from collections import Counter

from bs4 import BeautifulSoup

WORDS = 120  # that are read in a minute
CODE_LINE, FOLDED_LINE, WRITTEN_LINE = 20, 5, 80  # seconds
PREDICTION, PICTURE, QUESTION = 90, 40, 30  # seconds
CORE, DEEPER, QUIZ, EXERCISES = "core", "deeper", "quiz", "exercises"
PARTS = {"Quiz": QUIZ, "Exercises": EXERCISES, "Deeper": DEEPER}
NOT_READ = {"Further reading", "References"}
LINE = "reading-time"  # class of the line under the title
DRAWN = re.compile(  # nothing of it is counted, and it is most of a page
    r"<(?P<tag>script|style|svg)\b.*?</(?P=tag)>|(?<= )srcdoc=\"[^\"]*\"",
    re.S,
)
# A box that is drawn when all pages are written: before and after it counts alike.
LATE = re.compile(r"<!--book-search .*?-->.*?<!--/book-search-->", re.S)
UNREAD = (
    f"[hidden], noscript, button, .headerlink, .{LINE}, .findings-count, "
    ".hide > summary"
)
PICTURES = (
    "figure, img, table, iframe, .picture, .slide, .attention-view, [data-root-id], "
    "section.live"
)
CHECKS = re.compile(r"\bcheck\(|\bimport check\b")


def size_of(html):
    """Return a Counter of (part, what) of a built page.

    part: core, deeper, quiz or exercises. what: words, lines, folded, pictures,
    predictions, questions, exercises and written, the lines of solutions.
    html: the page or its body. A page without a title is empty.
    """
    html = LATE.sub("<img/>", DRAWN.sub(_drawn, html))
    soup = BeautifulSoup(html, "html.parser")
    for unread in soup.select(UNREAD):
        unread.decompose()
    size, title = Counter(), soup.select_one("article h1") or soup.find("h1")
    for element in title.parent.find_all(True, recursive=False) if title else ():
        heading = element.find("h2", recursive=False)
        named = heading.get_text(" ", strip=True) if heading else ""
        part = PARTS.get(named, CORE)
        if part == QUIZ:
            size += _quiz(element)
        elif named not in NOT_READ:
            size += _part(part, element.wrap(soup.new_tag("div")))
    return size


def size_of_built(page, root):
    """Return `size_of` a page as it was built last, None where it was not."""
    built = root / "_build/html" / page.relative_to(root).with_suffix(".html")
    return size_of(built.read_text(encoding="utf-8")) if built.is_file() else None


def _drawn(found):
    """What stands for a drawing in a page: an <svg> alone has no other sign."""
    return "<img/>" if found["tag"] == "svg" else ""


def _quiz(element):
    """Count the words of questions and options; what opens on a click is free."""
    for why in element.select("details > p"):
        why.decompose()
    size, questions = Counter(), element.select(".quiz li")
    size[QUIZ, "questions"] = len(questions)
    size[QUIZ, "words"] = sum(map(_words, questions))
    return size


def _part(part, element):
    """Count an element of the page, which it takes apart."""
    size = Counter()
    if part == EXERCISES:
        size[part, "exercises"] = len(element.select(".exercise"))
        solutions = element.select(".solution .cell_input pre")
        size[part, "written"] = sum(map(_lines, solutions))
        for solution in element.select(".solution, .check"):
            solution.decompose()
    for code in element.select("div.highlight"):
        if not code.find_parent(class_="cell_output"):
            folded = code.find_parent("details", class_="hide")
            size[part, "folded" if folded else "lines"] += _lines(code)
            code.decompose()
    size[part, "predictions"] = sum(
        title.get_text(strip=True) == "Predict first"
        for title in element.select(".admonition-title")
    )
    for picture in [*element.select(PICTURES)]:
        if not picture.decomposed:  # it stood in another
            size[part, "pictures"] += 1
            caption = picture.find("figcaption")
            size[part, "words"] += _words(caption) if caption else 0
            picture.decompose()
    size[part, "words"] += _words(element)
    return size


def _lines(code):
    lines = code.get_text().splitlines()
    return sum(bool(line.strip()) and not CHECKS.search(line) for line in lines)


def _words(element):
    words = element.get_text(" ").split()
    return sum(any(map(str.isalnum, word)) for word in words)


def minutes_of(size):
    """Return {part: whole minutes} of what `size_of` counted."""
    seconds = {
        "words": 60 / WORDS,
        "lines": CODE_LINE,
        "folded": FOLDED_LINE,
        "written": WRITTEN_LINE,
        "pictures": PICTURE,
        "predictions": PREDICTION,
        "questions": QUESTION,
    }
    return {
        part: round(sum(size[part, what] * each for what, each in seconds.items()) / 60)
        for part in (CORE, QUIZ, EXERCISES, DEEPER)
    }


def minutes_of_built(page, root):
    """Return the minutes of a page as it was built last, {} where it was not."""
    size = size_of_built(page, root)
    return minutes_of(size) if size is not None else {}


def in_words(minutes):
    """Say how long a page takes; "" where there is nothing to read."""
    if not minutes.get(CORE):
        return ""
    said = [f"About {minutes[CORE]} minutes"]
    work = minutes[QUIZ] + minutes[EXERCISES]
    if not work and not minutes[DEEPER]:
        return f"{said[0]} to read."
    if work:
        said.append(f"{work} more for quiz and exercises")
    if minutes[DEEPER]:
        said.append(f"{minutes[DEEPER]} for what is deeper")
    return ", ".join(said) + "."
