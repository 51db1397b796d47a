"""PyTorch with heads off, a column closed, a word patched, and weights of 8 bits."""

import copy
from contextlib import contextmanager

import torch

from build_tools.live.graph import RUN, WORD_RUN, eight_bit_rows, run_of
from helpers.attention import heads_off


@torch.inference_mode()
def touched_logits(bert, text, second="", off=(), closed=None, place=None, after=0):
    """The logits of all places, (n, vocabulary), of a touched run.

    off: (layer, head) pairs. closed: a place that nobody looks at. place: its state
    after `after` layers is that of the second text.
    """
    encoding = bert.encode(text)
    open_places = torch.ones_like(encoding["input_ids"])
    if closed is not None:
        open_places[0, closed] = 0
    encoding["attention_mask"] = open_places
    with patched(bert, second, place, after), heads_off(bert, off):
        return bert.mlm(**encoding).logits[0]


@contextmanager
def patched(bert, second, place, after):
    if place is None:
        yield
        return
    output = bert.model(**bert.encode(second), output_hidden_states=True)
    state = output.hidden_states[after][0, place]

    def put(module, inputs, output):
        states = output[0] if isinstance(output, tuple) else output
        states[0, place] = state

    model = bert.model
    modules = [model.embeddings, *model.encoder.layer]
    hook = modules[after].register_forward_hook(put)
    try:
        yield
    finally:
        hook.remove()


def with_eight_bits(bert):
    """A copy of a Bert with the rounded weights that the live page loads."""
    bert = copy.deepcopy(bert)
    table = bert.model.embeddings.word_embeddings.weight
    for part in (bert.model.encoder, bert.mlm.cls):
        for module in part.modules():
            if isinstance(module, torch.nn.Linear) and module.weight is not table:
                round_rows(module.weight, RUN)
    round_rows(table, WORD_RUN)
    return bert


def round_rows(weight, run):
    rows = weight.detach().reshape(-1, run_of(weight.shape[1], run))
    values, scales = eight_bit_rows(rows.cpu().numpy())
    rounded = torch.from_numpy(values * scales[:, None])
    weight.data.copy_(rounded.reshape(weight.shape))
