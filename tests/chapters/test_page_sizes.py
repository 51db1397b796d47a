"""No page grows over what a reader can take in one sitting, unless it is listed."""

import pytest

from build_tools.book.dependencies import name_of
from build_tools.book.execution import executable_pages
from build_tools.book.page_sizes import above, measure
from build_tools.notebooks import exporter, kept

LIST = "build-status"  # of all findings; nobody reads it through
PAGES = [page for page in executable_pages(exporter.ROOT) if name_of(page) != LIST]
each_page = pytest.mark.parametrize("page", PAGES, ids=name_of)
# Pages that are still above a ceiling: none is to be added, each is to go.
STILL_ABOVE = {
    "core minutes": (
        "word-vectors attention inputs vocabularies masked-language-model "
        "pretraining interventions contextual-embeddings word-senses "
        "fine-tuning question-answering your-own-domain sentence-embeddings "
        "semantic-search scaling many-machines capstone"
    ),
    "core findings": (
        "tensors word-vectors attention inputs vocabularies "
        "masked-language-model interventions word-senses judging-a-classifier "
        "sentence-embeddings many-machines"
    ),
    "deeper findings": ("attention masked-language-model interventions encoders-today"),
    "core sentences": (
        "word-vectors attention architecture vocabularies masked-language-model "
        "pretraining word-senses fine-tuning question-answering your-own-domain "
        "sentence-embeddings semantic-search many-machines"
    ),
    "deeper sentences": ("word-vectors interventions encoders-today"),
}


@each_page
def test_a_page_keeps_below_the_ceilings(page):
    listed = [
        what for what, names in STILL_ABOVE.items() if name_of(page) in names.split()
    ]
    size = measure(page, exporter.ROOT)
    sizes = {what: size[what] for what in {*above(size), *listed}}
    assert sorted(above(size)) == sorted(listed), f"see make pages: {sizes}"


@pytest.mark.parametrize("page", exporter.chapters(), ids=name_of)
def test_the_notebook_says_the_minutes_of_the_built_page(page):
    minutes = kept.in_notebook(page, exporter.ROOT).minutes
    built = kept.minutes_of_built(page, exporter.ROOT)
    assert minutes == built, "make notebooks, after make book"
