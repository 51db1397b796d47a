"""The hub of models when it misbehaves: one line says why, and the course goes on."""

import shutil
from pathlib import Path

import pytest
from huggingface_hub import constants

from helpers import models
from helpers._support import deadline as waiting
from helpers._support import hub as checkpoints
from helpers._support.hub import hub_folder
from helpers.models import load_bert
from tests.faults.fake_hub import FakeHub, save_legacy

WEIGHTS = "model.safetensors"


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch, tmp_path):
    """Each test starts as a new process with an empty cache, and is impatient."""
    monkeypatch.setattr(checkpoints, "HUB_TIMEOUT", 1)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub cäche"))
    monkeypatch.delenv("BERT_COURSE_MODEL", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    hub_folder.cache_clear()
    models._load_cached.cache_clear()
    yield
    hub_folder.cache_clear()
    models._load_cached.cache_clear()


@pytest.fixture(scope="module")
def remote(tiny_bert_folder, tmp_path_factory):
    """A folder as bert-base-uncased has it on the hub, only smaller."""
    folder = tmp_path_factory.mktemp("remote") / "model"
    save_legacy(tiny_bert_folder, folder)
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
    names = [path.name for path in remote.iterdir()]
    return all((folder / n).read_bytes() == (remote / n).read_bytes() for n in names)


def blobs():
    return [p for p in Path(constants.HF_HUB_CACHE).glob("*/blobs/*") if p.is_file()]


# What a fault answers, and to which requests


def for_api(answer):
    return lambda request: request.path.startswith("/api") and answer(request)


def for_weights(answer):
    def fault(request):
        asked = request.command == "GET" and request.path.endswith(WEIGHTS)
        return asked and answer(request)

    return fault


def status(code):
    def answer(request):
        request.send_error(code)
        return True

    return answer


def hang(request):
    request.server.over.wait(20)
    return True


def start_body(request, share):
    content = Path(request.directory, WEIGHTS).read_bytes()
    request.send_response(200)
    request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    request.wfile.write(content[: int(share * len(content))])
    return content


def hang_in_body(request):
    start_body(request, 0.5)
    return hang(request)


def cut_body(request):
    start_body(request, 0.5)
    request.close_connection = True
    return True


def change_bytes(request):
    content = start_body(request, 0.5)
    request.wfile.write(bytes(len(content) - len(content) // 2))
    return True


def trickle(request):
    start_body(request, 0)
    while not request.server.over.wait(0.02):
        request.wfile.write(b"x")
    return True


def web_page(request):
    body = b"<html>Welcome</html>"
    request.send_response(200)
    request.send_header("Content-Type", "text/html")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)
    return True


def in_a_circle(request):
    request.send_response(302)
    request.send_header("Location", request.path)
    request.send_header("Content-Length", "0")
    request.end_headers()
    return True


FAULTS = {
    "api 401": (for_api(status(401)), "the hub answered 401"),
    "api 404": (for_api(status(404)), "the hub answered 404"),
    "api 500": (for_api(status(500)), "the hub answered 500"),
    "api hangs": (for_api(hang), "the hub does not answer in time"),
    "api page": (for_api(web_page), "JSONDecodeError"),
    "api circle": (for_api(in_a_circle), "TooManyRedirects"),
    "weights 404": (for_weights(status(404)), "the hub answered 404"),
    "weights 500": (for_weights(status(500)), "the hub answered 500"),
    "weights hang": (for_weights(hang), "the hub does not answer in time"),
    "weights stop": (for_weights(hang_in_body), "the hub does not answer in time"),
    "weights cut": (for_weights(cut_body), "the hub does not answer in time"),
    "weights page": (for_weights(web_page), "OSError"),
    "weights wrong": (for_weights(change_bytes), "does not match its checksum"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_bad_hub_is_named_and_the_next_run_works(serve, remote, monkeypatch, name):
    fault, reason = FAULTS[name]
    serve(fault)
    with monkeypatch.context() as impatient:
        if "in time" in reason:
            impatient.setattr(checkpoints, "HUB_STALL", 2)
        folder, why = ask()
    assert folder is None and reason in why and "\n" not in why
    weights = Path(constants.HF_HUB_CACHE).glob(f"**/{WEIGHTS}")
    assert not any(weights)  # nothing that looks whole
    serve()
    folder, why = ask()
    assert why is None and same_files(folder, remote)


def test_client_that_gives_up_first_gives_the_same_reason(serve, monkeypatch):
    monkeypatch.setattr(waiting, "in_time", lambda ask, seconds: ask())
    serve(for_api(hang))
    assert ask() == (None, "the hub does not answer in time")


def test_download_from_the_hub_ends_even_where_bytes_keep_coming(serve, monkeypatch):
    monkeypatch.setattr(checkpoints, "HUB_SECONDS", 1)
    monkeypatch.setattr(checkpoints, "HUB_STALL", 10**6)
    serve(for_weights(trickle))
    assert ask() == (None, "the hub does not answer in time")


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


def test_whole_model_in_the_cache_is_not_asked_for(serve):
    hub = serve()
    first = ask()
    hub.stop()
    hub.asked.clear()
    assert ask() == first and first[1] is None and hub.asked == []


def test_hub_without_a_model_gives_the_embedded_one_and_one_line(
    serve, capsys, monkeypatch
):
    monkeypatch.setattr(checkpoints, "HUB_STALL", 2)
    serve(for_weights(hang_in_body))
    assert load_bert("auto", "cpu").name == "embedded course model"
    out, _ = capsys.readouterr()
    [line] = out.splitlines()
    assert "(bert-base-uncased is not at hand: the hub does not answer in time)" in line


@pytest.mark.slow
def test_auto_runs_on_a_hub_model_shaped_as_bert_base(serve, tmp_path, capsys):
    """12 layers and 12 heads of 64, with BERT's vocabulary: 110 million numbers."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.BertConfig()
    made = transformers.BertForPreTraining(config).eval()
    made.save_pretrained(tmp_path / "made")
    tokenizer = models.load_tokenizer(models.embedded_encoder())
    tokenizer.save_pretrained(tmp_path / "made")
    save_legacy(tmp_path / "made", tmp_path / "served")
    shutil.rmtree(tmp_path / "made")
    serve(folder=tmp_path / "served")
    bert = load_bert(device="cpu")
    assert (bert.n_layers, bert.n_heads, bert.hidden_size) == (12, 12, 768)
    assert "Model: google-bert/bert-base-uncased, 12 layers" in capsys.readouterr().out
    inputs = tokenizer("a crane [MASK] .", "it rose .", return_tensors="pt")
    with torch.no_grad():
        words, follows = made(**inputs).to_tuple()[:2]
        # the kind of attention differs, and with it the last digits
        near = {"atol": 1e-4, "rtol": 0}
        torch.testing.assert_close(bert.mlm(**inputs).logits, words, **near)
        torch.testing.assert_close(bert.nsp(**inputs).logits, follows, **near)
    assert words.std() > 0.1
    assert len(bert.predict_masked("a crane [MASK] .")[0]) == 5
