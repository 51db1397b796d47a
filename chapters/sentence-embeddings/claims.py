"""What "Sentence embeddings" says of this run: its numbers, and when it is true."""

import numpy as np
import torch

from chapters.sentence_embeddings.figures import ABLE, nearest, with_partner
from chapters.sentence_embeddings.lesson import found_first
from chapters.sentence_embeddings.texts import shared_words
from helpers import glue
from helpers.verdicts import AHEAD, LEVEL, claim, compare

CLEANED = "mined, false ones out"


def eight(bert, cosines):
    partners = with_partner(cosines)
    glue("n_going_in", partners[0])
    glue("parcel_soup", float(cosines[0, 0, 2]))
    glue("parcel_delivery", float(cosines[0, 0, 1]))
    glue("parcel_delivery_last", float(cosines[-1, 0, 1]))
    claim("eight-find-partner", partners[-1] == 8, f"{partners[-1]} have.")
    claim("parcel-near-soup", bool(nearest(cosines)[0, 0] == 2), about="data")
    claim(
        "as-makers-tuned",
        bert.name == "all-MiniLM-L6-v2",
        f"It is {bert.name}.",
        about="data",
    )


def padding(kept):
    """kept: cosines before and after of [CLS], the mean and the mean of all places."""
    claim(
        "padding",
        min(kept[:2]) > 0.9999 and kept[2] < 0.999,
        f"The cosines are {kept}.",
        about="mathematics",
    )


def graded(rho, leads):
    for name in ("mean", "cls", "random weights"):
        glue(f"rho_{name.replace(' ', '_')}", rho[name])
    glue("rho_static", rho["static vectors"])
    unread = ("static vectors", "words in common", "random weights")
    least = {name: round(float(low), 3) for name, (low, high) in leads.items()}
    claim("unread-behind", all(leads[n][0] > 0 for n in unread), f"At least {least}.")
    claim("cls-behind", bool(leads["cls"][0] > 0), f"At least {least['cls']:+.2f}.")


def opposites(near, crossed, table):
    """near: {change: (12,)}; crossed: (12, 12), sentences by rewordings."""
    harmless, negated, reworded = (near[name] for name in table.columns[1:])
    shared = {
        name: np.array(
            [shared_words(*p) for p in zip(table.sentence, table[name], strict=True)]
        )
        for name in ("not", "in other words")
    }
    bridge = table.sentence.tolist().index("The bridge is safe.")
    glue("bridge_not", float(negated[bridge]))
    glue("bridge_words", float(reworded[bridge]))
    glue("shared_not", float(100 * shared["not"].mean()))
    glue("shared_words", float(100 * shared["in other words"].mean()))
    glue("n_moved", int((negated < harmless).sum()))
    claim(
        "opposite-lies-nearer",
        bool(
            (negated > reworded).all()
            and shared["not"].min() > 0.7
            and shared["in other words"].max() < 0.3
        ),
        f"In {(negated > reworded).sum()} of twelve; shared words {shared}.",
        about="data",
    )
    own = int((crossed.argmax(axis=1) == np.arange(12)).sum())
    claim("rewording-found", own == 12, f"For {own} it is.")
    claim(
        "negation-noticed",
        bool((negated < harmless).sum() >= 10),
        f"In {(negated < harmless).sum()} of twelve.",
    )


def in_batch(hits, tables):
    """tables: cosines (200, 400) of the three starts."""
    alone = np.mean([found_first(table[:, :200]).mean() for table in tables])
    both = hits["in-batch"]
    verdict = compare(both, ABLE)
    glue("alone", float(alone))
    glue("in_batch", float(both.mean()))
    claim("synonyms-learned", bool(alone > 0.95), f"It finds {alone:.2f}.", "data")
    claim(
        "who-hardly-learned",
        -0.1 < verdict.low and verdict.high < 0.2,
        f"Its distance from one half is {verdict.interval()}.",
        about="data",
    )


def negatives(hits, false):
    random, mined, cleaned = (hits[name] for name in ("random", "mined", CLEANED))
    gain = compare(random, hits["in-batch"])
    glue("false_share", float(100 * false.mean()))
    for name, got in (("random", random), ("mined", mined), ("cleaned", cleaned)):
        glue(f"hits_{name}", float(got.mean()))
    claim(
        "random-teaches-nothing",
        gain.high < 0.08,
        f"The gain is {gain.interval()}.",
        about="data",
    )
    claim(
        "mined-teach-who",
        compare(mined, random, family=2).word == AHEAD
        and compare(mined, ABLE, family=2).low > 0.1,
        f"It finds {mined.mean():.2f}.",
        about="data",
    )
    more = compare(cleaned, mined)
    claim(
        "cleaned-teach-more",
        more.word == AHEAD,
        f"The difference is {more.interval()}.",
        about="data",
    )


def search(ranks):
    """ranks: {search: (terms,)}, from 1."""
    hits = {name: rank <= 5 for name, rank in ranks.items()}
    higher = {name: 1 / rank for name, rank in ranks.items()}
    for name, key in (("mean", "mean"), ("words (BM25)", "bm25"), ("[CLS]", "cls")):
        glue(f"hits_{key}", float(hits[name].mean()))
        glue(f"mrr_{key}", float(higher[name].mean()))
    claim("hits-mean-first", *_first(hits))
    claim("mrr-mean-first", *_first(higher))


def _first(got):
    """Whether the mean is ahead of words and [CLS], and by how much."""
    ahead = {
        name: compare(got["mean"], got[name], family=2)
        for name in ("words (BM25)", "[CLS]")
    }
    said = {name: verdict.interval() for name, verdict in ahead.items()}
    return all(v.word == AHEAD for v in ahead.values()), f"It leads by {said}."


def hubs(times, ranks, terms):
    plain, centred, mean = (times[n] for n in ("[CLS]", "[CLS], centred", "mean"))
    glue("hub", terms[int(plain.argmax())], display=False)
    glue("hub_times", int(plain.max()))
    glue("hub_mean", int(mean.max()))
    glue("hub_centred", int(centred.max()))
    found = f"The highest come {times['[CLS]'].max()}, {mean.max()} and "
    found += f"{centred.max()} times."
    share = len(terms) / 3
    glue("n_terms", len(terms))
    claim(
        "cls-has-hub",
        bool(plain.max() > share and mean.max() < plain.max() / 3),
        found,
    )
    claim(
        "centring-shrinks-hubs",
        bool(centred.max() < plain.max() / 3),
        found,
    )
    centred, plain = ranks["[CLS], centred"], ranks["[CLS]"]
    gain = compare(1 / centred, 1 / plain)
    glue("hits_centred", float((centred <= 5).mean()))
    claim(
        "centring-helps-cls",
        gain.word == AHEAD,
        f"The gain is {gain.interval()}.",
    )


def library(ours, theirs):
    claim(
        "library-agrees",
        torch.allclose(ours, theirs, atol=1e-4),
        about="mathematics",
    )


def fusion(ranks, joined):
    """By hits: the mean and the words alone, and the two joined."""
    hit = {name: rank <= 5 for name, rank in ranks.items()}
    words = compare(joined <= 5, hit["words (BM25)"], family=2)
    vectors = compare(joined <= 5, hit["mean"], family=2)
    claim("fusion-helps-words", words.word == AHEAD, f"By {words.interval()}.")
    claim("vectors-gain-nothing", vectors.word == LEVEL, f"By {vectors.interval()}.")


def two_passes(bi, cross):
    claim(
        "cross-thousandfold",
        bool(cross / bi > 1000),
        f"It is {cross / bi:.0f} times.",
        about="mathematics",
    )
