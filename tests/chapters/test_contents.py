"""The table of contents is the one list of chapters, and each of them is whole."""

from pathlib import Path

import pytest
import yaml

from build_tools.upkeep.new_chapter import MARK
from helpers.exercises.chapters import read_chapters

ROOT = Path(__file__).resolve().parents[2]


def test_folders_of_chapters_and_the_table_of_contents_agree():
    folders = {path.parent for path in (ROOT / "chapters").glob("*/index.md")}
    assert folders == {chapter.folder for chapter in read_chapters()}


def test_every_page_of_the_book_is_listed():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    files = {entry["file"] for part in toc["parts"] for entry in part["chapters"]}
    pages = {path.stem for path in (ROOT / "chapters").glob("*.md")}
    assert pages == {Path(file).name for file in files if not file.endswith("/index")}


PARTS = {"index.md", "exercises.py", "quiz.toml", "teaching.md"}


@pytest.mark.parametrize("chapter", read_chapters(), ids=lambda chapter: chapter.slug)
def test_a_chapter_has_all_its_parts_and_none_is_unwritten(chapter):
    assert {path.name for path in chapter.folder.iterdir()} >= PARTS
    for path in chapter.folder.glob("*.*"):
        text = path.read_text(encoding="utf-8", errors="replace")
        assert MARK not in text, f"{path.name} is not written yet"
