"""Every chapter runs with a BERT of another shape and random weights."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest

from build_tools.book.dependencies import name_of, read_chapter
from build_tools.notebooks.exporter import chapters
from helpers.exercises.chapters import read_chapters
from tests.fixtures import save_random_bert

pytestmark = pytest.mark.weekly
TIMEOUT = 1500  # seconds for a cell
KEPT = Path(__file__).resolve().parents[2] / "_build/random-model"


@pytest.fixture(scope="session")
def random_base_folder(tmp_path_factory):
    """A folder with a random BERT as wide and deep as bert-base-uncased."""
    from transformers import BertConfig

    return save_random_bert(BertConfig(), tmp_path_factory.mktemp("random-base"))


@pytest.fixture(scope="session")
def runs(random_base_folder):
    """For each chapter, executed two at a time: its outputs, or how it failed.

    The executed chapters stay in KEPT, so that their verdicts can be read.
    """
    from jupyter_cache.executors.utils import single_nb_execution

    choice = {
        "BERT_COURSE_MODEL": str(random_base_folder),
        "COARSE_WSD_HOME": "sample",
        "SMS_SPAM_HOME": "sample",
        "TQDM_DISABLE": "1",
        "OMP_NUM_THREADS": "1",
    }

    KEPT.mkdir(parents=True, exist_ok=True)

    def run(path):
        result = single_nb_execution(
            read_chapter(path),
            cwd=str(path.parent),
            timeout=TIMEOUT,
            allow_errors=False,
        )
        nbformat.write(result.nb, KEPT / f"{name_of(path)}.ipynb")
        return result

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        for name, value in choice.items():
            patch.setenv(name, value)
        jobs = {path: pool.submit(run, path) for path in chapters()}
        return {path: job.result() for path, job in jobs.items()}


def texts(notebook):
    """All that the cells of an executed notebook have put out, as text."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            yield output.get("text") or data.get("text/plain", "")


@pytest.mark.parametrize("path", chapters(), ids=name_of)
def test_a_chapter_runs_with_a_random_model_of_twelve_layers(runs, path):
    result = runs[path]
    assert result.err is None, result.exc_string[-3000:]
    printed = "\n".join(texts(result.nb))
    if "load_bert" in path.read_text(encoding="utf-8"):
        assert "12 layers of 12 heads, 768 wide" in printed


@pytest.mark.parametrize("page", [c.page for c in read_chapters()], ids=name_of)
def test_every_solution_passes_with_it(runs, page):
    outcomes = [t for t in texts(runs[page].nb) if t.startswith("Exercise ")]
    wrong = [t for t in outcomes if ": not yet" in t]
    assert wrong == []
    assert len([t for t in outcomes if ": passed" in t]) * 2 == len(outcomes)
