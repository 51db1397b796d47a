"""The check of the live page's scripts: what breaks a rule or the format is refused."""

import json
import shutil
from pathlib import Path

import pytest

from build_tools.book import assets
from build_tools.upkeep import check_scripts

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def project(tmp_path):
    """A project with the rules of this one and no script."""
    assets.install_tools(ROOT)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    (tmp_path / "live").mkdir()
    for name in ("eslint.config.mjs", ".prettierrc.json", "package.json"):
        shutil.copy(ROOT / "live" / name, tmp_path / "live")
    return tmp_path


def test_a_script_that_breaks_a_rule_or_the_format_is_refused_or_mended(project):
    script = project / "live/script.js"
    script.write_text("export const a = absent;\n")
    assert not check_scripts.check(project)
    script.write_text("export const a = { b:1 }\n")
    assert not check_scripts.check(project)
    assert check_scripts.check(project, write=True)
    assert script.read_text() == "export const a = {b: 1};\n"
    assert check_scripts.check(project)


def test_the_tools_are_installed_once(tmp_path, monkeypatch):
    runs = []
    monkeypatch.setattr(
        assets, "run_npm_ci", lambda root, include: runs.append(include)
    )
    description = {"devDependencies": {"eslint": "1.0.0"}}
    (tmp_path / "package.json").write_text(json.dumps(description))
    assets.install_tools(tmp_path)
    tool = tmp_path / "node_modules/eslint"
    tool.mkdir(parents=True)
    (tool / "package.json").write_text('{"version": "1.0.0"}')
    assets.install_tools(tmp_path)
    assert runs == ["dev"]


def test_the_lock_names_no_registry():
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, known in lock["packages"].items() if "resolved" in known]
    assert all("integrity" in known for name, known in lock["packages"].items() if name)
