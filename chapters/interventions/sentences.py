"""The sentences of "From looking to causing": read once, with the places they have."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch

from helpers import DATA

BESIDE = r" (wall|picture|hill|lake) "  # the noun beside the verb


@dataclass
class Sentences:
    """Sentences in pairs, singular and plural; each row's partner is the other one.

    ids, seen: (texts, tokens). mask, noun: where [MASK] and the subject stand. sign: 1
    for a singular subject, -1 for a plural one; beside: the same for the noun beside
    the verb. nouns: which noun each has. places: {name: (texts, tokens) booleans}, no
    token in two of them and none left out.
    """

    texts: list
    ids: torch.Tensor
    seen: torch.Tensor
    mask: torch.Tensor
    noun: torch.Tensor
    rows: torch.Tensor
    partner: torch.Tensor
    sign: np.ndarray
    beside: np.ndarray
    nouns: list
    places: dict


def agreement(bert):
    """Return the known sentences, the new ones, and all that are not known.

    Known: ten nouns in two frames. New: ten other nouns in two other frames.
    """
    items = pd.read_csv(DATA / "was-were.tsv", sep="\t")
    beside = 1 - 2 * ((items["noun"] // 2 + items["frame"]) % 2)
    many = items["text"].str.replace(BESIDE, r" \1s ", regex=True)
    items["text"] = items["text"].where(beside == 1, many)
    items["beside"] = beside
    even, early = items["noun"] % 2 == 0, items["frame"] < 2
    parts = even & early, ~even & ~early, ~(even & early)
    return [_read(bert, items[part]) for part in parts]


def _read(bert, items):
    texts = items["text"].tolist()
    encoding = bert.tokenizer(texts, padding=True, return_tensors="pt")
    ids, seen = (
        encoding[key].to(bert.device) for key in ("input_ids", "attention_mask")
    )
    rows = torch.arange(len(texts), device=ids.device)
    partner = rows ^ 1  # dog 0, dogs 1, cat 2, cats 3: the last bit turned
    mask = _first(ids == bert.tokenizer.mask_token_id)
    noun = _first(ids != ids[partner])  # where the two of a pair differ
    places = _places(ids.shape[1], seen, mask, noun)
    labels = (items[key].to_numpy() for key in ("sign", "beside"))
    nouns = items["noun"].tolist()
    return Sentences(
        texts, ids, seen, mask, noun, rows, partner, *labels, nouns, places
    )


def _first(found):
    return found.int().argmax(dim=1)


def _places(width, seen, mask, noun):
    at = torch.arange(width, device=seen.device)[None]
    mask, noun = mask[:, None], noun[:, None]
    last = seen.sum(dim=1)[:, None] - 3  # before the full stop and [SEP]
    places = {
        "the subject": at == noun,
        "the word before it": at == noun - 1,
        "the noun beside the verb": at == mask - 1,
        "[MASK]": at == mask,
        "the last word": at == last,
        "[CLS]": (at == 0) & seen.bool(),
    }
    named = torch.stack(list(places.values())).any(dim=0)
    return places | {"all other places": seen.bool() & ~named}
