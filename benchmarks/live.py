"""How long a reader waits for the live widgets, beside PyTorch's time for the same.

python -m benchmarks.live [--rounds N]

Opens three pages of the built book in headless Chromium: masked words, the board of
heads and the way step by step. A text of 20 pieces is typed into each in turn, a head
is switched, a step is made. Needs `make book`, the packages of requirements-test.txt
and Chromium (CHROMIUM names another).
"""

import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.common import about, options_of, spread
from build_tools.browser import launch_chromium
from helpers.models import load_bert
from helpers.verdicts import in_turn
from tests.file_server import FileServer

ROOT = Path(__file__).resolve().parents[1]
BOOK = ROOT / "_build" / "html"
WIDGETS = ("masked", "board", "steps")
# What one click does, and the label of its button, of which {} is the number of a try.
CLICKS = {
    "board": ("a head switched", "Layer 2, head {} off"),
    "steps": ("a step", "Forward"),
}
TEXT = (  # 20 pieces
    "The old crane on the quay had not [MASK] anything at all since the {} was closed."
)
PLACES = ("harbour", "market", "station", "school", "bank", "church", "mine", "shop")
# Seconds from a text, or a click, until the output of a widget has changed.
CHANGED = """([kind, text, label]) => new Promise(resolve => {
  const place = document.querySelector(`#live-${kind}`);
  const box = place.querySelector("textarea");
  const button = [...place.querySelectorAll("button")].find(
    button => label === (button.ariaLabel ?? button.textContent));
  const start = performance.now();
  new MutationObserver((_, watch) => {
    watch.disconnect();
    resolve((performance.now() - start) / 1000);
  }).observe(place.querySelector(".live-output"), {childList: true, subtree: true});
  if (label) return button.click();
  box.value = text;
  box.dispatchEvent(new Event("input"));
})"""


def page_with(kind):
    """Return the address of a page of the book with that widget, "" without one."""
    pages = (p for p in sorted(BOOK.glob("chapters/**/*.html")) if p.is_file())
    found = (p for p in pages if f'data-live="{kind}"' in p.read_text("utf-8"))
    return next((p.relative_to(BOOK).as_posix() for p in found), "")


def in_the_pages(address, pages, texts):
    """Return seconds: {kind: of the first answer}, {what: of each answer after it}."""
    from playwright.sync_api import sync_playwright

    first, later = {}, {}
    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        tabs = {}
        for kind, page in pages.items():
            tabs[kind] = tab = browser.new_page()
            tab.goto(f"{address}/{page}", wait_until="load")
            start = time.perf_counter()
            tab.click(f"#live-{kind} .live-start button")
            answer = tab.locator(f"#live-{kind} .live-output > *")
            answer.first.wait_for(timeout=120_000)
            first[kind] = time.perf_counter() - start
        for turn, text in enumerate(texts):
            for kind, tab in tabs.items():
                tab.bring_to_front()
                seconds = tab.evaluate(CHANGED, [kind, text, ""])
                later.setdefault(f"{kind}: a text", []).append(seconds)
                if kind in CLICKS:
                    tab.wait_for_timeout(300)
                    what, label = CLICKS[kind]
                    seconds = tab.evaluate(CHANGED, [kind, "", label.format(turn)])
                    later.setdefault(f"{kind}: {what}", []).append(seconds)
                tab.wait_for_timeout(300)
        browser.close()
    return first, {what: np.array(seconds) for what, seconds in later.items()}


def in_python(texts):
    """Return the seconds of each text's answer by PyTorch."""
    bert = load_bert("embedded", "cpu")
    ways = {text: lambda text=text: bert.predict_masked(text) for text in texts}
    return np.ravel(list(in_turn(ways, rounds=1).values()))


def main(arguments=None):
    options = options_of("live", arguments, out=False, rounds=3)
    pages = {kind: page_with(kind) for kind in WIDGETS}
    if not all(pages.values()):
        sys.exit("error: there is no book in _build/html: run make book")
    texts = [TEXT.format(place) for place in PLACES]
    server = FileServer(BOOK)
    print(*about("live", options), sep="\n")
    for _ in range(options.rounds):
        first, later = in_the_pages(server.url, pages, texts)
        said = ", ".join(f"{kind} {seconds:.2f}" for kind, seconds in first.items())
        print(f"seconds from the click to the first answer: {said}")
        base = np.median(later["masked: a text"])
        later["PyTorch: a text"] = in_python(texts)
        for what, seconds in later.items():
            ratio = np.median(seconds) / base
            print(f"  {what:23} {spread(1000 * seconds, 0)} ms, {ratio:.2f}")
    server.stop()


if __name__ == "__main__":
    main()
