"""A web server on 127.0.0.1 for the files of a folder."""

import functools
import http.server
import threading


class FileServer:
    """A web server on 127.0.0.1 that remembers what was asked of it."""

    def __init__(self, folder):
        self.asked = []
        asked = self.asked

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                super().do_GET()

            def log_message(self, *args):
                pass

        handler = functools.partial(Handler, directory=folder)
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(
            target=self.http.serve_forever, args=[0.02], daemon=True
        ).start()

    def stop(self):
        self.http.shutdown()
        self.http.server_close()
