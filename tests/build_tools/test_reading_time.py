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


DEEPER = """## Summary

two three four

## Quiz

not counted

## Deeper

{words}

```{{code-cell}} ipython3
d = 4
```

## Further reading

not counted
"""
HEADER = "---\njupytext:\n  text_representation:\n    format_name: myst\n---\n\n"


def written(tmp_path, core, deeper):
    """A page with so many words in its core and so many more in what is deeper."""
    page = tmp_path / "index.md"
    text = PAGE.format(words="word " * (core - 13))  # titles are words, too
    page.write_text(HEADER + text + DEEPER.format(words="word " * (deeper - 1)))
    return page


def test_the_minutes_of_a_page_are_those_of_what_is_read_and_done(tmp_path):
    page = written(tmp_path, core=1600, deeper=480)
    size = {"words": 1600, "lines": 2, "predictions": 0}
    assert {k: reading_time.size_of(page)["core", k] for k in size} == size
    assert reading_time.size_of(page)["deeper", "words"] == 480
    minutes = {"core": 10, "deeper": 3, "quiz": 0, "exercises": 15}
    assert reading_time.minutes_of(page) == minutes
    (tmp_path / "quiz.toml").write_text("")
    assert reading_time.minutes_of(page) == minutes | {"quiz": 6}
    said = "About 10 minutes, 21 more for quiz and exercises, 3 for what is deeper."
    assert reading_time.time_of(page) == said


def test_a_prediction_takes_time_and_a_folded_cell_takes_none(tmp_path):
    page = written(tmp_path, core=1600, deeper=480)
    text = page.read_text()
    page.write_text(text.replace("} One two", "} Predict first"))
    assert reading_time.minutes_of(page)["core"] == 12
    folded = "```{code-cell} ipython3\n:tags: [hide-input]\n" + "a = 1\n" * 20 + "```\n"
    page.write_text(text.replace("# Title\n", f"# Title\n\n{folded}", 1))
    assert reading_time.minutes_of(page)["core"] == 10


def test_a_page_without_more_than_text_and_one_without_text(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n" + "word " * 480)
    assert reading_time.time_of(page) == "About 3 minutes to read."
    page.write_text("# Title\n")
    assert reading_time.time_of(page) == ""


def test_the_steps_of_a_live_box_are_read_with_their_code(tmp_path):
    page = tmp_path / "page.md"
    step = ":::::{live-step} one\n" + "word " * 160 + "\n```python\n" + "a\n" * 15
    page.write_text(
        f"{HEADER}# Title\n\n::::::{{live}} steps\n\n{step}```\n:::::\n::::::\n"
    )
    assert reading_time.time_of(page) == "About 4 minutes to read."
