"""Tables of results, below lines that say what made them."""

import datetime
import hashlib
import sys
from importlib.metadata import version

import pandas as pd

from helpers import DATA
from helpers.whole_files import replace

RESULTS = DATA / "results"
WEIGHTS = DATA / "course-model/weights.safetensors"


def write_table(path, table, about, form="%.4f"):
    """Write a DataFrame as CSV, the lines of `about` above it as comments."""
    lines = "".join(f"# {line}\n" for line in about)
    text = lines + table.to_csv(index=False, float_format=form)
    replace(path, text.encode())


def write_beside_page(path, module, rows, columns=None, trained=True, form="%.4f"):
    """Write rows into a CSV that says what made it, and print each as it is made.

    module: what `python -m` runs. rows: dicts, or tuples with `columns`. trained:
    whether the weights that ship made it; their digest then stands there.
    """
    made = []
    for row in rows:
        made.append(row)
        print(path.name, row, flush=True)
    about = [
        f"made by: python -m {module}, {datetime.date.today()}",
        f"weights: {weights_digest() if trained else 'none'}",
    ]
    write_table(path, pd.DataFrame(made, columns=columns), about, form)


def run_on_official(data_set, main):
    """Run a program; end it in one line where an OfficialSet is not as it must be."""
    if not data_set.is_named:
        variable = f"{data_set.variable}_HOME"
        sys.exit(f"error: {variable} must name the folder of the official files")
    run(main)


def run(main, *given):
    """Run a program; end it in one line where its data are not as they must be."""
    try:
        main(*given)
    except (ValueError, FileNotFoundError) as error:
        sys.exit(f"error: {error}")


def weights_digest():
    """Return the sha256 of the course model's weights that ship."""
    return hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()


def today_and_versions(*packages):
    """Return the date and the versions of packages, as one line."""
    versions = (f"{name} {version(name)}" for name in packages)
    return ", ".join([str(datetime.date.today()), *versions])
