"""What a push gets back: a result of the agreed form, and replies that are text."""

import json
import subprocess
from datetime import UTC, datetime

import pytest
import yaml

from build_tools.book.site import Site
from helpers.exercises.chapters import chapters
from helpers.exercises.checks import exercises
from teaching import class_sets
from teaching.grading import feedback
from teaching.grading.submission_grade import Grade

OWN = [e for e in exercises() if e.startswith("word-senses.")]
FIRST, SECOND, *_ = OWN
SLUGS = ["word-senses"]
NAMES = {
    "CLASSROOM": "nlp",
    "ASSIGNMENT": "senses",
    "SUBMISSION_TAG": "submit/1",
    "COMMIT_URL": "https://example.org/commit/1",
    "RELEASE_URL": "https://example.org/releases/1",
}


def a_grade(statuses, reasons=(), remarks=()):
    return Grade(statuses, dict(reasons), list(remarks))


def test_the_best_of_several_notebooks_counts_and_a_deleted_check_gives_nothing():
    found = feedback.replies(
        [a_grade({FIRST: "passed"}), a_grade({FIRST: "not yet"}, {FIRST: "No."})], SLUGS
    )
    assert list(found) == OWN
    assert found[FIRST] == ("passed", "")
    assert {found[e][0] for e in OWN[1:]} == {"missing"}


def test_the_result_has_the_fields_that_classroom_50_asks_for():
    found = feedback.replies(
        [a_grade({FIRST: "passed", SECOND: "not yet"}, {SECOND: "Layer 0."})], SLUGS
    )
    now = datetime(2026, 6, 1, 14, 32, 1, tzinfo=UTC)
    made = json.loads(json.dumps(feedback.result(found, NAMES, now)))
    assert made.pop("tests")[:2] == [
        {"test-name": FIRST, "passed": True, "score": 1, "max-score": 1}
        | {"status": "passed", "reply": ""},
        {"test-name": SECOND, "passed": False, "score": 0, "max-score": 1}
        | {"status": "not yet", "reply": "Layer 0."},
    ]
    assert made == {
        "schema": "classroom50/result/v1",
        "classroom": "nlp",
        "assignment": "senses",
        "submission": "submit/1",
        "commit": NAMES["COMMIT_URL"],
        "release": NAMES["RELEASE_URL"],
        "review": NAMES["COMMIT_URL"],
        "datetime": "2026-06-01T14:32:01Z",
        "score": 1,
        "max-score": len(OWN),
    }


def test_a_reply_is_a_cell_of_the_table_whatever_it_holds():
    hostile = "a | b\n# Title\n[x](https://example.org) <img src=x> @all `c`"
    found = feedback.replies([a_grade({FIRST: "not yet"}, {FIRST: hostile})], SLUGS)
    page = feedback.summary(found, ["no | notebook"])
    number = chapters()["word-senses"].number
    assert f"## {number}. {chapters()['word-senses'].title}" in page
    [row] = [line for line in page.splitlines() if line.startswith(f"| {number}.1")]
    assert row.count("|") == 4
    assert not {"[", "<", "@", "`"} & set(row)
    assert "- no &#124; notebook" in page


def test_half_a_letter_in_a_reply_does_not_keep_the_result_back(tmp_path):
    graded = [a_grade({FIRST: "not yet"}, {FIRST: "ValueError: \ud800"})]
    feedback.write(graded, SLUGS, tmp_path / "result.json", tmp_path / "page.md")
    made = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert made["tests"][0]["reply"] == "ValueError: \ud800"


def test_a_chapter_counts_that_was_assigned_and_no_other():
    other = next(e for e in exercises() if e not in OWN)
    graded = [a_grade({other: "passed"})]
    found = feedback.result(feedback.replies(graded, SLUGS), {})
    assert (found["score"], found["max-score"]) == (0, len(OWN))


def test_nothing_that_was_graded_is_said():
    page = feedback.summary({}, ["it is no notebook"])
    assert "0 of 0 exercises passed" in page and "it is no notebook" in page


@pytest.mark.parametrize("there", [False, True])
def test_a_page_is_written_through_no_link(tmp_path, there):
    """The file lies with what a student pushed."""
    (tmp_path / "page.md").symlink_to(tmp_path / "elsewhere")
    if there:
        (tmp_path / "elsewhere").write_text("mine")
    with pytest.raises(OSError, match="page.md is a link; delete it"):
        feedback.write([], SLUGS, None, tmp_path / "page.md")
    assert (tmp_path / "elsewhere").exists() == there
    assert not there or (tmp_path / "elsewhere").read_text() == "mine"


@pytest.mark.parametrize("url", ["", "https://git.example.org/a/b"])
def test_without_a_repository_on_github_no_push_is_answered(tmp_path, url):
    (tmp_path / "student").mkdir()
    class_sets.write_push(tmp_path, Site("v9", url))
    assert [path.name for path in tmp_path.iterdir()] == ["student"]


def test_the_template_names_the_course_and_its_commit(tmp_path):
    commit = "c" * 40
    (tmp_path / "student").mkdir()
    (tmp_path / "instructor").mkdir()
    class_sets.write_push(tmp_path, Site("v9", "https://github.com/a/b", commit))
    workflow = (tmp_path / "template/.github/workflows/feedback.yml").read_text()
    steps = yaml.safe_load(workflow)["jobs"]["feedback"]["steps"]
    assert {"a/b", commit} <= {v for s in steps for v in s.get("with", {}).values()}
    script = (tmp_path / "instructor/classroom50/autograder.py").read_text()
    assert f'TAG, COMMIT = "https://github.com/a/b", "v9", "{commit}"' in script


def test_the_script_takes_no_other_commit_than_its_own(tmp_path):
    for name in ("course", "student", "instructor"):
        (tmp_path / name).mkdir()
    who = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
    commit = [*who, "commit", "--quiet", "--allow-empty", "--message=one"]
    for command in (["init", "--quiet"], commit, ["tag", "v9"]):
        subprocess.run(["git", *command], cwd=tmp_path / "course", check=True)
    site = Site("v9", "https://github.com/a/b", "c" * 40)
    class_sets.write_push(tmp_path, site)
    script = (tmp_path / "instructor/classroom50/autograder.py").read_text()
    names = {"__name__": "autograder"}
    exec(script.replace(site.url, (tmp_path / "course").as_uri()), names)
    with pytest.raises(SystemExit, match="is not the course"):
        names["fetch"](tmp_path / "fetched")
