"""How long a page takes: its words, its code and its exercises, and nothing hidden."""

from build_tools.book import reading_time

PAGE = """# Title

{words}

```{{admonition}} One two
:class: tip
three four five
```

```{{figure}} x.svg
:alt: not counted at all, as nobody reads it
six seven
```

```{{code-cell}} ipython3
a = 1

b = 2
```

```{{code-cell}} ipython3
:tags: [remove-cell]
c = 3
```

```{{exercise-start}} 1 · Eight
:label: x
```
"""


def test_the_minutes_of_a_page_are_those_of_what_is_read_and_done(tmp_path):
    page = tmp_path / "index.md"
    words = " ".join(["word"] * (400 - 9))  # the title is a word, too
    header = "---\njupytext:\n  text_representation:\n    format_name: myst\n---\n\n"
    page.write_text(header + PAGE.format(words=words))
    minutes = {"text": 2, "code": 0, "exercises": 8}
    assert reading_time.minutes_of(page) == minutes
    (tmp_path / "quiz.toml").write_text("")
    assert reading_time.minutes_of(page) == minutes | {"exercises": 12}
    said = "About 15 minutes: 2 for the text, 12 for the exercises."
    assert reading_time.time_of(page) == said


def test_a_page_without_more_than_text_and_one_without_text(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n" + "word " * 600)
    assert reading_time.time_of(page) == "About 3 minutes."
    page.write_text("# Title\n")
    assert reading_time.time_of(page) == ""
