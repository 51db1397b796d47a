"""Checkpoints from the hub of models, whole and checked or not at all."""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path

from helpers._support.deadline import in_time
from helpers._support.model_folders import lacking_file

ROOT = Path(__file__).resolve().parents[2]
HUB_TIMEOUT = 3  # seconds
HUB_STALL = 20  # seconds without a byte more than before
HUB_SECONDS = 1200  # for 440 MB on a slow line


@lru_cache
def hub_folder(name, revision=None):
    """Return (folder, None) of a checkpoint, cached or from the hub, or (None, why).

    Each checkpoint is asked for once a process. Pickled weights are never fetched, and
    no file is used whose content is not what the hub's own name for it says.
    """
    from huggingface_hub import constants
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    place = {"cache_dir": str(constants.HF_HUB_CACHE), "endpoint": constants.ENDPOINT}
    try:
        # transformers would ask the hub for optional files, 50 s long without a network
        folder = Path(_snapshot(name, revision, local_files_only=True, **place))
        if not lacking_file(folder) and not _drop_damaged(folder):
            return folder, None
    except HFValidationError:
        return None, "neither a folder nor an id"
    except (LocalEntryNotFoundError, OSError):
        pass
    try:
        _ask_hub(name, revision)
        folder = Path(_fetch(name, revision, **place))
        if _drop_damaged(folder):
            return None, "what the hub sent does not match its checksum"
        return folder, None
    except Exception as error:  # whatever went wrong, there is no hub to load from
        return None, _reason(error)


def _snapshot(name, revision, **options):
    from huggingface_hub import snapshot_download

    return snapshot_download(
        name,
        revision=revision,
        allow_patterns=["*.json", "*.txt", "model*.safetensors"],
        ignore_patterns="*/*",
        etag_timeout=HUB_TIMEOUT,
        **options,
    )


def _ask_hub(name, revision):
    """Raise unless the hub answers in time that it has the checkpoint."""
    from huggingface_hub import HfApi

    ask = partial(HfApi().model_info, name, revision=revision, timeout=HUB_TIMEOUT)
    in_time(ask, HUB_TIMEOUT)


def _fetch(name, revision, **place):
    """Download a checkpoint and return its folder; raises _HubFault.

    In a process of its own, which can be ended: the hub's client never gives up a
    server that breaks off each time, and would hold its lock on the cache.
    """
    order = json.dumps({"name": name, "revision": revision} | place)
    with subprocess.Popen(
        [sys.executable, "-m", "helpers._support.hub", order],
        env=os.environ | {"HF_HUB_VERBOSITY": "error", "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            _watch(process, name)
            answer = process.stdout.read()
        finally:
            process.kill()
    folder, why = json.loads(answer) if answer else (None, "the download was ended")
    if why:
        raise _HubFault(why)
    return folder


def _watch(process, name):
    """Wait for the process; TimeoutError where the files that it fetches stand still.

    A file that grows again to where it broke off before stands still.
    """
    from tqdm.auto import tqdm

    largest, started = 0, time.monotonic()
    moved = started
    with tqdm(unit="B", unit_scale=True, desc=name, delay=3, leave=False) as bar:
        while process.poll() is None:
            now, size = time.monotonic(), _fetched_bytes(name)
            if size > largest:
                bar.update(size - largest)
                largest, moved = size, now
            if now - moved > HUB_STALL or now - started > HUB_SECONDS:
                raise TimeoutError
            time.sleep(0.05)


def _main(order):
    """Download what `_fetch` asks for and print [folder, null] or [null, why]."""
    try:
        answer = _snapshot(**json.loads(order)), None
    except Exception as error:
        answer = None, _reason(error)
    print(json.dumps(answer))


def _fetched_bytes(name):
    """Count the bytes of a checkpoint, unfinished files included, in the cache."""
    from huggingface_hub import constants
    from huggingface_hub.file_download import repo_folder_name

    folder = repo_folder_name(repo_id=name, repo_type="model")
    size = 0
    for path in (Path(constants.HF_HUB_CACHE) / folder).glob("blobs/*"):
        with suppress(OSError):  # renamed in between
            size += path.stat().st_size
    return size


def _drop_damaged(folder):
    """Delete the files that are not what their names in the cache say; any there?

    The cache names a large file by its sha256 and a small one by git's sha1.
    """
    damaged = [path for path in folder.iterdir() if not _is_whole(path.resolve())]
    for path in damaged:
        path.resolve().unlink(missing_ok=True)
        path.unlink()
    return bool(damaged)


def _is_whole(path):
    if not re.fullmatch("[0-9a-f]{40}|[0-9a-f]{64}", path.name):
        return True  # a file by its own name: nothing to compare it with
    digest = hashlib.sha256() if len(path.name) == 64 else hashlib.sha1()
    with open(path, "rb") as file:
        if digest.name == "sha1":
            digest.update(b"blob %d\0" % path.stat().st_size)
        while piece := file.read(2**20):
            digest.update(piece)
    return digest.hexdigest() == path.name


class _HubFault(Exception):
    """Why there is no checkpoint, in words."""


def _reason(error):
    if isinstance(error, _HubFault):
        return str(error)
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status:
        return f"the hub answered {status}"
    # the second is httpx's or httpx2's, whichever this version of the client has
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & {"TimeoutError", "TimeoutException"}:
        return "the hub does not answer in time"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return type(error).__name__


if __name__ == "__main__":
    _main(sys.argv[1])
