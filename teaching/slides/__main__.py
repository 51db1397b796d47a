"""Command line of the slides; see the package."""

import argparse
import subprocess
import sys
from pathlib import Path

from build_tools.book import assets
from build_tools.book.execution import run_of
from build_tools.console import say
from helpers.exercises.chapters import ROOT, chapter_named, chapters
from teaching.slides.deck import Deck
from teaching.slides.outline import outline

MARP = "@marp-team/marp-cli"
SETTINGS = Path(__file__).with_name("marp.config.mjs")


def decks(slugs=(), root=ROOT):
    """Yield the Deck of each chapter; ValueError for one unknown or not executed."""
    chosen = [chapter_named(slug) for slug in slugs] or chapters().values()
    for chapter in chosen:
        yield Deck(chapter, outline(chapter.page, run_of(chapter.page, root), root))


def draw(folder, root=ROOT):
    """Let Marp turn the Markdown in a folder into HTML that needs nothing else."""
    assets.install_tools(root)
    program = root / "node_modules" / MARP / "marp-cli.js"
    command = [*assets.node_command(), program, "--config", SETTINGS, "-I", folder]
    result = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if result.returncode:
        raise ValueError(f"Marp could not draw the slides: {result.stderr.strip()}")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m teaching.slides")
    parser.add_argument("folder", type=Path, help="where the decks go")
    parser.add_argument("chapters", nargs="*", help="which; without names, all")
    options = parser.parse_args(arguments)
    try:
        made = list(decks(options.chapters))  # all, before anything is written
        for deck in made:
            deck.write(options.folder)
        draw(options.folder)
    except (assets.AssetError, OSError, ValueError) as error:
        parser.exit(1, f"error: {error}\n")
    lines = [f"{deck.name}: {len(deck.slides)} slides" for deck in made]
    say("\n".join([*lines, f"wrote {len(made)} decks: {options.folder}"]))


if __name__ == "__main__":
    sys.exit(main())
