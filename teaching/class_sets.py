"""Write what a class needs: `python -m teaching.class_sets FOLDER`.

FOLDER/student holds the notebooks without solutions; FOLDER/instructor the same
with solutions, and notes for each chapter: timing, discussion points, where
students go wrong. FOLDER/template is a repository for students: the notebooks, and a
workflow that answers every push; it is written where INSIDE_BERT_SOURCE names the
course's repository on GitHub, which the workflow fetches.
"""

import argparse
import shutil
import sys
from pathlib import Path

from build_tools.book.dependencies import name_of
from build_tools.book.site import VARIABLE, Site, SiteError
from build_tools.console import say
from build_tools.notebooks import exporter
from build_tools.notebooks.markdown import ExportError
from helpers.exercises.chapters import read_chapters, title_of
from helpers.exercises.checks import exercises
from helpers.whole_files import whole
from teaching import plans

NOTES = "teaching.md"
SETS = ("student", "instructor", "template")


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
        new.mkdir()
        _write_set(new / "student", root, False, site)
        _write_set(new / "instructor", root, True, site)
        for chapter in chapters:
            name = f"{name_of(chapter.page)}.md"
            text = (chapter.folder / NOTES).read_text(encoding="utf-8")
            text = text.replace("# ", f"# {chapter.number}. ", 1)
            (new / "instructor" / name).write_text(text, encoding="utf-8")
        _write_teaching(new / "instructor" / "teaching")
        write_push(new, site)
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


def write_push(new, site):
    """Write what answers a push: a template repository, and Classroom 50's script.

    Both fetch the course, so nothing is written for one that is not on GitHub.
    """
    if not site.github:
        return
    names = {"{repository}": site.github, "{commit}": site.commit}
    names |= {"{url}": site.url, "{tag}": site.tag}
    slugs = dict.fromkeys(e.rpartition(".")[0] for e in exercises())
    names["{chapters}"] = " ".join(slugs)
    workflow = new / "template/.github/workflows/feedback.yml"
    autograder = new / "instructor/classroom50/autograder.py"
    shutil.copytree(new / "student", new / "template")
    for path in (workflow, autograder):
        path.parent.mkdir(parents=True)
        text = (plans.TEACHING / "push" / path.name).read_text(encoding="utf-8")
        for name, value in names.items():
            text = text.replace(name, value)
        path.write_text(text, encoding="utf-8")


def _write_set(folder, root, solutions, site):
    folder.mkdir()
    rows = []
    for path in exporter.chapters(root):
        notebook = exporter.as_text(path, root, solutions, site)
        name = name_of(path)
        (folder / f"{name}.ipynb").write_text(notebook, encoding="utf-8")
        notes = f"{name}.md" if (path.parent / NOTES).is_file() else ""
        second = notes if solutions else title_of(path)
        rows.append(f"| {name}.ipynb | {second} |")
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
    sets = [folder for name in SETS if (folder := options.folder / name).is_dir()]
    lines = [f"wrote {', '.join(map(str, sets))}"]
    if len(sets) < len(SETS):
        lines.append(
            f"for replies on a push, name the course's repository on GitHub: {VARIABLE}"
        )
    say("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
