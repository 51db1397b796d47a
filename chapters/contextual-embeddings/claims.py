"""What "Contextual embeddings" says of this run: its numbers, and when it is true.

One function for each hidden cell. A claim's name is the one that its sentence carries
in the page; its condition is as strict as the words, and holds the control as well.
"""

import numpy as np

from chapters.contextual_embeddings.controls import (
    by_order,
    eights_of_one_sense,
    nearest_other,
)
from chapters.contextual_embeddings.figures import EIGHT
from helpers import glue
from helpers.senses import unit
from helpers.verdicts import AHEAD, claim, compare


def opening(senses, fields):
    first, last = (unit(fields[:, n]) @ unit(fields[:, n]).T for n in (0, -1))
    barley, wheat, law = map(EIGHT.index, ("barley", "wheat", "law"))
    nearest = nearest_other(fields[:, -1], senses)
    own = nearest == senses
    glue("barley_wheat", float(last[barley, wheat]))
    glue("barley_law", float(last[barley, law]))
    glue("barley_law_first", float(first[barley, law]))
    claim("fields-start-alike", first.min() > 0.9, f"The least is {first.min():.2f}.")
    claim(
        "own-sense-nearest",
        own.sum() > 5 and own[senses != "sport"].all(),
        f"{own.sum()} of eight do.",
    )
    claim(
        "sport-near-farm",
        5 < own.sum() < 8
        and set(senses[~own]) == {"sport"}
        and set(nearest[~own]) == {"farm"},
        f"Nearest to the others are {nearest[~own].tolist()}.",
    )


def missing_word(bert, ids, place):
    token = bert.tokenizer.convert_ids_to_tokens(int(ids[0][place]))
    claim("missing-word-cls", token == "[CLS]", f"It is {token}.", "mathematics")


def padding(alone, padded, careless):
    with_mask, without = (abs(of - alone).max().item() for of in (padded, careless))
    glue("moved", without)
    claim("harmless-with-mask", with_mask < 1e-4, f"By {with_mask:.5f}.", "mathematics")
    claim(
        "moved-without-mask",
        with_mask < 1e-4 and without > 0.01,
        f"By {without:.5f}.",
        "mathematics",
    )


def plane(kept, train, vectors):
    """vectors: (rows of train, hidden), after the last layer."""
    of_one = eights_of_one_sense(train, vectors)
    glue("kept", float(100 * kept))
    glue("one_sense", float(100 * of_one.mean()))
    claim(
        "variance-without-groups",
        of_one.mean() > 0.6 * kept,
        f"Eights of one sense keep {of_one.mean() / kept:.0%} as much.",
        "data",
    )


def score(table, orders):
    """table: for each space the gap, and how many of the labellings reach it."""
    reach = table["labellings that reach it"]
    ways = {name: int(reach[row]) for name, row in _rows(reach).items()}
    shares = {name: n / len(orders) for name, n in ways.items()}
    for name, n in ways.items():
        glue(f"ways_{name}", n)
    glue("gap_last", float(table["gap"].iloc[-1]))
    glue("p_last", float(100 * shares["last"]))
    claim(
        "not-luck",
        shares["last"] < 0.02 and shares["first"] > 0.05,
        f"Of the labellings {shares['last']:.1%} do, going in {shares['first']:.1%}.",
    )
    claim(
        "bag-passes",
        shares["bag"] < 0.05,
        f"Of the labellings {shares['bag']:.1%} reach its gap.",
    )


def _rows(reach):
    return dict(zip(("first", "bag", "last"), reach.index, strict=True))


def curves(pairs, baseline, rooms, strangers):
    """strangers: (n, layers + 1, hidden); baseline: their mean cosine by layer."""
    mean, last = pairs.groupby("layer").mean(), len(baseline) - 1  # over the words
    high = int(baseline.argmax())
    at = unit(strangers[:, last]) @ unit(strangers[:, last]).T
    rare = float((at[np.triu_indices(len(at), k=1)] > baseline[high]).mean())
    falls = mean.iloc[0] - mean.iloc[-1]
    glue("fall_within", float(falls.within))
    glue("fall_across", float(falls.across))
    glue("fall_base", float(baseline[0] - baseline[-1]))
    glue("base_high", float(baseline[high]))
    glue("base_layer", high)
    glue("base_last", float(baseline[last]))
    glue("rare", 100 * rare)
    glue("room_last", float(100 * rooms.loc[last].mean()))
    claim(
        "senses-start-alike",
        abs(mean.within[0] - mean.across[0]) < 0.01,
        about="mathematics",
    )
    claim(
        "across-falls-most",
        falls.across > falls.within + 0.02
        and falls.across > baseline[0] - baseline[-1] + 0.02,
        f"They fall by {falls.across:.2f}, of one sense by {falls.within:.2f}.",
    )
    claim(
        "cosine-by-layer",
        rare < 0.1 and baseline[high] > 3 * baseline[last],
        f"Strangers have {baseline[high]:.2f} at most, {baseline[last]:.2f} at last.",
    )
    leads = [
        compare(rooms.loc[last], rooms.loc[n], family=last - 1) for n in range(1, last)
    ]
    claim(
        "last-layer-widest",
        all(lead.word == AHEAD for lead in leads),
        f"Leads over the layers before: {[lead.interval() for lead in leads]}.",
    )


def number(hits):
    """hits: (layers + 1, rows) of the trained network and of random weights."""
    trained, blank = (of.mean(axis=1) for of in hits.values())
    glue("number_first", float(100 * trained[0]))
    glue("number_least", float(100 * trained.min()))
    glue("number_blank", float(100 * blank.max()))
    claim(
        "number-passes",
        trained.min() > 0.9 and blank.max() < 0.65,
        f"At least {trained.min():.0%}, untrained at most {blank.max():.0%}.",
    )


def doer(people, forms, seen, unseen, blank):
    """seen, unseen, blank: (layers + 1, tested rows)."""
    form = people.form[people.new].to_numpy()
    passive, cleft = (unseen[:, form == n].mean(axis=1) for n in (1, 2))
    alone = [by_order(people, n) for n in range(len(forms))]
    without = np.array([blank[1:, form == n].mean() for n in range(len(forms))])
    upper, middle = passive[2:], len(passive) // 2
    calls_girl = unseen[2:, (form == 1) & ~people.does[people.new].to_numpy(bool)] == 0
    glue("doer_seen", float(100 * seen[1:].mean()))
    glue("middle", middle)
    glue("passive_middle", float(passive[middle]))
    glue("doer_passive", float(100 * upper.mean()))
    glue("doer_cleft", float(100 * cleft[:4].max()))
    glue("blank_passive", float(100 * without[1]))
    glue("blank_cleft", float(100 * without[2]))
    claim(
        "passive-turned-round",
        upper.mean() < 0.25 and upper.max() < 0.4 and calls_girl.mean() > 0.5,
        f"It is right in {upper.mean():.0%}, at most in {upper.max():.0%} of a layer.",
    )
    claim("order-gets-none", max(alone) == 0, f"It gets {alone}.", "data")
    claim(
        "cleft-turned-round",
        cleft[:4].max() < 0.1 and upper.mean() < 0.25,
        f"It is right in {cleft[:4].max():.0%}.",
    )
    claim(
        "forms-differ-untrained",
        np.ptp(without) > 0.2,
        f"Means {without.round(2).tolist()}.",
        "mathematics",
    )


def six_ways(right, most_common):
    static = compare(right["input embeddings"], most_common)
    above = {name: of for name, of in right.items() if name != "input embeddings"}
    glue("way_majority", float(most_common.mean()))
    glue("way_static", float(right["input embeddings"].mean()))
    glue("way_last", float(right["last layer"].mean()))
    claim(
        "static-no-better", static.difference < 0.01, static.interval(), "mathematics"
    )
    claim(
        "layers-beat-majority",
        all(
            compare(of, most_common, family=len(above)).word == AHEAD
            for of in above.values()
        ),
    )


def centring(likeness):
    """likeness: a table (treatments, layers)."""
    mean = likeness.mean(axis=1).to_dict()
    for name in ("bare", "divided", "centred"):
        glue(f"like_{name}", abs(mean[name]))
    claim(
        "centring-removes-likeness",
        mean["centred"] < 0.2 * mean["bare"] and mean["divided"] > 0.5 * mean["bare"],
        f"Means {mean}.",
        "mathematics",
    )


def other_labels(real, others):
    """Accuracies over the layers: on the real labels, and on each of the others."""
    higher = float((others > real).mean())
    glue("real_labels", float(real))
    glue("other_labels", float(others.mean()))
    glue("n_higher", int((others > real).sum()))
    glue("n_others", len(others))
    claim(
        "other-labels-easier",
        higher > 0.5 and bool(real < others.mean()),
        f"Of them {higher:.0%} are.",
        "data",
    )


def stronger_probe(found, depth):
    """found: {(network, strength, rows): hits (layers + 1, tested rows)}."""
    stronger, weaker = (
        compare(
            *(
                found[name, strength, 300][depth].reshape(-1, 2).mean(1)
                for name in ("trained", "untrained")
            )
        )
        for strength in (1, 0.01)
    )
    for name in ("trained", "untrained"):
        glue(f"few_{name}", float(100 * found[name, 1, 300][depth].mean()))
        glue(f"many_{name}", float(100 * found[name, 1, 1000][depth].mean()))
    claim(
        "stronger-probe-finds-more",
        stronger.word == AHEAD and stronger.difference > weaker.difference + 0.02,
        f"Leads {stronger.interval()} and {weaker.interval()}.",
    )
