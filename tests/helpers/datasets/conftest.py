"""The official sets, where the environment names their folders."""

import os
from pathlib import Path

import pytest

from helpers.datasets import load_sms_spam
from tests.helpers.datasets.coarse_wsd import load_all
from tests.official import official_folder

HOMES = {n: os.environ.get(n, "sample") for n in ("COARSE_WSD_HOME", "SMS_SPAM_HOME")}


@pytest.fixture(scope="session")
def official():
    """The folder of CoarseWSD-20."""
    home = HOMES["COARSE_WSD_HOME"]
    return official_folder("CoarseWSD-20", "COARSE_WSD_HOME", home)


@pytest.fixture(scope="session")
def official_set(official):
    """(word, split) to DataFrame, for all of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COARSE_WSD_HOME", str(official))
        return load_all()


@pytest.fixture
def official_messages(monkeypatch):
    """(folder, DataFrame) of the SMS Spam Collection."""
    home = HOMES["SMS_SPAM_HOME"]
    official_folder("The SMS Spam Collection", "SMS_SPAM_HOME", home)
    monkeypatch.setenv("SMS_SPAM_HOME", home)
    return Path(home), load_sms_spam()
