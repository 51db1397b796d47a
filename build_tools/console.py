"""What commands print, whatever takes it."""

import os
import sys


def say(text):
    """Print text; letters that the console does not have, as their numbers.

    Where nothing can be printed, as in a pipe that was closed or on a full disk, one
    line says so on the other stream and the command ends: call it when all is done.

    >>> say("wrote a file")
    wrote a file
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except OSError as error:
        # Python would try once more at its end, and tell that in its own way
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(f"error: cannot print what was done: {error.strerror}")
