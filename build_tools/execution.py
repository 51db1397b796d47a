"""How chapters are executed: which model, which data, and when a result is stale.

jupyter-cache recognises a notebook by its code cells alone, so it would serve
old outputs after a change of a helper, of the data or of the model. The folder
of the cache therefore carries a digest of all that.
"""

import hashlib
import os
import platform
import shutil
from pathlib import Path

DEFAULTS = {
    "BERT_COURSE_MODEL": "embedded",
    "COARSE_WSD_HOME": "sample",
    "SMS_SPAM_HOME": "sample",
}
QUIET = {"TQDM_DISABLE": "1"}  # a page shows results, not progress bars
INPUTS = ("helpers", "data", "requirements.txt")
CACHE_PREFIX = ".jupyter_cache-"
CACHES_KEPT = 3  # so that going back to another model costs nothing


def configure(app, config):
    """Set the environment of the kernels and the folder of the execution cache."""
    root = Path(app.srcdir)
    set_environment(root)
    build_folder = Path(app.outdir).parent
    cache = build_folder / f"{CACHE_PREFIX}{execution_digest(root)}"
    cache.mkdir(parents=True, exist_ok=True)
    os.utime(cache)
    remove_old_caches(build_folder)
    # An "env" value of myst-nb: where it changes, Sphinx reads every page anew.
    config.nb_execution_cache_path = str(cache)


def set_environment(root):
    """Choose the model and the data, unless the environment has chosen already.

    A folder named relative to `root` is made absolute, because chapters run in
    their own folder.
    """
    for name, default in {**DEFAULTS, **QUIET}.items():
        value = os.environ.setdefault(name, default)
        if name in DEFAULTS and (root / value).is_dir():
            os.environ[name] = str((root / value).resolve())


def execution_digest(root):
    """Return 12 hex digits that change with anything the chapters' outputs depend on.

    Covered: every file of `INPUTS`, the model, the data sources and the version
    of Python. Not covered: the contents of a model or data folder outside `root`.
    """
    digest = hashlib.sha256(platform.python_version().encode())
    for name in DEFAULTS:
        digest.update(f"\0{name}={os.environ.get(name, '')}".encode())
    for path in input_files(root):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"\0{path.relative_to(root).as_posix()} {content}".encode())
    return digest.hexdigest()[:12]


def input_files(root):
    """Return the files of `INPUTS` below `root`, sorted, without compiled Python."""
    found = []
    for name in INPUTS:
        path = root / name
        found += [path] if path.is_file() else path.rglob("*")
    return sorted(p for p in found if p.is_file() and "__pycache__" not in p.parts)


def remove_old_caches(build_folder):
    """Delete the execution caches beyond the `CACHES_KEPT` last used."""
    caches = sorted(
        build_folder.glob(f"{CACHE_PREFIX}*"),
        key=lambda path: path.stat().st_mtime,
        reverse=True,
    )
    for stale in caches[CACHES_KEPT:]:
        shutil.rmtree(stale)
