"""The texts of a job, read as a stream: a text a line, or a column of Parquet."""

import hashlib
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

READ_AT_ONCE = 1024  # rows of Parquet


class Texts:
    """The texts of a file or of a folder of Parquet files, numbered from 0.

    path: a Parquet file (.parquet), a folder of them, taken in the order of their
    names, or any other file, of which each line is a text. column: of Parquet.
    Raises ValueError or FileNotFoundError in one line for what cannot be read.
    """

    def __init__(self, path, column="text"):
        path = Path(path)
        self.files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
        self.column = column
        if not self.files:
            raise FileNotFoundError(f"{path} holds no file whose name ends in .parquet")
        self.stamps = self._stamps()
        self.counts = [self._count(file) for file in self.files]
        if not len(self):
            raise ValueError(f"{path} holds no text")

    def __len__(self):
        return sum(self.counts)

    def __iter__(self):
        """Yield each text as bytes, or None where a row of Parquet holds none."""
        for file in self.files:
            yield from self._rows(file) if _is_parquet(file) else _lines(file)

    def checksums(self):
        """Return {file name: sha256}, by which a changed text is noticed."""
        found = {}
        for path in self.files:
            with open(path, "rb") as file:
                found[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
        return found

    def _stamps(self):
        states = [file.stat() for file in self.files]
        return [(s.st_ino, s.st_size, s.st_mtime_ns) for s in states]

    def require_unchanged(self):
        """Raise ValueError where a file is no longer the one that was counted."""
        if self._stamps() != self.stamps:
            raise ValueError("the texts were changed while the job ran: begin again")

    def shards(self, size, wanted):
        """Yield (number, texts) of the shards whose numbers are wanted, in order."""
        rows = iter(self)
        for number in range(max(wanted, default=-1) + 1):
            shard = islice(rows, size)
            if number in wanted:
                yield number, list(shard)
            else:
                for _ in shard:
                    pass

    def _count(self, path):
        if not _is_parquet(path):
            with open(path, "rb") as file:
                start = file.read(READ_AT_ONCE**2)
            if b"\r" in start and b"\n" not in start:
                raise ValueError(f"{path} ends its lines with CR alone: use LF")
            if start.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise ValueError(f"{path} is UTF-16: save it as UTF-8")
            return sum(1 for _ in _lines(path))
        with pq.ParquetFile(path) as file:
            if file.schema_arrow.names.count(self.column) > 1:
                raise ValueError(f"{path} has more than one column {self.column!r}")
            if self.column not in file.schema_arrow.names:
                names = ", ".join(file.schema_arrow.names)
                raise ValueError(
                    f"{path} has no column {self.column!r}; name one of {names}"
                )
            kind = file.schema_arrow.field(self.column).type
            if pa.types.is_dictionary(kind):
                kind = kind.value_type
            if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
                raise ValueError(
                    f"{path}: column {self.column!r} holds {kind}, no text"
                )
            return file.metadata.num_rows

    def _rows(self, path):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(READ_AT_ONCE, columns=[self.column]):
                # as bytes, so that one broken text does not stop the others
                yield from batch.column(0).cast(pa.large_binary()).to_pylist()


def _is_parquet(path):
    return path.suffix.lower() == ".parquet"


def _lines(path):
    with open(path, "rb") as file:
        for line in file:
            yield line.rstrip(b"\r\n")
