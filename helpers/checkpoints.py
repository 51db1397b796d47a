"""Model folders: what they must hold, and those that come from the hub."""

import threading
from concurrent.futures import Future
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path

HUB_TIMEOUT = 3  # seconds


def lacking_file(folder):
    """Name the kind of file that a model folder lacks, or return None."""
    for names in ("config.json",), ("*.safetensors",), ("tokenizer.json", "vocab.txt"):
        if not any(path for name in names for path in folder.glob(name)):
            return " or ".join(names)
    return None


@lru_cache
def hub_folder(name, revision=None):
    """Return (folder, None) of a checkpoint, cached or from the hub, or (None, why).

    Each checkpoint is asked for once a process. Pickled weights are never fetched.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    download = partial(
        snapshot_download,
        name,
        revision=revision,
        allow_patterns=["*.json", "*.txt", "model*.safetensors"],
        ignore_patterns="*/*",
    )
    try:
        # transformers would ask the hub for optional files, 50 s long without a network
        folder = Path(download(local_files_only=True))
        if not lacking_file(folder):
            return folder, None
    except HFValidationError:
        return None, "neither a folder nor an id"
    except LocalEntryNotFoundError:
        pass
    try:
        _ask_hub(name, revision)
        with quiet_transformers():
            return Path(download()), None
    except Exception as error:  # whatever went wrong, there is no hub to load from
        return None, type(error).__name__


def _ask_hub(name, revision):
    """Raise unless the hub answers in time that it has the checkpoint.

    In a thread, since a request's timeout does not cover the look-up of the host.
    """
    from huggingface_hub import HfApi

    answer = Future()

    def ask():
        try:
            HfApi().model_info(name, revision=revision, timeout=HUB_TIMEOUT)
            answer.set_result(None)
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()
    answer.result(HUB_TIMEOUT)


@contextmanager
def quiet_transformers():
    """Keep loading reports and progress bars out of the pages."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
