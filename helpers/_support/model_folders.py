"""Folders with a model: what they must hold, and reading them without running any."""

import json
from contextlib import contextmanager
from pathlib import Path

from helpers._support.transformers_library import quiet_transformers

SAFE = ".safetensors"


def lacking_file(folder):
    """Name the kind of file that a model folder lacks, or return None."""
    for names in ("config.json",), ("*.safetensors",), ("tokenizer.json", "vocab.txt"):
        if not any(path for name in names for path in folder.glob(name)):
            return " or ".join(names)
    return None


@contextmanager
def damage_named(place):
    """Turn whatever a library raises about a damaged model into one line."""
    try:
        yield
    except (ImportError, MemoryError):
        raise
    except Exception as error:  # of several libraries, about any field of any file
        raise ValueError(
            f"the model in {place} is damaged, or its tokenizer, config.json and "
            "weights do not belong together; save or download it again"
        ) from error


def read_weights(folder):
    """Return {name: tensor} of a model folder, from .safetensors files in it alone.

    transformers would also unpickle what the index of a model in parts names, and
    follow config.json and adapters to other files.
    """
    from safetensors.torch import load_file

    whole, index = (folder / f"model{end}" for end in (SAFE, f"{SAFE}.index.json"))
    names = {whole.name}
    with damage_named(folder):
        if index.exists():
            names = set(json.loads(index.read_bytes())["weight_map"].values())
        strange = [n for n in names if n != Path(n).name or Path(n).suffix != SAFE]
    if strange:
        raise ValueError(
            f"{index} names {strange[0]!r}, but only {SAFE} files beside it are "
            "loaded; save the model again in safetensors"
        )
    weights = {}
    with damage_named(folder):
        for name in {whole.name} if whole.exists() else names:
            weights |= load_file(folder / name)
    return weights


def read_pretraining_model(folder):
    """Read encoder and heads; returns the model and the weights the file lacks."""
    import torch
    from transformers import BertConfig, BertForPreTraining

    with damage_named(folder):
        settings = BertConfig.get_config_dict(folder)[0]
        kind = " ".join(str(settings.get("model_type", "nameless")).split())
    if kind != "bert":
        raise ValueError(f"{folder} is a {kind} model; this course needs a BERT")
    weights = read_weights(folder)
    with damage_named(folder), quiet_transformers():
        base, report = BertForPreTraining.from_pretrained(
            None,
            config=BertConfig.from_dict(settings),
            state_dict=weights,
            use_safetensors=True,
            dtype=torch.float32,
            attn_implementation="eager",
            output_loading_info=True,
        )
    missing = report["missing_keys"]
    if any_key(missing, "bert.embeddings") or any_key(missing, "bert.encoder"):
        raise ValueError(f"{folder} holds no whole BERT encoder; load another model")
    return base, missing


def any_key(keys, prefix):
    """Whether one of the keys begins with the prefix."""
    return any(key.startswith(prefix) for key in keys)


def load_tokenizer(folder):
    """Load the fast tokenizer in a folder."""
    from transformers import AutoTokenizer

    with damage_named(folder):
        return AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
