"""Page assets come from npm, complete or not at all."""

import json
import sys
from pathlib import Path

import pytest

from build_tools.book import assets

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def project(tmp_path):
    """A project whose lock names version 3.0.0 of each package, none installed."""
    lock_version(tmp_path, "3.0.0")
    return tmp_path


def lock_version(root, version):
    named = dict.fromkeys(assets.PACKAGES, version)
    lock = {"packages": {"": {"dependencies": named}}}
    (root / "package-lock.json").write_text(json.dumps(lock))


def install_packages(root, which):
    """Do what `npm ci` would do, with empty files."""
    for name, version in assets.locked_versions(root).items():
        package = root / "node_modules" / name
        folder, files = assets.PACKAGES[name]
        for file in files:
            path = package / folder / file
            if not path.suffix:
                path = path / "file"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        (package / "LICENSE").touch()
        (package / "package.json").write_text(json.dumps({"version": version}))


def test_npm_runs_once_and_again_for_another_version(project, monkeypatch):
    runs = []

    def npm_ci(root, which):
        runs.append(assets.locked_versions(root)["d3"])
        install_packages(root, which)

    monkeypatch.setattr(assets, "run_npm_ci", npm_ci)
    (assets.fetch_assets(project) / "mark").touch()
    assert (assets.fetch_assets(project) / "mark").is_file()  # nothing is copied anew
    assert runs == ["3.0.0"]
    lock_version(project, "3.0.1")
    assets.fetch_assets(project)
    assert runs == ["3.0.0", "3.0.1"]


def test_a_failed_fetch_is_one_line_and_leaves_nothing(project, monkeypatch):
    failing = [sys.executable, "-c", "import sys; sys.exit('npm error ENOTFOUND')"]
    monkeypatch.setattr(assets, "node_command", lambda program: failing)
    with pytest.raises(assets.AssetError) as caught:
        assets.fetch_assets(project)
    assert "ENOTFOUND" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (project / "_build" / "assets").exists()


def test_the_lock_names_no_registry():
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, known in lock["packages"].items() if "resolved" in known]
    assert all("integrity" in known for name, known in lock["packages"].items() if name)
