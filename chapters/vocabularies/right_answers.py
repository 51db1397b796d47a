"""Right answers by other ways than the solutions: a merge, scores, texts."""

import re
from collections import Counter, OrderedDict
from itertools import pairwise

import numpy as np


def _pairs(cuts):
    pairs = Counter()
    for cut, n in cuts.items():
        pairs.update([*pairwise(cut)] * n)
    return pairs


def _by_pattern(cuts):
    if not (pairs := _pairs(cuts)):
        return cuts
    best = sorted(pairs, key=lambda pair: (-pairs[pair], pair))[0]
    both = re.compile(rf"(?<!\S){re.escape(' '.join(best))}(?!\S)")
    return {
        tuple(both.sub("".join(best), " ".join(cut)).split()): n
        for cut, n in cuts.items()
    }


def right_1(names):
    yield _by_pattern
    yield lambda cuts: OrderedDict(reversed(_by_pattern(cuts).items()))


def _by_counter(cuts):
    single = Counter(piece for cut, n in cuts.items() for piece in cut * n)
    return Counter(
        {
            (a, b): np.float64(n) / single[a] / single[b]
            for (a, b), n in _pairs(cuts).items()
        }
    )


def right_2(names):
    yield _by_counter


def right_3(names, answer):
    learned, tried, _ = answer.values()
    yield answer | {"learned_on": learned.upper(), "tried_on": f"\n{tried.upper()} "}
    yield _measured(names, "“No!” ‘Why?’ (It's “a-b-c”.) " * 12, "Oh! – “No–no”! " * 15)
    learned = (
        "我们今天去公园散步，天气非常好，很多人都在那里玩。老人坐在长椅上聊天。" * 60
    )
    tried = "昨天我们在学校里学习，老师给我们讲了一个很长的故事，大家都很高兴。" * 25
    yield _measured(names, learned, tried)


def _measured(names, learned, tried):
    """As a student does it, with the functions of the page."""
    low, words = learned.lower(), names["words"](tried.lower())
    counts = Counter(names["words"](low))
    letters = sorted(set("".join(counts)))
    merges = list(names["learn"](counts, names["frequent"], 200))
    found = [names["by_joining"](merges[:n], letters) for n in (0, 50, 100, 200)]
    values = [len(cut(tried.lower())) / len(words) for cut in found]
    return {"learned_on": learned, "tried_on": tried, "pieces_a_word": values}
