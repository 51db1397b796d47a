"""Folders with a model: what they must hold, and reading them without running any."""

from contextlib import contextmanager

from helpers._support.transformers_library import quiet_transformers


def lacking_file(folder):
    """Name the kind of file that a model folder lacks, or return None."""
    weights = ("model.safetensors", "model-*.safetensors")
    for names in ("config.json",), weights, ("tokenizer.json", "vocab.txt"):
        if not any(path for name in names for path in folder.glob(name)):
            return " or ".join(names)
    return None


def require_files(name, folder):
    """Raise FileNotFoundError where the folder of the model `name` lacks a file."""
    if lack := lacking_file(folder):
        raise FileNotFoundError(
            f"{name} holds no {lack}; name a model that save_pretrained wrote in "
            "safetensors, with its tokenizer"
        )


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


def read_pretraining_model(folder):
    """Read encoder and heads; returns the model and {head: why it is not there}.

    By `load_file`, from safetensors alone: where transformers is given the folder, it
    also unpickles what an index of parts names, and puts adapters on the model.
    """
    import torch
    from safetensors.torch import load_file
    from transformers import BertConfig, BertForPreTraining

    with damage_named(folder):
        settings = BertConfig.get_config_dict(folder)[0]
        kind = " ".join(str(settings.get("model_type", "nameless")).split())
    if kind != "bert":
        raise ValueError(f"{folder} is a {kind} model; this course needs a BERT")
    whole, weights = folder / "model.safetensors", {}
    parts = [whole] if whole.exists() else sorted(folder.glob("model-*.safetensors"))
    with damage_named(folder), quiet_transformers():
        for part in parts:
            weights |= load_file(part)
        base, report = BertForPreTraining.from_pretrained(
            None,
            config=BertConfig.from_dict(settings),
            state_dict=weights,
            use_safetensors=True,
            dtype=torch.float32,
            attn_implementation="eager",
            output_loading_info=True,
        )
    missing = " ".join(report["missing_keys"])
    if "bert.embeddings" in missing or "bert.encoder" in missing:
        raise ValueError(f"{folder} holds no whole BERT encoder; load another model")
    absent = "it was saved without; load a checkpoint pre-trained for both tasks"
    heads = {"mlm": "cls.predictions", "nsp": "cls.seq_relationship"}
    return base, {head: absent for head, name in heads.items() if name in missing}


def load_tokenizer(folder):
    """Load the fast tokenizer in a folder."""
    from transformers import AutoTokenizer

    with damage_named(folder):
        return AutoTokenizer.from_pretrained(folder, trust_remote_code=False)


def try_out(bert):
    """Raise ValueError in one line unless tokenizer and weights work together."""
    import torch

    tokenizer = bert.tokenizer
    special = {
        "[CLS]": tokenizer.cls_token_id,
        "[SEP]": tokenizer.sep_token_id,
        "[PAD]": tokenizer.pad_token_id,
        "[MASK]": tokenizer.mask_token_id,
    }
    if lack := [name for name, number in special.items() if number is None]:
        raise ValueError(
            f"the tokenizer of {bert.name} has no {lack[0]}; take that of a BERT"
        )
    parts = (bert.model, bert.heads)
    if not all(p.isfinite().all() for part in parts for p in part.parameters()):
        raise ValueError(
            f"{bert.name} holds weights that are nan or infinite; save or download it "
            "again"
        )
    with damage_named(bert.name), torch.inference_mode():
        if len(tokenizer) > bert.model.config.vocab_size:
            raise IndexError("pieces without an embedding")
        bert.model(**bert.encode("One [MASK].", "And another."))
