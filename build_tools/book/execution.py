"""How chapters are executed: which model, which data, two at a time, and once.

jupyter-cache recognises a notebook by its code cells alone, so it would serve old
outputs after a change of a helper, of the data or of the model. Executed chapters
are therefore kept by a digest of all they depend on (`dependencies`). Of the pages
that are to be read, those that are missing are executed, and all are put into a
cache where myst-nb looks for them.
"""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import nbformat
import yaml
from sphinx.errors import ExtensionError
from sphinx.util import logging

from build_tools.book.dependencies import chapter_digest, code_in, name_of, read_chapter
from helpers.whole_files import whole

LOGGER = logging.getLogger(__name__)

DEFAULTS = {
    "BERT_COURSE_MODEL": "embedded",
    "COARSE_WSD_HOME": "sample",
    "SMS_SPAM_HOME": "sample",
}
QUIET = {
    "TQDM_DISABLE": "1",  # a page shows results, not progress bars
    "BOKEH_RESOURCES": "cdn",  # whose address `offline` turns into a file of the book
    "INSIDE_BERT_PROGRESS": "off",  # its solutions are no work of the builder
}
KERNEL = ["--log-level=ERROR"]  # else each warns that it listens on this machine
WORKERS = 2  # chapters executed at a time
CACHE = ".jupyter_cache"  # within the folder of the build
COLOURS = re.compile(r"\x1b\[[\d;]*m")
LINES_SHOWN = 15  # of a traceback, its end
ALONE = "seconds_alone"  # in the metadata of a run, as build_tools.book.seconds has it


def configure(app, config):
    """Set the environment of the kernels and the folder of the execution cache."""
    root = Path(app.srcdir)
    set_environment(root)
    app.chapter_digests = {
        path: chapter_digest(path, root) for path in executable_pages(root)
    }
    # One folder whatever has changed: its name is an "env" value of myst-nb, and
    # where it changes Sphinx reads every page anew (see `fresh_pages`).
    config.nb_execution_cache_path = str(Path(app.outdir).parent / CACHE)


def execute_chapters(app, env, docnames):
    """Execute those pages to be read that are not kept; put all where myst-nb looks."""
    paths = {app.srcdir / f"{name}.md" for name in docnames}
    digests = {p: d for p, d in app.chapter_digests.items() if p in paths}
    if not digests:
        return
    from jupyter_cache import get_cache

    store = Path(app.outdir).parent / ".executed"
    store.mkdir(parents=True, exist_ok=True)
    runs = {
        path: store / f"{name_of(path)}-{digest}.ipynb"
        for path, digest in digests.items()
    }
    missing = {path: run for path, run in runs.items() if not run.is_file()}
    run_missing(missing, app.config.nb_execution_timeout)
    cache = get_cache(app.config.nb_execution_cache_path)
    for path, run in runs.items():
        notebook = nbformat.read(run, nbformat.NO_CONVERT)
        put_in_cache(cache, path, notebook)


def run_missing(missing, timeout):
    """Execute chapters, path -> file for the result, `WORKERS` at a time.

    Raises ExtensionError that names every chapter which failed, and how.
    """
    workers = min(WORKERS, len(missing)) or 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
    # Two kernels that each take every core are slower than one after the other.
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, cores // workers)))
    # The longest text first, so that no long run is left alone at the end.
    order = sorted(missing, key=lambda path: -path.stat().st_size)
    with ThreadPoolExecutor(workers) as pool:
        jobs = [pool.submit(run_one, path, missing[path], timeout) for path in order]
    if failures := [job.result() for job in jobs if job.result()]:
        raise ExtensionError("\n".join(failures))


def run_one(path, target, timeout):
    """Execute a chapter and keep the result; returns what went wrong, if anything."""
    from jupyter_cache.executors.utils import single_nb_execution

    result = single_nb_execution(
        read_chapter(path),
        cwd=str(path.parent),
        timeout=timeout,
        allow_errors=False,
        record_timing=True,
        extra_arguments=KERNEL,
    )
    if result.err:
        lines = COLOURS.sub("", str(result.err)).strip().splitlines()
        shown = "\n".join(lines[-LINES_SHOWN:])
        return f"{name_of(path)} failed when it was executed:\n{shown}"
    LOGGER.info("executed %s in %.0f s", name_of(path), result.time)
    result.nb.metadata["execution_seconds"] = round(result.time, 2)
    keep_seconds(result.nb)
    with whole(target) as unfinished:
        nbformat.write(result.nb, unfinished)
    return None


def keep_seconds(notebook):
    """Put how long each cell ran into its metadata, in the place of when it did."""
    for cell in notebook.cells:
        if times := cell.metadata.pop("execution", None):
            start, end = (
                datetime.fromisoformat(times[key].replace("Z", "+00:00"))
                for key in ("iopub.execute_input", "shell.execute_reply")
            )
            cell.metadata["seconds"] = round((end - start).total_seconds(), 2)


def put_in_cache(cache, path, notebook):
    """Give myst-nb an executed notebook to find, with the tags of the page's cells."""
    from jupyter_cache.base import CacheBundleIn

    seconds = notebook.metadata.pop("execution_seconds")
    notebook.metadata.pop(ALONE, None)
    runs, cells = (
        [cell for cell in each.cells if cell.cell_type == "code"]
        for each in (notebook, read_chapter(path))
    )
    for run, cell in zip(runs, cells, strict=True):  # a tag is no part of the digest
        run.metadata = cell.metadata
    bundle = CacheBundleIn(notebook, path, data={"execution_seconds": seconds})
    cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def executable_pages(root):
    """Return the paths of the book's pages that hold code cells, in their order."""
    front, parts = table_of_contents(root)
    names = [front, *(name for part in parts.values() for name in part)]
    paths = [root / f"{name}.md" for name in names]
    return [p for p in paths if p.is_file() and code_in(p.read_text("utf-8"))]


def table_of_contents(root):
    """Return the front page and {caption of a part: its pages} of `_toc.yml`."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    parts = toc.get("parts", [])
    return toc.get("root", "index"), {
        p["caption"]: [e["file"] for e in p["chapters"]] for p in parts
    }


def set_environment(root):
    """Choose the model and the data, unless the environment has chosen already.

    A folder named relative to `root` is made absolute, because chapters run in
    their own folder.
    """
    for name, default in {**DEFAULTS, **QUIET}.items():
        value = os.environ.setdefault(name, default)
        if name in DEFAULTS and (root / value).is_dir():
            os.environ[name] = str((root / value).resolve())


def place_of_run(page, root):
    """Return the path at which the run of a page, as it is now, is kept."""
    set_environment(root)
    name = f"{name_of(page)}-{chapter_digest(page, root)}.ipynb"
    return root / "_build" / ".executed" / name


def run_of(page, root):
    """Return the executed notebook of a page; raises ValueError where there is none."""
    run = place_of_run(page, root)
    if not run.is_file():
        raise ValueError(f"{name_of(page)} has not run as it is now: make book first")
    return nbformat.read(run, nbformat.NO_CONVERT)
