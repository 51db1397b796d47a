"""The page's training, run once to its end: the network after some of its steps.

`snapshots.gz` holds the weights in 8 bits; `experiments/pretraining_seeds.py` makes it,
with the cells of the page.
"""

import gzip
import json
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from transformers import BertConfig, BertForPreTraining, BertTokenizer

FILE = Path(__file__).parent / "snapshots.gz"


def unpacked(data):
    """Return what `learning.packed` was given: {name: array} each, and what is told.

    >>> from chapters.pretraining.learning import packed
    >>> unpacked(packed([{"w": np.eye(2)}], {"steps": [0]}))[0][0]["w"].tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    content = gzip.decompress(data)
    start = 4 + int.from_bytes(content[:4], "little")
    about = json.loads(content[4:start])
    rows = sum(n for _, n, _ in about["weights"])
    scales = np.frombuffer(content, np.float32, rows, start)
    change = np.frombuffer(content, np.int8, offset=start + 4 * rows)
    change = change.reshape(about["snapshots"], -1)
    whole = np.cumsum(change, axis=0, dtype=np.int8)  # 8 bits wrap around
    states, at, row = [{} for _ in whole], 0, 0
    for name, n, m in about["weights"]:
        for state, values in zip(states, whole[:, at : at + n * m], strict=True):
            state[name] = values.reshape(n, m) * scales[row : row + n, None]
        at, row = at + n * m, row + n
    return states, about


def weights_of(network):
    """What is kept of a network: {name: array}, without the tied copy of its table."""
    return {
        name: weight.numpy().copy()
        for name, weight in network.state_dict().items()
        if "decoder" not in name
    }


class Training:
    """The networks of the kept training.

    >>> kept = Training()
    >>> kept.network(kept.steps[-1]).training
    False
    """

    def __init__(self, file=FILE):
        self._states, self.about = unpacked(file.read_bytes())
        self.steps = self.about["steps"]
        self._networks = {}

    @cached_property
    def tokenizer(self):
        pieces = self.about["pieces"]
        return BertTokenizer(vocab={piece: i for i, piece in enumerate(pieces)})

    def network(self, step):
        """Return the network after a step, always the same object for the same step."""
        if step not in self._networks:
            config = BertConfig(**self.about["config"], attn_implementation="eager")
            network = BertForPreTraining(config).eval()
            own = network.state_dict()
            for name, weight in self._states[self.steps.index(step)].items():
                own[name].copy_(torch.tensor(weight).reshape(own[name].shape))
            self._networks[step] = network
        return self._networks[step]

    def for_the_live_page(self):
        """The weights as `live/model/learner.js` reads them: the words' half alone."""
        return [
            {
                name.split(".", 1)[1]: weight
                for name, weight in state.items()
                if "pooler" not in name and "relationship" not in name
            }
            for state in self._states
        ]


@torch.inference_mode()
def shares_at_mask(network, tokenizer, texts):
    """Return the probabilities of all pieces at the [MASK] of each text: (n, V)."""
    encoding = tokenizer(texts, padding=True, return_tensors="pt")
    at = encoding["input_ids"] == tokenizer.mask_token_id
    hidden = network.bert(**encoding).last_hidden_state[at]
    return network.cls.predictions(hidden).softmax(-1).numpy()
