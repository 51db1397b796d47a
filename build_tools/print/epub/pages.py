"""A page without scripts: its plots as pictures, its formulas as MathML."""

import json
import re
import subprocess
from pathlib import Path

from bs4 import BeautifulSoup
from sphinx.errors import ExtensionError

from build_tools.book import assets, offline
from build_tools.book.dependencies import name_of
from build_tools.book.execution import run_of
from build_tools.print import plots
from build_tools.print.epub import strict

TEX = re.compile(r"\\[(\[](.*)\\[)\]]", re.S)
STYLES = ("_static/pygments.css", "_static/book.css")


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
    strict.clean(soup)
    context["body"] = str(soup)
    offline.warn_of(pagename, offline.outside_addresses(context["body"]))
    context["css_files"] = [
        file
        for file in context["css_files"]
        if getattr(file, "filename", file) in STYLES
    ]


def put_pictures(soup, run, folder, address, name):
    """Put a picture where a script would draw a plot."""
    found = {
        plot.place: plot
        for cell in run.cells
        for plot in plots.plots_of(cell.get("outputs", []))
    }
    places = soup.select("[data-root-id]")
    if any(place["id"] not in found for place in places):
        raise ExtensionError(f"{name}: the page shows a plot that its last run lacks")
    drawn = plots.draw([found[place["id"]] for place in places])
    folder.mkdir(parents=True, exist_ok=True)
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
    for place, (tex, _), made in zip(places, asked, mathml(asked, root), strict=True):
        formula = BeautifulSoup(made, "html.parser").math
        for part in formula.find_all(True):
            for name in [name for name in part.attrs if name.startswith("data-")]:
                del part[name]
        formula["alttext"] = " ".join(tex.split())
        place.clear()
        place.append(formula)


def mathml(formulas, root):
    """Return the MathML of each [TeX, whether it is displayed].

    Raises ExtensionError in one line where MathJax cannot read one.
    """
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
    made = json.loads(result.stdout)
    for (tex, _), formula in zip(formulas, made, strict=True):
        if "<merror" in formula:
            raise ExtensionError(f"no MathML: MathJax cannot read {tex}")
    return made
