"""`make book` with a wrong model, twice at once, and with apostrophes in names.

Run in a project of its own, where a script stands for jupyter-book.
"""

import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

import pytest

from build_tools.book.assets import PACKAGES, locked_versions

ROOT = Path(__file__).parents[2]
# Stands for jupyter-book, and for the kernels that it starts in the chapters.
STUB = """import os, subprocess, sys, time
from pathlib import Path

def main():
    if Path("busy").exists():
        sys.exit("two at once")
    Path("busy").touch()
    while Path("wait").exists():
        time.sleep(0.1)
    Path("_build/html").mkdir(parents=True, exist_ok=True)
    said = f"{os.environ['BERT_COURSE_MODEL']} {os.environ['COARSE_WSD_HOME']}\\n"
    Path("_build/html/index.html").write_text(said)
    if Path("chapters").is_dir():
        ask = "import helpers, sys; print(sys.prefix, helpers.__file__, helpers.DATA)"
        kernel = [sys.executable, "-c", ask]
        told = subprocess.run(kernel, cwd="chapters", capture_output=True, check=True)
        Path("_build/html/places").write_bytes(told.stdout)
    Path("busy").unlink()
"""
SCRIPT = "#!{}\nimport stub_of_book\nstub_of_book.main()\n"
# As pip, which installs helpers editable and rewrites no script of others.
PIP = """import sys, sysconfig
from pathlib import Path
if "-e" in sys.argv:
    Path(sysconfig.get_path("purelib"), "editable.pth").write_text(str(Path.cwd()))
"""


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


@pytest.fixture
def project(tmp_path):
    """A project whose environment is set up, under a name with an apostrophe."""
    folder = tmp_path / "o'neil"
    folder.mkdir()
    for name in ("Makefile", "package-lock.json", "requirements.txt"):
        shutil.copy(ROOT / name, folder)
    for name in ("build_tools", "helpers", "data"):
        (folder / name).symlink_to(ROOT / name)
    write(folder / "_toc.yml", "root: index\n")
    write(folder / "requirements.lock", "")
    write(folder / "pyproject.toml", '[project]\nversion = "0"\n')
    _make_environment(folder / ".venv")
    write(folder / ".venv/.python", "")
    write(folder / ".venv/.place", f"{folder.resolve()}\n")
    write(folder / ".venv/.requirements", "")
    versions = locked_versions(ROOT)
    listed = "".join(f"{name} {versions[name]}\n" for name in PACKAGES)
    write(folder / "_build/assets/vendor/versions.txt", listed)
    return folder


def _make_environment(place):
    """An environment with the packages of ours, the stub, and its script."""
    venv.create(place, symlinks=True)
    [own] = place.glob("lib/python*/site-packages")
    others = [p for p in sys.path if p.endswith(("site-packages", "dist-packages"))]
    (own / "of_the_tests.pth").write_text("\n".join(others))
    (own / "stub_of_book.py").write_text(STUB)
    write(own / "pip/__init__.py", "")
    write(own / "pip/__main__.py", PIP)
    listed = "[console_scripts]\njupyter-book = stub_of_book:main\n"
    write(own / "stub-0.dist-info/entry_points.txt", listed)
    write(own / "stub-0.dist-info/METADATA", "Name: stub\nVersion: 0\n")
    write(place / "bin/jupyter-book", SCRIPT.format(place / "bin/python"), 0o755)


def start(project, *choices):
    settings = {"BERT_COURSE_MODEL", "COARSE_WSD_HOME", "SMS_SPAM_HOME"}
    settings |= {"MAKEFLAGS", "MAKELEVEL"}  # where the tests run under make
    settings |= {"PYTHONPATH"}
    return subprocess.Popen(
        ["make", "book", *choices],
        cwd=project,
        env={k: v for k, v in os.environ.items() if k not in settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def make(project, *choices):
    run = start(project, *choices)
    out, errors = run.communicate(timeout=120)
    return run.returncode, out, errors


def page(project):
    return (project / "_build/html/index.html").read_text()


UNLOADED = {
    "MODEL=damaged": "damaged, or its tokenizer, config.json and weights",
    "COARSE_WSD_HOME=nowhere": "nowhere is not a folder",
}


def test_what_cannot_be_loaded_costs_no_book_and_another_model_makes_another(
    project, tiny_bert_folder
):
    damaged = Path(shutil.copytree(tiny_bert_folder, project / "damaged"))
    (damaged / "tokenizer.json").write_text("{")
    assert make(project)[0] == 0
    before = page(project)
    (project / "_build/html/old.html").touch()
    for choice, said in UNLOADED.items():
        status, out, errors = make(project, choice)
        assert status != 0 and page(project) == before
        [line] = [line for line in errors.splitlines() if not line.startswith("make")]
        assert line.startswith("error: ") and said in line
        assert "Traceback" not in out
    assert make(project, f"MODEL={tiny_bert_folder}")[0] == 0
    assert page(project).startswith(str(tiny_bert_folder))
    assert not (project / "_build/html/old.html").exists()
    done = make(project, f"MODEL={tiny_bert_folder}")
    assert done[0] == 0 and "Building" not in done[1]


def test_two_builds_at_once_wait_for_one_another(project):
    (project / "wait").touch()
    first = start(project)
    while not (project / "busy").exists():
        assert first.poll() is None, first.communicate()
        time.sleep(0.05)
    second = start(project)
    said = second.stdout.readline()
    (project / "wait").unlink()
    assert "waiting for another process" in said
    for run in (first, second):
        _, errors = run.communicate(timeout=120)
        assert run.returncode == 0, errors
    assert page(project) == "embedded sample\n"


def test_a_copy_and_a_moved_checkout_build_with_what_lies_in_them(project):
    for name in ("helpers", "data"):
        (project / name).unlink()
    shutil.copytree(ROOT / "helpers", project / "helpers")
    write(project / "data/a.csv", "")
    write(project / "chapters/a.md", "")
    (project / ".venv/.requirements").unlink()  # helpers is installed editable
    places = []
    for make_place in (None, shutil.copytree, shutil.move):
        folder = project if make_place is None else project.with_name(f"n{len(places)}")
        if make_place is shutil.copytree:
            shutil.copytree(project, folder, symlinks=True)
        elif make_place is shutil.move:
            shutil.move(places[-1], folder)
        places.append(folder)
        status, _, errors = make(folder)
        assert status == 0, errors
        said = (folder / "_build/html/places").read_text().strip()
        assert said == f"{folder}/.venv {folder}/helpers/__init__.py {folder}/data"
