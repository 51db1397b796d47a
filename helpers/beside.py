"""BERT itself beside the model of a page: what both measure, and what is published."""

import pandas as pd

from helpers import DATA, glue

NAME = "bert-base-uncased"
# Written by: make findings MODEL=bert-base-uncased
KEPT = DATA / "results" / f"beside-{NAME}.csv"
RECORD = "beside "  # what a page has measured, among what its run keeps
NOT_RUN = "not run yet"


def beside(page, measured, published, itself=None):
    """Return a table: what the model of this run measures, BERT itself, published.

    page: its name. measured: {what: number}. published: {what: text}, for the same
    rows. itself: what bert-base-uncased measures, or None: then what a run of it has
    kept, and "not run yet" where there is none.

    >>> beside("none", {"share": 0.25}, {"share": "over half"}).loc["share"].tolist()
    ['0.25', 'not run yet', 'over half']
    """
    glue(RECORD + page, {what: float(text) for what, text in _shown(measured).items()})
    itself = kept(page) if itself is None else itself
    columns = {
        "this model": _shown(measured),
        NAME: {what: _shown(itself).get(what, NOT_RUN) for what in measured},
        "published": {what: published.get(what, "") for what in measured},
    }
    return pd.DataFrame(columns)


def kept(page):
    """Return what a run of bert-base-uncased has kept of a page: {what: number}."""
    if not KEPT.is_file():
        return {}
    rows = pd.read_csv(KEPT, comment="#")
    return rows[rows.page == page].set_index("what").value.to_dict()


def _shown(measured):
    return {what: f"{value:.3g}" for what, value in measured.items()}
