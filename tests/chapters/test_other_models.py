"""Every chapter runs with a BERT of another shape and random weights."""

import pytest

from build_tools.book.dependencies import name_of
from build_tools.notebooks.exporter import chapters
from helpers.exercises.chapters import read_chapters
from tests.fixtures import save_random_bert
from tests.limited_runs import run_all

pytestmark = pytest.mark.weekly


@pytest.fixture(scope="session")
def random_base_folder(tmp_path_factory):
    """A folder with a random BERT as wide and deep as bert-base-uncased."""
    from transformers import BertConfig

    return save_random_bert(BertConfig(), tmp_path_factory.mktemp("random-base"))


@pytest.fixture(scope="session")
def runs(random_base_folder):
    """Each chapter, executed with the memory that Colab gives."""
    choice = {
        "BERT_COURSE_MODEL": str(random_base_folder),
        "COARSE_WSD_HOME": "sample",
        "SMS_SPAM_HOME": "sample",
    }
    return run_all(chapters(), "random-model", choice)


def texts(notebook):
    """All that the cells of an executed notebook have put out, as text."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            yield output.get("text") or data.get("text/plain", "")


@pytest.mark.parametrize("path", chapters(), ids=name_of)
def test_a_chapter_runs_with_a_random_model_of_twelve_layers(runs, path):
    result = runs[path]
    assert result.failure is None, result.failure
    printed = "\n".join(texts(result.notebook))
    if "load_bert()" in path.read_text(encoding="utf-8"):
        assert "12 layers of 12 heads, 768 wide" in printed


@pytest.mark.parametrize("page", [c.page for c in read_chapters()], ids=name_of)
def test_every_solution_passes_with_it(runs, page):
    outcomes = [t for t in texts(runs[page].notebook) if t.startswith("Exercise ")]
    wrong = [t for t in outcomes if ": not yet" in t]
    assert wrong == []
    assert len([t for t in outcomes if ": passed" in t]) * 2 == len(outcomes)
