"""The search of the book: its paragraphs, its vectors, its place."""

import numpy as np

from build_tools.book_search import index
from build_tools.book_search.paragraphs import Paragraph, paragraphs_of

EIGHT = "has eight words or more and is kept"
HTML = f"""
<p>This stands before the article and is not kept.</p>
<article><section id="page"><h1><span class="section-number">6. </span>A page<a
class="headerlink">#</a></h1>
<p class="reading-time">About five minutes, for the text and for the code.</p>
<p>The first &amp; <em>only</em> one {EIGHT}.</p><p>Too short.</p>
<section id="inner"><h2>Inner<br>one</h2>
<div class="cell"><p>An output {EIGHT}.</p></div>
<section class="live"><p>A widget {EIGHT}.</p></section>
<div class="solution"><div><p>A solution {EIGHT}.</p></div></div>
<div class="exercise"><p class="admonition-title">Exercise title {EIGHT}</p>
<section id="exercise-content"><p>An exercise {EIGHT}.</p></section></div>
<ul><li><p>An item <img src="x"> {EIGHT}.</p></li></ul></section>
<dl><dt id="term-piece">piece</dt><dd><p>A term {EIGHT}.</p></dd></dl>
</section></article>"""


def test_the_paragraphs_are_the_running_text_with_its_places():
    found = paragraphs_of(HTML, "chapters/a/index")
    assert {(p.page, p.chapter) for p in found} == {("chapters/a/index", "A page")}
    assert [(p.anchor, p.title, p.text.split(" has")[0]) for p in found] == [
        ("page", "A page", "The first & only one"),
        ("inner", "Innerone", "An exercise"),
        ("inner", "Innerone", "An item"),
        ("term-piece", "piece", "A term"),
    ]


def made_up(n=60, width=16, long=40):
    """Paragraphs, two in each section, and raw vectors that lie close together."""
    rng = np.random.default_rng(0)
    paragraphs = [
        Paragraph(f"p{i // 10}", "Page", f"s{k}", f"Section {k}", f"Text {i}")
        for i in range(n)
        for k in [i // 2]
    ]
    return paragraphs, rng.normal(3, 1, (n, long)).astype("float32"), width


def test_a_paragraph_is_found_by_its_own_vector():
    paragraphs, raw, width = made_up()
    found = index.index_of(paragraphs, raw, width)
    assert found.vectors.dtype == np.int8 and found.vectors.shape == (60, width)
    scores = found.scores(raw)
    assert (scores.argmax(axis=1) == np.arange(60)).all()
    assert abs(np.diag(scores) - 1).max() < 1e-3
    others = scores[~np.eye(60, dtype=bool)]
    assert abs(others.mean()) < 0.1  # raw cosines are near 0.9
