"""What "Attention" says of this run: the numbers it prints, and when it is true."""

import math

import torch
import torch.nn.functional as F

from chapters.attention.two_kinds import (
    FRAMES,
    PLACES,
    apart,
    cosines_of,
    cosines_of_dog,
    nearest_is_own,
    stand_out,
    states_of,
    texts_of,
)
from helpers import glue
from helpers.verdicts import claim


def first_screen(bert, states, texts):
    ends = [text.split()[-1] for text in texts]
    last = cosines_of(states[-1])
    fish, ducks, loan = (ends.index(end) for end in ("fish", "ducks", "loan"))
    own = nearest_is_own(states[-1])
    glue("fish_ducks", float(last[fish, ducks]))
    glue("fish_loan", float(last[fish, loan]))
    glue("eight_stand_out", stand_out(states[-1]))
    claim(
        "one-bank-going-in",
        cosines_of(states[0]).min() > 0.9999,
        about="mathematics",
    )
    claim("two-kinds-coming-out", own == 8, f"So it is for {own} of 8.")
    start = FRAMES["bank"][0]
    claim(
        "only-the-end-differs",
        all(text.startswith(start) for text in texts) and len(set(texts)) == 8,
        about="data",
    )
    claim("course-model", "course model" in bert.name, f"Here {bert.name} runs.")


def plain(weights, pieces):
    kept = list(zip(pieces, weights.diagonal().tolist(), strict=True))
    meaning = {"old", "man", "sat", "bank", "river"}
    words = [share for piece, share in kept if piece in meaning]
    little = [share for piece, share in kept if piece not in meaning]
    bank, river = pieces.index("bank"), pieces.index("river")
    glue("bank_itself", float(weights[bank, bank]))
    glue("bank_from_river", float(weights[bank, river]))
    glue("of_itself", dict(kept)["of"])
    claim(
        "words-keep-themselves",
        len(words) == 5 and min(words) > 0.75 and max(little) < 0.5,
        f"The least of a word is {min(words):.2f}, the most of the others "
        f"{max(little):.2f}.",
    )


def by_hand(weights):
    glue("hand_river", float(weights[2, 0]))


def shares_by_width(n=200):
    """Mean weights of twelve keys, largest first: {width: (2, 12)}.

    The first row is of the bare products of random queries and keys, the second of
    the same divided by the root of the width.
    """
    generator = torch.Generator().manual_seed(0)
    askers, *others = torch.randn(13, n, 1024, generator=generator)
    sharing = {}
    for width in (4, 16, 64, 256, 1024):
        products = askers[:, :width] * torch.stack(others)[..., :width]
        raw = products.sum(dim=-1).T  # (n, 12)
        both = torch.stack([raw, raw / math.sqrt(width)]).softmax(dim=-1)
        sharing[width] = both.sort(descending=True).values.mean(dim=1)
    return sharing


def root(sharing):
    raw, divided = sharing[256][:, 0].tolist()
    glue("wide_raw", raw)
    glue("wide_divided", divided)
    claim(
        "one-key-takes-all",
        sharing[256][0, 0] > 0.85 and sharing[1024][0, 0] > 0.85,
        about="mathematics",
    )
    claim(
        "weights-stay-spread",
        max(both[1, 0] for both in sharing.values()) < 0.4,
        about="mathematics",
    )


def masked(seen):
    sums = torch.stack([*seen.values()]).sum(dim=-1)
    claim("rows-sum-to-one", (sums - 1).abs().max() < 1e-6, about="mathematics")


def late(before, after, query, both_keys, value, mask):
    """before, after: functions that mask before and after the softmax."""
    moved = []
    for function in (before, after):
        one, two = (function(query, k, value, mask)[0][1, :3] for k in both_keys)
        moved.append(float((one - two).abs().max()))
    claim(
        "batch-changes-vectors",
        moved[0] < 1e-6 and moved[1] > 0.05,
        f"They move by {moved}.",
        about="mathematics",
    )


def found_head(layer, head):
    glue("water_layer", layer)
    glue("water_head", head)


def water_head(heard, n):
    """heard: {(word that asks, word at the end): weight}; n: pieces of a sentence."""
    water = [heard["bank", end] for end in ("river", "lake", "sea", "stream")]
    others = [heard["bank", end] for end in ("town", "field", "house", "money", "debt")]
    for (asks, end), weight in heard.items():
        glue(f"{asks}_{end}", weight)
    found = f"Of water the least is {min(water):.2f}, else the most {max(others):.2f}."
    claim("hears-water", min(water) > max(0.2, 1.3 * max(others)), found)
    claim(
        "money-unheard",
        max(heard["bank", "money"], heard["bank", "debt"]) < 1 / n
        and min(water) > 2 / n,
        found,
    )
    claim(
        "house-asks-not",
        heard["house", "river"] < 1 / n < 0.5 < heard["bank", "river"],
        f"It gives {heard['house', 'river']:.2f}.",
    )


def seven_words(bert, states):
    """states: {word: (layers + 1, 8, hidden)}"""
    first, last = (
        {word: stand_out(of[layer]) for word, of in states.items()} for layer in (1, -1)
    )
    gaps = {word: (apart(of[1]), apart(of[-1])) for word, of in states.items()}
    own = {word: nearest_is_own(of[-1]) for word, of in states.items()}
    glue("bank_first", first["bank"])
    glue("bank_last", last["bank"])
    glue("pitcher_last", last["pitcher"])
    glue("own_of_all", sum(own.values()))
    counts = [_at_places(bert, place) for place in PLACES]
    claim(
        "bank-parts",
        all(late > max(8, early) for early, late in counts),
        f"With the eight places: {counts}.",
    )
    claim(
        "bank-is-clearest",
        last["bank"] > max(n for word, n in last.items() if word != "bank"),
        f"After the last layer: {last}.",
    )
    claim(
        "further-apart",
        all(late > early + 0.005 for early, late in gaps.values()),
        f"First and last: {gaps}.",
    )


def _at_places(bert, place):
    texts = [text.replace("near", place) for text in texts_of("bank")]
    states = states_of(bert, "bank", texts)
    return stand_out(states[1]), stand_out(states[-1])


PAIRS = [("dog", "man"), ("cat", "girl"), ("boy", "girl"), ("horse", "farmer")]
PAIRS += [("king", "queen")]
VERBS = ("bit", "saw", "loved", "chased")


def _moved(bert, one, other, verb):
    """Cosines of `one` with itself: roles exchanged, and another word at the end."""
    straight, swapped, woman = (
        states_of(bert, one, [text])[-1, 0]
        for text in (
            f"the {one} {verb} the {other}",
            f"the {other} {verb} the {one}",
            f"the {one} {verb} the woman",
        )
    )
    return [F.cosine_similarity(straight, v, dim=0).item() for v in (swapped, woman)]


def order(bert, vector_of_dog, texts):
    """texts: a first sentence, roles exchanged, another word, a word in front."""
    swapped, woman, late = cosines_of_dog(vector_of_dog, texts, same_place=False)
    blind = cosines_of_dog(vector_of_dog, texts, same_place=True)
    many = [_moved(bert, *pair, verb) for pair in PAIRS for verb in VERBS]
    n = sum(exchanged > other for exchanged, other in many)
    glue("dog_swapped", swapped)
    glue("dog_woman", woman)
    glue("dog_yesterday", late)
    glue("n_other_word_more", n)
    claim(
        "dogs-are-one",
        blind[0] > 0.999995 and max(blind[1:]) < 0.99999,
        f"Without places: {blind}.",
        about="mathematics",
    )
    claim(
        "roles-hardly-show",
        swapped > woman + 0.03 and n > len(many) / 2,
        f"Exchanged {swapped:.3f}, another word {woman:.3f}; in {n} of {len(many)}.",
    )


def start(table, widths):
    raw, scaled = table["raw"], table["divided by the root"]
    slopes = scaled.slope / raw.slope
    glue("cut_variance", float(raw.variance.iloc[-1]))
    glue("start_variance", float(raw.variance.iloc[-2]))
    glue("cut_ratio", float(slopes.iloc[-1]))
    glue("start_ratio", float(slopes.iloc[-2]))
    glue("widest_ratio", float(slopes.loc[1024]))
    glue("widest_slope", float(raw.slope.loc[1024]))
    claim(
        "variance-follows-width",
        all(abs(raw.variance[width] / width - 1) < 0.2 for width in widths),
        about="mathematics",
    )
    claim(
        "divided-near-one",
        all(abs(scaled.variance[width] - 1) < 0.2 for width in widths),
        about="mathematics",
    )
    claim(
        "mean-helps-less",
        slopes.loc[1024] > 3 * slopes.iloc[-2:].max(),
        about="mathematics",
    )


def equal(output, theirs, weights, their_weights):
    claim(
        "layer-is-models",
        torch.allclose(output, theirs, atol=1e-4)
        and torch.allclose(weights, their_weights, atol=1e-4),
        about="mathematics",
    )


def agrees(gaps):
    claim(
        "flash-agrees",
        max(gaps.values()) < 1e-5,
        f"The gaps are {gaps}.",
        about="mathematics",
    )


def little_words(little):
    alone = int((little[0] > little[1].max() + 0.001).sum())
    glue("ends_clear", alone)
    claim("part-bank-anyway", alone > 8, f"{alone} of 12 do.")
