"""The figures of the chapters as PNG, for notebooks: Colab shows no SVG in a text.

`notebooks/pictures` keeps them, each with the digest of its SVG, so that an export
needs no browser.
"""

import hashlib
import io

from PIL import Image, PngImagePlugin

from build_tools import browser
from helpers.exercises.chapters import ROOT

FOLDER = "notebooks/pictures"
SCALE = 2  # pixels for each unit of a drawing
COLOURS = 64


def place(svg, root):
    """Return where the PNG of a figure is kept."""
    return root / FOLDER / f"{svg.parent.name}-{svg.stem}.png"


def width(png):
    """Return how wide a picture is shown, in the units of its drawing."""
    with Image.open(png) as picture:
        return picture.width // SCALE


def digest(svg):
    return hashlib.sha256(svg.read_bytes()).hexdigest()


def is_in_step(svg, root):
    """Return whether a figure's PNG was drawn from the SVG as it is now."""
    png = place(svg, root)
    if not png.is_file():
        return False
    with Image.open(png) as picture:
        return picture.info.get("svg") == digest(svg)


def figures(root):
    """Return the SVGs beside the chapters' pages."""
    return sorted(root.glob("chapters/*/*.svg"))


def draw(svgs, root):
    """Write the PNG of each; SystemExit where there is no Chromium."""
    from playwright.sync_api import sync_playwright

    (root / FOLDER).mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        chromium = browser.launch_chromium(playwright)
        page = chromium.new_page(device_scale_factor=SCALE)
        for svg in svgs:
            text = svg.read_text(encoding="utf-8")
            page.set_content(
                "<style>body {margin: 0} svg {display: block}</style>"
                + text[text.index("<svg") :]
            )
            drawing = page.locator("svg").first
            drawing.evaluate("e => e.style.width = e.viewBox.baseVal.width + 'px'")
            shot = drawing.screenshot(animations="disabled")
            save(Image.open(io.BytesIO(shot)), svg, root)
        chromium.close()


def save(picture, svg, root):
    info = PngImagePlugin.PngInfo()
    info.add_text("svg", digest(svg))
    few = picture.convert("RGB").quantize(COLOURS)
    few.save(place(svg, root), optimize=True, pnginfo=info)


def main(root=ROOT):
    if old := [svg for svg in figures(root) if not is_in_step(svg, root)]:
        draw(old, root)
    names = {place(svg, root) for svg in figures(root)}
    for png in set((root / FOLDER).glob("*.png")) - names:
        png.unlink()
    print(f"drew {len(old)} pictures in {FOLDER}/")
