"""What a push gets back: result.json as Classroom 50 reads it, and a page of replies.

Its contract: github.com/foundation50/classroom50, wiki page "Advanced Autograding". An
exercise is a test of one point. Which chapters count the assignment says, never what
was handed in, so that nobody gains by deleting a check.
"""

import json
import os
from datetime import UTC, datetime

from helpers.exercises.chapters import chapters
from helpers.exercises.checks import exercises
from helpers.whole_files import whole
from teaching.grading.grades_table import harmless

SCHEMA = "classroom50/result/v1"
# Whose result it is: the runner's environment says so, a plain workflow has none.
IDENTITY = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
LONGEST = 500  # letters of a reply
SIGNS = {ord(sign): f"&#{ord(sign)};" for sign in "\\`*_[]<>|!#@&"}
MISSING = "missing", "no check of it is in the notebooks"


def replies(grades, slugs):
    """Return {exercise: (status, reply)} of all notebooks together, the best of each.

    grades: a Grade a notebook. slugs: of the chapters that were assigned.
    """
    best = {}
    for own in grades:
        for exercise, status in own.statuses.items():
            if best.get(exercise, ("",))[0] != "passed":
                best[exercise] = status or "not yet", own.reasons.get(exercise, "")
    return {
        exercise: best.get(exercise, MISSING)
        for exercise in exercises()
        if exercise.rpartition(".")[0] in slugs
    }


def result(found, environment=os.environ, now=None):
    """Return what result.json holds; found: from `replies`."""
    tests = [
        {"test-name": name, "passed": status == "passed"}
        | {"score": int(status == "passed"), "max-score": 1}
        | {"status": status, "reply": said[:LONGEST]}
        for name, (status, said) in found.items()
    ]
    identity = {name: environment.get(key, "") for name, key in IDENTITY.items()}
    identity["review"] = identity["review"] or identity["commit"]
    now = now or datetime.now(UTC)
    return {"schema": SCHEMA, **identity} | {
        "datetime": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "score": sum(test["score"] for test in tests),
        "max-score": len(tests),
        "tests": tests,
    }


def summary(found, remarks=()):
    """Return the page of replies in Markdown; remarks: on whole notebooks."""
    passed = sum(status == "passed" for status, _ in found.values())
    lines = [f"# {passed} of {len(found)} exercises passed", ""]
    lines += [f"- {_plain(remark)}" for remark in remarks]
    for slug, chapter in chapters().items():
        own = {e: r for e, r in found.items() if e.rpartition(".")[0] == slug}
        if own:
            lines += ["", f"## {chapter.number}. {chapter.title}", ""]
            lines += ["| exercise | | reply |", "|---|---|---|"]
            lines += [
                f"| {chapter.number}.{exercise.rpartition('.')[2]} | {status} "
                f"| {_plain(said)} |"
                for exercise, (status, said) in own.items()
            ]
    return "\n".join([*lines, ""])


def _plain(text):
    """Text that is a cell of a table and nothing else in Markdown."""
    return harmless(text)[:LONGEST].translate(SIGNS).replace("http", "http&#8203;")


def write(grades, slugs, result_file=None, summary_file=None):
    """Write what is named; grades: a Grade a notebook. slugs: as for `replies`."""
    found = replies(grades, slugs)
    remarks = [remark for own in grades for remark in own.remarks]
    if result_file:
        with whole(result_file) as unfinished:
            text = json.dumps(result(found), indent=2)  # ASCII: half letters, too
            unfinished.write_text(text, encoding="utf-8")
    if summary_file:
        # Steps share the file; it may lie with what students push, links included.
        with open(summary_file, "a", encoding="utf-8", opener=_no_link) as out:
            out.write(summary(found, remarks))


def _no_link(path, flags):
    if os.path.islink(path):
        raise OSError(f"{path} is a link; delete it, or name another file (--summary)")
    return os.open(path, flags | os.O_NOFOLLOW, 0o666)
