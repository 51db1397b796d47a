"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np
import torch

from helpers.attention import heads_off


def wrong_1(names):
    run, depths_of = names["run"], names["depths_of"]
    bert, layers = names["bert"], names["layers"]

    def patched(text, source, depth, place):
        ids = torch.cat([bert.encode(t)["input_ids"] for t in (text, source)])
        seen = torch.ones_like(ids)
        states = depths_of(ids, seen)[depth].clone()
        states[0, place] = states[1, place]
        return run(states, seen, layers[depth:])[0]

    def states_of(text):
        ids = bert.encode(text)["input_ids"]
        return depths_of(ids, torch.ones_like(ids))

    def late(text, source, depth, place):
        last = states_of(text)[-1][0].clone()
        last[place] = states_of(source)[depth][0, place]
        return last

    def early(text, source, depth, place):
        return patched(text, source, max(depth - 1, 0), place)

    def not_at_depth_0(text, source, depth, place):
        return patched(text, source if depth else text, depth, place)

    def not_at_place_0(text, source, depth, place):
        return patched(text, source if place else text, depth, place)

    yield lambda text, source, depth, place: states_of(text)[-1][0], "untouched"
    yield not_at_depth_0, "depth 0"
    yield not_at_place_0, "place 0"
    yield lambda text, source, depth, place: states_of(source)[-1][0], "of source"
    yield lambda t, s, depth, place: patched(s, t, depth, place), "other way"
    yield lambda t, s, depth, place: patched(t, s, depth, ...), "at every place"
    yield lambda t, s, depth, place: patched(t, s, depth, place + 1), "place is off"
    yield early, "depth is off by one"
    yield late, "Do the remaining layers run"
    yield lambda t, s, d, p: patched(t, s, d, p)[p], "(tokens, hidden)"
    yield lambda t, s, d, p: patched(t, s, d, p) * 1.1, "is another one"


def wrong_2(names):
    def without(mixed, head, n_heads, rows):
        width = mixed.shape[-1] // n_heads
        own = slice(head * width, (head + 1) * width)
        new = mixed.copy()
        new[..., own] = rows[..., own].mean(axis=tuple(range(rows.ndim - 1)))
        return new

    def zero(mixed, head, n_heads, other, seen):
        return without(mixed, head, n_heads, 0 * other)

    def single(mixed, head, n_heads, other, seen):
        width = mixed.shape[-1] // n_heads
        own = slice(head * width, (head + 1) * width)
        new = mixed.copy()
        new[..., own] = other[seen == 1][:, own].mean()
        return new

    def strided(mixed, head, n_heads, other, seen):
        new = mixed.copy()
        new[..., head::n_heads] = other[seen == 1][:, head::n_heads].mean(axis=0)
        return new

    def by_text(mixed, head, n_heads, other, seen):
        rows = [o[s == 1].mean(axis=0) for o, s in zip(other, seen, strict=True)]
        return without(mixed, head, n_heads, np.array(rows))

    def all_heads(mixed, head, n_heads, other, seen):
        return np.broadcast_to(other[seen == 1].mean(axis=0), mixed.shape).copy()

    def padding_as_zero(mixed, head, n_heads, other, seen):
        return without(mixed, head, n_heads, other * seen[..., None])

    def total(mixed, head, n_heads, other, seen):
        return without(mixed, head, n_heads, other[seen == 1] * seen.sum())

    def too_short(mixed, head, n_heads, other, seen):
        return without(mixed, head, n_heads, other[seen == 1]).round(2)

    yield lambda m, h, n, o, s: without(m, h, n, o), "Padding is in the mean"
    yield padding_as_zero, "divide by the number of tokens that count"
    yield total, "This is the sum"
    yield too_short, "three decimals"
    yield lambda m, h, n, o, s: without(m, h, n, m), "over the tested texts"
    yield lambda m, h, n, o, s: m.copy(), "Nothing has changed"
    yield lambda m, h, n, o, s: without(m, h - 1, n, o[s == 1]), "counted from 0"
    yield zero, "put the mean there"
    yield single, "each has its own"
    yield strided, "a head owns neighbours"
    yield by_text, "each token counts alike"
    yield all_heads, "change one"
    yield lambda m, h, n, o, s: m[..., :2], "Like mixed"
    yield lambda m, h, n, o, s: without(m, h, n, o[s == 1]) + 1, "is not mixed with"


def wrong_3(names):
    bert, measure = names["bert"], names["word_log_probability"]
    text, word, head = "She drank a cup of [MASK].", "tea", (0, 2)
    others = [(layer, 3) for layer in range(bert.n_layers)]
    others += [(layer, 7) for layer in range(10 - len(others))]
    intact = measure(text, word)

    def value(*heads, word=word):
        with heads_off(bert, heads):
            return measure(text, word)

    def with_word(word):
        """All that is asked, measured as it should be, for another word."""
        own, *rest = (value(h, word=word) - value(word=word) for h in [head, *others])
        return right | {"word": word, "change": own, "other_changes": rest}

    changes = [value(other) - intact for other in others]
    right = {
        "sentence": text,
        "word": word,
        "head": head,
        "change": value(head) - intact,
        "others": others,
        "other_changes": changes,
    }
    probability = np.exp(value(head)) - np.exp(intact)
    together = [value(*others[: i + 1]) - intact for i in range(10)]
    yield right | {"change": -right["change"]}, "sign is turned"
    yield right | {"change": value(head)}, "subtract"
    yield right | {"change": probability}, "not of its log"
    yield right | {"change": right["change"] + 1}, "not what this model gives"
    all_changes = np.array([right["change"], *changes])

    def changed(values):
        return right | {"change": values[0], "other_changes": values[1:]}

    yield changed(-all_changes), "sign is turned"
    yield changed(abs(all_changes)), "turned"
    yield changed(all_changes + intact), "subtract"
    yield changed(np.exp(all_changes + intact) - np.exp(intact)), "not of its log"
    yield changed(all_changes / np.log(2)), "natural ones"
    yield changed(all_changes / np.log(10)), "natural ones"
    yield changed(100 * all_changes), "per cent"
    yield changed(all_changes.round(1)), "three decimals"
    yield changed(0 * all_changes), "change is 0"
    yield right | {"other_changes": [0.0] * 10}, "still on"
    yield right | {"other_changes": changes[:1] * 10}, "are one number"
    yield right | {"change": value((2, 0)) - intact}, "head 0 of layer 2 does"
    from_one = right | {"head": (1, 4), "change": value((0, 3)) - intact}
    yield from_one, "counted from 0"
    yield right | {"other_changes": changes[::-1]}, "same order"
    yield right | {"other_changes": together}, "one at a time"
    yield right | {"other_changes": changes[:3]}, "Expected 10 other_changes"
    yield right | {"other_changes": changes[:9] + ["none"]}, "must be a number"
    yield right | {"others": [head, *others[1:]]}, "its own control"
    yield right | {"others": others[:1] * 10}, "same head twice"
    yield right | {"others": others[:4]}, "Expected 10 other heads"
    yield right | {"head": (bert.n_layers, 0)}, "There is no head"
    yield right | {"head": 4}, "a pair (layer, head)"
    yield right | {"others": [*others[:9], 7]}, "others[9] must be"
    yield right | {"others": [*others[:9], (-1, 0)]}, "others[9]"
    yield right | {"word": "Tea-time"}, "a word of one piece"
    yield with_word("##s"), "a word of one piece"
    yield with_word("[UNK]"), "a word of one piece"
    yield right | {"sentence": "She drank tea."}, "exactly one [MASK]"
    yield [1, 2], "Pass a dict"
