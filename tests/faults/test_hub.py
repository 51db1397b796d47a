"""The hub of models when it misbehaves: one line says why, and the course goes on."""

from functools import lru_cache
from pathlib import Path

import pytest
from huggingface_hub import constants

from helpers import models
from helpers._support import hub as checkpoints
from helpers._support.hub import hub_folder
from helpers.models import load_bert
from tests.faults.fake_hub import FakeHub, save_legacy

WEIGHTS, PICKLED = "model.safetensors", "pytorch_model.bin"


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch, tmp_path):
    """Each test starts as a new process with an empty cache, and is impatient."""
    monkeypatch.setattr(checkpoints, "HUB_TIMEOUT", 1)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub cäche"))
    monkeypatch.delenv("BERT_COURSE_MODEL", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    none_loaded = lru_cache(models._load_cached.__wrapped__)
    monkeypatch.setattr(models, "_load_cached", none_loaded)
    hub_folder.cache_clear()
    yield
    hub_folder.cache_clear()


@pytest.fixture(scope="module")
def remote(tiny_bert_folder, tmp_path_factory):
    """A folder as bert-base-uncased has it on the hub, only smaller."""
    folder = tmp_path_factory.mktemp("remote") / "model"
    save_legacy(tiny_bert_folder, folder)
    (folder / PICKLED).write_bytes(b"never read")
    return folder


@pytest.fixture
def serve(monkeypatch, remote):
    """Start a hub and make the client of this process ask it."""
    hubs = []

    def start(fault=None, folder=remote):
        hub = FakeHub(folder, fault)
        hubs.append(hub)
        template = hub.url + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "ENDPOINT", hub.url)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        return hub

    yield start
    for hub in hubs:
        hub.stop()


def ask():
    hub_folder.cache_clear()
    return hub_folder(models.HUB_MODEL, models.HUB_REVISION)


def same_files(folder, remote):
    names = {path.name for path in remote.iterdir()} - {PICKLED}
    return all((folder / n).read_bytes() == (remote / n).read_bytes() for n in names)


def blobs():
    return [p for p in Path(constants.HF_HUB_CACHE).glob("*/blobs/*") if p.is_file()]


# What a fault answers to a request; True where it has answered


def hang(request):
    if request.path.startswith("/api"):
        request.server.over.wait(20)
        return True


def not_there(request):
    if request.path.startswith("/api"):
        request.send_error(404)
        return True


def asked_for_weights(request):
    return request.command == "GET" and request.path.endswith(WEIGHTS)


def start_body(request, share):
    content = Path(request.directory, WEIGHTS).read_bytes()
    request.send_response(200)
    request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    request.wfile.write(content[: int(share * len(content))])
    return content


def hang_in_body(request):
    if asked_for_weights(request):
        start_body(request, 0.5)
        request.server.over.wait(20)
        return True


def change_bytes(request):
    if asked_for_weights(request):
        content = start_body(request, 0.5)
        request.wfile.write(bytes(len(content) - len(content) // 2))
        return True


FAULTS = {
    FakeHub.stop: "the hub cannot be reached",
    hang: "the hub does not answer in time",
    hang_in_body: "the hub does not answer in time",
    not_there: "the hub answered 404",
    change_bytes: "what the hub sent does not match its checksum",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_bad_hub_is_named_and_the_next_run_works(serve, remote, monkeypatch, fault):
    hub = serve(None if fault is FakeHub.stop else fault)
    if fault is FakeHub.stop:
        hub.stop()
    with monkeypatch.context() as impatient:
        impatient.setattr(checkpoints, "HUB_SECONDS", 2)
        impatient.setattr(constants, "HF_HUB_DOWNLOAD_TIMEOUT", 100)
        assert ask() == (None, FAULTS[fault])
    if fault in (hang, not_there):  # one question, before anything is listed
        assert len(hub.asked) == 1 and "/tree/" not in hub.asked[0]
    weights = Path(constants.HF_HUB_CACHE).glob(f"**/{WEIGHTS}")
    assert not any(weights)  # nothing that looks whole
    if fault is not hang_in_body:  # the hub's client holds its lock for a while
        serve()
        folder, why = ask()
        assert why is None and same_files(folder, remote)


def test_damaged_model_in_the_cache_is_fetched_again(serve, remote):
    hub = serve()
    ask()
    largest = max(blobs(), key=lambda path: path.stat().st_size)
    content = largest.read_bytes()
    largest.write_bytes(bytes(reversed(content)))
    hub.asked.clear()
    folder, why = ask()
    assert why is None and same_files(folder, remote)
    assert [p for p in hub.asked if "resolve" in p and not p.endswith(WEIGHTS)] == []
    # and where the hub is gone, a damaged model is not used
    largest.write_bytes(bytes(reversed(content)))
    hub.stop()
    assert ask()[0] is None


@pytest.mark.parametrize("asked", ["auto", "bert-base-uncased"])
def test_bert_base_is_the_pinned_one_from_the_hub_or_cache(serve, tiny, capfd, asked):
    hub = serve()
    bert = load_bert(asked, "cpu")
    name = models.HUB_MODEL if asked == "auto" else asked
    line = f"Model: {name}, 2 layers of 4 heads, 32 wide, on cpu\n"
    assert capfd.readouterr().out == line
    assert bert.predict_next("a", "b") == pytest.approx(tiny.predict_next("a", "b"))
    text = "a crane [MASK] ."
    [found], [known] = (model.predict_masked(text) for model in (bert, tiny))
    assert dict(found) == pytest.approx(dict(known))
    got = [path for path in hub.asked if "/resolve/" in path]
    assert got and all(f"/resolve/{models.HUB_REVISION}/" in path for path in got)
    assert not any(PICKLED in path for path in got)
    # the hub is gone: the same from the cache, without a wait or a word about it
    hub.stop()
    hub.asked.clear()
    hub_folder.cache_clear()
    models._load_cached.cache_clear()
    load_bert(asked, "cpu")
    assert capfd.readouterr() == (line, "") and hub.asked == []
