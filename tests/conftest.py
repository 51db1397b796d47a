"""Every test can use the shared fixtures."""

from tests.fixtures import (  # noqa: F401
    bert,
    chapter_cells,
    chapter_text,
    epubcheck,
    fresh_process,
    headless_bert_folder,
    reading,
    tiny,
    tiny_bert_folder,
    tokenizer,
)
