"""What the project may not hold: outputs, tokens, loaders of code, loose workflows.

ruff knows most calls that run what they read, zizmor most of what makes a workflow
loose; `make check` asks ruff about the modules.
"""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import jupytext
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CHAPTERS = sorted((ROOT / "chapters").glob("*/index.md"))
MODULES = [
    p
    for n in ("helpers", "build_tools", "benchmarks", "experiments")
    for p in (ROOT / n).rglob("*.py")
]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
# Keys of the hub, GitHub, OpenAI and its like, AWS, Google; passwords in an address.
SECRET = re.compile(
    r"\bhf_[A-Za-z0-9]{20}|\bgh[pousr]_[A-Za-z0-9]{20}|github_pat_\w{20}"
    r"|\bsk-[\w-]{20}|\bAKIA[A-Z0-9]{12}|\bAIza[\w-]{30}|://[^/\s:@]+:[^/\s@]+@"
)
TOOLS = Path(sys.executable).parent
WRITES = {
    ("ci.yml", "deploy"): {"pages": "write", "id-token": "write"},
    ("ci.yml", "notebooks"): {"contents": "write"},
}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_exported_notebook_holds_no_output_and_no_token(path):
    text = path.read_text(encoding="utf-8")
    cells = [c for c in json.loads(text)["cells"] if c["cell_type"] == "code"]
    assert all(cell["execution_count"] is None for cell in cells)
    opening = 0
    for cell in (cell for cell in cells if cell["outputs"]):
        [output] = cell["outputs"]
        shown = set(output["data"]) - {"text/plain"}
        if "glued" in cell["metadata"].get("tags", []):  # the numbers of the book
            assert shown <= {"text/markdown"}
        else:  # the picture with which the page opens
            opening += 1
            assert shown == {"text/html"}
            assert "<script" not in "".join(output["data"]["text/html"])
    assert opening <= 1
    assert not SECRET.search(text)


def asked(tool, *options, source=""):
    """What a tool prints, run at the root on `source`."""
    done = subprocess.run(
        [TOOLS / tool, *options], cwd=ROOT, input=source, capture_output=True, text=True
    )
    return done.stdout


def ask_ruff(source, name):
    """The rules that a file of this name breaks, by the settings of the project."""
    options = ("check", "--output-format", "json", "--no-cache", "--stdin-filename")
    return {
        found["code"]
        for found in json.loads(asked("ruff", *options, name, "-", source=source))
    }


def trusts(source):
    """The calls of `source` that load a model or an array which may hold code."""
    found = []
    for call in (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call)):
        name = ast.unparse(call.func)
        options = {k.arg: ast.unparse(k.value) for k in call.keywords}
        owner, _, method = name.rpartition(".")
        unsafe = method == "from_pretrained" and not (
            options.get("use_safetensors") == "True"
            or "Tokenizer" in owner
            or owner == "PeftModel"  # a folder whose adapter is checked to be safe
        )
        unsafe |= name in ("torch.load", "joblib.load")
        unsafe |= options.get("trust_remote_code", "False") != "False"
        unsafe |= options.get("allow_pickle", "False") != "False"
        if unsafe:
            found.append(ast.unparse(call))
    return found


def test_no_module_runs_what_it_reads():
    found = {path: trusts(path.read_text(encoding="utf-8")) for path in MODULES}
    assert {path: calls for path, calls in found.items() if calls} == {}


def test_no_chapter_runs_what_it_reads():
    lines = []
    for path in CHAPTERS:
        notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="md:myst")
        cells = [c.source for c in notebook.cells if c.cell_type == "code"]
        lines += "\n".join(cells).split("\n")
    code = "\n".join("" if re.match(r"\s*[%!]", line) else line for line in lines)
    assert len(code) > 10_000 and trusts(code) == []
    assert [rule for rule in ask_ruff(code, "chapters/x.py") if rule[0] == "S"] == []


def ask_zizmor(*workflows):
    """What zizmor, without a network, says of these files."""
    options = ("--offline", "--no-progress", "--format", "json")
    return [
        found["ident"] for found in json.loads(asked("zizmor", *options, *workflows))
    ]


def test_workflows_are_sound():
    assert ask_zizmor(*WORKFLOWS) == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_only_the_jobs_that_publish_may_write(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert job.get("permissions", {}) == WRITES.get((path.name, name), {})
