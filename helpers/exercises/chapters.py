"""The chapters and their numbers, from the book's table of contents alone."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TITLE = re.compile(r"^# (.+)$", re.M)
LABEL = re.compile(r"^\(([a-z0-9-]+)\)=$", re.M)


@dataclass(frozen=True)
class Chapter:
    """A chapter: a folder with its page, checks, quiz and notes.

    slug: its name in exercises and links, the label above the page's title, else the
    name of the folder. number: its place in the book.
    """

    slug: str
    number: int
    folder: Path

    @property
    def page(self):
        return self.folder / "index.md"

    @property
    def title(self):
        return title_of(self.page)


def read_chapters(root=ROOT):
    """Return the chapters in their order: the folders that `_toc.yml` lists."""
    import yaml

    toc = yaml.safe_load((Path(root) / "_toc.yml").read_text(encoding="utf-8"))
    files = [e["file"] for part in toc["parts"] for e in part["chapters"]]
    pages = [Path(root) / f"{file}.md" for file in files if file.endswith("/index")]
    return [Chapter(_slug(p), n, p.parent) for n, p in enumerate(pages, start=1)]


def title_of(path):
    """Return the first heading of a MyST file."""
    return TITLE.search(path.read_text(encoding="utf-8"))[1].strip()


def _slug(page):
    label = LABEL.search(page.read_text(encoding="utf-8"))
    return label[1] if label else page.parent.name


@lru_cache
def chapters():
    """Return {slug: Chapter} of this course, read once."""
    return {chapter.slug: chapter for chapter in read_chapters()}


def chapter_named(slug):
    """Return the Chapter of that slug; raises ValueError where there is none."""
    if chapter := chapters().get(slug):
        return chapter
    raise ValueError(f"there is no chapter {slug!r}; there are {', '.join(chapters())}")
