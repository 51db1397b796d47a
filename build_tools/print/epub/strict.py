"""The body of a page as the strict XHTML of an EPUB, in which no script runs."""

import re
from urllib.parse import quote, urlsplit

from bs4 import Comment

GONE = (
    "script, style, noscript, link, iframe, button, input, select, form, template, "
    ".late, .live-start, .live-link, .headerlink, summary .expanded, "
    ".slide label, .slide .frame[hidden], .picture .said [hidden]"
)
OLD_ATTRIBUTES = {
    "align", "valign", "border", "frame", "rules", "cellpadding", "cellspacing",
    "bgcolor", "halign", "hidden", "loading", "nowrap",
}  # fmt: skip
CAMEL = {
    name.lower(): name
    for name in (
        "viewBox preserveAspectRatio markerWidth markerHeight refX refY clipPath "
        "linearGradient radialGradient textPath textLength lengthAdjust "
        "gradientUnits gradientTransform patternUnits markerUnits startOffset"
    ).split()
}
FALLBACK = re.compile(r"var\(--[\w-]+,\s*([^()]+)\)")
SHARE = re.compile(r"--share:\s*([\d.]+)")
IN_ADDRESSES = "%/:=&?~#+!$,;'@()*[]"


def clean(soup):
    """Leave out what needs a script, and mend what XHTML does not allow."""
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    for part in soup.select(GONE):
        part.decompose()
    for label in soup.select("label[for]"):  # of what is gone
        label.name = "span"
        del label["for"]
    fold(soup)
    draw_bars(soup)
    known = set()
    for part in soup.find_all(True):
        if part.name == "svg" or part.find_parent("svg"):
            mend_drawing(part)
        elif part.name == "math" or part.find_parent("math"):
            part.attrs.pop("halign", None)
        else:
            mend(part)
        if (own := part.get("id")) in known:
            del part["id"]
        elif own:
            known.add(own)


def fold(soup):
    """Let boxes that a script opens in a page be opened without one."""
    for box in soup.select("div.admonition.dropdown"):
        title = box.find("p", class_="admonition-title", recursive=False)
        if title:
            box.name, title.name = "details", "summary"
    for box in soup.select("details[name]"):  # EPUB's HTML does not know it
        del box["name"]
    for title in soup.select("summary p"):
        title.name = "span"
    for link in soup.select("summary a"):  # a touch there opens the box
        link.unwrap()


def draw_bars(soup):
    """Give the bars of widgets their width, which in a page a style sheet computes."""
    for bar in soup.select(".live-bar"):
        share = float(SHARE.search(bar["style"])[1])
        bar["style"] = f"width: {50 * share:.0f}%"
        bar.insert_before(" ")
        bar.insert_after(" ")


def mend_drawing(part):
    """Give a part of an SVG the capitals that HTML does without."""
    part.name = CAMEL.get(part.name, part.name)
    part.attrs = {CAMEL.get(n, n): value for n, value in part.attrs.items()}
    if part.name == "svg":
        part["xmlns"] = "http://www.w3.org/2000/svg"


def mend(part):
    """Mend the attributes of a part of the text, which is changed in place."""
    for name in [n for n in part.attrs if n in OLD_ATTRIBUTES]:
        del part[name]
    for name in ("width", "height"):
        if name in part.attrs and not str(part[name]).isdigit():
            size = part[name]
            del part[name]
            part["style"] = f"{name}: {size}; {part.get('style', '')}"
    if "style" in part.attrs:
        part["style"] = FALLBACK.sub(r"\1", part["style"])  # few devices know var()
    if part.name == "a" and "href" in part.attrs:
        part["href"] = address(part["href"])


def address(link):
    """Return the address of a link; a page of the book has another ending here."""
    link = quote(link, safe=IN_ADDRESSES)
    parts = urlsplit(link)
    if not parts.scheme and not parts.netloc and parts.path.endswith(".html"):
        path = f"{parts.path.removesuffix('.html')}.xhtml"
        link = parts._replace(path=path).geturl()
    return link
