"""Calls that are given a time limit."""

import threading
from concurrent.futures import Future


def in_time(call, seconds):
    """Return what `call` returns, or raise what it does; TimeoutError after `seconds`.

    In a thread, because the timeout of a request covers neither the look-up of the
    host, nor a host with several addresses, nor headers that come a byte at a time.
    The thread is left to itself, so what `call` still writes must do no harm.
    """
    outcome = Future()

    def run():
        try:
            outcome.set_result(call())
        except Exception as error:
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return outcome.result(max(0, seconds))
