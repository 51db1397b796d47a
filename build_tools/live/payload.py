"""The files that a live page loads, made once and kept (by joblib).

`_build/live/static/` is what Sphinx copies to `_static`: the scripts in a folder named
by their digest, and beside it the model, the tokenizer and the maps of senses, each
with its digest in its name. So a browser may keep any of them for ever. What lies in
`_build/live/root` goes to the root of the book: a service worker serves no page above
its own place.
"""

import gzip
import hashlib
import json
import shutil
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path

from joblib import Memory

from build_tools.book import assets
from build_tools.book.dependencies import code_in, files_behind
from build_tools.live import EIGHT, code_points
from helpers.exercises.chapters import chapter_named

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "live"
RUNTIME = "onnxruntime-web/ort.wasm.bundle.min.mjs"
TOKENIZERS = "@huggingface/tokenizers/tokenizers.min.mjs"
WASM = "onnxruntime-web/ort-wasm-simd-threaded.wasm.gz"
SERVICE_WORKER = "service-worker.js"
WINDOW = "window.js"  # all of `live/window` in one
BUNDLER = "node_modules/esbuild/bin/esbuild"
LARGEST_KEPT = "500M"  # of earlier results too
# The files of a part of the live page; another part is a file of its own name.
FILES_OF = {
    "tokenizer": ("tokenizer", "tokenizers"),
    "runtime": ("wasm", "ort"),
    "answers": ("answers", "model"),
}


def sources(root=ROOT):
    """Files of the project that the live page's files are made from."""
    own = sorted((root / "build_tools/live").glob("*.py"))
    code = "\n".join(path.read_text(encoding="utf-8") for path in own)
    return sorted([*own, *files_behind(code, root)])


def digest_of(paths, *more):
    """Return 16 hex digits that change with the names or contents of files."""
    digest = hashlib.sha256("\0".join(more).encode())
    for path in paths:
        digest.update(f"\0{path.name}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


@cache
def digest():
    """The digest of all that the model and the maps come from.

    The embedded model is among it: `helpers/models.py` holds its own digest.
    """
    eight = chapter_named(EIGHT).page.read_text(encoding="utf-8")
    versions = [f"{name} {version(name)}" for name in ("onnx", "transformers", "torch")]
    return digest_of(sources(), code_in(eight), *versions)


@cache
def course_model():
    """The course model, whatever model the rest of the book runs on."""
    from helpers.models import load_bert

    return load_bert("embedded", "cpu")


def scripts():
    """The live page's own scripts and styles, without the service worker."""
    folders = ("model", "widgets", "window")
    places = (SCRIPTS, *(SCRIPTS / name for name in folders))
    found = (p for place in places for p in place.iterdir())
    kept = (p for p in found if p.suffix in (".js", ".css"))
    return sorted(path for path in kept if path.name != SERVICE_WORKER)


def code_folder():
    """The folder of the scripts within `_static`."""
    return f"live/{digest_of(scripts())}"


def bundled(script):
    """Return a module and all that it imports as one script, which a file may load."""
    assets.install(ROOT)
    command = [*assets.node_command(), str(ROOT / BUNDLER), str(script)]
    options = ["--bundle", "--minify", "--charset=utf8", "--log-level=warning"]
    return subprocess.run(
        [*command, *options], check=True, stdout=subprocess.PIPE
    ).stdout


def make(root):
    """Fill `root/_build/live` with what pages load; returns that folder."""
    folder = Path(root) / "_build" / "live"
    shutil.rmtree(folder, ignore_errors=True)
    code = folder / "static" / code_folder()
    for script in scripts():
        copy = code / script.relative_to(SCRIPTS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(script, copy)
    (code / WINDOW).write_bytes(bundled(SCRIPTS / "window/stage.js"))
    for name, content in kept(root, contents, digest()).items():
        stem, suffix = name.split(".")
        mark = hashlib.sha256(content).hexdigest()
        (code.parent / f"{stem}-{mark[:16]}.{suffix}").write_bytes(content)
    Memory(Path(root) / "_build/.kept", verbose=0).reduce_size(bytes_limit=LARGEST_KEPT)
    (folder / "root").mkdir()
    shutil.copy(SCRIPTS / SERVICE_WORKER, folder / "root")
    return folder


def kept(root, function, *known, **others):
    """Return what a function returns, computed once for what is `known`.

    others: its further arguments, which follow from that.
    """
    memory = Memory(Path(root) / "_build/.kept", verbose=0)
    return memory.cache(function, ignore=[*others])(*known, **others)


def contents(mark):
    """Return {name: bytes} of model, reader, tokenizer and maps. mark: `digest`."""
    print("==> Making the model of the live page", flush=True)
    from build_tools.live.answers import answers_model
    from build_tools.live.graph import live_model
    from build_tools.live.maps import sense_maps

    model = live_model(course_model()).SerializeToString(deterministic=True)
    return {
        "model.onnx": model,
        "answers.onnx": answers_model(course_model(), model).SerializeToString(
            deterministic=True
        ),
        "tokenizer.json": tokenizer(),
        "maps.json": as_json(sense_maps(course_model())),
    }


def tokenizer():
    """Return the course model's tokenizer.json, as the page needs it."""
    from helpers.models import embedded_encoder

    kept = json.loads((embedded_encoder() / "tokenizer.json").read_text("utf-8"))
    return for_page(kept)


def for_page(told):
    """Return a tokenizer.json, in bytes, that cuts as in Python, and whole texts.

    As it comes it may cut and fill every text to a length.
    """
    told = told | {"truncation": None, "padding": None}
    first = code_points.rules(told)
    both = {"type": "Sequence", "normalizers": [*first, told["normalizer"]]}
    return as_json(told | {"normalizer": both})


def as_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def places(root):
    """Return {name: (address relative to `_static`, path)} of what pages load."""
    folder = Path(root) / "_build"
    paths = {
        path.name.split("-")[0]: (f"live/{path.name}", path)
        for path in sorted((folder / "live/static/live").iterdir())
        if path.is_file()
    }
    vendor = folder / "assets" / "vendor"
    paths["wasm"] = (f"vendor/{WASM}", vendor / WASM)
    for name, file in (("ort", RUNTIME), ("tokenizers", TOKENIZERS)):
        paths[name] = (f"vendor/{file}", vendor / file)
    return paths


def manifest(root):
    """Return {name: what `described` tells}, addresses relative to `_static`."""
    return {name: described(url, path) for name, (url, path) in places(root).items()}


def described(url, path):
    """Return a file's address, the bytes that are sent, and what they unpack to.

    A server may unpack a file on the way, so only its content can be relied upon.
    """
    sent = content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(sent)
    return {
        "url": url,
        "sent": len(sent),
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def page_data(static, parts, files):
    """Return what any page's script has to know: what it loads from where.

    static: the address of `_static`. bytes: of these parts alone, as they are sent.
    """
    names = {name for part in parts for name in FILES_OF.get(part, (part,))}
    return {
        "code": f"{static}{code_folder()}/",
        "files": {n: file | {"url": static + file["url"]} for n, file in files.items()},
        "parts": parts,
        "bytes": sum(files[name]["sent"] for name in names),
    }
