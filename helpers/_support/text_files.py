"""Files of text, asked what they are before they are read line by line."""

import gzip
import re
import zlib

GZIP = b"\x1f\x8b"
HEADER = re.compile(r'"?\w+"?(?:([,;\t|])"?\w+"?)(?:\1"?\w+"?)*')


def read_text(path):
    """Return the text of a file, of a compressed one (gzip) too, whatever its name.

    Raises ValueError in one line for a file that is damaged or no text in UTF-8.
    """
    try:
        with open(path, "rb") as file:
            opener = gzip.open if file.read(2) == GZIP else open
        with opener(path, "rb") as file:
            content = file.read()
    except (EOFError, zlib.error, OSError) as error:
        reason = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise ValueError(f"cannot read {path} ({reason}); get it anew") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not UTF-8 text from byte {error.start:,} on; save it as UTF-8"
        ) from None


def require_running_text(path, text):
    """Raise ValueError where the first lines are those of a table or of JSON lines."""
    first, _, rest = text.lstrip().partition("\n")
    header = HEADER.fullmatch(first.rstrip())
    kind = "a table" if header and header[1] in rest.partition("\n")[0] else ""
    if re.fullmatch(r'{\s*"\w+"\s*:.*}\s*', first):
        kind = "JSON lines"
    if kind:
        raise ValueError(
            f"{path} holds {kind}, no running text; write the texts alone into a file"
        )
