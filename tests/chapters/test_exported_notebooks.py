"""Every exported notebook runs from its set-up cell on, away from the project."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
WHERE = "import helpers\nprint('from', helpers.__file__)"


def git(folder, *arguments):
    who = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True)


@pytest.fixture(scope="session")
def repository(tmp_path_factory):
    """A git repository of the project as it is now, on the branch that is cloned."""
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
    return folder


@pytest.fixture(scope="session")
def runs(repository, tmp_path_factory):
    """Each notebook, executed two at a time in a folder of its own."""
    from jupyter_cache.executors.utils import single_nb_execution

    choice = {
        "INSIDE_BERT_SOURCE": repository.as_uri(),
        "BERT_COURSE_MODEL": "embedded",
        "COARSE_WSD_HOME": "sample",
        "SMS_SPAM_HOME": "sample",
        "TQDM_DISABLE": "1",
        "OMP_NUM_THREADS": "1",
    }

    def run(path):
        folder = tmp_path_factory.mktemp(path.stem)
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(nbformat.v4.new_code_cell(WHERE))
        return folder, single_nb_execution(
            notebook, cwd=str(folder), timeout=600, allow_errors=False
        )

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        for name, value in choice.items():
            patch.setenv(name, value)
        jobs = {path.name: pool.submit(run, path) for path in NOTEBOOKS}
        return {name: job.result() for name, job in jobs.items()}


@pytest.mark.parametrize("name", [path.name for path in NOTEBOOKS])
def test_a_notebook_runs_from_a_clone(runs, name):
    folder, result = runs[name]
    assert result.err is None, result.exc_string[-3000:]
    where = result.nb.cells[-1].outputs[0].text
    assert os.path.realpath(where[5:].strip()).startswith(os.path.realpath(folder))


@pytest.mark.parametrize("name", [path.name for path in NOTEBOOKS])
def test_its_untouched_exercises_are_not_attempted(runs, name):
    outputs = [o for c in runs[name][1].nb.cells for o in c.get("outputs", [])]
    texts = [o.get("data", {}).get("text/plain", "") for o in outputs]
    outcomes = [text for text in texts if text.startswith("Exercise ")]
    assert all("not attempted yet" in outcome for outcome in outcomes)
    assert len(outcomes) >= 3 or not name[:2].isdigit()
