"""The sentences of "Word senses": read, and joined to texts of two."""

import numpy as np
import pandas as pd
import torch

from helpers.embeddings import piece_states

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
    """Return rows, and for each its partner: a row of its word in another sense.

    Partners are each other's: the second half of the rows are the partners of the
    first. A row that finds none, as where most are of one sense, is left out.
    """
    halves = [], []
    for _, part in rows.sample(frac=1, random_state=seed).groupby("word", sort=False):
        part = part.sort_values("sense", kind="stable")
        half = len(part) // 2
        two = part.iloc[:half], part.iloc[len(part) - half :]
        apart = two[0].sense.to_numpy() != two[1].sense.to_numpy()
        for kept, found in zip(halves, two, strict=True):
            kept.append(found[apart])
    first, second = halves
    return (
        pd.concat(first + second, ignore_index=True),
        pd.concat(second + first, ignore_index=True),
    )


def as_it_stands(words, place):
    """The change that changes nothing."""
    return words


def joined(own, other, change):
    """Return the texts of two partners each, and where the word of each row stands.

    own, other: from `pairs`, n rows. change: what is done to each sentence. Row i
    stands in text i modulo n / 2; in every second text its partner comes first.
    """
    half = len(own) // 2
    texts, places = [], np.empty(len(own), int)
    for turn in range(half):
        two = [
            change(rows.sentence[turn], rows.word_pos[turn]) for rows in (own, other)
        ]
        second = turn % 2  # whether the first half's sentence comes second
        texts.append([*two[second], *two[1 - second]])
        places[turn] = own.word_pos[turn] + second * len(two[1])
        places[half + turn] = other.word_pos[turn] + (1 - second) * len(two[0])
    return texts, places


def read_both(bert, texts, places):
    """Return the last layer's vectors (n, hidden) of the words that `joined` placed.

    Each text is read once, for both of its words.
    """
    encodings = [bert.tokenizer(words, is_split_into_words=True) for words in texts]
    states = piece_states(bert, encodings)
    vectors = []
    for row, place in enumerate(places):
        text = row % len(texts)
        of_word = [number == place for number in encodings[text].word_ids()]
        vectors.append(states[text][of_word].mean(axis=0))
    return np.array(vectors)
