"""The whole book as an EPUB 3, through Sphinx's own builder: `make epub`.

    python -m build_tools.epub _build/epub/inside-bert.epub _build/inside-bert.epub

checks what was built, where epubcheck is installed, and puts it in its place.

A reading device runs no scripts. So formulas become MathML, plots the pictures that
Chromium draws of them, attention views the drawings beside them and widgets their
answers; the rest of a page is made the strict XHTML that an EPUB demands.
"""

import argparse
import json
import re
import shutil
import subprocess
from pathlib import Path

from bs4 import BeautifulSoup, Comment
from sphinx.builders.epub3 import Epub3Builder
from sphinx.errors import ExtensionError

from build_tools import assets, plots
from build_tools.dependencies import name_of
from build_tools.slides.outline import run_of
from helpers._support.whole_files import replace

CHECKER = Path("/usr/share/java/epubcheck.jar")  # its own command needs binfmt
STYLES = "build_tools/epub_style"
# Extensions whose steps belong to a site and its theme.
OF_A_SITE = {"sphinx_book_theme", "pydata_sphinx_theme", "sphinxext", "sphinx_comments"}
GONE = (
    "script, style, noscript, link, iframe, button, input, select, form, template, "
    ".late, .live-start, .live-link, .live-note, .headerlink"
)
OLD_ATTRIBUTES = {
    "align", "valign", "border", "frame", "rules", "cellpadding", "cellspacing",
    "bgcolor", "halign", "hidden", "loading", "nowrap",
}  # fmt: skip
TEX = re.compile(r"\\[(\[](.*)\\[)\]]", re.S)
CAMEL = {
    name.lower(): name
    for name in (
        "viewBox preserveAspectRatio markerWidth markerHeight refX refY clipPath "
        "linearGradient radialGradient textPath textLength lengthAdjust "
        "gradientUnits gradientTransform patternUnits markerUnits startOffset"
    ).split()
}
ITEM = re.compile(r'(<item id="[^"]*" href="([^"]*\.xhtml)" media-type="[^"]*") ?/>')


class Epub(Epub3Builder):
    """Sphinx's builder, which also says which files hold formulas and drawings."""

    name = "epub"
    html_tag = Epub3Builder.html_tag.replace(">", ' lang="en" xml:lang="en">')

    def build_content(self):
        super().build_content()
        content = Path(self.outdir, "content.opf")
        named = ITEM.sub(self._with_properties, content.read_text(encoding="utf-8"))
        content.write_text(named, encoding="utf-8")

    def _with_properties(self, item):
        page = Path(self.outdir, item[2])
        text = page.read_text(encoding="utf-8") if page.is_file() else ""
        found = [n for n, tag in (("mathml", "<math"), ("svg", "<svg")) if tag in text]
        return f'{item[1]} properties="{" ".join(found)}"/>' if found else item[0]


def configure(app, config):
    """Say what the book is called; other builders do not look."""
    config.epub_basename = "inside-bert"
    config.epub_title = config.project
    config.epub_description = "A course on BERT made of executable chapters"
    config.epub_author = config.epub_contributor = config.author
    config.epub_publisher = config.author
    config.epub_language, config.epub_show_urls = "en", "no"
    config.epub_identifier, config.epub_scheme = config.html_baseurl, "URL"
    config.epub_uid, config.epub_use_index, config.epub_tocdepth = "BookId", False, 2
    config.epub_css_files, config.version = ["book.css"], config.version or "1"


def leave_out_the_site(app):
    """Keep what only a site needs out of the EPUB: its scripts, styles and buttons."""
    if app.builder.name != "epub":
        return
    app.config.html_static_path[:] = [STYLES]
    app.config.html_extra_path[:] = []
    for listener in list(app.events.listeners["html-page-context"]):
        if listener.handler.__module__.split(".")[0] in OF_A_SITE:
            app.disconnect(listener.id)


def make_strict(app, pagename, templatename, context, doctree):
    """Make the body of a page what an EPUB may hold."""
    if app.builder.name != "epub" or not context.get("body"):
        return
    root = Path(app.srcdir)
    soup = BeautifulSoup(context["body"], "html.parser")
    page = root / f"{pagename}.md"
    if "data-root-id" in context["body"]:
        up = "../" * pagename.count("/")
        folder = Path(app.outdir) / "_images"
        put_pictures(soup, run_of(page, root), folder, f"{up}_images", name_of(page))
    put_formulas(soup, root)
    clean(soup)
    context["body"] = str(soup)
    context["css_files"] = [
        file
        for file in context["css_files"]
        if getattr(file, "filename", file) in ("_static/pygments.css", "_static/book.css")
    ]


def put_pictures(soup, run, folder, address, name):
    """Put a picture where a script would draw a plot."""
    found = {
        plot.place: plot
        for cell in run.cells
        for plot in plots.plots_of(cell.get("outputs", []))
    }
    drawn = plots.draw(list(found.values()))
    folder.mkdir(parents=True, exist_ok=True)
    places = soup.select("[data-root-id]")
    for number, place in enumerate(places, start=1):
        file = f"plot-{name}-{number}.png"
        (folder / file).write_bytes(drawn[place["id"]])
        alt = found[place["id"]].alt
        place.replace_with(soup.new_tag("img", src=f"{address}/{file}", alt=alt))


def put_formulas(soup, root):
    """Put MathML where MathJax would draw a formula."""
    places = [m for m in soup.select(".math") if TEX.search(m.get_text())]
    asked = []
    for place in places:
        for number in place.select(".eqno"):
            place.insert_before(number.extract())
        asked.append([TEX.search(place.get_text())[1], place.name == "div"])
    for place, made in zip(places, mathml(asked, root), strict=True):
        formula = BeautifulSoup(made, "html.parser").math
        for part in formula.find_all(True):
            for name in [name for name in part.attrs if name.startswith("data-")]:
                del part[name]
        formula["alttext"] = " ".join(TEX.search(place.get_text())[1].split())
        place.clear()
        place.append(formula)


def mathml(formulas, root):
    """Return the MathML of each [TeX, whether it is displayed]."""
    if not formulas:
        return []
    mathjax = root / "node_modules/mathjax/es5/node-main.js"
    if not mathjax.is_file():
        assets.run_npm_ci(root)
    program = Path(__file__).with_name("formulas.cjs")
    result = subprocess.run(
        [*assets.node_command(), program, mathjax],
        input=json.dumps(formulas),
        capture_output=True,
        text=True,
    )
    if result.returncode:
        raise ExtensionError(f"no MathML: {result.stderr.strip()}")
    return json.loads(result.stdout)


def clean(soup):
    """Leave out what needs a script, and mend what XHTML does not allow."""
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    for part in soup.select(GONE):
        part.decompose()
    known = set()
    for part in soup.find_all(True):
        drawing = part.name == "svg" or part.find_parent("svg")
        if part.name == "svg":
            part["xmlns"] = "http://www.w3.org/2000/svg"
        if drawing:
            part.name = CAMEL.get(part.name, part.name)
            part.attrs = {CAMEL.get(n, n): value for n, value in part.attrs.items()}
        elif part.name != "math" and not part.find_parent("math"):
            for name in [n for n in part.attrs if n in OLD_ATTRIBUTES]:
                del part[name]
            for name in ("width", "height"):
                if name in part.attrs and not str(part[name]).isdigit():
                    size = part[name]
                    del part[name]
                    part["style"] = f"{name}: {size}; {part.get('style', '')}"
        if (own := part.get("id")) in known:
            del part["id"]
        elif own:
            known.add(own)


def checker_fault():
    """Say in one line why no EPUB can be checked, or return None."""
    if CHECKER.is_file() and shutil.which("java"):
        return None
    return "no epubcheck: install Debian's package"


def check(*arguments):
    """Return (whether epubcheck is content, what it says)."""
    command = ["java", "-jar", CHECKER, *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode == 0, (result.stdout + result.stderr).strip()


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m build_tools.epub")
    parser.add_argument("built", type=Path, help="the EPUB that Sphinx has written")
    parser.add_argument("target", type=Path, help="where it goes")
    options = parser.parse_args(arguments)
    if not options.built.is_file():
        parser.exit(2, f"{options.built} is missing: run make epub\n")
    if fault := checker_fault():
        print(f"not checked: {fault}")
    else:
        valid, said = check(options.built)
        if not valid:
            parser.exit(1, f"error: epubcheck is not content\n{said}\n")
        print("epubcheck: no errors")
    replace(options.target, options.built.read_bytes())
    print(f"wrote {options.target}")


def setup(app):
    """Connect these steps to Sphinx; called by the extension of the book."""
    app.add_builder(Epub, override=True)
    app.connect("config-inited", configure)
    # After all that others add to the files of a site, and to a page.
    app.connect("builder-inited", leave_out_the_site, priority=990)
    app.connect("html-page-context", make_strict, priority=950)


if __name__ == "__main__":
    main()
