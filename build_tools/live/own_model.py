"""A BERT as one file that the machine opens from the reader's disk.

`make own-model MODEL=bert-base-uncased FILE=my-bert.safetensors` makes it of any model
that `load_bert` knows. The file has the format of safetensors: a header of
JSON, then `graph`, the ONNX of `build_tools/live/graph.py`, and `tokenizer`, both as
bytes. `live/model/own.js` reads it.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from build_tools.live import graph, payload
from helpers.models import load_bert
from helpers.whole_files import replace

FORMAT = "inside-bert-model"
LARGEST = 2_000_000_000  # bytes of a graph, as protobuf and a page's arrays have it


def packed(bert):
    """Return a Bert as the bytes of a file; ValueError for what the graph cannot do."""
    config = bert.model.config
    if config.hidden_act != "gelu":
        raise ValueError(
            f"{bert.name} has {config.hidden_act}; the page's graph has gelu"
        )
    if config.max_position_embeddings < graph.LONGEST:
        raise ValueError(
            f"{bert.name} reads {config.max_position_embeddings} pieces; the page's "
            f"graph needs {graph.LONGEST}"
        )
    model = graph.live_model(bert)
    if model.ByteSize() > LARGEST:
        raise ValueError(f"{bert.name} is too large: {model.ByteSize():,} bytes")
    about = {
        "name": Path(bert.name).name,
        "layers": bert.n_layers,
        "heads": bert.n_heads,
        "width": bert.hidden_size,
        "pieces": config.vocab_size,
        "missing": sorted(bert.missing),
        "account": bert.account,
    }
    parts = {
        "tokenizer": tokenizer_of(bert),
        "graph": model.SerializeToString(deterministic=True),
    }
    arrays = {name: np.frombuffer(part, np.uint8) for name, part in parts.items()}
    told = {"format": FORMAT, "version": graph.VERSION, "about": json.dumps(about)}
    for name, part in parts.items():  # the page opens none that was damaged on its way
        told[f"sha256 of {name}"] = hashlib.sha256(part).hexdigest()
    return save(arrays, told)


def tokenizer_of(bert):
    """Return the tokenizer.json of a Bert, as the page needs it."""
    return payload.for_page(json.loads(bert.tokenizer.backend_tokenizer.to_str()))


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m build_tools.live.own_model", description=__doc__.split("\n")[0]
    )
    parser.add_argument("model", help="as for load_bert: a hub id or a folder")
    parser.add_argument("file", type=Path, help="what is written")
    options = parser.parse_args(arguments)
    try:
        content = packed(load_bert(options.model, "cpu"))
        replace(options.file, content)
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
    print(f"{options.file}: {len(content) / 1e6:.1f} MB; open it in the machine, under")
    print("Your own, in the menu that names the model.")


if __name__ == "__main__":
    main()
