"""The processes of "Many processes, many machines": copies of one that is ready.

A process that starts from nothing first loads its libraries, which takes longer than
the work of this page. So one process loads them, and each other is a copy of it.
"""

import multiprocessing
import os
import runpy
import socket
import sys
from contextlib import redirect_stdout
from functools import cache
from multiprocessing import connection, forkserver
from pathlib import Path
from unittest.mock import patch

from helpers import DATA

SETTINGS = {
    "ACCELERATE_USE_CPU": "true",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
    "PYTHONPATH": str(DATA.parent),
}
LIBRARIES = [
    "accelerate",
    "helpers.embeddings.texts",
    "helpers.models",
    "pandas",
    "torch.utils.data",
    "transformers.models.bert.modeling_bert",
    "transformers.models.bert.tokenization_bert",
]
PATIENCE = 600  # seconds without any process coming to its end


@cache
def ready():
    """Let one process load the libraries; returns at once, while it does."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LIBRARIES)
    with patch.dict(os.environ, SETTINGS):
        forkserver.ensure_running()
    return context


def start(script, *arguments, said=os.devnull, errors=None, **settings):
    """Start a Python script in its folder; returns the process.

    said, errors: files for what it prints. settings: variables of its environment.
    """
    settings = {name: str(value) for name, value in settings.items()}
    given = script, [*map(str, arguments)], said, errors, settings
    process = ready().Process(target=_run, args=given)
    process.start()
    return process


def _run(script, arguments, said, errors, settings):
    """Be the script: what a process that was started does."""
    os.chdir(script.parent)
    os.environ.update(settings)
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.parent))
    if errors:
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    with open(said, "w") as out, redirect_stdout(out):
        runpy.run_path(str(script), run_name="__main__")


def launch(script, *arguments, processes):
    """Start a script so many times, as `torchrun` does; returns what the first prints.

    Raises RuntimeError with its last words where one of them fails; the others are
    stopped then.
    """
    files = [Path(f"{script}.said-{rank}") for rank in range(processes)]
    shared = {"WORLD_SIZE": processes, "LOCAL_WORLD_SIZE": processes}
    shared |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": _free_port()}
    started = []
    for rank, said in enumerate(files):
        known = shared | {"RANK": rank, "LOCAL_RANK": rank} if processes > 1 else {}
        known["errors"] = f"{said}.errors"
        started.append(start(script, *arguments, said=said, **known))
    while running := [process for process in started if process.is_alive()]:
        ended = connection.wait([each.sentinel for each in running], PATIENCE)
        if not ended or any(process.exitcode for process in started):
            for process in running:
                process.kill()
    for process, said in zip(started, files, strict=True):
        if process.exitcode > 0:
            raise RuntimeError(Path(f"{said}.errors").read_text()[-2000:])
    if any(process.exitcode for process in started):
        raise RuntimeError(f"{script} was stopped")
    return files[0].read_text()


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
