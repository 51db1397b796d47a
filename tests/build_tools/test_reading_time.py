"""How long a page takes: what its built form asks a reader to read, look at and do."""

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
CELL = """<div class="cell"><div class="cell_input">
<div class="highlight-x"><div class="highlight"><pre><span>a</span> = 1\n
<span>b</span> = 1\n<span>c</span> = 1\n</pre></div></div></div>
<div class="cell_output"><div class="output"><div class="highlight">
<pre>1 two</pre></div></div></div></div>"""
FOLDED = f"""<details class="admonition hide above-input">
<summary><p>Show code</p></summary>{CELL}</details>"""
PREDICT = '<p class="admonition-title">Predict first</p><p>Which one?</p>'
PICTURE = '<div class="picture"><svg><text>a b</text></svg><svg></svg></div>'
SLIDER = f'<div class="slide">{PICTURE}{PICTURE}<p>words of a state</p></div>'
FIGURE = '<figure><img alt="no words"><figcaption>A caption.</figcaption></figure>'
LIVE = '<section class="live"><p>Live:</p><table></table><svg></svg></section>'
UNREAD = "<p hidden>one</p><script>one</script><noscript>one</noscript>"
OPTION = "<details><summary>an option</summary><p>No. Because.</p></details>"
QUIZ = f'<div class="quiz"><ol><li><p>Which is it?</p>{OPTION * 3}</li></ol></div>'


def test_each_thing_on_a_page_is_counted_once():
    """A slider is one picture; of a quiz what opens is not counted."""
    core = f"<p>one two – three</p>{UNREAD}{CELL}{FOLDED}{PREDICT}"
    core += PICTURE + SLIDER + FIGURE + LIVE
    size = size_of(PAGE.format(core=core, quiz=QUIZ, exercises="", deeper=PICTURE))
    assert size == {
        ("core", "words"): 2 + 3 + 2 + 2 + 4 + 2,  # with headings and what is printed
        ("core", "lines"): 3,
        ("core", "folded"): 3,
        ("core", "predictions"): 1,
        ("core", "pictures"): 4,
        ("quiz", "words"): 9,
        ("quiz", "questions"): 1,
        ("exercises", "words"): 1,
        ("deeper", "words"): 1,
        ("deeper", "pictures"): 1,
    }


def test_minutes_follow_the_rates():
    words = "<p>" + "word " * 235 + "</p>"
    core = words + CELL + FOLDED * 4 + PREDICT + PICTURE * 3
    page = PAGE.format(core=core, quiz="", exercises=CELL, deeper=words)
    minutes = minutes_of(size_of(page))
    # about 251 words 2.1, lines 1, folded 1, a prediction 1.5, pictures 2
    assert minutes == {"core": 8, "quiz": 0, "exercises": 1, "deeper": 2}
    said = "About 8 minutes, 1 more for quiz and exercises, 2 for what is deeper."
    assert in_words(minutes) == said
