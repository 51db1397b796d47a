"""No figure that depends on the model or the run is typed into a page's text."""

import re

import pytest

from helpers.exercises.chapters import chapters

# Published or made-up ones, of any model; tables, links and cells are not looked at.
TYPED = {
    "architecture": "0.5",
    "attention": "0.02 3.2 100.0",
    "contextual-embeddings": (
        "0.1 0.2 0.3 0.5 0.6 0.95 5.3 91.0 94.9 95.5 95.6 95.9 96.1"
    ),
    "encoders-today": "4.1",
    "fine-tuning": "0.5 0.69",
    "judging-a-classifier": "0.5 0.667 0.7 0.8 0.9 4.0",
    "many-machines": "1.8",
    "masked-language-model": "0.8 0.9 3.1",
    "next-sentence": "0.1 0.5 0.9 82.9 83.9 84.0 84.4 84.7 84.9 88.4 92.6 92.7",
    "pretraining": "0.02 0.1 2.9 3.5 79.6",
    "road-to-bert": "5.1 67.4 69.0 96.8 97.3",
    "scaling": "0.9999",
    "seeing-attention": "0.05 0.1 0.125 0.8",
    "tensors": "0.06 0.1 0.47 0.76",
    "vocabularies": "0.12 4.0 4.4",
    "word-senses": "0.7 0.9 0.99 2.4",
    "word-vectors": "0.001 0.71 0.75",
}
NOT_PROSE = (
    r"```\{code-cell.*?```|^\|[^\n]*|\{glue:text\}`[^`]*`|\]\([^)]*\)|arXiv \d{4}\.\d+"
)


@pytest.mark.parametrize("slug", chapters())
def test_no_figure_of_the_run_is_typed_into_the_text(slug, chapter_text):
    text = chapter_text(chapters()[slug].page)
    prose = re.sub(NOT_PROSE, "", text, flags=re.M | re.S)
    typed = set(re.findall(r"\b\d+\.\d+\b", prose))
    assert typed <= set(TYPED.get(slug, "").split())
