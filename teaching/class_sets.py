"""Write what a class needs: `python -m teaching.class_sets FOLDER`.

FOLDER/student holds the notebooks without solutions; FOLDER/instructor the same
with solutions, and notes for each chapter.
"""

import argparse
import shutil
import sys
from pathlib import Path

from build_tools.book.dependencies import name_of
from build_tools.book.site import Site, SiteError
from build_tools.console import say
from build_tools.notebooks import exporter
from build_tools.notebooks.markdown import ExportError
from helpers.exercises.chapters import read_chapters, title_of
from helpers.whole_files import whole
from teaching import plans

NOTES = "teaching.md"
SETS = ("student", "instructor")


class ClassError(ValueError):
    """The folder cannot be written, or a chapter lacks its notes."""


def write(folder, root=exporter.ROOT):
    """Write all sets to `folder`, which must be new or empty; all or nothing."""
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ClassError(f"{folder} is not empty; name a new folder")
    site, chapters = Site.read(root), read_chapters(root)
    lacking = [c.slug for c in chapters if not (c.folder / NOTES).is_file()]
    if lacking:
        raise ClassError(f"these chapters have no {NOTES}: {', '.join(lacking)}")
    with whole(folder) as new:
        for name in SETS:
            _write_set(new / name, root, site)
        for chapter in chapters:
            text = (chapter.folder / NOTES).read_text(encoding="utf-8")
            text = text.replace("# ", f"# {chapter.number}. ", 1)
            place = new / "instructor" / f"{name_of(chapter.page)}.md"
            place.write_text(text, encoding="utf-8")
        _write_teaching(new / "instructor" / "teaching")
        if folder.exists():
            folder.rmdir()


def _write_teaching(folder):
    """Copy what is there for whoever teaches, and write the syllabus of each plan."""
    folder.mkdir()
    for path in plans.TEACHING.glob("[!_]*.*"):
        if path.suffix != ".py" and path.name != "syllabus.md":
            shutil.copy(path, folder)
    for plan in plans.read_plans():
        path = folder / f"syllabus-{plan['weeks']}-weeks.md"
        path.write_text(plans.syllabus(plan), encoding="utf-8")


def _write_set(folder, root, site):
    folder.mkdir(parents=True)
    rows, solutions = [], folder.name == "instructor"
    for path in exporter.chapters(root):
        name, notebook = name_of(path), exporter.as_text(path, root, solutions, site)
        (folder / f"{name}.ipynb").write_text(notebook, encoding="utf-8")
        notes = f"{name}.md" if (path.parent / NOTES).is_file() else ""
        rows.append(f"| {name}.ipynb | {notes if solutions else title_of(path)} |")
    path = plans.TEACHING / "class_readme" / f"{folder.name}.md"
    text = path.read_text(encoding="utf-8").format(rows="\n".join(rows))
    (folder / "README.md").write_text(text, encoding="utf-8")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m teaching.class_sets")
    parser.add_argument("folder", type=Path, help="a new folder")
    options = parser.parse_args(arguments)
    try:
        write(options.folder)
    except (ClassError, ExportError, SiteError, plans.PlanFault, OSError) as error:
        parser.exit(1, f"{error}\n")
    say(f"wrote {', '.join(str(options.folder / name) for name in SETS)}")


if __name__ == "__main__":
    sys.exit(main())
