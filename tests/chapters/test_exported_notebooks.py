"""Every exported notebook runs from its set-up cell on, away from the project.

The book has run their cells, those of the solutions between them, and `make check`
sees a name that only a solution defines: some notebooks run daily, all of them weekly.
Nothing of the project is imported here: these tests also run in the image of Colab,
which holds pytest and nbclient and none of our requirements.
"""

import os
import shutil
import subprocess
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
DAILY = {"tensors", "inputs"}
EVERY = [
    pytest.param(
        path.name, marks=pytest.mark.slow if path.stem in DAILY else pytest.mark.weekly
    )
    for path in NOTEBOOKS
]
CHOICES = ("BERT_COURSE_MODEL", "COARSE_WSD_HOME", "SMS_SPAM_HOME")
WHERE = "import helpers\nprint('from', helpers.__file__)"


def git(folder, *arguments):
    who = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True)


@pytest.fixture(scope="session")
def repository(tmp_path_factory):
    """A git repository of the project as it is now, under the tag that is cloned."""
    folder = tmp_path_factory.mktemp("repository")
    listed = ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"]
    names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=now")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    git(folder, "tag", f"v{project['project']['version']}")
    return folder


@pytest.fixture(scope="session")
def runs(request, repository, tmp_path_factory):
    """The notebooks chosen, executed two at a time, each in a folder of its own."""
    chosen = {
        item.callspec.params["name"]
        for item in request.session.items
        if item.path == Path(__file__)
    }
    choice = {
        "INSIDE_BERT_SOURCE": repository.as_uri(),
        "TQDM_DISABLE": "1",
        "OMP_NUM_THREADS": "1",
    }

    def run(path):
        folder = tmp_path_factory.mktemp(path.stem)
        return folder, *execute(path, folder)

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        for name in CHOICES:  # as on Colab, where nobody has set any
            patch.delenv(name, raising=False)
        for name, value in choice.items():
            patch.setenv(name, value)
        paths = [path for path in NOTEBOOKS if path.name in chosen]
        jobs = {path.name: pool.submit(run, path) for path in paths}
        return {name: job.result() for name, job in jobs.items()}


def execute(path, folder):
    """Run a notebook in `folder`; returns it, and its failure or None."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(WHERE))
    place = {"metadata": {"path": str(folder)}}
    try:
        NotebookClient(notebook, timeout=600, resources=place).execute()
    except CellExecutionError as error:
        return notebook, str(error)[-3000:]
    return notebook, None


@pytest.mark.parametrize("name", EVERY)
def test_a_notebook_runs_from_a_clone_and_its_stubs_are_not_attempted(runs, name):
    folder, notebook, failure = runs[name]
    assert failure is None, failure
    [switches] = [c for c in notebook.cells if "switches" in c.metadata.get("tags", [])]
    assert switches.outputs[0].text == "MODEL: embedded; DATA: sample\n"
    where = notebook.cells[-1].outputs[0].text
    assert os.path.realpath(where[5:].strip()).startswith(os.path.realpath(folder))
    outputs = [o for c in notebook.cells for o in c.get("outputs", [])]
    texts = [o.get("data", {}).get("text/plain", "") for o in outputs]
    outcomes = [text for text in texts if text.startswith("Exercise ")]
    assert all("not attempted yet" in outcome for outcome in outcomes)
    chapter = ROOT / "chapters" / name.removesuffix(".ipynb")
    assert outcomes or not (chapter / "exercises.py").is_file()
