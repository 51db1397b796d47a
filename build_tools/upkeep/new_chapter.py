"""Start a chapter: `python -m build_tools.upkeep.new_chapter SLUG TITLE`.

Writes chapters/SLUG after `chapter_template`, and its line in `_toc.yml` after the
last chapter, from where it can be moved. What is to be written is marked
TO WRITE; the tests fail until none of these marks is left.
"""

import re
import sys
from keyword import iskeyword
from pathlib import Path

from build_tools.console import say
from helpers.exercises.chapters import ROOT, read_chapters
from helpers.whole_files import replace, whole

TEMPLATE = Path(__file__).with_name("chapter_template")
FILES = sorted(path.name for path in TEMPLATE.glob("*.*"))
MARK = "TO WRITE"
LONGEST = 60  # letters of a slug
LEFT = """What is left to do, and the tests ask for:
- what is marked TO WRITE: grep -rn "TO WRITE" chapters/{slug}
- its place: move its line in _toc.yml
- its week in each plan of teaching/plans.toml, or in left_out
- its title in chapters/course-in-one-picture.svg
- works into references.bib, terms into chapters/glossary.md
- make book once for the new page, then make page SLUG={slug} after each change\
"""


def write(slug, title, root=ROOT):
    """Write the folder of a chapter and its line in `_toc.yml`; return the folder.

    Raises ValueError for a slug that is taken or that no address can hold, and for a
    title that is no line of text. Each is written whole.
    """
    folder = root / "chapters" / slug
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", slug) or len(slug) > LONGEST:
        raise ValueError(
            f"{slug!r} is not a slug: up to {LONGEST} small letters and hyphens"
        )
    if iskeyword(slug):
        raise ValueError(f"{slug!r} is a word of Python, which no import can name")
    if not title.strip() or not title.isprintable():
        raise ValueError(f"{title!r} is not a title: give it in one line")
    known = read_chapters(root)
    taken = folder.exists() or folder.with_suffix(".md").exists()
    if taken or slug in {chapter.slug for chapter in known}:
        raise ValueError(f"there is a chapter {slug} already")
    toc = root / "_toc.yml"
    lines = toc.read_text(encoding="utf-8").splitlines(keepends=True)
    last = known[-1].page.relative_to(root).with_suffix("").as_posix()
    [at] = [n for n, line in enumerate(lines, start=1) if f"file: {last}\n" in line]
    lines.insert(at, f"      - file: chapters/{slug}/index\n")
    with whole(folder) as new:
        new.mkdir()
        for name in FILES:
            text = (TEMPLATE / name).read_text(encoding="utf-8")
            text = text.replace("MODULE", slug.replace("-", "_"))
            text = text.replace("SLUG", slug).replace("TITLE", title)
            (new / name).write_text(text, encoding="utf-8")
    replace(toc, "".join(lines).encode())
    return folder


def main(slug, title):
    try:
        folder = write(slug, title)
    except (OSError, ValueError) as error:
        return f"error: {error}"
    say(
        f"wrote {folder.relative_to(ROOT)}: {', '.join(FILES)}\n"
        f"and its line in _toc.yml\n{LEFT.format(slug=slug)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
