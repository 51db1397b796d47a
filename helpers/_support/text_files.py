"""Files of text, asked what they are before they are read line by line."""

import gzip
import re
import zlib

GZIP = b"\x1f\x8b"
OTHERS = {  # what a file that is no text begins with -> what it is
    b"PAR1": "a Parquet file",
    b"PK\x03\x04": "a zip archive or an Office file",
    b"%PDF": "a PDF",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}
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
    for start, kind in OTHERS.items():
        if content.startswith(start):
            raise ValueError(f"{path} is {kind}; save the texts in it as UTF-8 text")
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
