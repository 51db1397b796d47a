"""The sentences of "Word senses": read, and joined to texts of two."""

import numpy as np
import torch

BATCH = 24  # sentences of about one length, so that little is padding


@torch.inference_mode()
def read(bert, rows):
    """Return the vectors of the words and, in the last layer, those of the slip.

    The words' are those of `embed_words`, all layers: (n, layers + 1, hidden). The slip
    takes the word's index for that of a piece: (n, hidden). One reading gives both.
    """
    vectors = np.empty((len(rows), bert.n_layers + 1, bert.hidden_size), np.float32)
    slips = np.empty((len(rows), bert.hidden_size), np.float32)
    order = rows.sentence.map(len).to_numpy().argsort(kind="stable")
    for start in range(0, len(order), BATCH):
        at = order[start : start + BATCH]
        part = rows.iloc[at]
        batch = bert.tokenizer(
            part.sentence.tolist(),
            is_split_into_words=True,
            padding=True,
            return_tensors="pt",
        ).to(bert.device)
        states = bert.model(**batch, output_hidden_states=True).hidden_states
        states = torch.stack(states, dim=2).cpu().numpy()  # rows, pieces, layers, ...
        for row, place in enumerate(part.word_pos):
            of_word = [number == place for number in batch.word_ids(row)]
            vectors[at[row]] = states[row, of_word].mean(axis=0)
            slips[at[row]] = states[row, place, -1]
    return vectors, slips


def pairs(rows, seed=0):
    """Return the rows, and for each another row of its word in another sense.

    A row whose word has no other sense among them is left out.
    """
    rng = np.random.default_rng(seed)
    found = [
        (i, rng.choice(others))
        for i, row in rows.iterrows()
        if len(
            others := rows.index[(rows.word == row.word) & (rows.sense != row.sense)]
        )
    ]
    return [
        rows.loc[list(part)].reset_index(drop=True) for part in zip(*found, strict=True)
    ]


def as_it_stands(words, place):
    """The change that changes nothing."""
    return words


def joined(own, other, change):
    """Return texts of two sentences each, and where the word of the own one stands.

    own, other: rows of the same length. change: what is done to both sentences. The own
    sentence comes first in every second text, and last in the others.
    """
    texts, places = [], []
    for turn in range(len(own)):
        two = [
            change(rows.sentence[turn], rows.word_pos[turn]) for rows in (own, other)
        ]
        texts.append([*two[turn % 2], *two[1 - turn % 2]])
        places.append(own.word_pos[turn] + turn % 2 * len(two[1]))
    return texts, places
