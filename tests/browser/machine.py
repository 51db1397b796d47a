"""The machine's window, for the tests: what it shows, and its model."""

import re

from tests.browser.visit import PATIENCE

UNTOLD = re.compile("undefined|NaN|null|object")  # in place of words
RUNS = "() => window.machine?.d && !machine.moving()"
STATE = """() => {
  const {open, head, inHead, cmp, row, pair, side, touring} = machine.s;
  return {open, head, inHead, cmp, row, pair, side, touring}; }"""


def state_of(visit):
    return visit.page.evaluate(STATE)


def said(visit):
    return visit.page.locator("#caption")


def begin_to_load(place):
    """Ask for the model in a page or a frame; returns where the page answers."""
    place.locator(".tabs .own").click()
    place.get_by_role("button", name="Load the model").click()
    return place.locator("form.own .said")


def load(place):
    begin_to_load(place)
    place.locator(".models").wait_for(timeout=PATIENCE)
