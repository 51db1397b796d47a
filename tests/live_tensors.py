"""All that BERT computes on its way from a text to a guess, read by PyTorch's hooks."""

import numpy as np
import torch

from build_tools.live.graph import EMBEDDED, OF_A_LAYER


@torch.inference_mode()
def tensors(bert, *texts):
    """Return {name: array} of a text or pair, named as the live model's outputs.

    EMBEDDED (n, hidden); OF_A_LAYER (layers, n, width); `attention` (layers, heads, n,
    n); `states` (layers + 1, n, hidden).
    """
    found = {}

    def keep(name, values):
        found.setdefault(name, []).append(values[0].cpu().numpy())

    encoding = bert.encode(*texts)
    hooks = [
        hook
        for name, module, at_input in _places(bert.model)
        for hook in [
            module.register_forward_hook(
                lambda _, given, result, name=name, at_input=at_input: keep(
                    name, given[0] if at_input else result
                )
            )
        ]
    ]
    try:
        output = bert.model(
            **encoding, output_attentions=True, output_hidden_states=True
        )
    finally:
        for hook in hooks:
            hook.remove()
    told = {name: found[name][0] for name in EMBEDDED}
    told |= {name: np.stack(found[name]) for name in OF_A_LAYER}
    told["attention"] = torch.stack(output.attentions)[:, 0].cpu().numpy()
    told["states"] = torch.stack(output.hidden_states)[:, 0].cpu().numpy()
    return told


@torch.inference_mode()
def read_by_head(bert, states):
    """Return the head's `transformed` rows (k, hidden) and `logits` (k, vocabulary)."""
    head = bert.mlm.cls.predictions
    rows = head.transform(torch.tensor(states, device=bert.device))
    return rows.cpu().numpy(), head.decoder(rows).cpu().numpy()


def _places(model):
    """Where each tensor is read: name, module, whether it is what goes in."""
    tables = model.embeddings
    yield "words", tables.word_embeddings, False
    yield "segments_added", tables.token_type_embeddings, False
    yield "places_added", tables.position_embeddings, False
    for layer in model.encoder.layer:
        for name in ("query", "key", "value"):
            yield name, getattr(layer.attention.self, name), False
        yield "mixed", layer.attention.output.dense, True
        yield "projected", layer.attention.output.dense, False
        yield "between", layer.attention.output, False
        yield "wide", layer.intermediate, False
        yield "narrow", layer.output.dense, False
