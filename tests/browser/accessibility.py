"""WCAG 2.1 A and AA, as axe-core finds them."""

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    "resultTypes": ["violations"],
}
# What other projects draw, and what their next release may mend: Bokeh's toolbar
# buttons, the theme's own controls outside of the article, and the roles that
# docutils gives to a list of references.
ARTICLE = {
    "include": [["article, #main-content"]],
    "exclude": [[".bk-Toolbar"], [".citation-list"], [".header-article"]],
}

LIVE = {"include": [["[data-live]"]]}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
# Code has thousands of coloured words in a dozen colours: one of each is kept,
# for the contrast of each word alone takes axe longer than all the rest; of a table
# of hundreds of rows the first are. All are looked at before any goes, else the
# browser computes each look anew.
ONE_OF_A_KIND = """() => {
  const seen = new Set(), repeats = [];
  for (const word of document.querySelectorAll("pre span")) {
    const look = getComputedStyle(word), place = getComputedStyle(word.closest("pre"));
    const kind = [look.color, look.backgroundColor, look.fontWeight,
                  place.backgroundColor].join();
    if (seen.has(kind)) repeats.push(word);
    seen.add(kind);
  }
  for (const word of repeats) word.replaceWith(...word.childNodes);
  document.querySelectorAll("tbody tr:nth-child(n + 20)").forEach(row => row.remove());
}"""


def violations(visit, axe, frame=None, place=None, rules=RULES):
    if place == ARTICLE:  # the theme looks for what scrolls every 300 ms
        visit.page.wait_for_timeout(500)
    frame = frame or visit.page
    frame.evaluate(ONE_OF_A_KIND)
    frame.evaluate(axe)
    script = "([place, rules]) => axe.run(place ?? document, rules)"
    found = frame.evaluate(script, [place, rules])["violations"]
    return [
        f"{v['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for v in found
        for node in v["nodes"]
    ]
