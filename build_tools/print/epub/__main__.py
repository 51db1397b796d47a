"""Check the EPUB that Sphinx has written, and put it in its place.

    python -m build_tools.print.epub BUILT.epub TARGET.epub

Where epubcheck finds an error or a warning, nothing is put there.
"""

import argparse
import zipfile
from pathlib import Path

from build_tools.console import say
from build_tools.print.epub import checker
from helpers.whole_files import replace


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m build_tools.print.epub")
    parser.add_argument("built", type=Path, help="the EPUB that Sphinx has written")
    parser.add_argument("target", type=Path, help="where it goes")
    options = parser.parse_args(arguments)
    if not zipfile.is_zipfile(options.built):
        parser.exit(2, f"error: {options.built} is no EPUB yet: run make epub\n")
    if fault := checker.fault():
        checked = f"not checked: {fault}"
    else:
        valid, said = checker.check(options.built)
        if not valid:
            parser.exit(1, f"{said}\nerror: epubcheck is not content\n")
        checked = "epubcheck: no errors, no warnings"
    content = options.built.read_bytes()
    replace(options.target, content)
    say(f"{checked}\nwrote {options.target} ({len(content) / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
