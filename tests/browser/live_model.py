"""Opening live widgets and asking the live model, for the tests."""

import base64
import json
import re
from html import unescape

import numpy as np
from playwright.sync_api import expect

from build_tools.live.widgets import WIDGETS
from tests.browser.conftest import BOOK, pages_of_the_book
from tests.browser.visit import PATIENCE


def pages_with(kind):
    """The addresses of the pages with a widget, the one with fewest words first."""

    def words_in(page):
        data = re.search(f'data-live="{kind}" data-page="([^"]*)"', text_of(page))[1]
        return len(json.loads(unescape(data)).get("fields", {}).get("word", []))

    found = [p for p in pages_of_the_book() if f'data-live="{kind}"' in text_of(p)]
    return sorted(found, key=words_in) or ["index.html"]


def text_of(page):
    path = BOOK / page
    return path.read_text(encoding="utf-8") if path.is_file() else ""


PLACES = [(kind, page) for kind in WIDGETS for page in pages_with(kind)]
PAGES = dict(PLACES)
ONE_WORD = pages_with("senses")[0]  # the page that knows a single word
QUESTIONS = [  # to the search of the book
    "Why is one word hidden at a time?",
    "What does the first token stand for?",
    "How many messages should be labelled by hand?",
    "Can a model tell that it does not know?",
    "Which layer knows what a word means?",
    "What happens to a text that is too long?",
]

CONNECT = """async parts => {
  const place = document.querySelector("[data-live]");
  const page = JSON.parse(place.dataset.page);
  const code = new URL(page.code, document.baseURI).href;
  const {connect} = await import(code + "model/client.js");
  const files = Object.fromEntries(Object.entries(page.files).map(([name, file]) =>
    [name, {...file, url: new URL(file.url, document.baseURI).href}]));
  window.live = connect(() => new Worker(code + "model/worker.js", {type: "module"}));
  window.liveCode = code;
  await window.live.load(parts, files, () => {});
}"""
# Answers one by one; arrays of floats travel as base64 of their bytes.
ASK = """async questions => {
  const packed = values => {
    let text = "";
    for (const byte of new Uint8Array(values.buffer.slice(
        values.byteOffset, values.byteOffset + values.byteLength)))
      text += String.fromCharCode(byte);
    return {floats: btoa(text)};
  };
  const answers = [];
  for (const question of questions) {
    const answer = await window.live.ask(...question);
    for (const name of Object.keys(answer))
      if (answer[name] instanceof Float32Array) answer[name] = packed(answer[name]);
    answers.push(answer);
  }
  return answers;
}"""


def live_place(visit, kind):
    return visit.page.locator(f"#live-{kind}")


def open_live(open_tab, server, kind, **look):
    return open_tab(f"{server}/{PAGES[kind]}", **look)


def first_text(place):
    return place.locator("textarea").first


def assert_says(place, text):
    expect(place.locator(".live-note")).to_contain_text(text, timeout=PATIENCE)


def press_load(visit, kind):
    """Click the button that loads a widget."""
    place = live_place(visit, kind)
    place.locator(".live-start button").click()
    return place


def load(visit, kind):
    """Load a widget and wait for its first answer; returns its place in the page."""
    place = press_load(visit, kind)
    place.locator(".live-output > *").first.wait_for(timeout=PATIENCE)
    return place


def connect(visit, parts):
    """Start the page's own client and worker, without a widget."""
    visit.page.evaluate(CONNECT, list(parts))


def ask(visit, questions):
    """Ask the worker; returns its answers, arrays of floats as NumPy's."""
    answers = []
    for start in range(0, len(questions), 20):
        answers += visit.page.evaluate(ASK, questions[start : start + 20])
    return [_unpacked(answer) for answer in answers]


def _unpacked(answer):
    if isinstance(answer, dict):
        for name, value in answer.items():
            if isinstance(value, dict) and "floats" in value:
                answer[name] = np.frombuffer(
                    base64.b64decode(value["floats"]), np.float32
                )
    return answer
