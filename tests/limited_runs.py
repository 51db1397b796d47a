"""Chapters executed with the memory that Colab gives, and what they took of it."""

import csv
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal

from build_tools.book.dependencies import name_of, read_chapter

KEPT = Path(__file__).resolve().parents[1] / "_build/limited-runs"
MEMORY = int(12.7 * 2**30)  # bytes of a Colab runtime without a GPU
TIMEOUT = 1500  # seconds for a cell
FIRST = f"import resource\nresource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))"
LAST = (
    "import resource\n"
    "print([resource.getrusage(who).ru_maxrss // 1024 for who in\n"
    "       (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)])"
)


def run_all(pages, name, choice):
    """Return {page: run} of pages executed two at a time, each with MEMORY.

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
        jobs = {page: pool.submit(_run, page, folder) for page in pages}
        runs = {page: job.result() for page, job in jobs.items()}
    with (folder / "table.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [[name_of(page), *took(run.notebook)] for page, run in runs.items()]
        heads = ["page", "longest cell, s", "all cells, s", "highest memory, MiB"]
        csv.writer(file).writerows([heads, *rows])
    return runs


def _run(page, folder):
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
