"""The sandbox: what a submission sees of the machine, and how much it may take.

Made by bubblewrap, for root and for ordinary users alike. Nothing of the machine is
there but what is named here, all of it read-only; no network, no other process, no
socket; a place of its own that lives in memory and ends with it.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from build_tools.book.execution import DEFAULTS
from teaching.grading import seccomp

ROOT = Path(__file__).resolve().parents[2]
RUN = Path(__file__).with_name("run_notebook.py")
HOME = "/submission"
NOTEBOOK, BESIDE = "/handed-in/notebook.ipynb", "/handed-in/beside"
DISK = 512 * 2**20  # bytes, of the place and again of /tmp
SHARED = 64 * 2**20  # bytes of /dev/shm
RESERVE = 3 * 2**30  # bytes of addresses that libraries reserve and never use
OPEN_FILES = 256
VARIABLES = {
    "LANG": "C.UTF-8", "HOME": HOME, "USER": "student", "TMPDIR": "/tmp",
    "IPYTHONDIR": "/tmp/.ipython", "HF_HUB_OFFLINE": "1", "PIP_RETRIES": "0",
    "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
    "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1",
    "TOKENIZERS_PARALLELISM": "false", "INSIDE_BERT_PROGRESS": "off",
}  # fmt: skip
ADVICE = (
    "bubblewrap 0.8 or newer is needed, and does not work here ({reason}); "
    "on Debian and Ubuntu: apt-get install bubblewrap"
)


def fault():
    """Say why no sandbox works here, in one line, or return None."""
    for tool in ("bwrap", "prlimit", "choom", "nice"):
        if not shutil.which(tool):
            return ADVICE.format(reason=f"there is no {tool}")
    if platform.machine() not in seccomp.REFUSED:
        return f"submissions cannot be graded on a machine of type {platform.machine()}"
    command, pipe = [sys.executable, "-c", "pass"], subprocess.PIPE
    with start(command, ROOT / "LICENSE", memory=2**30, stderr=pipe) as run:
        try:
            _, said = run.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            run.kill()
            said = b"it does not end"
    lines = said.decode(errors="replace").strip().splitlines() or ["it failed"]
    return ADVICE.format(reason=lines[-1][:200]) if run.returncode else None


def start(command, notebook, memory, beside=None, folders=(), **streams):
    """Start `command` in a sandbox; returns its process, a Popen.

    notebook: the file that it sees as NOTEBOOK. beside: a folder, seen as BESIDE.
    memory: bytes that it may take. folders: others that it may read, at their own
    places. streams: as for Popen.
    """
    number = seccomp.filter_file()
    seen = [*_bind(*folders), "--ro-bind", str(notebook), NOTEBOOK]
    seen += ["--ro-bind", str(beside), BESIDE] if beside else []
    limits = [f"--as={memory + RESERVE}", f"--fsize={DISK}", f"--nofile={OPEN_FILES}"]
    run = [
        # Where memory runs out, the kernel ends the submission first.
        *("nice", "-n", "10", "choom", "-n", "1000", "--"),
        *("prlimit", *limits, "--core=0", "bwrap"),
        *("--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"),
        *("--die-with-parent", "--new-session", "--seccomp", str(number)),
        *("--dev", "/dev", "--size", str(SHARED), "--tmpfs", "/dev/shm"),
        # read-only too: /proc/sys is root's, and so is this process where root grades
        *("--proc", "/proc", "--remount-ro", "/proc", "--remount-ro", "/dev"),
        *("--size", str(DISK), "--tmpfs", "/tmp"),
        *("--size", str(DISK), "--tmpfs", HOME),
        *(*_system(), *_project(), *seen),
        *("--remount-ro", "/", "--chdir", HOME, *command),
    ]
    try:
        return subprocess.Popen(run, env=environment(), pass_fds=[number], **streams)
    finally:
        os.close(number)


def environment():
    """The variables that a submission sees."""
    names = (*DEFAULTS, "LD_LIBRARY_PATH")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    return kept | VARIABLES | {"PATH": path, "HF_HUB_CACHE": str(_hub_cache())}


def course_folders():
    """Return the folders of model and data that the environment names."""
    named = (Path(os.environ.get(n, "")).expanduser().resolve() for n in DEFAULTS)
    return [folder for folder in named if folder.is_dir() and folder != Path.cwd()]


def _hub_cache():
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE).resolve()


def _system():
    """Programs and libraries of the system, and Python with its packages."""
    words = []
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        top, own = Path("/", name), Path("/usr", name)
        linked = ["--symlink", str(own), str(top)] if top.is_symlink() else _bind(top)
        words += [*_bind(own), *linked]
    words += _bind("/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/alternatives")
    prefixes = {sys.prefix, sys.base_prefix, Path(sys.executable).resolve().parents[1]}
    for prefix in sorted(map(str, prefixes)):
        parts = ("bin", "lib", "lib64", "include", "pyvenv.cfg")
        words += _bind(*(Path(prefix, part) for part in parts))
    packages = [p for p in sys.path if p.endswith(("site-packages", "dist-packages"))]
    return words + _bind(*packages)


def _project():
    """Helpers, chapters with their checks, data, and the program that runs inside."""
    own = ("helpers", "chapters", "data", "_toc.yml", "requirements.txt")
    own += ("teaching/__init__.py", "teaching/grading/__init__.py")
    own += ("teaching/grading/switches.py", "teaching/grading/run_notebook.py")
    return _bind(*(ROOT / name for name in own), _hub_cache())


def _bind(*paths):
    return [word for path in map(str, paths) for word in ("--ro-bind-try", path, path)]
