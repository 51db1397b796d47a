"""A web server on 127.0.0.1 that misbehaves as it is told."""

import http.server

from tests.file_server import LocalServer


class BadServer(LocalServer):
    """Serves `files` (path -> bytes) through a fault: function of (request, content).

    The fault is that of every GET; a HEAD is always answered.
    """

    def __init__(self, files, fault=None):
        self.asked = asked = []

        class Request(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                asked.append(self.path)
                (fault or answer)(self, files.get(self.path.strip("/"), b""))
                self.close_connection = True

            def do_HEAD(self):
                answer(self, b"")
                self.close_connection = True

            def log_message(self, *args):
                pass

        super().__init__(Request)


def answer(request, content, status=200, length=None):
    """Send a good answer, or one with another status or length."""
    request.send_response(status)
    length = len(content) if length is None else length
    request.send_header("Content-Length", str(length))
    request.send_header("Connection", "close")
    request.end_headers()
    request.wfile.write(content)


def refuse(request, content):
    answer(request, b"no", 404)


def hang(request, content):
    """Stop in the middle of a file until the test is over, or for long."""
    answer(request, content[:10], length=len(content))
    request.server.over.wait(30)
