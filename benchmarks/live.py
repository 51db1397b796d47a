"""How long a reader waits for the live page, beside PyTorch's time for the same.

python -m benchmarks.live [--rounds N]

Opens the pages on masked words and step by step of the built book in headless
Chromium. Needs
`make book`, the packages of requirements-test.txt and Chromium (CHROMIUM names
another).
"""

import argparse
import functools
import http.server
import threading
import time
from pathlib import Path

import numpy as np

from benchmarks.common import about, spread
from build_tools.browser import launch_chromium
from helpers._support.contents import chapter_named

ROOT = Path(__file__).resolve().parents[1]
BOOK = ROOT / "_build" / "html"
MASKED = chapter_named("masked-language-model").page.relative_to(ROOT)
PAGE = MASKED.with_suffix(".html").as_posix()
TEXT = (  # 20 pieces
    "The old crane on the quay had not [MASK] anything at all since the {} was closed."
)
PLACES = ("harbour", "market", "station", "school", "bank", "church", "mine", "shop")
STEPS_PAGE = "chapters/bert-step-by-step.html"
ANSWERED = """([kind, text]) => new Promise(resolve => {
  const place = document.querySelector(`#live-${kind}`);
  const start = performance.now();
  new MutationObserver((_, watch) => {
    watch.disconnect();
    resolve((performance.now() - start) / 1000);
  }).observe(place.querySelector(".live-output"), {childList: true});
  const box = place.querySelector("textarea");
  box.value = text;
  box.dispatchEvent(new Event("input"));
})"""


STEP = """() => {
  const start = performance.now();
  [...document.querySelectorAll("#live-steps .live-steps button")].at(-1).click();
  document.querySelector("#live-steps .live-output").getBoundingClientRect();
  return (performance.now() - start) / 1000;
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def serve(folder):
    """Serve a folder on 127.0.0.1; returns the server."""
    handler = functools.partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def in_the_page(address, texts, kind="masked"):
    """Return the seconds from the click to the first answer, of each text's answer,
    and of each step of the page step by step."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        tab = browser.new_page()
        tab.goto(address, wait_until="load")
        start = time.perf_counter()
        tab.click(f"#live-{kind} .live-start button")
        tab.locator(f"#live-{kind} .live-output > *").first.wait_for(timeout=120_000)
        first = time.perf_counter() - start
        if kind == "steps":
            tab.locator("#live-steps textarea").last.fill("")  # one text, as the other
            tab.wait_for_timeout(1000)
        later = [tab.evaluate(ANSWERED, [kind, text]) for text in texts]
        walked = [tab.evaluate(STEP) for _ in texts] if kind == "steps" else []
        browser.close()
    return first, np.array(later), np.array(walked)


def in_python(texts):
    """Return the seconds of each text's answer by PyTorch."""
    from helpers.models import load_bert

    bert = load_bert("embedded", "cpu")
    seconds = []
    for text in texts:
        start = time.perf_counter()
        bert.predict_masked(text)
        seconds.append(time.perf_counter() - start)
    return np.array(seconds)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    if not (BOOK / PAGE).is_file():
        parser.exit(2, "there is no book in _build/html: run make book\n")
    texts = [TEXT.format(place) for place in PLACES]
    server = serve(BOOK)
    root = f"http://127.0.0.1:{server.server_port}"
    print(*about("python -m benchmarks.live"), sep="\n")
    for _ in range(options.rounds):
        first, later, _ = in_the_page(f"{root}/{PAGE}", texts)
        _, steps, walked = in_the_page(f"{root}/{STEPS_PAGE}", texts, "steps")
        own = in_python(texts)[1:]
        ratio = np.median(later) / np.median(own)
        print(
            f"first answer {first:.2f} s after the click; then "
            f"{spread(1000 * later, 0)} ms each, {ratio:.1f} of PyTorch's "
            f"{spread(1000 * own, 0)} ms\n"
            f"step by step: {spread(1000 * steps, 0)} ms for a new sentence, "
            f"{np.median(steps) / np.median(later):.1f} of the masked word's; "
            f"{spread(1000 * walked, 0)} ms a step"
        )
    server.shutdown()


if __name__ == "__main__":
    main()
