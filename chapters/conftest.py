"""The tests beside the chapters use the shared fixtures."""

from tests.fixtures import (  # noqa: F401
    bert,
    chapter_cells,
    chapter_text,
    headless_bert_folder,
    tiny,
    tiny_bert_folder,
)
