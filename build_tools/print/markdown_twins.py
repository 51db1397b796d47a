"""Pages for programs that read: a Markdown file beside each page, and `llms.txt`.

A twin holds what the page says and what its cells printed; a plot, a drawing or a live
box is there in words. It is made of the written page, so that numbers of the run,
citations and numbers of figures are in it. See https://llmstxt.org.
"""

import re
from pathlib import Path

from bs4 import BeautifulSoup
from markdownify import MarkdownConverter

from build_tools.book.execution import table_of_contents
from build_tools.book.numbers import OPENING
from build_tools.print.words import DOCUMENT, described, words_of
from helpers.whole_files import replace

NOT_SAID = "script, style, button, svg, iframe, .headerlink, .hide summary"
FORMULA = re.compile(r"\\([(\[])(.*?)\\[)\]]", re.S)
TWIN_OF = re.compile(r"^(?!\w+:|//)(?P<page>[^#?]*)\.html(?P<place>#.*)?$")
SUMMARY = "A course on BERT made of executable chapters, with what their cells printed."
FORM = {"heading_style": "atx", "bullets": "-"}
FORM |= dict.fromkeys(("escape_asterisks", "escape_underscores"), False)  # for formulas
OPTIONAL = "Back matter"  # what may be left out, as llmstxt.org calls it


class Page(MarkdownConverter):
    """Turns the HTML of a page into Markdown."""

    def convert_a(self, el, text, parent_tags):
        alone = "machine-link" in el.get("class", ())  # a page without a twin
        if not alone and (found := TWIN_OF.match(el.get("href", ""))):
            el["href"] = f"{found['page']}.md{found['place'] or ''}"
        el.attrs.pop("title", None)  # a term's definition
        return super().convert_a(el, text, parent_tags)

    def convert_pre(self, el, text, parent_tags):
        output = el.find_parent(class_="cell_output") is not None
        code = el.find_parent(class_=re.compile("highlight-i?python"))
        language = "python" if code and not output else "text"
        return f"\n\n```{language}\n{el.get_text().strip(chr(10))}\n```\n\n"

    def convert_summary(self, el, text, parent_tags):
        return f"\n\n**{text.strip()}**\n\n"

    def convert_p(self, el, text, parent_tags):
        if "admonition-title" in el.get("class", ()):
            return self.convert_summary(el, text, parent_tags)
        return super().convert_p(el, text, parent_tags)


def twin_of(body):
    """Return the Markdown of a page's HTML."""
    soup = BeautifulSoup(body, "html.parser")
    for part in soup.select("[hidden]"):  # a slider's other states
        part.decompose()
    for script in soup.find_all("script"):
        if DOCUMENT.search(script.text):
            script.replace_with(_said(soup, described(script.text)))
    for box in soup.select(".live"):
        kept = box.select(".live-text")
        box.replace_with(_said(soup, f"{box['aria-label']}."), *kept)
    for picture in soup.select(".picture"):
        picture.replace_with(_said(soup, f"Picture: {words_of(picture)}"))
    for drawing in soup.select("svg[aria-label], iframe[title]"):
        words = drawing.get("aria-label") or drawing["title"]
        drawing.replace_with(_said(soup, f"Picture: {words}"))
    for part in soup.select(NOT_SAID):
        part.decompose()
    for formula in soup.select(".math"):
        formula.string = FORMULA.sub(_in_dollars, formula.get_text().strip())
    text = Page(**FORM).convert_soup(soup)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _in_dollars(found):
    sign = "$" if found[1] == "(" else "$$"
    return f"{sign}{found[2].strip()}{sign}"


def _said(soup, words):
    """Return a paragraph in brackets."""
    paragraph = soup.new_tag("p")
    paragraph.string = f"[{words}]"
    return paragraph


def write_twin(app, pagename, templatename, context, doctree):
    """Write the twin of a page beside it."""
    if app.builder.name == "html" and doctree is not None:
        file = Path(app.outdir) / f"{pagename}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        replace(file, twin_of(context["body"]).encode())


def listing(app):
    """Return the text of `llms.txt`: each page with the question that it answers."""
    _, parts = table_of_contents(Path(app.srcdir))
    lines = [f"# {app.config.html_title}", "", f"> {SUMMARY}"]
    for caption, names in parts.items():
        lines += ["", f"## {'Optional' if caption == OPTIONAL else caption}", ""]
        for name in names:
            opening = OPENING.search(Path(app.env.doc2path(name)).read_text("utf-8"))
            asked = f": {' '.join(opening['question'].split())}" if opening else ""
            title = app.env.titles[name].astext()
            lines.append(f"- [{title}]({app.site.book}{name}.md){asked}")
    return "\n".join(lines) + "\n"


def write_listing(app, exception):
    """Write `llms.txt` at the root of the book."""
    if app.builder.name == "html" and not exception:
        replace(Path(app.outdir) / "llms.txt", listing(app).encode())
