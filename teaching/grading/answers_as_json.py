"""Values that cross from a submission to its checks, read without running anything.

Pickle would let a submission run code where the grades are made. Plain values and
arrays cross as JSON; a function stays where it is and is called by its number; of
anything else only the name of its kind crosses.
"""

import base64
import json
import math
import re
import struct
from dataclasses import dataclass

import numpy as np

from helpers.exercises.plain_form import COLLECTIONS, SIMPLE, in_plain_form

LARGEST = 8 * 2**20  # bytes of an answer
ELEMENTS = 300_000  # of an answer, all its lists together
HASHED = 10_000  # of a set or a dict: hashes that all collide take the square
KIND_NAMED = {kind.__name__: kind for kind in COLLECTIONS}
FLOATS = {"torch.float16", "torch.float32", "torch.float64"}
KINDS = "biufcSU"  # of NumPy arrays: numbers and text, never objects


class Refused(ValueError):
    """What a submission sent is no answer, or too much of one."""


@dataclass(frozen=True)
class Unknown:
    """Stands for a value that cannot cross."""

    kind: str

    def __repr__(self):
        return f"<a {self.kind}>"


def encode(value, functions):
    """Return `value` as what json.dumps takes; functions are kept in the list."""
    return _encode(in_plain_form(value), functions)


def _encode(value, functions):
    if type(value) in SIMPLE:
        return value
    if value is ...:
        return {"kind": "ellipsis"}
    if isinstance(value, range):
        return {"kind": "range", "items": [value.start, value.stop, value.step]}
    if isinstance(value, COLLECTIONS):
        kind = next(kind for kind in COLLECTIONS if isinstance(value, kind)).__name__
        return {"kind": kind, "items": [_encode(item, functions) for item in value]}
    if isinstance(value, dict):
        both = [[_encode(part, functions) for part in pair] for pair in value.items()]
        return {"kind": "dict", "items": both}
    return _encode_object(value, functions)


def _encode_object(value, functions):
    module = type(value).__module__.split(".")[0]
    if hasattr(value, "detach"):
        own = value.detach().cpu()
        if own.is_floating_point() and str(own.dtype) not in FLOATS:
            own = own.float()  # NumPy has no bfloat16
        return _encode_array(own.numpy(), "tensor")
    if isinstance(value, np.ndarray | np.generic):
        return _encode_array(np.asarray(value), type(value).__name__)
    if module == "pandas" and hasattr(value, "to_dict"):
        table = (
            {str(k): list(v) for k, v in value.to_dict("list").items()}
            if (value.ndim == 2)
            else [list(value), list(getattr(value, "index", range(len(value))))]
        )
        kind = "frame" if value.ndim == 2 else "series"
        return {"kind": kind, "items": encode(table, functions)}
    if module == "transformers" and hasattr(value, "model_type"):
        return {"kind": "config", "items": encode(value.to_dict(), functions)}
    if callable(value):
        functions.append(value)
        return {"kind": "function", "number": len(functions) - 1}
    return {"kind": "unknown", "name": type(value).__name__[:60]}


def _encode_array(array, kind):
    if array.dtype.kind not in KINDS:
        return {"kind": "unknown", "name": f"{kind} of {array.dtype}"[:60]}
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    kind = kind if kind in ("tensor", "ndarray") else "number"
    return {
        "kind": kind,
        "dtype": array.dtype.str,
        "shape": list(array.shape),
        "data": data,
    }


def decode(message, function):
    """Return what `encode` was given; function: number -> something to call.

    Raises Refused for anything that `encode` does not make, or for too much of it.
    """
    try:
        return _Decoder(function).read(message)
    except Refused:
        raise
    except Exception as error:  # of a message that was made by hand
        raise Refused(f"the answer cannot be read ({type(error).__name__})") from None


class _Decoder:
    def __init__(self, function):
        self.function, self.left = function, ELEMENTS

    def read(self, value):
        self.left -= 1
        if self.left < 0:
            raise Refused(f"the answer has more than {ELEMENTS} elements")
        if type(value) in SIMPLE:
            return value
        if type(value) is not dict:
            raise Refused("the answer cannot be read")
        kind = value["kind"]
        if kind in (*KIND_NAMED, "dict", "range"):
            return self._read_collection(kind, value["items"])
        if kind == "function":
            return self.function(_whole(value["number"]))
        if kind == "ellipsis":
            return ...
        if kind in ("tensor", "ndarray", "number"):
            return _decode_array(kind, value)
        if kind in ("frame", "series", "config"):
            return _decode_object(kind, self.read(value["items"]))
        name = re.sub(r"\W+", " ", str(value.get("name", kind)))[:60].strip()
        return type(name or "Unknown", (Unknown,), {})(name)  # a check says its kind

    def _read_collection(self, kind, items):
        if kind not in ("list", "tuple") and len(items) > HASHED:
            raise Refused(f"a {kind} of more than {HASHED} elements cannot be read")
        if kind == "range":
            return range(*map(_whole, items))
        if kind == "dict":
            return {self.read(key): self.read(item) for key, item in items}
        return KIND_NAMED[kind]([self.read(item) for item in items])


def _whole(number):
    if type(number) is not int or not -(2**53) < number < 2**53:
        raise Refused("the answer cannot be read")
    return number


def _decode_object(kind, items):
    if kind == "config":
        from transformers import BertConfig

        known = BertConfig().to_dict()
        plain = {k: v for k, v in items.items() if k in known and type(v) in SIMPLE}
        return BertConfig(**plain)
    import pandas as pd

    return pd.DataFrame(items) if kind == "frame" else pd.Series(*items)


def _decode_array(kind, value):
    dtype = np.dtype(str(value["dtype"])[:20])
    if dtype.kind not in KINDS:
        raise Refused("an array of objects cannot cross")
    data = base64.b64decode(value["data"])
    shape = tuple(_whole(size) for size in value["shape"])
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != len(data):
        raise Refused("an array's shape and its numbers do not agree")
    if math.prod(size or 1 for size in shape) > LARGEST:
        raise Refused("an empty array has too large a shape")
    array = np.frombuffer(data, dtype).reshape(shape).copy()
    if kind == "number":
        return array[()]
    if kind == "tensor":
        import torch

        return torch.from_numpy(array)
    return array


def send(stream, message):
    """Write one message, a value that json.dumps takes, to a binary stream."""
    data = json.dumps(message).encode()
    stream.write(struct.pack("<Q", len(data)) + data)
    stream.flush()


def receive(stream, largest=None):
    """Read one message of at most `largest` bytes.

    Raises EOFError at the end, Refused for a message that is too large or is none.
    """
    (size,) = struct.unpack("<Q", _read(stream, 8))
    if largest and size > largest:
        raise Refused(f"the answer takes {size:,} bytes; at most {largest:,} are read")
    try:
        return json.loads(_read(stream, size))
    except (ValueError, RecursionError):
        raise Refused("the answer cannot be read") from None


def _read(stream, size):
    data = stream.read(size)
    if len(data) < size:
        raise EOFError("the other side has ended")
    return data
