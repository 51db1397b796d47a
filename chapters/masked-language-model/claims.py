"""What "The masked language model" says of this run, and when it is true.

One function for each hidden cell. A claim's name is the one that its sentence carries.
"""

import numpy as np
from scipy.stats import spearmanr

from helpers import glue
from helpers.verdicts import AHEAD, BEHIND, claim, compare

ADVERBS = ["just", "always", "really"]


def doctor_and_nurse(guesses):
    """guesses: {who: {piece: probability}}, the likeliest piece first."""
    she = [shares.get("she", 0) for shares in guesses.values()]
    first = next(iter(guesses["doctor"]))
    glue("he_doctor", float(guesses["doctor"].get("he", 0)))
    glue("she_doctor", float(she[0]))
    glue("she_nurse", float(she[1]))
    claim("doctor-he-first", first == "he", f"It says {first}.")
    claim(
        "nurse-she-doubles",
        1.6 * she[0] < she[1] < 2.5 * she[0],
        f"It goes from {she[0]:.2f} to {she[1]:.2f}.",
    )


def company(best, vocabulary_size):
    """best: {words kept on each side: the five best pieces}."""
    whole = best[max(best)]
    glue("vocabulary", vocabulary_size)
    claim("no-company", set(best[0][:2]) == {"the", ","}, f"It says {best[0][:2]}.")
    claim("fish-first", whole[0] == "fish" != best[0][0], f"It says {whole[0]}.")


def cat(tokenizer, p):
    """p: (vocabulary,), the probabilities at a mask."""
    best = (-p).argsort()[:5]
    glue("cat_first", tokenizer.convert_ids_to_tokens(int(best[0])))
    glue("cat_first_share", float(p[best[0]]))
    glue("cat_five", float(100 * p[best].sum()))


def two_holes(bert, text):
    alone = [guesses[0][0] for guesses in bert.predict_masked(text)]
    filled = bert.predict_masked(text.replace("[MASK]", "driver", 1))[0][0][0]
    claim("doctor-twice", alone == ["doctor"] * 2, f"It says {', '.join(alone)}.")
    claim(
        "driver-turns-car",
        filled == "car" and alone[1] != "car",
        f"It turns to {filled}.",
    )


def neighbours(bits):
    """bits: a table (sentences, which words are kept)."""
    none, two, but, whole = bits.to_numpy().T
    for name, values in zip(("nothing", "two", "but"), (none, two, but), strict=True):
        glue(f"bits_{name}", float(values.mean()))
    glue("two_first", float((none - two).mean()))
    glue("two_last", float((but - whole).mean()))
    glue("others_last", float((two - whole).mean()))
    glue("others_first", float((none - but).mean()))
    both = min(compare(none, two).low, compare(none, but).low)
    glue("all_bring", float((none - whole).mean()))
    spare = compare(none - two, (two - whole) * 2 / 3)  # 0 at two fifths of all
    claim(
        "two-bring-much",
        spare.low > 0 and both > 1,
        f"Over two fifths: {spare.interval()} bits.",
    )
    lost = compare(none - two, but - whole)  # the same for the two and for the others
    claim(
        "less-when-last",
        lost.word == AHEAD and both > 1 and compare(but, whole).word == AHEAD,
        f"First less last: {lost.interval()} bits.",
    )


def fates(of):
    """of: what became of each token, the first thousand of which are drawn."""
    glue("random_1000", int((of[:1000] == "random word").sum()))
    glue("n_eligible", len(of))


def rule(shares):
    """shares: the counted shares beside those of the rule."""
    off = shares["sigmas off"].abs().max()
    claim("shares-within", off < 3, f"One is {off:.1f} off.", "mathematics")
    wrong = 0.1 / (0.15 * 0.1)
    claim("seven-times", 6.5 < wrong < 7, about="mathematics")


def things(kinds):
    glue("n_things", len(kinds))


def denied(bert, firsts, falls, kinds):
    """firsts: {word: first guesses}. falls: halvings, a table (things, words)."""
    names = bert.tokenizer.convert_ids_to_tokens
    first = {word: names(guesses.tolist()) for word, guesses in firsts.items()}
    same = int((firsts["not"] == firsts[""]).sum())
    own = [
        guess in pair for guess, pair in zip(first["not"], kinds.items(), strict=True)
    ]
    robin = [*kinds].index("robin")
    glue("n_same", same)
    glue("fall_not", float(falls["not"].mean()))
    glue("fall_always", float(falls["always"].mean()))
    claim(
        "first-guess-stays",
        same > 0.7 * len(kinds) and np.mean(own) > 0.6,
        f"It stays in {same}; {sum(own)} are the thing or its kind.",
    )
    claim("robin-not", first["not"][robin] == "robin", f"It is {first['not'][robin]}.")
    of_kind = [*kinds.values()]
    three = falls[ADVERBS].mean(axis=1)
    more = compare(three, falls["not"], groups=of_kind)
    claim(
        "adverbs-fall-too",
        np.mean(own) > 0.6
        and compare(three, 0, groups=of_kind).word == AHEAD
        and more.difference > 0
        and more.low > -0.15
        and falls["also"].mean() < falls["not"].mean(),
        f"The difference is {more.interval()}.",
    )


def nurse(differences):
    glue("least_nurse", float(differences.min()))
    claim("nurse-more-she", differences.min() > 0.5, f"{differences.min():.2f}")


def occupations(women, leanings):
    """women: {occupation: % women}. leanings: (occupations, templates)."""
    shares, mean, jobs = [*women.values()], leanings.mean(axis=1), [*women]
    order = float(spearmanr(mean, shares).statistic)
    each = [spearmanr(column, shares).statistic for column in leanings.T]
    follows = order > 0.5 and min(each) > 0.4
    glue("order", order)
    claim("she-in-each", follows, f"{order:.2f}, the least {min(each):.2f}.")
    claim(
        "he-ahead",
        follows and (leanings < 0).mean() > 0.95,
        f"It is in {(leanings < 0).mean():.0%}.",
    )
    secretary, lawyer = (mean[jobs.index(job)] for job in ("secretary", "lawyer"))
    claim(
        "secretary-like-lawyer",
        follows and secretary < lawyer + 0.1 and secretary < 0,
        f"They lean {secretary:.2f} and {lawyer:.2f}.",
    )


def ways(tables):
    """tables: {way: bits (sentences, which words are kept)}."""
    masked, closed, cut = (tables[way] for way in ("masked", "closed", "cut"))
    glue("but_masked", float(masked["all but the two"].mean()))
    glue("but_closed", float(closed["all but the two"].mean()))
    glue("nothing_cut", float(cut["nothing"].mean()))
    dearer = compare(closed["all but the two"], masked["all but the two"])
    claim("closing-costs", dearer.low > 1, f"The difference is {dearer.interval()}.")
    worse = [compare(cut["nothing"], other["nothing"]) for other in (masked, closed)]
    claim(
        "cutting-worst",
        min(found.low for found in worse) > 2,
        f"The difference to masks is {worse[0].interval()}.",
    )
    others = [
        compare(other[kept], masked[kept]) for other in (closed, cut) for kept in masked
    ]
    claim(
        "masks-least",
        all(found.difference > 0 and found.word != BEHIND for found in others)
        and dearer.low > 1,
        ", ".join(found.interval() for found in others),
    )


def loss(by_hand, theirs):
    claim("loss-by-hand", (by_hand - theirs).abs() < 1e-3, about="mathematics")


def readable(places):
    """places: a row for each place looked at, its fate and two probabilities."""
    mean = places.groupby("place")[["original word", "word that stands there"]].mean()
    intruded = places[places.place == "random word"]
    glue("p_original", float(mean["original word"]["random word"]))
    glue("p_intruder", float(mean["word that stands there"]["random word"]))
    glue("p_kept", float(mean["original word"]["kept"]))
    back = compare(intruded["original word"], intruded["word that stands there"])
    claim("restores", back.word == AHEAD, f"Original, intruder: {back.interval()}.")
    read = mean["original word"][["kept", "not chosen"]]
    claim("repeats-if-read", read.min() > 0.5, f"It gives it {read.min():.2f}.")


def home(ends):
    """ends: the intervals, six of pairs and four of controls."""
    outside = [low > 0 or high < 0 for low, high in ends[6:]]
    claim(
        "controls-exclude-zero",
        sum(outside) >= 3,
        f"{sum(outside)} of four do.",
        "mathematics",
    )
