"""The client of the page beside servers that are busy, break off, die or refuse."""

import json
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from chapters.many_machines import endpoint
from helpers.embeddings.texts import embed_texts

TEXTS = [("crane " * n).strip() for n in range(1, 30)]


@pytest.fixture
def lifted(cells, tiny):
    """The client that the page defines, and a random model."""
    return cells.defined("http", bert=tiny)


@pytest.fixture
def serve(lifted):
    """Start servers of the page; all are stopped at the end."""
    started = []

    def start(*faults, port=0):
        server, url = endpoint.serve(lifted["bert"], faults, port)
        started.append(server)
        return server, url

    yield start
    for server in started:
        endpoint.stop(server)


@pytest.mark.parametrize("fault", ["busy", "half", "silent"])
def test_what_a_server_failed_at_is_asked_again(lifted, serve, fault):
    _, url = serve(fault, fault, fault)
    served, reasons = lifted["ask_all"](url, TEXTS, size=4)
    assert endpoint.Endpoint.faults == [] and not any(reasons)
    expected = embed_texts(lifted["bert"], TEXTS)
    np.testing.assert_allclose(served, expected, atol=1e-5)


@pytest.mark.parametrize("size", [1, 5, 100])
def test_a_row_that_cannot_be_read_stops_none_of_the_others(lifted, serve, size):
    _, url = serve()
    texts = ["", *TEXTS, "half \ud83d", " ", "bank " * 600]
    served, reasons = lifted["ask_all"](url, texts, size=size)
    bad = [place for place, vector in enumerate(served) if vector is None]
    assert bad == [0, 30, 31] == [p for p, reason in enumerate(reasons) if reason]
    assert all("422" in reasons[place] for place in bad)
    good = [text for place, text in enumerate(texts) if place not in bad]
    found = [vector for vector in served if vector]
    np.testing.assert_allclose(found, embed_texts(lifted["bert"], good), atol=1e-5)
    assert lifted["ask_all"](url, ["", ""], size=size)[0] == [None, None]


def test_a_server_that_dies_is_asked_again_once_it_is_back(lifted, serve):
    server, url = serve()
    port = server.server_port
    endpoint.stop(server)

    def come_back():
        time.sleep(0.5)  # the client has met a closed door by now
        serve(port=port)

    threading.Thread(target=come_back).start()
    served, _ = lifted["ask_all"](url, TEXTS, size=10)
    expected = embed_texts(lifted["bert"], TEXTS)
    np.testing.assert_allclose(served, expected, atol=1e-5)
    assert sum(map(len, endpoint.Endpoint.asked)) == len(TEXTS) + 1


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_a_server_that_refuses_everything_is_an_error_with_its_reason(
    lifted, serve, status
):
    _, url = serve(*[status] * 9)
    with pytest.raises(RuntimeError, match=f"{status}.*refused as such"):
        lifted["ask_all"](url, TEXTS)
    assert len(endpoint.Endpoint.asked) == 1


def answers(lifted, monkeypatch, change):
    """A server whose answer a function changes, with status 200."""

    def request(method, url, body, headers):
        texts = json.loads(body)["input"]
        data = [{"index": i, "embedding": [1.0, 2.0]} for i in range(len(texts))]
        return SimpleNamespace(status=200, json=lambda: {"data": change(data)})

    monkeypatch.setattr(lifted["http"], "request", request)
    return lifted["ask_all"]("", TEXTS)


def test_an_answer_that_lacks_a_text_is_an_error(lifted, monkeypatch):
    with pytest.raises(KeyError):
        answers(lifted, monkeypatch, lambda data: data[1:])


@pytest.mark.parametrize("wrong", [[float("nan"), 1.0], [1.0], "AAAA", [], [None, 1.0]])
def test_what_is_no_vector_is_an_error(lifted, monkeypatch, wrong):
    def change(data):
        return [*data[:-1], {"index": len(data) - 1, "embedding": wrong}]

    with pytest.raises((RuntimeError, ValueError, TypeError)):
        answers(lifted, monkeypatch, change)
