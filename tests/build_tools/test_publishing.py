"""What is published and tagged has passed the tests, and was built only once."""

import os
import subprocess
from pathlib import Path

import yaml

from build_tools.notebooks.buttons import BRANCH
from tests.build_tools.test_site import git

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
    [notebooks] = [text_of(job) for job in publishing if "git push" in text_of(job)]
    assert notebooks.index("refs/tags/$TAG") < notebooks.index(f"origin {BRANCH}")
    assert all(job["needs"] == "test" for job in publishing)
    [tested] = [job for name, job in jobs() if name == "test"]
    assert ".ci/run" in text_of(tested)


def test_notebooks_go_to_a_branch_of_their_own_and_a_tag_never_moves(tmp_path):
    [job] = [job for name, job in jobs() if name == "notebooks"]
    [script] = [step["run"] for step in job["steps"] if "run" in step]
    origin, temporary = tmp_path / "origin", tmp_path / "temporary"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(origin))
    (temporary / "notebooks").mkdir(parents=True)
    tags = []
    for number in ("one", "two"):
        (temporary / f"notebooks/{number}.ipynb").write_text(number)
        copy = tmp_path / number
        git(tmp_path, "clone", "--quiet", str(origin), str(copy))
        (copy / "README.md").write_text(number)
        git(copy, "add", "--all")
        git(copy, "commit", "--quiet", "--message", number)
        git(copy, "push", "--quiet", "origin", "HEAD:main")
        said = {"TAG": "v1", "RUNNER_TEMP": str(temporary), "GITHUB_SHA": "c" * 40}
        command = ["bash", "-e", "-c", script]
        subprocess.run(command, cwd=copy, env=os.environ | said, check=True)
        tags.append(git(origin, "rev-parse", "v1", "main"))
    assert tags[0][0] == tags[0][1] == tags[1][0] != tags[1][1]
    assert git(origin, "ls-tree", "--name-only", BRANCH) == ["one.ipynb", "two.ipynb"]
    assert len(git(origin, "rev-list", BRANCH)) == 1
