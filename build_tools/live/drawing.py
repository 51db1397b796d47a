"""What a widget shows before anything is loaded, drawn by the widget's own script.

`prerender.mjs` runs the scripts of the live page in Node, with the model that a reader
loads: one process for a build, started when a drawing is asked for that is not known.
"""

import json
import subprocess

from sphinx.errors import ExtensionError

from build_tools.book import assets
from build_tools.live import payload
from build_tools.live.widgets import MODEL, WIDGETS

STATIC = "_static/live-page/"  # what `page.finish_page` makes an address of
BOOK = f"{STATIC}../"  # the root of the book
MACHINE = "machine"
SCRIPT = payload.ROOT / "build_tools/live/prerender.mjs"


def digest():
    """What changes with anything that draws, but for the model and the maps."""
    own = sorted(SCRIPT.parent.glob("*.mjs"))
    lock = payload.ROOT / "package-lock.json"
    return payload.digest_of([*payload.scripts(), *own, lock])


def remembered(root, kind, *asked):
    """Return `still`, drawn once; a file is known by its name."""
    key = json.dumps([kind, *asked], sort_keys=True, default=lambda path: path.name)
    mark = payload.digest_of([], payload.digest(), digest(), key)
    return payload.kept(root, drawn, mark, asked=(root, kind, *asked))


def drawn(mark, asked):
    """Return `still`. mark: a digest of all that it depends on."""
    return still(*asked)


def still(root, kind, settings, more_files=(), words=None):
    """Return a widget as it stands in its page: settings, fields, words, output.

    settings: all that it starts with. fields: {what a link may set: its values, None
    for any text}. output: HTML, and words the sentence below it; of the steps instead
    pictures, {step: {title, html}}. Of the kind MACHINE: files, {name: readings of its
    sentences}, and stills of the first, {name: {svg, words}} and layers, their number.
    more_files: {name: path} beside the live page's own. words: what the theme's search
    has found, for the search.

    Raises ExtensionError in one line where the widget has no answer.
    """
    found = {name: path for name, (_, path) in payload.places(root).items()}
    files = {n: str(path) for n, path in (found | dict(more_files)).items()}
    told = NODE.ask(
        kind=kind,
        settings=settings,
        parts=MODEL if kind == MACHINE else WIDGETS[kind].parts,
        files=files,
        book=BOOK,
        words=words,
    )
    if "problem" in told:
        raise ExtensionError(f"the live {kind} cannot be drawn: {told['problem']}")
    return told


class Node:
    """The process that draws."""

    def __init__(self):
        self.process = None

    def ask(self, **request):
        if self.process is None:
            self.process = self.started()
        print(json.dumps(request), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            self.stop()
            raise ExtensionError("Node could not draw a live widget; it says why above")
        return json.loads(answer)

    def started(self):
        print("==> Drawing the live widgets", flush=True)
        assets.install(payload.ROOT)
        return subprocess.Popen(
            [*assets.node_command(), str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def stop(self):
        if self.process is not None:
            self.process.communicate()
            self.process = None


NODE = Node()
