"""How long a page takes: what its built form asks a reader to read, look at and do."""

import pytest

from build_tools.book.reading_time import in_words, minutes_of, size_of

PAGE = """<h1>Not this one</h1><article><section>
<h1>Title<a class="headerlink">#</a></h1>
<p class="reading-time">About 9 minutes.</p>
{core}
<section><h2>Summary</h2></section>
<section><h2>Quiz</h2>{quiz}</section>
<section><h2>Exercises</h2>{exercises}</section>
<section><h2>Deeper</h2>{deeper}</section>
<section><h2>Further reading</h2><p>not counted</p></section>
</section></article>"""
ALWAYS = {"core": 2, "quiz": 0, "exercises": 1, "deeper": 1}  # words of titles


def counted(part="core", **places):
    """What is counted of a part of a page with this HTML at these places."""
    html = dict.fromkeys(("core", "quiz", "exercises", "deeper"), "") | places
    size = size_of(PAGE.format(**html))
    found = {what: n for (place, what), n in size.items() if place == part and n}
    if "words" in found:
        found["words"] -= ALWAYS[part]
    return {what: n for what, n in found.items() if n}


def listing(lines, inside=""):
    code = "<span>a</span> = 1\n\n" * lines
    return (
        f'<div class="highlight-x"><div class="highlight"><pre>{code}</pre></div></div>'
    )


def cell(lines, output=""):
    return (
        f'<div class="cell"><div class="cell_input">{listing(lines)}</div>'
        f'<div class="cell_output">{output}</div></div>'
    )


FOLDED = (
    '<details class="admonition hide above-input"><summary><p>Show code</p></summary>'
    f"{cell(4)}</details>"
)
PREDICT = '<p class="admonition-title">Predict first</p><p>Which one?</p>'
PICTURE = '<div class="picture"><svg><text>a b</text></svg><svg></svg></div>'
SLIDER = f'<div class="slide">{PICTURE}{PICTURE}<p>words of a state</p></div>'
FIGURE = (
    '<figure><img alt="no words"><figcaption><p>A caption.</p></figcaption></figure>'
)
LIVE = '<section class="live"><p>Live:</p><table></table><svg></svg></section>'
PRINTED = '<div class="output"><div class="highlight"><pre>1 two 3</pre></div></div>'


@pytest.mark.parametrize(
    ("html", "what"),
    [
        ("<p>one two – three</p>", {"words": 3}),
        ("<div class='admonition'><p>one</p></div>", {"words": 1}),
        ("<p hidden>one</p><script>one</script><noscript>one</noscript>", {}),
        (cell(2), {"lines": 2}),
        (listing(2), {"lines": 2}),
        (FOLDED, {"folded": 4}),
        (cell(1, PRINTED), {"lines": 1, "words": 3}),
        (PREDICT, {"predictions": 1, "words": 4}),
        (PICTURE, {"pictures": 1}),
        (SLIDER, {"pictures": 1}),
        (FIGURE, {"pictures": 1, "words": 2}),
        ("<table><tr><td>1</td></tr></table>", {"pictures": 1}),
        ('<div data-root-id="p1"></div>', {"pictures": 1}),
        (LIVE, {"pictures": 1}),
    ],
)
def test_each_thing_on_a_page_is_counted_once(html, what):
    assert counted(core=html) == what
    assert counted("deeper", deeper=html) == what


def test_a_quiz_is_its_questions_and_options_and_not_what_opens():
    option = "<details><summary>an option</summary><p>No. Because.</p></details>"
    quiz = f'<div class="quiz"><ol><li><p>Which is it?</p>{option * 3}</li></ol></div>'
    assert counted("quiz", quiz=quiz) == {"questions": 1, "words": 9}


def test_minutes_follow_the_rates():
    words = "<p>" + "word " * 239 + "</p>"
    core = words + cell(3) + FOLDED * 3 + PREDICT + PICTURE * 3
    page = PAGE.format(core=core, quiz="", exercises=cell(3), deeper=words)
    minutes = minutes_of(size_of(page))
    # 244 words 2.0, lines 1, folded 1, a prediction 1.5, pictures 2
    assert minutes == {"core": 8, "quiz": 0, "exercises": 1, "deeper": 2}
    said = "About 8 minutes, 1 more for quiz and exercises, 2 for what is deeper."
    assert in_words(minutes) == said
