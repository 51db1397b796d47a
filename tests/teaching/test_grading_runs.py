"""Runs of the grading: stopped, on a full disk, as another user, with other models."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import pytest
import yaml

from build_tools.book.site import Site
from teaching import class_sets
from teaching.grading import sandbox
from teaching.grading.submission_grade import JudgeFault, Judges
from tests.teaching.submitted import CHECK, RIGHT, ROOT, command, graded, rows, write
from tests.teaching.test_hostile_notebooks import HOSTILE, RIGHT_ONES, needs_sandbox

pytestmark = needs_sandbox
HANGS = "def majority_scores(labels):\n    while True: pass"
USES_MODEL = """from helpers.models import load_bert
bert = load_bert()
assert (bert.n_layers, bert.hidden_size) == (2, 32), bert
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupt_keeps_what_is_done_and_leaves_nothing_running(tmp_path, number):
    folder, out = tmp_path / "in", tmp_path / "grades.csv"
    write(folder / "a.ipynb", RIGHT, CHECK)
    for name in "bcdef":
        write(folder / f"{name}.ipynb", HANGS, CHECK)
    run = command(folder, out, "--seconds", "300", "--workers", "2")
    heard = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    own = os.environ | {"TMPDIR": str(tmp_path)}  # a shell's background job is deaf
    with subprocess.Popen(
        run, cwd=ROOT, env=own, stdout=subprocess.PIPE, text=True, preexec_fn=heard
    ) as process:
        try:
            _wait_for(lambda: out.exists() and ",1,passed," in out.read_text())
            process.send_signal(number)
            said, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert "stopped: 1 of 6" in said
    found = rows(out)
    assert found["a.ipynb"]["word-senses.1"] == "passed"
    assert found["f.ipynb"]["remarks"] == "not graded"
    _wait_for(lambda: not _processes_with(str(tmp_path)))


def _processes_with(word):
    """Those in whose words or environment it stands, as in a judge's or a sandbox's."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            told = (place / "cmdline").read_bytes() + (place / "environ").read_bytes()
        except OSError:  # it has ended
            continue
        found += [place.name] if word.encode() in told else []
    return found


def _wait_for(there, seconds=120):
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.2)


@pytest.mark.parametrize(
    ("out", "model", "said"),
    [
        ("/dev/full/grades.csv", "embedded", "cannot write /dev/full/grades.csv"),
        ("grades.csv", "nonsense", "cannot load the model 'nonsense'"),
    ],
)
def test_what_stops_a_run_before_anything_is_graded_is_said(tmp_path, out, model, said):
    write(tmp_path / "in/right.ipynb", RIGHT, CHECK)
    run = command(tmp_path / "in", tmp_path / out)
    place = os.environ | {"BERT_COURSE_MODEL": model, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(run, cwd=ROOT, env=place, capture_output=True, text=True)
    assert done.returncode == 2
    assert said in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "grades.csv").exists()


def test_a_machine_that_allows_few_processes_takes_no_grades(tmp_path):
    write(tmp_path / "in/a.ipynb", RIGHT, CHECK)
    found = graded(tmp_path / "in", before=["prlimit", "--nproc=300", "--"])
    assert found["a.ipynb"]["word-senses.1"] == "passed", found


def test_why_no_judge_starts_is_said(monkeypatch):
    def begin(*_):
        raise OSError("AF_UNIX path too long")

    monkeypatch.setattr(sandbox, "SAME", {})
    monkeypatch.setattr(Judges, "begin", begin)
    with pytest.raises(JudgeFault, match=r"AF_UNIX path too long \(TMPDIR is"):
        Judges()


@pytest.fixture
def hub_cache(tmp_path, tiny_bert_folder):
    """A cache of the hub, as its client lays it out, with the model someone/tiny."""
    model = tmp_path / "hub/models--someone--tiny"
    snapshot = model / "snapshots/abc"
    (model / "blobs").mkdir(parents=True)
    (model / "refs").mkdir()
    (model / "refs/main").write_text("abc")
    snapshot.mkdir(parents=True)
    for number, path in enumerate(sorted(tiny_bert_folder.iterdir())):
        shutil.copy(path, model / "blobs" / str(number))
        (snapshot / path.name).symlink_to(f"../../blobs/{number}")
    return tmp_path / "hub"


@pytest.mark.parametrize(
    "name",
    ["models--someone--tiny/snapshots/abc", pytest.param("", marks=pytest.mark.slow)],
)
def test_model_of_the_hub_or_of_a_folder_is_found(tmp_path, hub_cache, name):
    chosen = str(hub_cache / name) if name else "someone/tiny"
    write(tmp_path / "in/right.ipynb", USES_MODEL + RIGHT, CHECK)
    found = graded(
        tmp_path / "in", BERT_COURSE_MODEL=chosen, HF_HUB_CACHE=str(hub_cache)
    )
    assert found["right.ipynb"]["word-senses.1"] == "passed", found


def test_folders_of_data_are_found_and_cannot_be_changed(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "file").write_text("here")
    reads = "import os\nplace = os.environ['COARSE_WSD_HOME']\n"
    reads += "assert open(place + '/file').read() == 'here'\n"
    reads += "try:\n    open(place + '/mine', 'w')\nexcept OSError:\n    pass\n"
    write(tmp_path / "in/right.ipynb", reads + RIGHT, CHECK)
    found = graded(tmp_path / "in", COARSE_WSD_HOME=str(data))
    assert found["right.ipynb"]["word-senses.1"] == "passed", found
    assert [path.name for path in data.iterdir()] == ["file"]


AS_NOBODY = """
mkdir -p "$1/python" && mount --bind "$2" "$1/python"
[ -x /root ] && mount -t tmpfs -o mode=755 tmpfs /root
mkdir -p "$2" 2>/dev/null; mount --bind "$1/python" "$2"
shift 2
exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
"""


@pytest.fixture
def open_to_all():
    """A folder that every user may enter, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


def test_ordinary_user_can_grade(open_to_all):
    """As root: nobody grades, on a view of the machine that lets it reach Python."""
    if os.geteuid():
        pytest.skip("the other tests run as an ordinary user already")
    before = ["unshare", "--mount", "sh", "-c", AS_NOBODY, "sh", str(open_to_all)]
    before.append(sys.base_prefix)
    can = subprocess.run([*before, sys.executable, "-c", "pass"], capture_output=True)
    if can.returncode:
        pytest.skip(f"this machine lets root make no other view: {can.stderr}")
    folder = open_to_all / "in"
    for name in ("memory", "processes", "kills itself", "forges rows"):
        write(folder / f"{name}.ipynb", *HOSTILE[name][0])
    write(folder / "right.ipynb", RIGHT, CHECK)
    found = graded(folder, "--seconds", "25", "--memory", "1.5", before=before)
    statuses = {name[:-6]: row["word-senses.1"] for name, row in found.items()}
    assert statuses.pop("right") == "passed"
    assert set(statuses.values()) == {"not yet"}


@pytest.fixture
def pushed(tmp_path):
    """A class set, and the checkout of a student who pushed two notebooks."""
    (tmp_path / "class/student").mkdir(parents=True)
    site = Site("v9", "https://github.com/a/b", "c" * 40)
    class_sets.write_push(tmp_path / "class", site)
    folder = tmp_path / "submission"
    write(folder / "first.ipynb", RIGHT, CHECK)
    (folder / "second.ipynb").write_text("no notebook")
    return tmp_path


def replies_in(folder):
    found = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    passed = [test["test-name"] for test in found["tests"] if test["passed"]]
    return passed, found["score"], found["max-score"]


def test_the_steps_of_the_workflow_answer_a_push(pushed):
    workflow = pushed / "class/template/.github/workflows/feedback.yml"
    steps = yaml.safe_load(workflow.read_text())["jobs"]["feedback"]["steps"]
    [step] = [step for step in steps if step.get("name") == "grade"]
    place = {"GITHUB_STEP_SUMMARY": str(pushed / "page.md")}
    run = step["run"].replace("../", f"{pushed}/")  # the course lies elsewhere here
    run = run.replace(".venv/bin/python", sys.executable)
    run = run.partition("--chapters")[0] + "--chapters word-senses"  # as a teacher cuts
    subprocess.run(["bash", "-c", run], check=True, cwd=ROOT, env=os.environ | place)
    assert replies_in(pushed) == (["word-senses.1"], 1, 3)
    page = (pushed / "page.md").read_text(encoding="utf-8")
    assert "# 1 of 3 exercises passed" in page and "no notebook" in page


def test_classroom_50_gets_a_result_of_the_submission(pushed):
    script = pushed / "class/instructor/classroom50/autograder.py"
    names = {"CLASSROOM": "nlp", "ASSIGNMENT": "senses", "COMMIT_URL": "https://c"}
    names["INSIDE_BERT_COURSE"] = str(ROOT)
    text = script.read_text(encoding="utf-8")
    script.write_text(re.sub('CHAPTERS = ".*"', 'CHAPTERS = "word-senses"', text))
    folder = pushed / "submission"
    subprocess.run(
        [sys.executable, script], check=True, cwd=folder, env=os.environ | names
    )
    assert replies_in(folder) == (["word-senses.1"], 1, 3)
    found = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert (found["classroom"], found["review"]) == ("nlp", "https://c")
    assert "1 of 3" in (folder / "release-body.md").read_text(encoding="utf-8")


@pytest.mark.weekly
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("workers", ["1", "2", "4"])
def test_neither_order_nor_workers_change_a_grade(tmp_path, seed, workers):
    """But a hostile notebook may also run out of its own time."""
    notebooks = [(cells, {"passed"}) for cells in RIGHT_ONES.values()]
    notebooks += [(cells, {status, "not yet"}) for cells, status, _ in HOSTILE.values()]
    random.Random(seed).shuffle(notebooks)
    wanted = {}
    for place, (cells, statuses) in enumerate(notebooks):
        path = write(tmp_path / f"in/{place:02}.ipynb", *cells)
        wanted[path.name] = statuses
    options = ("--seconds", "20", "--memory", "1.2", "--workers", workers)
    found = graded(tmp_path / "in", *options)
    assert found.keys() == wanted.keys()
    for name, row in found.items():
        assert row["word-senses.1"] in wanted[name], row
