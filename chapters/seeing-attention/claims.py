"""What "Seeing attention" says of this run: the numbers it prints, and when it is true.

One function for each hidden cell. A claim's name is the one that its sentence carries
in the page; its condition is as strict as the words, and holds the control as well.
"""

import numpy as np

from chapters.seeing_attention.controls import (
    AS_IT_IS,
    NO_PLACES,
    NO_WORDS,
    rows_kept,
)
from chapters.seeing_attention.patterns import PAIRS, PATTERNS
from helpers import glue
from helpers.attention import read_attention
from helpers.verdicts import AHEAD, LEVEL, claim, compare

NEXT, PREVIOUS, SIMILAR, ELSEWHERE, PREDICTIVE, DELIMITER = PATTERNS


def clearest_head(tokens, maps, head):
    whole, blank, placeless = (maps[n][head] for n in (AS_IT_IS, NO_WORDS, NO_PLACES))
    rows = np.arange(1, len(tokens))  # all that have a token before them
    before, alone = whole[rows, rows - 1], blank[rows, rows - 1]
    verb, after = tokens.index("sat"), tokens.index("on")
    stays = (whole.argmax(-1) == blank.argmax(-1)).all()
    onto_verb = int((placeless.argmax(-1) == verb).sum())
    glue("n_heads_all", maps[AS_IT_IS][..., 0, 0].size)
    glue("sat_cat", float(whole[verb, verb - 1]))
    glue("sat_cat_blank", float(blank[verb, verb - 1]))
    glue("cat_the_placeless", float(placeless[verb - 1, verb - 2]))
    glue("on_sat_placeless", float(placeless[after, verb]))
    claim("before", bool(before.min() > 0.95), f"The least is {before.min():.2f}.")
    claim(
        "places-alone",
        bool(stays and before.min() > 0.95 and alone.min() > 0.95),
        f"Without words the least is {alone.min():.2f}.",
    )
    claim(
        "one-place",
        bool(
            onto_verb >= len(tokens) - 1
            and placeless[after].argmax() == verb
            and before.min() > 0.95
        ),
        f"{onto_verb} rows look most at it.",
    )


def other_head(tokens, maps, head):
    whole, blank, placeless = (maps[n][head] for n in (AS_IT_IS, NO_WORDS, NO_PLACES))
    noun, verb = tokens.index("cat"), tokens.index("sat")
    looks = [int((one.argmax(-1) == noun).sum()) for one in (whole, blank, placeless)]
    kept = rows_kept(maps) == len(tokens)
    resting = (maps[AS_IT_IS][..., 1:-1, :].argmax(-1) == 0).all(-1)  # (l, h)
    glue("sat_noun", float(whole[verb, noun]))
    glue("sat_noun_blank", float(blank[verb, noun]))
    glue("n_kept", int(kept.sum()))
    glue("n_kept_resting", int((kept & resting).sum()))
    glue("n_moved", int((~kept).sum()))
    claim("cat", looks[0] == len(tokens), f"{looks[0]} rows do.")
    claim(
        "words-needed",
        looks == [len(tokens), 0, 0],
        f"Without words {looks[1]} rows still do, without places {looks[2]}.",
    )


def model(bert):
    claim("course-model", "course model" in bert.name, f"Here {bert.name} runs.")


def first_row(row):
    glue("row_cls", float(row[0]))


def reading(bert, cat):
    pairs = [read_attention(bert, *pair[:2]) for pair in PAIRS]
    first = [
        float((one.attention.mean(axis=2).argmax(-1) == 0).mean())
        for one in (cat, *pairs)
    ]  # the share of heads in which [CLS] receives most
    received = cat.attention.mean(axis=2)  # (layers, heads, tokens)
    glue("cls_received", float(received.mean(axis=(0, 1))[0]))
    glue("n_cls_first", int((received.argmax(-1) == 0).sum()))
    claim("sink", min(first) > 0.9, f"In one text it is {min(first):.0%} of them.")


def small_pictures(cat):
    words = np.arange(1, len(cat.tokens) - 2)  # words that have a next word
    onto = (cat.attention[..., words, :].argmax(-1) == words + 1).all(-1)
    claim("seems-next", int(onto.sum()) == 1, f"It is so in {onto.sum()} of them.")


def one_pair(next_word):
    best, second = np.sort(next_word.ravel())[:-3:-1]
    place = np.unravel_index(next_word.argmax(), next_word.shape)
    glue("next_layer", int(place[0]))
    glue("next_head", int(place[1]))
    glue("next_score", float(best))
    claim(
        "stands-out",
        bool(best > 0.5 and second < best / 2),
        f"The darkest has {best:.2f}, the next {second:.2f}.",
    )


def luckiest(first, again):
    glue("lucky_first", float(first.mean()))
    glue("lucky_again", float(again.mean()))
    claim(
        "luckiest",
        compare(first, 5).word == AHEAD and bool(abs(again.mean() - 5) < 0.15),
        f"The second result is {again.mean():.2f}.",
        about="mathematics",
    )


def patterns(results, clearest):
    luck = {
        pattern: int(sum(m >= of["score"].mean() for m in of["moved"]))
        for pattern, of in results.items()
    }
    claim(
        "not-luck",
        not any(luck.values()),
        f"Searches that come up to the head: {luck}.",
    )
    previous, similar = results[PREVIOUS], results[SIMILAR]
    glue("next_own", float(results[NEXT]["score"].mean()))
    glue("next_moved", float(max(results[NEXT]["moved"])))
    glue("previous_blank", float(previous["no words"].mean()))
    glue("previous_placeless", float(previous["no places"].mean()))
    glue("similar_own", float(similar["score"].mean()))
    glue("similar_blank", float(similar["no words"].mean()))
    glue("similar_placeless", float(similar["no places"].mean()))
    claim(
        "first-picture",
        set(previous["heads"]) == {clearest} and bool(previous["score"].min() > 0.95),
        f"It is {previous['head']}.",
    )
    by_places = [results[pattern] for pattern in (NEXT, PREVIOUS, PREDICTIVE)]
    by_words = [results[pattern] for pattern in (SIMILAR, ELSEWHERE)]
    claim(
        "two-kinds",
        all(_keeps_and_loses(of, "no words", "no places") for of in by_places)
        and all(_keeps_and_loses(of, "no places", "no words") for of in by_words)
        and by_words[0]["heads"] == by_words[1]["heads"],
        _left_over(results),
    )
    glue("n_heads_named", len({of["head"] for of in results.values()}))
    predictive = results[PREDICTIVE]
    glue("predictive_own", float(predictive["score"].mean()))
    glue("predictive_distance", float(predictive["distance"].mean()))
    glue("predictive_blank", float(predictive["no words"].mean()))
    _predictive(predictive, results[NEXT])


def _keeps_and_loses(of, without, loses):
    """Nine tenths stay without the one; less than half without the other, in each."""
    keeps = of[without].mean() > 0.9 * of["score"].mean()
    return bool(keeps and (of[loses] < of["score"] / 2).all())


def _left_over(results):
    parts = [
        f"{pattern} {of['no words'].mean() / of['score'].mean():.0%} and "
        f"{of['no places'].mean() / of['score'].mean():.0%}"
        for pattern, of in results.items()
    ]
    return f"Of the scores are left without words and places: {', '.join(parts)}."


def _predictive(of, onward):
    claim(
        "one-place-on",
        of["steps"] == [1, 1] and bool((of["distance"] > of["score"]).all()),
        f"The best distances are {of['steps']}.",
    )
    claim(
        "same-head",
        of["heads"] == onward["heads"] and len(set(of["heads"])) == 1,
        f"They are {of['heads']} and {onward['heads']}.",
    )


def arrives(shares):
    """shares: (pairs, layers) each, of `controls.shares_of_special`."""
    given, arrived, summed = (
        shares[name] for name in ("weights", "arrives", "summed first")
    )
    at = int(given.mean(axis=0).argmax())
    glue("rest_layer", at)
    glue("rest_given", float(given[:, at].mean()))
    glue("rest_arrived", float(arrived[:, at].mean()))
    glue("all_given", float(100 * given.mean()))
    glue("all_cls", float(100 * shares["[CLS]"].mean()))
    glue("all_arrived", float(100 * arrived.mean()))
    glue("all_summed", float(100 * summed.mean()))
    claim(
        "half",
        bool(0.45 < given.mean() < 0.55),
        f"It is {given.mean():.0%}.",
    )
    claim(
        "short",
        bool((arrived < given / 2).all() and (summed < given / 2).all()),
        f"At most it is {(np.maximum(arrived, summed) / given).max():.0%} of it.",
    )


def kinds(found, examples, head):
    """Means over eight pairs: a pair counts once, however many words it has."""
    per_pair = {kind: [np.mean(one) for one in rows] for kind, rows in found.items()}
    equal = compare(per_pair["equal"], per_pair["related"], family=2)
    open_ = compare(per_pair["related"], per_pair["other"], family=2)
    rows = {kind: np.concatenate(rows).mean() for kind, rows in found.items()}
    for kind, mean in rows.items():
        glue(f"kind_{kind}", float(mean))
    glue("related_interval", open_.interval())

    def weight(one, other):
        [at] = [e for e in examples if {one, other} <= {*e.tokens}]
        return float(at.attention[head][at.tokens.index(one), at.tokens.index(other)])

    glue("rain_wet", weight("rain", "wet"))
    glue("queen_king", weight("queen", "king"))
    glue("queen_daughters", weight("queen", "daughters"))
    claim(
        "equal-most",
        equal.word == AHEAD and bool(rows["equal"] > max(0.2, 2 * rows["related"])),
        f"Their lead is {equal.interval()}.",
    )
    claim(
        "related-open",
        open_.word == LEVEL,
        f"The lead is {open_.interval()}.",
        about="data",
    )
    claim(
        "queen",
        weight("queen", "daughters") > max(0.5, weight("queen", "king")),
        f"It gets {weight('queen', 'daughters'):.2f}.",
    )


def one_head(inside, looking, every):
    """every: for each word of the pairs, the largest share that one number gives."""
    lead = inside[looking - 1] - np.delete(inside, looking - 1, 0).mean(axis=0)
    glue("head_size", inside.shape[-1])
    glue("score_before", float(inside[looking - 1].sum()))
    glue("score_lead", float(lead.sum()))
    glue("largest_product", float(lead.max()))
    claim("many", bool(every.max() < 1 / 3), f"For one word it is {every.max():.2f}.")


def widths(of_cls, of_words):
    """Both (pairs, layers): tokens that a row looks at, the mean of its heads."""
    narrower = (of_cls < of_words).sum(axis=0)
    first = float(of_cls[:, 0].mean() / of_words[:, 0].mean())
    found = f"Pairs in which it looks at fewer, by layer: {narrower.tolist()}."
    glue("cls_width", float(of_cls[:, 0].mean()))
    glue("word_width", float(of_words[:, 0].mean()))
    glue("n_narrow_last", int(narrower[-1]))
    claim(
        "narrow",
        bool((narrower[:-1] == len(of_cls)).all()) and first < 0.9,
        found,
    )
    claim(
        "never-wider",
        bool((narrower >= len(of_cls) / 2).all()) and first < 0.9,
        found,
    )
