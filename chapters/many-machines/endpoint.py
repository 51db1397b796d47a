"""A server for the client of the page to talk to: it answers, after its faults."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from helpers.embeddings.texts import vectors_or_reasons


class Endpoint(BaseHTTPRequestHandler):
    """Answers as /v1/embeddings does, in no order; `model` and `faults` are set."""

    model, faults, asked, lock = None, [], [], Lock()

    def do_POST(self):
        given = self.rfile.read(int(self.headers["Content-Length"]))
        texts = json.loads(given)["input"]
        with self.lock:
            fault = self.faults.pop(0) if self.faults else ""
            self.asked.append(texts)
            vectors, bad = vectors_or_reasons(self.model, texts)
        if isinstance(fault, int):
            return self.answer("", fault, {"error": "refused as such"})
        if any(bad):
            return self.answer(fault, 422, {"error": max(filter(None, bad))})
        data = [
            {"index": place, "embedding": vector.tolist()}
            for place, vector in enumerate(vectors)
        ]
        self.answer(fault, 200, {"data": data[::-1]})

    def answer(self, fault, status, content):
        """Send an answer, whole, half or not at all."""
        body = json.dumps(content).encode()
        if fault == "silent":
            return
        self.send_response(503 if fault == "busy" else status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if fault == "half" else body)

    def log_message(self, *said):
        """Say nothing of requests."""


def serve(model, faults=(), port=0):
    """Start a server with these faults; returns it and its address.

    faults: one a request, "busy", "half", "silent" or the status of a refusal.
    """
    Endpoint.model, Endpoint.faults, Endpoint.asked = model, list(faults), []
    server = ThreadingHTTPServer(("127.0.0.1", port), Endpoint)
    Thread(target=server.serve_forever, args=[0.05], daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/v1/embeddings"


def stop(server):
    server.shutdown()
    server.server_close()
