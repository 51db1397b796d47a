"""A job: its shards, each made whole by one process, and its manifest."""

import datetime
import hashlib
import json
import os
import time
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch

from helpers.embeddings import ahead, layer_numbers, return_free_memory
from helpers.embeddings.texts import piece_rows, vectors_of_rows
from helpers.training import progress_bar
from helpers.whole_files import alone, hidden_lock, replace, whole

MANIFEST = "manifest.json"
MOSTLY, FEWEST = 0.9, 20  # share of bad texts that is no text file; of this many


@dataclass(frozen=True)
class Job:
    """Texts on their way to vectors in a folder, in shards of `size` texts.

    bert: from `load_bert`. texts: Texts. out: a Path.
    """

    bert: object
    texts: object
    out: Path
    layers: tuple = (-1,)
    pooling: str = "mean"
    dtype: str = "float32"
    size: int = 10_000

    @property
    def shards(self):
        return -(-len(self.texts) // self.size)

    @cached_property
    def settings(self):
        """All that decides the vectors and their places."""
        return {
            "texts": self.texts.checksums(),
            "column": self.texts.column,
            "sha256 of the model": checksum(self.bert),
            "layers": layer_numbers(self.layers, self.bert.n_layers),
            "pooling": self.pooling,
            "dtype": self.dtype,
            "texts a shard": self.size,
        }

    @cached_property
    def mark(self):
        """What each shard holds of the settings: a digest in its metadata."""
        text = json.dumps(self.settings, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def begin(self):
        """Write the manifest; ValueError where the folder is of another job."""
        path, settings = self.out / MANIFEST, self.settings
        with alone(path, kept=False):
            if not path.exists():
                begun = _today_and_versions("torch", "transformers", "pyarrow")
                about = {"model": self.bert.name, "begun": begun}
                _write(path, {"settings": settings} | about)
                return
            begun = _read(path)["settings"]
        for name, now in settings.items():
            if begun.get(name) != now:
                raise ValueError(
                    f"{self.out} was begun with {name} {begun.get(name)}, not {now}: "
                    "take that again or another folder"
                )

    def place(self, number):
        """Return the files of a shard: vectors, and rows without one."""
        name = f"{number:06}"
        vectors = self.out / "vectors" / f"{name}.parquet"
        return vectors, self.out / "bad" / f"{name}.jsonl"

    def counts(self, number):
        """Return (vectors, bad rows) of a finished shard; None if absent or damaged.

        Raises ValueError for a shard of other settings, texts or model.
        """
        vectors, bad = self.place(number)
        try:
            table = pq.read_table(vectors, page_checksum_verification=True)
            lines = bad.read_bytes().count(b"\n") if bad.exists() else 0
        except (OSError, pa.ArrowInvalid):
            return None
        about = table.schema.metadata or {}
        if about.get(b"settings") != self.mark.encode():
            raise ValueError(
                f"{vectors} was made with other settings, texts or another model: take "
                "another folder"
            )
        if about.get(b"shard") != str(number).encode():
            return None
        found = table.num_rows
        wanted = min(self.size, len(self.texts) - number * self.size)
        return (found, lines) if found + lines == wanted else None

    def make_shards(self, rank=0, ranks=1):
        """Make every `ranks`-th shard that is not finished, from number `rank` on."""
        self.begin()
        mine = range(rank, self.shards, ranks)
        self.unlock(mine)
        left = {number for number in mine if not self.counts(number)}
        rows = sum(
            min(self.size, len(self.texts) - number * self.size) for number in left
        )
        jobs = ((self.bert, *shard) for shard in self.texts.shards(self.size, left))
        with progress_bar(
            total=rows, unit=" texts", desc=f"process {rank + 1} of {ranks}"
        ) as bar:
            for number, count, pieces, reasons in ahead(_prepared, jobs):
                if number == min(left):
                    self.require_texts(number, count, reasons)
                self.write(number, count, pieces, reasons, bar.update)
                return_free_memory()
        return self.finish()

    def require_texts(self, number, count, reasons):
        """Raise ValueError where a shard is mostly bad: what was named is no text."""
        if count >= FEWEST and len(reasons) > MOSTLY * count:
            place, reason = min(reasons.items())
            raise ValueError(
                f"{len(reasons)} of the first {count} texts cannot be read (row "
                f"{number * self.size + place} {reason}): is this a file of texts?"
            )

    def unlock(self, numbers):
        """Delete the locks that killed processes left beside shards."""
        for number in numbers:
            path, _ = self.place(number)
            if hidden_lock(path).exists():
                with alone(path, kept=False):
                    pass

    def write(self, number, count, rows, reasons, done):
        """Compute the vectors of a shard and write it, whole or not at all."""
        start, (path, bad) = number * self.size, self.place(number)
        with alone(path, kept=False):
            if self.counts(number):  # by another process, while this one waited
                return
            lines = [
                json.dumps({"row": start + place, "reason": reason}) + "\n"
                for place, reason in sorted(reasons.items())
            ]
            bad.unlink(missing_ok=True)
            if lines:
                replace(bad, "".join(lines).encode())
            done(len(lines))
            begun = time.perf_counter()
            vectors = vectors_of_rows(
                self.bert, rows, self.layers, self.pooling, self.dtype, done
            )
            self.texts.require_unchanged()
            places = np.delete(np.arange(start, start + count), list(reasons))
            table = pa.table(
                {
                    "row": places,
                    "pieces": np.array([len(row) + 2 for row in rows], np.int32),
                    "vector": pa.FixedSizeListArray.from_arrays(
                        vectors.ravel(), self.bert.hidden_size
                    ),
                }
            )
            seconds = f"{time.perf_counter() - begun:.6f}"
            about = {"seconds": seconds, "settings": self.mark, "shard": str(number)}
            table = table.replace_schema_metadata(about)
            with whole(path) as unfinished:
                pq.write_table(table, unfinished, write_page_checksum=True)

    def finish(self):
        """Say in one line how much is there; once all is, in the manifest too."""
        counts = [self.counts(number) for number in range(self.shards)]
        there = [count for count in counts if count]
        vectors, bad = (sum(count[i] for count in there) for i in (0, 1))
        if None not in counts:
            path = self.out / MANIFEST
            with alone(path, kept=False):
                _write(path, _read(path) | {"vectors": vectors, "bad rows": bad})
        return (
            f"{len(there)} of {self.shards} shards: {vectors} vectors, {bad} bad rows"
        )


def _prepared(bert, number, texts):
    return number, len(texts), *piece_rows(bert, texts)


def _today_and_versions(*packages):
    versions = (f"{name} {version(name)}" for name in packages)
    return ", ".join([str(datetime.date.today()), *versions])


def _read(path):
    """Return a manifest; ValueError in one line for what is none."""
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        manifest["settings"].keys()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ValueError(
            f"{path} is damaged: delete it, the shards say what made them"
        ) from None
    return manifest


def _write(path, manifest):
    replace(path, (json.dumps(manifest, indent=1) + "\n").encode())


def checksum(bert):
    """Return the sha256 of what turns a text into hidden states.

    >>> len(checksum(bert))
    64
    """
    tokenizer = json.loads(bert.tokenizer.backend_tokenizer.to_str())
    config = bert.model.config
    about = [
        {k: v for k, v in tokenizer.items() if k not in ("truncation", "padding")},
        [config.num_attention_heads, config.hidden_act, config.layer_norm_eps],
    ]
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name, tensor in sorted(bert.model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.cpu().contiguous().flatten().view(torch.uint8).numpy())
    return digest.hexdigest()


def rank_and_ranks():
    """Return which process this is and of how many, as its launcher says.

    `torchrun` and `accelerate launch` set RANK and WORLD_SIZE for each process.
    """
    given = os.environ.get("RANK", "0"), os.environ.get("WORLD_SIZE", "1")
    if not all(map(str.isdecimal, given)) or not int(given[0]) < int(given[1]):
        raise ValueError(f"RANK {given[0]} of WORLD_SIZE {given[1]}: no such process")
    return int(given[0]), int(given[1])
