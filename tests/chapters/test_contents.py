"""The table of contents is the one list of chapters, and each of them is whole."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from build_tools.upkeep.new_chapter import MARK
from helpers.exercises.chapters import chapters as named_chapters
from helpers.exercises.chapters import read_chapters

ROOT = Path(__file__).resolve().parents[2]
SLUGS = "|".join(map(re.escape, named_chapters()))
# A path, an exercise or an entry of a list; a word of the prose is none of these.
NAMED = re.compile(
    rf"chapters/({SLUGS})\b|\b({SLUGS})\.\d\b|^\s*[\"'-] ?({SLUGS})\b"
    rf"|[\"']({SLUGS})[\"']"
)


def tracked():
    listed = ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "-z"]
    names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout
    return [name for name in names.split("\0") if name and (ROOT / name).is_file()]


def test_folders_of_chapters_and_the_table_of_contents_agree():
    folders = {path.parent for path in (ROOT / "chapters").glob("*/index.md")}
    assert folders == {chapter.folder for chapter in read_chapters()}


def test_a_folder_is_imported_by_its_name_with_underscores():
    import chapters.word_senses

    folder = ROOT / "chapters/word-senses"
    assert list(chapters.word_senses.__path__) == [str(folder)]
    with pytest.raises(ModuleNotFoundError, match="chapters.word_sense"):
        import chapters.word_sense  # noqa: F401


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


# Files that may name many chapters, each with what finds a chapter that is not there.
LISTS = {
    "_toc.yml": "the one list",
    "plans.toml": "which week takes which: test_plans holds it to _toc.yml",
    "test_findings.py": "claims that need a wide random model: each_run looks",
    "test_exercises.py": "solutions that no rule fits, each with its reason",
    "test_page_sizes.py": "pages above a ceiling: it fails for one that is not",
    "conftest.py": "which files of tests take longest, and so begin first",
}


def test_no_list_of_chapters_is_typed_anywhere_else():
    """Five chapters named in one file are taken for a list; notebooks are exported."""
    found = {}
    for name in tracked():
        if name.startswith("notebooks/") or Path(name).name in LISTS:
            continue
        if Path(name).suffix not in (".py", ".md", ".toml", ".yml", ".js", ".json"):
            continue
        text = (ROOT / name).read_text(encoding="utf-8")
        slugs = {
            slug
            for line in text.splitlines()
            for match in NAMED.finditer(line)
            for slug in match.groups()
            if slug
        }
        if len(slugs) > 4:
            found[name] = sorted(slugs)
    assert found == {}
