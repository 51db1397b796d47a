"""A web server on 127.0.0.1 that misbehaves as it is told."""

import gzip
import http.server
import time

from tests.file_server import LocalServer


class BadServer(LocalServer):
    """Serves `files` (name -> bytes) through a fault: function of (request, content).

    faults: one for every GET, or a list, used up in turn; after it all goes well.
    knocks: the fault of every HEAD, which is a good answer if none is given.
    """

    def __init__(self, files, faults=None, knocks=None):
        self.asked = []
        self.faults = faults if isinstance(faults, list) else None
        self.fault, self.knocks = None if self.faults is not None else faults, knocks
        bad = self

        class Request(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                bad.asked.append(self.path)
                content = files.get(self.path.rpartition("/")[2], b"")
                bad._next_fault()(self, content)
                self.close_connection = True

            def do_HEAD(self):
                (bad.knocks or answer)(self, b"")
                self.close_connection = True

            def log_message(self, *args):
                pass

        super().__init__(Request)

    def _next_fault(self):
        if self.faults:
            return self.faults.pop(0)
        return self.fault or answer


def answer(request, content, status=200, length=None, **headers):
    """Send a good answer, or one with another status, length or headers."""
    request.send_response(status)
    length = len(content) if length is None else length
    usual = {"Content-Length": str(length), "Content-Type": "text/plain"}
    headers = (
        usual
        | {"Connection": "close"}
        | {name.replace("_", "-"): value for name, value in headers.items()}
    )
    for name, value in headers.items():
        if value is not None:
            request.send_header(name, value)
    request.end_headers()
    request.wfile.write(content)


def with_status(status, **headers):
    """Make a fault that answers with a status and a few words."""
    return lambda request, content: answer(request, b"no", status, **headers)


def wait(request):
    """Do nothing until the test is over, or for long."""
    request.server.over.wait(30)


def hang_before_headers(request, content):
    wait(request)


def hang_in_headers(request, content):
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Le")
    wait(request)


def trickle_headers(request, content):
    request.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while not request.server.over.wait(0.05):
        request.wfile.write(b"x")


def hang_in_body(request, content):
    answer(request, content[:10], length=len(content))
    wait(request)


def hang_up(request, content):
    pass


def talk_nonsense(request, content):
    request.wfile.write(b"220 this is no web server\r\n")


def cut_body(request, content):
    answer(request, content[:-5], length=len(content))


def cut_chunks(request, content):
    whole = b"%x\r\n%s\r\n" % (len(content), content)
    answer(request, whole, Transfer_Encoding="chunked", Content_Length=None)


def cut_silently(request, content):
    answer(request, content[:-5], Content_Length=None)


def change_bytes(request, content):
    answer(request, content[:-1] + bytes([content[-1] ^ 1]))


def send_nothing(request, content):
    answer(request, b"")


def send_web_page(request, content):
    answer(request, b"<html>Welcome</html>", Content_Type="text/html; charset=utf-8")


def redirect_in_a_circle(request, content):
    answer(request, b"", 302, Location=request.path)


def redirect_to_a_file(request, content):
    answer(request, b"", 302, Location="file:///etc/hostname")


def redirect_once(request, content):
    if request.path.startswith("/moved"):
        return answer(request, content)
    answer(request, b"", 302, Location=f"/moved{request.path}")


def trickle(request, content):
    answer(request, b"", length=10**6)
    while not request.server.over.wait(0.05):
        request.wfile.write(b"x")


def send_slowly_but_surely(request, content):
    answer(request, b"", length=len(content))
    for start in range(0, len(content), 200):
        time.sleep(0.02)
        request.wfile.write(content[start : start + 200])


def send_without_end(request, content):
    answer(request, b"", Content_Length=None)
    while not request.server.over.is_set():
        request.wfile.write(b"x" * 65536)


def compress(request, content):
    answer(request, gzip.compress(content), Content_Encoding="gzip")


def send_gzip_bomb(request, content):
    answer(request, gzip.compress(b"x" * 10**7), Content_Encoding="gzip")


def claim_gzip(request, content):
    answer(request, content, Content_Encoding="gzip")


def claim_strange_encoding(request, content):
    answer(request, gzip.compress(content), Content_Encoding="x-course")


def cut_compressed(request, content):
    answer(request, gzip.compress(content)[:-12], Content_Encoding="gzip")
