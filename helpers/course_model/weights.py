"""The files of the course model in training: adapter, heads and settings."""

import json
import tempfile
from pathlib import Path


def save(model, out, settings):
    """Write adapter, heads (half precision) and settings; replaces all or nothing.

    The adapter of `model` itself becomes half precision. Deletes scores.json, the
    scores of the weights that were there before.
    """
    from safetensors.torch import save_file

    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    model.encoder.peft_config["default"].base_model_name_or_path = ""  # else a path
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=out.name) as unfinished:
        unfinished = Path(unfinished)
        model.encoder.half().save_pretrained(unfinished)
        (unfinished / "README.md").unlink(missing_ok=True)  # peft's empty model card
        save_file(_heads(model), unfinished / "heads.safetensors")
        (unfinished / "settings.json").write_text(json.dumps(settings, indent=2) + "\n")
        (out / "scores.json").unlink(missing_ok=True)
        for file in unfinished.iterdir():
            file.replace(out / file.name)


def _heads(model):
    heads = {f"cls.{name}": tensor for name, tensor in model.heads.state_dict().items()}
    del heads["cls.predictions.decoder.weight"]  # tied to the word embeddings
    pooler = model.encoder.base_model.model.pooler.state_dict()
    heads |= {f"bert.pooler.{name}": tensor for name, tensor in pooler.items()}
    return {name: tensor.half().contiguous() for name, tensor in heads.items()}


def earlier_settings(start, rank):
    """Read the settings of an earlier training, which one of `rank` continues.

    Raises ValueError where there are no settings, or the earlier rank is higher.
    """
    try:
        earlier = json.loads((Path(start) / "settings.json").read_text())
    except (OSError, ValueError) as error:
        raise ValueError(f"{start} holds no trained course model to go on from") from (
            error
        )
    if earlier["rank"] > rank:
        raise ValueError(f"{start} has rank {earlier['rank']}; ask for that or more")
    return earlier


def load_weights(model, folder):
    """Put the adapter and heads that `save` wrote to `folder` into `model`.

    An adapter of a lower rank fills the first of the model's ranks; the others keep
    their new weights, which add nothing before they are trained. Raises ValueError
    where the weights do not fit.
    """
    from peft import get_peft_model_state_dict, set_peft_model_state_dict
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        adapter = load_file(Path(folder) / "adapter_model.safetensors")
        heads = load_file(Path(folder) / "heads.safetensors")
        fresh = get_peft_model_state_dict(model.encoder)
        set_peft_model_state_dict(model.encoder, _widen(adapter, fresh))
        pooler = model.encoder.base_model.model.pooler
        pooler.load_state_dict(_below("bert.pooler.", heads))
        heads = _below("cls.", heads)
        # the decoder is the table of word embeddings
        heads["predictions.decoder.weight"] = model.heads.predictions.decoder.weight
        model.heads.load_state_dict(heads)
    except (OSError, KeyError, RuntimeError, SafetensorError) as error:
        raise ValueError(f"the weights in {folder} cannot be read or do not fit") from (
            error
        )


def _widen(adapter, fresh):
    """Put each matrix of a LoRA adapter over the first ranks of the new one's."""
    wide = {name: fresh[name].clone() for name in adapter}
    for name, matrix in adapter.items():
        if "lora_A" in name:
            wide[name][: len(matrix)].copy_(matrix)
        else:
            wide[name][:, : matrix.shape[1]].copy_(matrix)
    return wide


def _below(prefix, tensors):
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in tensors.items()
        if name.startswith(prefix)
    }
