"""The Markdown beside a page says what it says, and what is drawn there in words."""

from unittest import mock

import pytest

from build_tools.print.markdown_twins import twin_of
from helpers.plotting import bars, show


@pytest.mark.parametrize(
    ("html", "said"),
    [
        (r'<p>Let <span class="math">\(a_1 * b\)</span>.</p>', "Let $a_1 * b$."),
        (r'<div class="math">\[x^2\]</div>', "$$x^2$$"),
        ("<p><code>a_b</code> <em>c</em></p>", "`a_b` *c*"),
        ('<a href="../x/index.html#y-z">x</a>', "[x](../x/index.md#y-z)"),
        ('<a href="https://e.org/a.html">x</a>', "[x](https://e.org/a.html)"),
        ('<h2>Why<a class="headerlink" href="#w">#</a></h2>', "## Why"),
        ('<p class="admonition-title">Predict first</p>', "**Predict first**"),
        ("<dl><dt>ALiBi</dt><dd>A scheme.</dd></dl>", "ALiBi\n:   A scheme."),
        ('<a href="x.html" title="what it is">x</a>', "[x](x.md)"),
        ("<p>seen</p><p hidden>unseen</p><script>x</script>", "seen"),
        (
            '<details class="hide"><summary>Show</summary><p>seen</p></details>'
            "<details><summary>Option</summary><p>No.</p></details>",
            "seen\n\n**Option**\n\nNo.",
        ),
        (
            '<div class="highlight-ipython3"><pre>if a:\n    b_c()\n</pre></div>',
            "```python\nif a:\n    b_c()\n```",
        ),
        (
            '<div class="cell_output"><div class="highlight-ipython3">'
            "<pre>0.1  [MASK]\n</pre></div></div>",
            "```text\n0.1  [MASK]\n```",
        ),
        (
            '<section class="live" aria-label="Live: words"><p class="live-title">T</p>'
            '<p class="live-text">A [MASK].</p><p class="live-still">7</p></section>',
            "[Live: words.]\n\nA [MASK].",
        ),
    ],
)
def test_what_a_page_says_is_said(html, said):
    assert twin_of(html) == f"{said}\n"


def test_a_plot_is_its_title_and_axes():
    with mock.patch("bokeh.io.notebook.publish_display_data") as published:
        show(bars(["cat", "dog"], [3, 5], "Pets", "how many"))
    data = {k: v for call in published.call_args_list for k, v in call.args[0].items()}
    script = data["application/javascript"]
    said = twin_of(f"{data['text/html']}<script>{script}</script>")
    assert said.startswith("[Plot: Pets.") and "how many" in said
    assert said.count("\n") == 1
