"""What the machine's page carries: readings of its sentences, and stills of the first.

They are made once by the live page's own scripts and model (`drawing`), and kept.
"""

import hashlib
import json
import shutil
from functools import cache
from pathlib import Path

from sphinx.errors import ExtensionError

from build_tools.live import drawing, payload
from build_tools.live.widgets import MODEL
from helpers.whole_files import whole

STILLS = "stills.json"  # beside the scripts of the readings


def made(root, pairs):
    """Return the folder of readings and stills, made if it is missing.

    pairs: [[text, other]], which differ in one word. Raises ExtensionError in one line
    where the model cannot read them.
    """
    marked = json.dumps([pairs, digest(), payload.digest()])
    mark = hashlib.sha256(marked.encode()).hexdigest()[:16]
    folder = Path(root) / "_build/live" / f"machine-{mark}"
    if folder.is_dir():
        return folder
    files = {name: str(path) for name, (_, path) in payload.places(root).items()}
    told = drawing.NODE.ask(
        kind="machine", settings={"pairs": pairs}, parts=MODEL, files=files
    )
    if "problem" in told:
        raise ExtensionError(f"the machine cannot be drawn: {told['problem']}")
    for earlier in folder.parent.glob("machine-*"):
        shutil.rmtree(earlier)
    with whole(folder) as unfinished:
        unfinished.mkdir()
        (unfinished / STILLS).write_bytes(payload.as_json(told["stills"]))
        for name, content in told["files"].items():
            start = f'(globalThis.machineParts??={{}})["{name}"]='.encode()
            script = start + payload.as_json(content)
            (unfinished / f"{name}.js").write_bytes(script)
    return folder


@cache
def digest():
    """What changes with anything that reads or draws, but for the model itself."""
    names = (
        "reading",
        "stored",
        "still",
        "hero",
        "whole",
        "paint",
        "layout",
        "caption",
    )
    own = [payload.SCRIPTS / f"window/{name}.js" for name in names]
    drawn = sorted((payload.ROOT / "build_tools/live").glob("*.mjs"))
    model = sorted((payload.SCRIPTS / "model").glob("*.js"))
    lock = payload.ROOT / "package-lock.json"
    return payload.digest_of([*own, *drawn, *model, lock])


def stills(root, pairs):
    """Return {name: {svg, words}} of the first text, and "layers", their number."""
    return json.loads((made(root, pairs) / STILLS).read_text("utf-8"))
