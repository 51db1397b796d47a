"""The client of the page beside servers that are busy, break off, die or refuse."""

import threading
import time

import numpy as np
import pytest

from helpers.embeddings.texts import embed_texts

TEXTS = [("crane " * n).strip() for n in range(1, 30)]


@pytest.fixture
def lifted(cells, tiny):
    """The client and the server that the page defines, on a random model."""
    return cells.defined("http", bert=tiny)


@pytest.fixture
def serve(lifted):
    """Start servers of the page; all are stopped at the end."""
    started = []

    def start(*faults, port=0):
        server, url = lifted["serve"](faults, port)
        started.append(server)
        return server, url

    yield start
    for server in started:
        stop(server)


def stop(server):
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("fault", ["busy", "half", "silent"])
def test_what_a_server_failed_at_is_asked_again(lifted, serve, fault):
    _, url = serve(fault, fault, fault)
    served = lifted["ask_all"](url, TEXTS, size=4)
    assert lifted["Endpoint"].faults == []
    expected = embed_texts(lifted["bert"], TEXTS)
    np.testing.assert_allclose(served, expected, atol=1e-5)


@pytest.mark.parametrize("size", [1, 5, 100])
def test_a_row_that_cannot_be_read_stops_none_of_the_others(lifted, serve, size):
    _, url = serve()
    texts = ["", *TEXTS, "half \ud83d", " ", "bank " * 600]
    served = lifted["ask_all"](url, texts, size=size)
    bad = [place for place, vector in enumerate(served) if vector is None]
    assert bad == [0, 30, 31]
    good = [text for place, text in enumerate(texts) if place not in bad]
    found = [vector for vector in served if vector]
    np.testing.assert_allclose(found, embed_texts(lifted["bert"], good), atol=1e-5)
    assert lifted["ask_all"](url, ["", ""], size=size) == [None, None]


def test_a_server_that_dies_is_asked_again_once_it_is_back(lifted, serve, monkeypatch):
    server, url = serve()
    asked, slow = [], lifted["vectors_or_reasons"]

    def counted(bert, texts):
        asked.append(len(texts))
        return slow(bert, texts)

    monkeypatch.setitem(lifted, "vectors_or_reasons", counted)
    port = server.server_port
    stop(server)

    def come_back():
        time.sleep(0.5)  # the client has met a closed door by now
        serve(port=port)

    threading.Thread(target=come_back).start()
    served = lifted["ask_all"](url, TEXTS, size=10)
    expected = embed_texts(lifted["bert"], TEXTS)
    np.testing.assert_allclose(served, expected, atol=1e-5)
    assert sum(asked) == len(TEXTS)


def test_a_refusal_of_the_client_is_no_bad_row(lifted, serve, monkeypatch):
    _, url = serve()
    monkeypatch.setitem(lifted, "answer", lambda request, *_: request.send_error(401))
    with pytest.raises(RuntimeError, match="401"):
        lifted["ask_all"](url, TEXTS)


def test_an_answer_that_lacks_a_text_is_an_error(lifted, serve, monkeypatch):
    _, url = serve()
    whole = lifted["answer"]

    def short(request, fault, status, content):
        whole(request, fault, status, {"data": content["data"][1:]})

    monkeypatch.setitem(lifted, "answer", short)
    with pytest.raises(KeyError):
        lifted["ask_all"](url, TEXTS)
