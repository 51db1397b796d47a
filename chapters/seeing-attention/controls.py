"""What "Seeing attention" holds its heads against: no words, no places, distances.

What the page teaches, how a head is scored, chosen and held out, stands in the page.
"""

import numpy as np
import torch

from chapters.seeing_attention.patterns import PAIRS, PATTERNS, head_scores
from helpers.attention import read_attention
from helpers.models import load_bert

AS_IT_IS, NO_WORDS, NO_PLACES = "as it is", "words made equal", "places made equal"
FARTHEST = 20  # places that an imaginary head looks on or back
SEARCHES = 199  # for moved targets
GRAMMAR = set(
    "a all at back below but by he his i in my of on our she some still the to up was "
    "were when with".split()
)


@torch.inference_mode()
def three_maps(bert, *texts):
    """Read a text, or a pair, as it is, without its words and without its places.

    Words made equal: each token has the mean of all their word vectors. Places made
    equal: each stands in the place of the first word. Returns {name: (layers, heads,
    n, n)}.

    >>> {name: of.shape for name, of in three_maps(bert, "A cat.").items()}
    {'as it is': (6, 12, 5, 5), 'words made equal': ..., 'places made equal': ...}
    """
    inputs = dict(bert.encode(*texts))
    ids = inputs.pop("input_ids")  # (1, n)
    words = bert.model.embeddings.word_embeddings(ids)  # (1, n, hidden)
    changes = {
        AS_IT_IS: {"input_ids": ids},
        NO_WORDS: {"inputs_embeds": words.mean(1, keepdim=True).expand_as(words)},
        NO_PLACES: {"input_ids": ids, "position_ids": torch.ones_like(ids)},
    }
    return {
        name: torch.stack(
            bert.model(**inputs, **change, output_attentions=True).attentions
        )[:, 0].float().cpu().numpy()
        for name, change in changes.items()
    }  # fmt: skip


def rows_kept(maps):
    """In how many rows of a head the darkest square stays without words. -> (l, h)"""
    return (maps[AS_IT_IS].argmax(-1) == maps[NO_WORDS].argmax(-1)).sum(-1)


def two_heads(maps):
    """The clearest head for the token before, and the one that words change most."""
    whole, blank = maps[AS_IT_IS], maps[NO_WORDS]
    before = np.diagonal(whole, -1, 2, 3).mean(-1)  # (layers, heads)
    shared = np.minimum(whole, blank).sum(-1).mean(-1)  # of the weight of a row
    changed = rows_kept(maps) + shared
    return tuple(
        tuple(map(int, np.unravel_index(place, before.shape)))
        for place in (before.argmax(), changed.argmin())
    )


def distance_scores(examples, pattern):
    """Scores of imaginary heads that look a fixed way off. -> (pairs, 1, distances)"""
    scores = []
    for one in examples:
        steps = range(-FARTHEST, FARTHEST + 1)
        heads = np.array([[np.eye(len(one.tokens), k=step) for step in steps]])
        scores.append(head_scores(heads, one.targets[pattern]))
    return np.stack(scores)


def try_patterns(bert, examples, best_head, held_out, moved_score):
    """Hold the head of each pattern against all controls, by the page's functions.

    Returns {pattern: {"head", "heads": chosen by each half, "score", "no words",
    "no places", "distance": of each pair, "moved": of each search, "steps"}}.
    """
    maps = [three_maps(bert, *pair[:2]) for pair in PAIRS]
    results = {}
    for pattern in PATTERNS:
        own, no_words, no_places = (
            np.stack([
                head_scores(map_[name], one.targets[pattern])
                for map_, one in zip(maps, examples, strict=True)
            ])
            for name in (AS_IT_IS, NO_WORDS, NO_PLACES)
        )  # fmt: skip
        far = distance_scores(examples, pattern)
        halves = np.arange(len(own)) % 2
        rng = np.random.default_rng(0)
        results[pattern] = {
            "head": best_head(own),
            "heads": [best_head(own[halves == part]) for part in (0, 1)],
            "score": held_out(own, own),
            "moved": [moved_score(pattern, rng) for _ in range(SEARCHES)],
            "no words": held_out(own, no_words),
            "no places": held_out(own, no_places),
            "distance": held_out(far, far),
            "steps": [best_head(far[halves == part])[1] - FARTHEST for part in (0, 1)],
        }
    return results


@torch.inference_mode()
def shares_of_special(bert, handed_over, share_that_arrives):
    """The share of [CLS] and [SEP] in what words get, for each pair and layer.

    handed_over, share_that_arrives: the page's. Returns {"weights", "arrives",
    "summed first"}, each (pairs, layers); summed first: where the vectors of all heads
    are added before their length is taken.
    """
    shares = {"weights": [], "arrives": [], "summed first": [], "[CLS]": []}
    for first, second, _ in PAIRS:
        reading = read_attention(bert, first, second)
        encoding, special = bert.encode(first, second), reading.special
        states = bert.model(**encoding, output_hidden_states=True).hidden_states
        rows = {name: [] for name in shares}
        for layer, weights in enumerate(reading.attention):
            handed = handed_over(states[layer][0], layer)
            given = weights[:, ~special].mean(axis=(0, 1))  # (tokens,)
            rows["weights"].append(given[special].sum())
            rows["[CLS]"].append(given[0])
            rows["arrives"].append(share_that_arrives(weights, handed, special))
            rows["summed first"].append(_summed(weights, handed.cpu(), special))
        for name, row in rows.items():
            shares[name].append(row)
    return {name: np.array(rows) for name, rows in shares.items()}


def _summed(weights, handed, special):
    vectors = torch.einsum("hin,hnd->ind", torch.tensor(weights), handed)
    brought = vectors.norm(dim=-1).numpy()[~special]  # (words, tokens)
    return brought[:, special].sum() / brought.sum()


def has_content(tokens):
    """True for each token that is a word and no word of grammar. -> (tokens,)"""
    return np.array([token.isalpha() and token not in GRAMMAR for token in tokens])


def largest_shares(products_of, layer, head):
    """For each word of the pairs: what the strongest number of the head gives.

    As a share of the lead, which is how much higher the word before scores than the
    mean of all other tokens. A lead that is not positive gives infinity.
    """
    shares = []
    for first, second, _ in PAIRS:
        products = products_of(layer, head, first, second).numpy()
        content = ~read_attention(load_bert(), first, second).special
        for i in np.flatnonzero(content[1:] & content[:-1]) + 1:
            lead = products[i, i - 1] - np.delete(products[i], i - 1, 0).mean(axis=0)
            shares.append(lead.max() / lead.sum() if lead.sum() > 0 else np.inf)
    return np.array(shares)
