"""Binder gets the versions that the course pins, by steps that exist."""

import os
import re
import subprocess
from pathlib import Path

import yaml

from helpers._support import hosted

ROOT = Path(__file__).resolve().parents[2]
BINDER = ROOT / "binder"


def installed_first():
    """{package: version} that environment.yml pins."""
    text = (BINDER / "environment.yml").read_text(encoding="utf-8")
    lines = yaml.safe_load(text)["dependencies"]
    return dict(line.split("=") for line in lines if "=" in line)


def test_binder_has_the_pinned_pytorch_on_a_python_that_is_tested():
    pinned = dict(line.split("==") for line in hosted._needed())
    found = installed_first()
    assert found.pop("pytorch-cpu") == pinned["torch"]
    oldest = re.search(
        r"^\| Python \| ([\d.]+) ", (ROOT / "CONTRIBUTING.md").read_text(), re.M
    )
    assert found == {"python": oldest[1]}


def run(path, *arguments, **environment):
    command = [str(path), *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True
    )


def test_the_rest_is_what_the_requirements_pin_and_the_course_itself(tmp_path):
    log, python = tmp_path / "log", tmp_path / "python"
    python.write_text(f'#!/bin/bash\necho "$@" >> {log}\n')
    python.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    assert run(BINDER / "postBuild", PATH=path).returncode == 0
    missing, course = log.read_text().splitlines()
    assert missing.startswith("-c from helpers import install_missing; ")
    assert course == "-m pip install --quiet --no-deps --editable ."
    python.write_text('#!/bin/bash\n[ "$1" != -c ]\n')
    assert run(BINDER / "postBuild", PATH=path).returncode


def test_a_notebook_starts_with_the_model_and_data_that_the_course_carries():
    names = ["BERT_COURSE_MODEL", "COARSE_WSD_HOME", "SMS_SPAM_HOME"]
    lacking = dict.fromkeys(names, "")
    started = run(BINDER / "start", "printenv", *names, **lacking)
    assert started.stdout.split() == ["embedded", "sample", "sample"]
