"""Which findings of the book hold on another BERT: data/results/findings-NAME.csv.

    BERT_COURSE_MODEL=bert-base-uncased python -m experiments.findings

runs every page that has findings and writes the table after each. An executed page is
kept in _build/findings, so that a run that was stopped goes on where it stood; a page
that has changed is run again. A cell that fails or takes too long costs itself, and
what needs it.
"""

import argparse
import ast
import hashlib
import os
import re
import sys
from pathlib import Path

import nbformat
import pandas as pd

from build_tools.book import execution
from build_tools.book.dependencies import chapter_digest, name_of, read_chapter
from build_tools.book.findings import findings_of, held_in
from build_tools.book.glued_values import records_of
from build_tools.book.other_models import COLUMNS, NAME, NO, NOT_RUN, YES
from build_tools.console import say
from experiments.results_table import RESULTS, today_and_versions, write_table
from helpers import beside
from helpers.models import load_bert
from helpers.whole_files import whole

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "_build/findings"
TIMEOUT = 1800  # seconds a cell


def run_page(page, target):
    """Execute a page, whatever fails in it, and keep the run."""
    from jupyter_cache.executors.utils import single_nb_execution

    result = single_nb_execution(
        read_chapter(page),
        cwd=str(page.parent),
        timeout=TIMEOUT,
        allow_errors=True,
        interrupt_on_timeout=True,
        extra_arguments=execution.KERNEL,
    )
    if result.err:
        raise result.err
    result.nb.metadata["execution_seconds"] = result.time
    with whole(target) as unfinished:
        nbformat.write(result.nb, unfinished)


def rows_of(page, run):
    """Return a row of COLUMNS for each finding of a page, from its executed notebook.

    seconds: of all cells of the page.
    """
    held = held_in(run)
    seconds = round(run.metadata.get("execution_seconds", 0))
    rows = []
    for name in dict.fromkeys(finding.name for finding in findings_of(page)):
        if record := held.get(name):
            verdict = YES if record["holds"] else NO
            said = "" if record["holds"] else record["found"]
        else:
            verdict, said = NOT_RUN, first_error(run)
        rows.append([name_of(page), name, verdict, " ".join(said.split()), seconds])
    return rows


def first_error(run):
    """Say which error a run met first, "" for none."""
    for cell in run.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                return f"{output.ename}: {output.evalue}"[:200]
    return ""


def measured_in(page, run):
    """Return a row for each number that a page shows beside BERT's own."""
    name = beside.RECORD + name_of(page)
    told = [ast.literal_eval(text) for key, text in records_of(run) if key == name]
    return [[name_of(page), *item] for table in told for item in table.items()]


def about_of(bert):
    """Return the lines above a table: the model, the data and the versions."""
    data = {os.environ[name] for name in ("COARSE_WSD_HOME", "SMS_SPAM_HOME")}
    return [
        f"{short_name(bert.name)}: {bert.n_layers} layers of {bert.n_heads} heads, "
        f"{bert.hidden_size} wide; sha256 of the encoder's weights {digest_of(bert)}",
        f"data: {', '.join(sorted(data))}",
        today_and_versions("torch", "transformers"),
        "made by: python -m experiments.findings",
    ]


def digest_of(bert):
    """Return the sha256 of an encoder's weights, in the order of their names."""
    digest = hashlib.sha256()
    for _, weights in sorted(bert.model.state_dict().items()):
        digest.update(weights.cpu().numpy().tobytes())
    return digest.hexdigest()


def file_name(model):
    """Return the name of a model's table.

    >>> file_name("google-bert/bert-base-uncased")
    'findings-bert-base-uncased.csv'
    """
    plain = re.sub("[^a-z0-9]+", "-", short_name(model).lower())
    return NAME.format(plain.strip("-") or "model")


def short_name(model):
    """Return the name of a model without its owner or the folders it lies in.

    >>> short_name("/home/ada/my-bert")
    'my-bert'
    """
    return Path(str(model)).name or "model"


def run_all(pages, bert, out):
    """Run pages, and write the table after each, in the order of the book."""
    runs = {p: KEPT / f"{name_of(p)}-{chapter_digest(p, ROOT)}.ipynb" for p in pages}
    KEPT.mkdir(parents=True, exist_ok=True)
    rows = write_tables(runs, bert, out)
    for page in (page for page, run in runs.items() if not run.is_file()):
        run_page(page, runs[page])
        rows = write_tables(runs, bert, out)
        say(in_words([row for row in rows if row[0] == name_of(page)]))
    return rows


def write_tables(runs, bert, out):
    """Write the tables of the pages that have run; return the rows of the first."""
    rows, measured = [], []
    for page, run in runs.items():
        if run.is_file():
            read = nbformat.read(run, nbformat.NO_CONVERT)
            rows += rows_of(page, read)
            measured += measured_in(page, read)
    tables = {out: pd.DataFrame(rows, columns=COLUMNS)}
    if short_name(bert.name) == beside.NAME:
        found = pd.DataFrame(measured, columns=["page", "what", "value"])
        tables[out.parent / beside.KEPT.name] = found
    for path, table in tables.items():
        write_table(path, table, about_of(bert), form=None)
    return rows


def in_words(rows):
    """Say what a page has found, from its rows.

    >>> in_words([["a", "x", "yes", "", 9], ["a", "y", "no", "", 9]])
    'a: 1 of 2 hold, 9 s'
    """
    held = sum(row[2] == YES for row in rows)
    return f"{rows[0][0]}: {held} of {len(rows)} hold, {rows[0][-1]} s"


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m experiments.findings")
    parser.add_argument("--pages", nargs="+", metavar="SLUG", help="these alone")
    options = parser.parse_args(arguments)
    execution.set_environment(ROOT)
    pages = {name_of(p): p for p in execution.executable_pages(ROOT) if findings_of(p)}
    chosen = options.pages or [*pages]
    if unknown := [name for name in chosen if name not in pages]:
        parser.exit(2, f"no page {unknown[0]!r}; there are {', '.join(pages)}\n")
    try:
        bert = load_bert(device="cpu")
    except (OSError, ValueError, ImportError) as error:
        parser.exit(2, f"error: {error}\n")
    out = RESULTS / file_name(bert.name)
    try:
        rows = run_all([pages[name] for name in pages if name in chosen], bert, out)
    except KeyboardInterrupt:
        parser.exit(130, f"stopped; what has run is in {out}; the next run goes on\n")
    held = sum(row[2] == YES for row in rows)
    say(f"{held} of {len(rows)} findings hold with {bert.name}: {out}")


if __name__ == "__main__":
    sys.exit(main())
