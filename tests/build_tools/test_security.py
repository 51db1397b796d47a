"""What the project may not hold: outputs, tokens, loaders of code, loose workflows."""

import ast
import json
import re
from pathlib import Path

import jupytext
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CHAPTERS = sorted((ROOT / "chapters").glob("*.md"))
MODULES = [p for n in ("helpers", "build_tools") for p in (ROOT / n).rglob("*.py")]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
# Keys of the hub, GitHub, OpenAI and its like, AWS, Google; passwords in an address.
SECRET = re.compile(
    r"\bhf_[A-Za-z0-9]{20}|\bgh[pousr]_[A-Za-z0-9]{20}|github_pat_\w{20}"
    r"|\bsk-[\w-]{20}|\bAKIA[A-Z0-9]{12}|\bAIza[\w-]{30}|://[^/\s:@]+:[^/\s@]+@"
)
RUNS_CODE = {"eval", "exec", "__import__", "yaml.load", "yaml.unsafe_load"}
UNPICKLES = {"pickle", "cloudpickle", "dill", "joblib", "shelve", "marshal", "torch"}
# The sandbox of grading runs submissions: that is what it is for.
SANDBOX = ROOT / "build_tools/grading/submission.py"
WRITES = {
    ("ci.yml", "deploy"): {"pages": "write", "id-token": "write"},
    ("ci.yml", "tag"): {"contents": "write"},
}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_exported_notebook_holds_no_output_and_no_token(path):
    text = path.read_text(encoding="utf-8")
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
    assert not SECRET.search(text)


@pytest.mark.parametrize(
    "token", ["hf_" + "a" * 34, "ghp_" + "a" * 36, "https://me:word@example.org/x.git"]
)
def test_a_token_is_known_when_it_is_there(token):
    assert SECRET.search(f'"{token}"')


def loads_code(source):
    """The calls of `source` that run text, unpickle, or load a model that may do so."""
    found = []
    for call in (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call)):
        name = ast.unparse(call.func)
        options = {k.arg: ast.unparse(k.value) for k in call.keywords}
        owner, _, method = name.rpartition(".")
        loads = owner in UNPICKLES and method in ("load", "loads", "Unpickler", "open")
        unsafe = method == "from_pretrained" and not (
            options.get("use_safetensors") == "True"
            or "Tokenizer" in owner
            or owner == "PeftModel"  # a folder whose adapter is checked to be safe
        )
        remote = options.get("trust_remote_code", "False") != "False"
        remote |= options.get("allow_pickle", "False") != "False"
        if name in RUNS_CODE or method == "read_pickle" or loads or unsafe or remote:
            found.append(ast.unparse(call))
    return found


@pytest.mark.parametrize(
    "source",
    [
        "eval(text)",
        "pickle.load(file)",
        "torch.load(path)",
        "np.load(path, allow_pickle=True)",
        "BertModel.from_pretrained(folder)",
        "AutoTokenizer.from_pretrained(folder, trust_remote_code=True)",
        "yaml.load(text)",
    ],
)
def test_a_call_that_runs_what_it_reads_is_known(source):
    assert loads_code(source)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_runs_what_it_reads(path):
    found = loads_code(path.read_text(encoding="utf-8"))
    assert found == [] or path == SANDBOX


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_chapter_runs_what_it_reads(path):
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="md:myst")
    code = "\n".join(c.source for c in notebook.cells if c.cell_type == "code")
    lines = ("" if re.match(r"\s*[%!]", x) else x for x in code.split("\n"))
    assert loads_code("\n".join(lines)) == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_may_do_little_and_takes_pinned_actions(path):
    text = path.read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in text
    for name, job in workflow["jobs"].items():
        assert job.get("permissions", {}) == WRITES.get((path.name, name), {})
        writes = WRITES.get((path.name, name), {}).get("contents") == "write"
        for step in job["steps"]:
            action = step.get("uses", "")
            assert not action or re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)
            if action.startswith("actions/checkout@"):
                kept = step.get("with", {}).get("persist-credentials", True)
                assert kept is writes, "only a job that pushes keeps its key"
            assert "${{" not in step.get("run", ""), "give it as an env"
