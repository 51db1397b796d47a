"""What "Word senses" says of this run: the numbers it prints, and when it is true.

One function for each hidden cell. A claim's name is the one that its sentence carries
in the page; its condition is as strict as the words, and holds the control as well.
"""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import wilcoxon
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

from helpers import glue
from helpers.verdicts import AHEAD, LEVEL, claim, compare

STANDS, COVERED = "as it stands", "word covered"
BAG, SHUFFLED = "bag of words", "others shuffled"


def setting(bert, apples):
    glue("hidden_size", bert.hidden_size)
    claim("course-model", "course model" in bert.name, f"It is {bert.name}.")
    claim(
        "own-sentences",
        "sample" in apples.attrs["source"],
        f"They come from the set called {apples.attrs['source']}.",
        "data",
    )


def apples_part(bert, apples, states, planes, own):
    places = [
        bert.tokenizer(words, is_split_into_words=True).word_to_tokens(at).start
        for words, at in zip(apples.sentence, apples.word_pos, strict=True)
    ]
    alike = np.equal.outer(places, places)
    apart = cdist(states[:, 0], states[:, 0])
    halves = KMeans(2, n_init=10, random_state=0).fit_predict(planes[-1])
    parted = adjusted_rand_score(apples.sense, halves) > 0.8
    n = len(apples)
    glue("n_apples", n)
    glue("own_start", own[0])
    glue("own_top", own[-1])
    claim(
        "only-place-moves",
        bool(apart[alike].max() < 0.01 < apart[~alike].min()),
        about="mathematics",
    )
    claim(
        "apples-part",
        bool(own[-1] >= 0.9 * n > own[0] and planes[0].std() < 0.6 * planes[-1].std())
        and bool(parted),
        f"Before all layers {own[0]} of {n} have their own kind nearest, after them "
        f"{own[-1]}.",
    )


def cranes(train, test, train_vectors, test_vectors, rule):
    """rule: (known vectors, their senses, new vectors) -> senses."""
    pca = PCA(2, random_state=0).fit(train_vectors)
    flat = rule(pca.transform(train_vectors), train.sense, pca.transform(test_vectors))
    right = int((rule(train_vectors, train.sense, test_vectors) == test.sense).sum())
    right_flat = int((flat == test.sense).sum())
    vectors = np.concatenate([train_vectors, test_vectors])
    senses = np.concatenate([train.sense, test.sense])
    each, each_flat = _left_out(vectors, senses, rule)
    glue("crane_test", len(test))
    glue("crane_right", right)
    glue("crane_flat", right_flat)
    glue("crane_all", len(senses))
    glue("crane_each", each)
    glue("crane_each_flat", each_flat)
    claim(
        "cranes-told",
        right >= 0.9 * len(test) and each > 0.8 * len(senses),
        f"It is right on {right} of {len(test)}, and on {each} of {len(senses)}.",
    )


def _left_out(vectors, senses, rule):
    """Of all, how many are told by the others, in all directions and in the plane."""
    hits = np.zeros(2, int)
    for place in range(len(senses)):
        rest = np.arange(len(senses)) != place
        known, new = vectors[rest], vectors[[place]]
        pca = PCA(2, random_state=0).fit(known)
        for way, (a, b) in enumerate(
            ((known, new), (pca.transform(known), pca.transform(new)))
        ):
            hits[way] += rule(a, senses[rest], b)[0] == senses[place]
    return map(int, hits)


def layers(bert, by_layer, always, known, new, official):
    means, best = (
        by_layer.mean(axis=1),
        leaders(dict(zip(by_layer.index, by_layer.to_numpy(), strict=True))),
    )
    gain = (means[1] - means[0]) / (means.max() - means[0])
    sizes = [
        rows.groupby(["word", "sense"]).size().groupby("word").nunique().max()
        for rows in (known, new)
    ]
    of = official[(official.word == "pitcher") & (official.method == "majority")]
    [pitcher] = of.to_dict("records")
    glue("pitcher", float(100 * pitcher["accuracy"]))
    glue("baseball", float(200 * pitcher["macro_f1"]))
    glue("pitcher_f1", float(100 * pitcher["macro_f1"]))
    glue("always", float(100 * always.mean()))
    glue("start", float(100 * means[0]))
    glue("first", float(100 * means[1]))
    glue("top", float(100 * means.iloc[-1]))
    claim("equal-shares", sizes == [1, 1], "In this set they do not.", "data")
    claim(
        "embeddings-guess",
        compare(by_layer.loc[0], always).word != AHEAD,
        f"It has {means[0]:.0%}.",
        "data",
    )
    claim(
        "first-layer-most",
        bool(gain > 0.5) and compare(by_layer.loc[1], always).word == AHEAD,
        f"It makes {gain:.0%} of it.",
    )
    claim(
        "last-unbeaten",
        bert.n_layers in best and bool(gain > 0.5),
        f"In front, too close to call, are {', '.join(map(str, best))}.",
    )


def groups(alone, again, crane_right):
    """again: scores of the last layer by other starts of k-means."""
    ari, bag = (alone[name] for name in ("last layer", BAG))
    rest = alone.drop(index=ari.idxmax())
    glue("ari", float(ari.mean()))
    glue("ari_bag", float(bag.mean()))
    glue("ari_apple", float(ari["apple"]))
    glue("ari_crane", float(ari["crane"]))
    glue("n_grouped", int((ari > 0.5).sum()))
    claim(
        "groups-beat-bag",
        compare(rest["last layer"], rest[BAG]).word == AHEAD
        and all(
            compare(of[rest.index], rest[BAG]).word == AHEAD and of.mean() > 0.2
            for of in (ari, *again)
        ),
        f"Means {alone.mean().round(2).to_dict()}.",
    )
    found = [float(of["crane"]) for of in (ari, *again)]
    claim(
        "crane-not-found",
        max(found) < 0.1 and bool(ari.mean() > 0.2 and crane_right > 0.85),
        f"Crane has up to {max(found):.2f}.",
    )


def company(ways, draws, always):
    """draws: the accuracies of each shuffle, whose mean stands in `ways`."""
    mean = ways.mean()

    def leads(one, other):
        return compare(ways[one], ways[other], family=3).word == AHEAD

    def found(*names):
        return ", ".join(f"{name} {mean[name]:.0%}" for name in names) + "."

    glue("as_it_stands", float(100 * mean[STANDS]))
    glue("word_covered", float(100 * mean[COVERED]))
    glue("bag_of_words", float(100 * mean[BAG]))
    glue("others_shuffled", float(100 * mean[SHUFFLED]))
    claim(
        "covering-unseen",
        not leads(STANDS, COVERED) and leads(COVERED, SHUFFLED),
        found(STANDS, COVERED),
    )
    claim(
        "covering-costs-less",
        leads(COVERED, SHUFFLED) and bool(mean[COVERED] > always.mean() + 0.2),
        found(COVERED, SHUFFLED),
    )
    claim(
        "shuffling-costs",
        leads(STANDS, SHUFFLED)
        and all(draw.mean() < mean[STANDS] - 0.03 for draw in draws),
        found(STANDS, SHUFFLED),
    )
    claim(
        "reading-beats-bag",
        leads(STANDS, BAG) and bool(mean[BAG] > always.mean() + 0.2),
        found(STANDS, BAG),
    )


def slip(top, slipped, always):
    glue("slip", float(100 * slipped.mean()))
    claim(
        "slip-scores-well",
        compare(top, slipped, family=2).word == AHEAD
        and compare(slipped, always, family=2).low > 0.1,
        f"It has {slipped.mean():.0%}, the word {top.mean():.0%}.",
    )


def two_in_one(visible, hidden, alone):
    """Each: the shares of the own sentence's sense, and of the other's, by word."""
    (own, other), (own_mask, other_mask) = visible, hidden
    told = [100 * share.mean() for share in (own, other, own_mask, other_mask)]
    glue("own_word", float(told[0]))
    glue("other_word", float(told[1]))
    glue("own_mask", float(told[2]))
    found = "Own and other: {:.0f} and {:.0f}, covered {:.0f} and {:.0f}.".format(*told)
    claim(
        "place-matters",
        compare(own, other, family=2).word == AHEAD
        and compare(alone[own.index], own, family=2).word == AHEAD,
        found,
    )
    claim(
        "covered-keeps-place",
        compare(own_mask, own).word == AHEAD
        and compare(own_mask, other_mask).word == AHEAD,
        found,
    )


def worth(never_reads, bag, last_layer, bert_base):
    way = (bag - never_reads) / (last_layer - never_reads)
    glue("never_reads", float(100 * never_reads))
    glue("official_top", float(100 * last_layer))
    glue("official_bag", float(100 * bag))
    glue("bert_base", float(100 * bert_base))
    claim("topic-tells-most", bool(way > 0.5), about="results")


def directions(flat, whole):
    glue("plane_average", float(100 * flat["average"].mean()))
    glue("one_sentence", float(100 * whole["sentence"].mean()))
    claim(
        "directions-help",
        compare(whole["average"], flat["average"], family=2).word == AHEAD,
        f"In the plane {flat['average'].mean():.0%}, in all "
        f"{whole['average'].mean():.0%}.",
    )


def word_fades(lead):
    """lead: {layer: the `Verdict` of the word over the mask}."""
    first, last = lead[1], lead[max(lead)]
    glue("first_lead", first.difference)
    glue("last_lead", last.difference)
    claim(
        "word-fades-upward",
        first.word == AHEAD and last.word != AHEAD and last.high < first.difference,
        f"First {first.interval()}, last {last.interval()}.",
    )


def officially(table, published):
    methods = ["bert_base", "bert_large", "fasttext"]
    behind = compare(table.ours, table.bert_base)
    over_bag = compare(table.ours, table["static context"])
    gaps = table.ours - table["static context"]
    recall = published.groupby("word")[methods].mean().mean()
    overall = published[methods].mul(published.n, axis=0).sum() / published.n.sum()
    share = published.n / published.groupby("word").n.transform("sum")
    rare = published[share < 0.1]
    glue("behind", float(-100 * behind.difference))
    glue("over_bag", float(100 * over_bag.difference))
    glue("bag_ahead", int((gaps > 0).sum()))
    glue("bag_less", int((gaps < 0).sum()))
    glue("recall_bert_base", float(100 * recall.bert_base))
    glue("recall_fasttext", float(100 * recall.fasttext))
    glue("overall_bert_base", float(100 * overall.bert_base))
    glue("overall_fasttext", float(100 * overall.fasttext))
    claim(
        "near-bert-base",
        -0.04 < behind.low and behind.high < 0.04,
        behind.interval("+.3f"),
        "results",
    )
    claim(
        "ahead-of-bag",
        over_bag.word == AHEAD
        and bool(wilcoxon(table.ours, table["static context"]).pvalue < 0.05),
        over_bag.interval("+.3f"),
        "results",
    )
    far_behind = gaps.index[gaps < -0.05].tolist()
    claim("yard-behind-bag", far_behind == ["yard"], about="results")
    claim(
        "fasttext-misses-rare",
        bool(
            overall.fasttext > overall.bert_base
            and recall.fasttext + 0.05 < recall.bert_base
            and (rare.fasttext < rare.bert_base).all()
        ),
        about="results",
    )


def leaders(results):
    """Return the names of the highest results that cannot be told apart.

    results: {name: n numbers}, the same items in each. The name with the highest mean
    comes first, then each that is not told apart from it, by mean. As the highest is
    chosen on these very items, the level is Bonferroni's for all the others.

    >>> leaders({"a": [1, 2, 3, 4], "b": [2, 2, 3, 3], "c": [-8, -9, -7, -5]})
    ['a', 'b']
    """
    if not results:
        raise ValueError("no results to compare; give at least one")
    first, *others = sorted(results, key=lambda name: -np.mean(results[name]))
    family = max(1, len(others))
    close = (
        name
        for name in others
        if compare(results[first], results[name], family=family).word == LEVEL
    )
    return [first, *close]
