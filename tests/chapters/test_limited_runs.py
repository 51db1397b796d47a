"""Every chapter runs with the memory that Colab gives: with a BERT of another shape and
random weights, and on the official sets."""

import csv
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal

from build_tools.book.dependencies import name_of, read_chapter
from build_tools.notebooks.exporter import ROOT, chapters
from helpers.exercises.chapters import read_chapters
from tests.fixtures import save_random_bert

pytestmark = pytest.mark.weekly
each_chapter = pytest.mark.parametrize("path", chapters(), ids=name_of)
SAMPLES = {"COARSE_WSD_HOME": "sample", "SMS_SPAM_HOME": "sample"}
HOMES = {name: os.environ.get(name, "") for name in SAMPLES}
KEPT = ROOT / "_build/limited-runs"
MEMORY = int(12.7 * 2**30)  # bytes of a Colab runtime without a GPU
TIMEOUT = 1500  # seconds for a cell
FIRST = f"import resource\nresource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))"
LAST = (
    "import resource\n"
    "print([resource.getrusage(who).ru_maxrss // 1024 for who in\n"
    "       (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)])"
)


@pytest.fixture(scope="session")
def random_runs(tmp_path_factory):
    """Each chapter, run with a random BERT as wide and deep as bert-base-uncased."""
    from transformers import BertConfig

    folder = save_random_bert(BertConfig(), tmp_path_factory.mktemp("random-base"))
    return run_all("random-model", {"BERT_COURSE_MODEL": str(folder)} | SAMPLES)


@pytest.fixture(scope="session")
def official_runs():
    return run_all("official", {"BERT_COURSE_MODEL": "embedded"} | HOMES)


def run_all(name, choice):
    """Return {page: run} of the chapters executed two at a time, each with MEMORY.

    choice: environment variables. A run has notebook, and failure: None or the end of
    its traceback. The notebooks stay in KEPT/name, and a table of the longest cell and
    the highest memory of each, so that they can be read.
    """
    folder = KEPT / name
    folder.mkdir(parents=True, exist_ok=True)
    quiet = {"TQDM_DISABLE": "1", "OMP_NUM_THREADS": "1"}
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        for variable, value in (quiet | choice).items():
            patch.setenv(variable, value)
        jobs = {page: pool.submit(run, page, folder) for page in chapters()}
        runs = {page: job.result() for page, job in jobs.items()}
    with (folder / "table.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [[name_of(page), *took(run.notebook)] for page, run in runs.items()]
        heads = ["page", "longest cell, s", "all cells, s", "highest memory, MiB"]
        csv.writer(file).writerows([heads, *rows])
    return runs


def run(page, folder):
    notebook, failure = read_chapter(page), None
    notebook.cells.insert(0, nbformat.v4.new_code_cell(FIRST))
    notebook.cells.append(nbformat.v4.new_code_cell(LAST))
    place = {"metadata": {"path": str(page.parent)}}
    client = NotebookClient(notebook, timeout=TIMEOUT, resources=place)
    client.record_timing, client.kernel_name = True, "python3"
    try:
        client.execute()
    except (CellControlSignal, RuntimeError) as error:  # a cell, or its kernel
        failure = f"{type(error).__name__}: {error}"[-3000:]
    nbformat.write(notebook, folder / f"{name_of(page)}.ipynb")
    return SimpleNamespace(notebook=notebook, failure=failure)


def took(notebook):
    """Return the longest cell and all cells, in seconds, and the memory, in MiB."""
    seconds = [0.0]
    for cell in notebook.cells:
        times = cell.metadata.get("execution", {})
        if {"iopub.execute_input", "shell.execute_reply"} <= times.keys():
            start, end = (
                datetime.fromisoformat(times[key].replace("Z", "+00:00"))
                for key in ("iopub.execute_input", "shell.execute_reply")
            )
            seconds.append((end - start).total_seconds())
    said = "".join(output.get("text", "") for output in notebook.cells[-1].outputs)
    return round(max(seconds)), round(sum(seconds)), said.strip() or "not known"


def texts(notebook):
    """All that the cells of an executed notebook have put out, as text."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            yield output.get("text") or data.get("text/plain", "")


@each_chapter
def test_a_chapter_runs_with_a_random_model_of_twelve_layers(random_runs, path):
    result = random_runs[path]
    assert result.failure is None, result.failure
    printed = "\n".join(texts(result.notebook))
    if "load_bert()" in path.read_text(encoding="utf-8"):
        assert "12 layers of 12 heads, 768 wide" in printed


@pytest.mark.parametrize("page", [c.page for c in read_chapters()], ids=name_of)
def test_every_solution_passes_with_it(random_runs, page):
    outcomes = [t for t in texts(random_runs[page].notebook) if t[:9] == "Exercise "]
    wrong = [t for t in outcomes if ": not yet" in t]
    assert wrong == []
    assert len([t for t in outcomes if ": passed" in t]) * 2 == len(outcomes)


@pytest.mark.skipif(
    not all(Path(home).is_absolute() for home in HOMES.values()),
    reason="COARSE_WSD_HOME and SMS_SPAM_HOME name no folders of the official sets",
)
@each_chapter
def test_a_chapter_runs_on_the_official_sets(official_runs, path):
    assert official_runs[path].failure is None, official_runs[path].failure
