"""Opening a page of the book and looking at what the browser made of it."""

from dataclasses import dataclass, field

from build_tools.print.pdf import SCRIPT

PATIENCE = 60_000  # ms: the model loads on one of two busy cores

# For each Bokeh document's root in the page: whether it and its plots are drawn.
# Bokeh draws inside nested shadow roots, on canvases.
UNDRAWN_PLOTS = """() => {
  const places = [...document.querySelectorAll("[data-root-id]")];
  const canvases = node => [...node.querySelectorAll("*")].flatMap(child => [
    ...(child.tagName === "CANVAS" ? [child] : []),
    ...(child.shadowRoot ? canvases(child.shadowRoot) : [])]);
  const painted = canvas => canvas.width > 0 && canvas.height > 0 &&
    canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
      .data.some(value => value > 0);
  const roots = (window.Bokeh?.documents ?? []).flatMap(doc => doc.roots());
  const problems = [];
  for (const place of places) {
    const id = place.getAttribute("data-root-id");
    const root = roots.find(model => model.id === id);
    // The place itself is `display: contents`: its child has the size.
    const {width, height} = (place.firstElementChild ?? place).getBoundingClientRect();
    const plots = root ? [...root.references()].filter(
      model => ["Figure", "Plot"].includes(model.type)).length : 0;
    const drawn = canvases(place).filter(painted).length;
    if (!root) problems.push(`${id}: not known to Bokeh`);
    else if (width < 1 || height < 1) problems.push(`${id}: has no size`);
    else if (drawn < plots) problems.push(`${id}: ${drawn} of ${plots} plots drawn`);
  }
  if (roots.length !== places.length)
    problems.push(`${roots.length} documents' roots for ${places.length} places`);
  return problems;
}"""

# MathJax sets a wrong formula as an error, an unknown command in red.
UNTYPESET_FORMULAS = """() => [...document.querySelectorAll(".math")].filter(math =>
  !math.querySelector("mjx-container") ||
  math.querySelector("mjx-merror, [style*='color: red']")
).map(math => math.textContent.trim())"""

# bertviz draws its lines once its scripts are there; then the drawing gets its names.
UNDRAWN_VIEW = """() => [
  ...(document.querySelector("svg[viewBox] line") ? [] : ["no lines"]),
  ...[...document.querySelectorAll("select:not([aria-label])")].map(e => e.id),
]"""


@dataclass
class Visit:
    """A page opened in the browser, and what went wrong meanwhile."""

    page: object
    errors: list = field(default_factory=list)
    requests: list = field(default_factory=list)

    def outside_requests(self, address):
        """Return the requests that left `address`, the place the book is read from."""
        inside = (address, "data:", "blob:", "about:")
        return [url for url in self.requests if not url.startswith(inside)]

    def settled(self, script, seconds=15, frame=None):
        """Return the problems that `script` still lists after a wait."""
        for _ in range(seconds * 10):
            problems = (frame or self.page).evaluate(script)
            if not problems:
                break
            self.page.wait_for_timeout(100)
        return problems

    def undrawn_plots(self):
        return self.settled(UNDRAWN_PLOTS)

    def untypeset_formulas(self):
        return self.settled(UNTYPESET_FORMULAS)

    def views(self):
        """Scroll to each attention view; return its frames, drawn or not."""
        found = []
        for place in self.page.query_selector_all(".attention-view > iframe"):
            place.scroll_into_view_if_needed()
            frame = place.content_frame()
            frame.wait_for_load_state("load")
            found.append(frame)
        return found

    def undrawn_views(self, seconds=15):
        """Return, for the views that are not whole, what they lack."""
        problems = {}
        for frame in self.views():
            if lacks := self.settled(UNDRAWN_VIEW, seconds, frame):
                problems[frame.url] = lacks
        return problems

    def overflow(self):
        """Return by how many pixels the page is wider than the window."""
        return self.page.evaluate(
            "() => document.documentElement.scrollWidth - window.innerWidth"
        )


def open_page(context, url):
    """Open `url` in a new tab of a browser context, with all dropdowns opened."""
    visit = Visit(context.new_page())
    visit.page.on("request", lambda request: visit.requests.append(request.url))
    visit.page.on("pageerror", lambda error: visit.errors.append(f"page: {error}"))
    visit.page.on("requestfailed", lambda r: visit.errors.append(f"failed: {r.url}"))
    visit.page.on(
        "console",
        lambda message: (
            message.type == "error"
            and visit.errors.append(f"console: {message.text} ({message.location})")
        ),
    )
    visit.page.goto(url, wait_until="load")
    visit.page.add_script_tag(path=SCRIPT)
    visit.page.evaluate("openEverything()")
    return visit
