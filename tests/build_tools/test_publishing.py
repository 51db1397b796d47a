"""What is published and tagged has passed the tests, and was built only once."""

from pathlib import Path

import yaml

WORKFLOWS = Path(__file__).resolve().parents[2] / ".github/workflows"


def jobs():
    """(name, job) of all workflows that a push starts."""
    for path in WORKFLOWS.glob("*.yml"):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        yield from workflow["jobs"].items()


def text_of(job):
    return "\n".join(
        f"{step.get('uses', '')} {step.get('run', '')}" for step in job["steps"]
    )


def test_nothing_is_published_or_tagged_before_the_tests_have_passed():
    publishing = [
        job
        for _, job in jobs()
        if "deploy-pages" in text_of(job) or "git push" in text_of(job)
    ]
    assert len(publishing) == 2
    assert all(job["needs"] == "test" for job in publishing)
    [tested] = [job for name, job in jobs() if name == "test"]
    assert ".ci/run" in text_of(tested)


def test_the_book_that_was_tested_is_the_one_that_is_published():
    uploads = [job for _, job in jobs() if "upload-pages-artifact" in text_of(job)]
    assert len(uploads) == 1
    steps = text_of(uploads[0])
    assert steps.index(".ci/run") < steps.index("upload-pages-artifact")
