"""Checkpoints from the hub of models, whole and checked or not at all."""

import hashlib
import re
from functools import lru_cache, partial
from pathlib import Path

from helpers._support.deadline import in_time
from helpers._support.model_folders import lacking_file

HUB_TIMEOUT = 3  # seconds
HUB_SECONDS = 1200  # for 440 MB on a slow line; one that stands still ends in about 60
MISMATCH = "what the hub sent does not match its checksum"


@lru_cache
def hub_folder(name, revision=None):
    """Return (folder, None) of a checkpoint, cached or from the hub, or (None, why).

    Each checkpoint is asked for once a process. Pickled weights are never fetched, and
    no file is used whose content is not what the hub's own name for it says.
    """
    from huggingface_hub import HfApi, logging
    from huggingface_hub.errors import HFValidationError

    logging.set_verbosity_error()  # one line says why, and it is ours
    try:
        # transformers would ask the hub for optional files, 50 s long without a network
        folder = _snapshot(name, revision, local_files_only=True)
        if not _drop_damaged(folder) and not lacking_file(folder):
            return folder, None
    except HFValidationError:
        return None, "neither a folder nor an id"
    except OSError:  # not cached, or not whole
        pass
    try:
        ask = partial(HfApi().model_info, name, revision=revision, timeout=HUB_TIMEOUT)
        in_time(ask, HUB_TIMEOUT)
        folder = in_time(partial(_snapshot, name, revision), HUB_SECONDS)
        return (None, MISMATCH) if _drop_damaged(folder) else (folder, None)
    except Exception as error:  # whatever went wrong, there is no hub to load from
        return None, _reason(error)


def _snapshot(name, revision, **options):
    from huggingface_hub import snapshot_download

    folder = snapshot_download(
        name,
        revision=revision,
        allow_patterns=["*.json", "*.txt", "model.safetensors"],
        ignore_patterns="*/*",
        etag_timeout=HUB_TIMEOUT,
        **options,
    )
    return Path(folder)


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
    with open(path, "rb") as file:
        if re.fullmatch("[0-9a-f]{64}", path.name):
            return hashlib.file_digest(file, "sha256").hexdigest() == path.name
        if re.fullmatch("[0-9a-f]{40}", path.name):
            blob = b"blob %d\0" % path.stat().st_size + file.read()
            return hashlib.sha1(blob).hexdigest() == path.name
    return True  # a file by its own name: nothing to compare it with


def _reason(error):
    """Say in a few words what the hub's client or the disk means by an error."""
    errors = (error, error.__cause__)
    for response in (getattr(one, "response", None) for one in errors):
        if response is not None:
            return f"the hub answered {response.status_code}"
    # of requests, httpx or httpx2, whichever this version of the client has
    names = {kind.__name__ for one in errors for kind in type(one).__mro__}
    if names & {"TimeoutError", "TimeoutException"}:
        return "the hub does not answer in time"
    if names & {"ConnectionError", "TransportError"}:
        return "the hub cannot be reached"
    return getattr(error, "strerror", None) or type(error).__name__
