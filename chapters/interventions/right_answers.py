"""Right answers of the chapter by other ways than the solutions."""

import numpy as np
import torch


def right_1(names):
    bert = names["bert"]

    def by_hook(text, source, depth, place):
        """Reads all states of source, and puts one in while text runs."""
        encoder, embed = bert.model.encoder, bert.model.embeddings
        with torch.inference_mode():
            kept = bert.model(**bert.encode(source), output_hidden_states=True)
            module = embed if depth == 0 else encoder.layer[depth - 1].output

            def put_in(module, inputs, output):
                output = output.clone()
                output[0, place] = kept.hidden_states[depth][0, place]
                return output

            hook = module.register_forward_hook(put_in)
            try:
                return bert.model(**bert.encode(text)).last_hidden_state[0]
            finally:
                hook.remove()

    yield by_hook


def right_2(names):
    def by_mask(mixed, head, n_heads, other, seen):
        owner = np.arange(mixed.shape[-1]) // (mixed.shape[-1] // n_heads)
        mean = (other * seen[..., None]).sum(axis=(0, 1)) / seen.sum()
        return np.where(owner == head, mean, mixed)

    yield by_mask
