"""What a page's pictures say is held by a claim, or listed with the reason why not."""

import json

import nbformat
import pytest

from build_tools.book import picture_words
from build_tools.book.dependencies import name_of
from build_tools.book.execution import DEFAULTS
from build_tools.notebooks.exporter import ROOT, chapters

PAGE = """# Title

```{figure} a.svg
:alt: A box
  that leads to another.
```

```{code-cell} ipython3
claim("all-rise", True)
draw(picture)
```

[All rise]{.claim-all-rise}.
"""


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A page with a drawing by hand and a picture that its run has made."""
    path = tmp_path / "chapters/first-page/index.md"
    path.parent.mkdir(parents=True)
    path.write_text(PAGE, encoding="utf-8")
    html = '<svg aria-label="All &quot;three&quot; rise."><svg aria-label="weights">'
    output = nbformat.v4.new_output("display_data", data={"text/html": html})
    cell = nbformat.v4.new_code_cell(outputs=[output])
    run = nbformat.v4.new_notebook(cells=[cell])
    monkeypatch.setattr(picture_words, "run_of", lambda *_: run)
    return path


@pytest.mark.parametrize(
    ("entries", "faults"),
    [
        ({"A box that": "by-hand", "All": ["all-rise"]}, []),
        ({"All": "by-hand"}, [(4, "nothing holds what a picture says, 'A box that")]),
        ({"A box": "by-hand"}, [(8, "nothing holds what a picture says, 'All")]),
        ({"A": "by-hand", "All": ["all-sink"]}, [(1, "'All' names 'all-sink'")]),
        ({"A": "none-such", "All": "by-hand"}, [(1, "'A' names 'none-such'")]),
    ],
)
def test_what_a_picture_says_is_held_or_listed(page, entries, faults):
    listed = [
        f"{json.dumps(words)} = {json.dumps(by)}" for words, by in entries.items()
    ]
    page.with_name("picture_words.toml").write_text("\n".join(listed), "utf-8")
    found = list(picture_words.faults(page, picture_words.texts_of(page, page.parent)))
    assert [line for line, _ in found] == [line for line, _ in faults]
    for (_, fault), (_, words) in zip(found, faults, strict=True):
        assert words in fault


@pytest.mark.parametrize("page", [ROOT / "index.md", *chapters()], ids=name_of)
def test_each_entry_is_of_a_picture_that_the_page_has(page, monkeypatch):
    for name, value in DEFAULTS.items():
        monkeypatch.setenv(name, value)
    texts = [text for _, text in picture_words.texts_of(page, ROOT)]
    _, entries = picture_words.entries_of(page)
    assert [
        e for e in entries if not any(picture_words.fits(t, e) for t in texts)
    ] == []
