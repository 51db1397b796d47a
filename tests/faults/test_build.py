"""`make book` with a wrong model, twice at once, and with apostrophes in names.

Run in a project of its own, where a script stands for jupyter-book.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from build_tools.book.assets import locked_versions

ROOT = Path(__file__).parents[2]
STUB = """#!/bin/sh
[ ! -e busy ] || { echo "two at once" >&2; exit 9; }
touch busy
while [ -e wait ]; do sleep 0.1; done
mkdir -p _build/html
echo "$BERT_COURSE_MODEL $COARSE_WSD_HOME" > _build/html/index.html
rm busy
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
    run_python = f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'
    write(folder / ".venv/bin/python", run_python, 0o755)
    write(folder / ".venv/bin/jupyter-book", STUB, 0o755)
    write(folder / ".venv/.python", "")
    write(folder / ".venv/.place", f"{folder.resolve()}\n")
    write(folder / ".venv/.requirements", "")
    versions = locked_versions(ROOT).items()
    listed = "".join(f"{name} {version}\n" for name, version in versions)
    write(folder / "_build/assets/vendor/versions.txt", listed)
    return folder


def start(project, *choices):
    settings = {"BERT_COURSE_MODEL", "COARSE_WSD_HOME", "SMS_SPAM_HOME"}
    settings |= {"MAKEFLAGS", "MAKELEVEL"}  # where the tests run under make
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


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("MODEL=./nonsense", "cannot load the model './nonsense'"),
        ("MODEL=damaged", "damaged, or its tokenizer, config.json and weights"),
        ("COARSE_WSD_HOME=nowhere", "nowhere is not a folder"),
    ],
)
def test_what_cannot_be_loaded_costs_no_book(project, tiny_bert_folder, choice, said):
    damaged = Path(shutil.copytree(tiny_bert_folder, project / "damaged"))
    (damaged / "tokenizer.json").write_text("{")
    assert make(project)[0] == 0
    before = page(project)
    status, out, errors = make(project, choice)
    assert status != 0 and page(project) == before
    [line] = [line for line in errors.splitlines() if not line.startswith("make")]
    assert line.startswith("error: ") and said in line
    assert "Traceback" not in out
    status, out, _ = make(project)
    assert status == 0 and page(project) == before


def test_another_model_makes_another_book(project, tiny_bert_folder):
    assert make(project)[0] == 0
    (project / "_build/html/old.html").touch()
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


@pytest.mark.parametrize("name", ["my notes.csv", "a:b.csv"])
def test_a_name_that_make_cannot_hold_is_named(project, name):
    write(project / "chapters/one" / name, "")
    status, _, errors = make(project)
    assert status != 0 and f"error: rename chapters/one/{name}: " in errors
    (project / "chapters/one" / name).rename(project / "chapters/one/a,b(c)=d#e.csv")
    assert make(project)[0] == 0
