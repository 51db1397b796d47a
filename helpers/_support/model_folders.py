"""Folders with a model: what they must hold, and what of it is in the model.

What lies there is compared with what config.json promises. What else than the whole
encoder is missing or not used is told in the line that says what was loaded.
"""

from contextlib import contextmanager

from helpers._support.transformers_library import quiet_transformers

WEIGHTS = "model.safetensors"
ENCODER = ("bert.", "embeddings.", "encoder.", "pooler.")  # what its weights begin with
HEADS = {"mlm": "cls.predictions", "nsp": "cls.seq_relationship"}
PARTS = {"mlm": "masked-word head", "nsp": "next-sentence head", "pooler": "pooler"}
PLAIN = {  # settings that make another model of the same weights, as BERT has them
    "is_decoder": False,
    "add_cross_attention": False,
    "position_embedding_type": "absolute",
    "quantization_config": None,
}
USUAL = "name a model that save_pretrained wrote in safetensors, with its tokenizer"


def lacking_file(folder):
    """Say which file a model folder lacks, and what to do; None where it is whole."""
    for names in ["config.json"], [WEIGHTS], ["tokenizer.json", "vocab.txt"]:
        if not any((folder / name).is_file() for name in names):
            return f"holds no {' or '.join(names)}; {USUAL}"
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


def read_pretraining_model(folder):
    """Read encoder and heads; returns the model, {part: why it is not there} and notes.

    By `load_file`, from safetensors alone: where transformers is given the folder, it
    may also unpickle other files, and put adapters on the model.
    Of parts that are missing all weights are 0, but the pooler passes [CLS] on.
    """
    import torch
    from safetensors.torch import load_file
    from transformers import BertConfig, BertForPreTraining

    settings = _settings(folder)
    with damage_named(folder), quiet_transformers():
        base, report = BertForPreTraining.from_pretrained(
            None,
            config=BertConfig.from_dict(settings),
            state_dict=load_file(folder / WEIGHTS),
            use_safetensors=True,
            dtype=torch.float32,
            attn_implementation="eager",
            output_loading_info=True,
        )
    lost, odd = sorted(report["missing_keys"]), sorted(report["unexpected_keys"])
    if lack := [n for n in lost if n.startswith(("bert.embeddings", "bert.encoder"))]:
        raise ValueError(
            f"{folder} holds no whole BERT encoder: {lack[0]} is missing; load another"
        )
    if more := [name for name in odd if name.startswith(ENCODER)]:
        raise ValueError(
            f"{folder} holds {more[0]}, for which a BERT with its config.json has no "
            "place; load another model, or correct config.json"
        )
    missing = _fixed(base, lost)
    unused = sorted({name.split(".")[0] for name in odd})
    notes = {
        "without " + " and ".join(PARTS[part] for part in missing): missing,
        "tanh of [CLS] as it is stands for the pooler": "pooler" in missing,
        f"not used: {', '.join(unused)}": unused,
    }
    return base, missing, [note for note, holds in notes.items() if holds]


def _settings(folder):
    """Return the fields of config.json; ValueError unless they are of a plain BERT."""
    from transformers import BertConfig

    with damage_named(folder):
        settings = BertConfig.get_config_dict(folder)[0]
        kind = " ".join(str(settings.get("model_type", "nameless")).split())
    if kind != "bert":
        hint = ': if it is one, add "model_type": "bert" to its config.json'
        raise ValueError(
            f"{folder} is a {kind} model; this course needs a BERT"
            f"{hint * (kind == 'nameless')}"
        )
    for name, usual in PLAIN.items():
        if (found := settings.get(name, usual)) != usual:
            raise ValueError(
                f"config.json in {folder} has {name} {str(found):.50}; this course "
                f"needs a BERT with {usual}"
            )
    return settings


def _fixed(base, lost):
    """Set weights that no file held, and were drawn; returns {part: why it lacks}."""
    from torch.nn import init

    for name in lost:
        init.zeros_(base.get_parameter(name))
    missing = {part for part, place in HEADS.items() if place in " ".join(lost)}
    if "bert.pooler" in " ".join(lost):
        init.eye_(base.bert.pooler.dense.weight)
        init.zeros_(base.bert.pooler.dense.bias)
        missing |= {"nsp", "pooler"}  # that head reads the pooler
    why = "it was saved without; load a checkpoint pre-trained for both tasks"
    return {part: why for part in PARTS if part in missing}


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
