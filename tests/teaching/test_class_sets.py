"""The two sets of a class: solutions only where they belong."""

import nbformat
import pytest

from build_tools.book.dependencies import name_of
from build_tools.notebooks import exporter
from helpers.exercises.chapters import chapter_named, read_chapters
from teaching import class_sets

SOLUTION = "majority_scores_solution"
FEW = {"using-this-course", "attention", "word-senses"}  # to export all takes long


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class") / "new"
    few = [path for path in exporter.chapters() if name_of(path) in FEW]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exporter, "chapters", lambda root: few)
        class_sets.write(folder)
    return folder


def sources(path):
    return "\n".join(c.source for c in nbformat.read(path, as_version=4).cells)


def test_solutions_are_in_the_instructors_set_only(written):
    for part in ("student", "instructor"):
        assert {path.stem for path in (written / part).glob("*.ipynb")} == FEW
    name = f"{name_of(chapter_named('word-senses').page)}.ipynb"
    assert SOLUTION not in sources(written / "student" / name)
    assert SOLUTION in sources(written / "instructor" / name)
    assert 'check("word-senses.1", majority_scores)' in sources(
        written / "student" / name
    )


def test_the_instructor_has_notes_for_every_chapter(written):
    for chapter in read_chapters():
        notes = (written / "instructor" / f"{name_of(chapter.page)}.md").read_text()
        assert "notes for the instructor" in notes
        assert "iscuss" in notes and "tim" in notes.lower()
    assert [path.name for path in (written / "student").glob("*.md")] == ["README.md"]


def test_the_instructor_has_a_syllabus_for_each_plan_and_the_students_none(written):
    teaching = {path.name for path in (written / "instructor/teaching").iterdir()}
    weeks = {f"syllabus-{weeks}-weeks.md" for weeks in (5, 10, 14)}
    assert weeks | {"README.md", "capstone.md", "oral.md"} <= teaching
    assert "syllabus.md" not in teaching
    assert not (written / "student/teaching").exists()


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path, capsys):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SystemExit) as end:
        class_sets.main([str(tmp_path)])
    assert end.value.code == 1 and "not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
