"""Tables of results: the command line that writes them to data/results, and tables
beside the page that reads them."""

import argparse
import datetime
import hashlib
from importlib.metadata import version
from pathlib import Path

import pandas as pd

from helpers import DATA
from helpers.whole_files import replace

WEIGHTS = DATA / "course-model/weights.safetensors"


def write_results(module, data_set, name, compute, arguments=None):
    """Write what `compute` returns, (lines about it, DataFrame), into --out as CSV.

    A third thing that it returns are further tables, {file name: DataFrame}.

    module: what `python -m` runs. data_set: the OfficialSet that must be named, not
    its sample. Returns the table; exits with one line where the set or the folder is
    of no use, and for the ValueError or FileNotFoundError of `compute`.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}")
    parser.add_argument("--out", type=Path, required=True, help="folder for the table")
    out = parser.parse_args(arguments).out
    if not data_set.is_named:
        parser.exit(
            2, f"{data_set.variable}_HOME must name the folder of the official files\n"
        )
    if out.exists() and not out.is_dir():
        parser.exit(2, f"{out} is a file; --out must name a folder\n")
    try:
        about, results, *further = compute()
    except (ValueError, FileNotFoundError) as error:
        parser.exit(2, f"{error}\n")
    about = [*about, f"made by: python -m {module} --out data/results"]
    lines = "".join(f"# {line}\n" for line in about)
    for file, table in {name: results, **dict(*further)}.items():
        text = lines + table.to_csv(index=False, float_format="%.4f")
        replace(out / file, text.encode())
    return results


def write_beside_page(path, module, rows, columns=None, trained=True, form="%.4f"):
    """Write rows into a CSV that says what made it, and print each as it is made.

    module: what `python -m` runs. rows: dicts, or tuples with `columns`. trained:
    whether the weights that ship made it; their digest then stands there.
    """
    made = []
    for row in rows:
        made.append(row)
        print(path.name, row, flush=True)
    about = f"# made by: python -m {module}, {datetime.date.today()}\n"
    about += f"# weights: {weights_digest() if trained else 'none'}\n"
    table = pd.DataFrame(made, columns=columns).to_csv(index=False, float_format=form)
    replace(path, (about + table).encode())


def weights_digest():
    """Return the sha256 of the course model's weights that ship."""
    return hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()


def today_and_versions(*packages):
    """Return the date and the versions of packages, as one line."""
    versions = (f"{name} {version(name)}" for name in packages)
    return ", ".join([str(datetime.date.today()), *versions])
