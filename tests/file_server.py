"""Web servers on 127.0.0.1, and one for the files of a folder."""

import functools
import http.server
import threading


class LocalServer:
    """A web server on 127.0.0.1; handlers find its `over`, set when it ends."""

    def __init__(self, handler):
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.http.daemon_threads = True
        self.http.block_on_close = False
        self.http.handle_error = lambda *args: None  # clients hang up on some faults
        self.http.over = threading.Event()
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(
            target=self.http.serve_forever, args=[0.02], daemon=True
        ).start()

    def stop(self):
        self.http.over.set()
        self.http.shutdown()
        self.http.server_close()


class FileServer(LocalServer):
    """Serves the files of `folder` and remembers what was asked of it.

    Where `status` is set, each request gets it and nothing else.
    """

    def __init__(self, folder):
        self.asked, self.status = [], None
        files = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                files.asked.append(self.path)
                if files.status:
                    self.send_error(files.status)
                else:
                    super().do_GET()

            def log_message(self, *args):
                pass

        super().__init__(functools.partial(Handler, directory=folder))
