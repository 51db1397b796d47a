"""What a run of a page leaves, made up: the notebook of what its cells have glued."""

import nbformat

from build_tools.book.execution import place_of_run
from build_tools.book.glued_values import RECORD


def glued_run(values, **metadata):
    """Return an executed notebook whose cells have glued {name: value}."""
    run = nbformat.v4.new_notebook(metadata=metadata)
    for name, value in values.items():
        output = nbformat.v4.new_output("display_data", {RECORD: str(value)})
        output.metadata["scrapbook"] = {"name": name}
        run.cells.append(nbformat.v4.new_code_cell(outputs=[output]))
    return run


def record(holds, about="model", found=""):
    """Return what a claim keeps of a run."""
    return {"about": about, "holds": holds, "found": found, "why": ""}


def save(run, page, root):
    """Put the run of a page of a bare project where runs are kept."""
    (root / "helpers").mkdir(exist_ok=True)
    for name in ("helpers/__init__.py", "requirements.txt", "requirements.lock"):
        (root / name).write_text("")
    place = place_of_run(page, root)
    place.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(run, place)
