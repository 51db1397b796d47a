"""What "Word vectors" says of this run: the numbers it prints, and when it is true."""

import numpy as np

from chapters.word_vectors.figures import points_of
from chapters.word_vectors.relations import (
    LEARNED,
    SHOWN,
    as_pairs,
    same_way,
    shuffled,
    table_of,
)
from chapters.word_vectors.topics import topic_words
from helpers import glue
from helpers.corpus.grammar import SENSES, TOPICS
from helpers.senses import unit
from helpers.verdicts import AHEAD, LEVEL, claim


def first_screen(bert):
    flat = []
    for text in SHOWN:
        points = points_of(bert, text)
        arrow = unit(points[1::2] - points[::2])
        flat.append((arrow @ arrow.T).min())
    pairs, table = as_pairs(LEARNED["capital"]), table_of(bert)
    row = {w: bert.tokenizer.convert_tokens_to_ids(w) for two in pairs for w in two}
    way = same_way(table, pairs, row).mean()
    wrong = np.mean([same_way(table, some, row).mean() for some in shuffled(pairs)])
    glue("way_learned", float(way))
    glue("way_wrong", float(wrong))
    claim(
        "arrows-agree",
        bool(min(flat) > 0.7),
        f"The two that agree least have a cosine of {min(flat):.2f}.",
    )
    claim(
        "twice-wrong-pairs",
        bool(way > 2 * wrong > 0),
        f"It is {way:.2f} beside {wrong:.2f}.",
    )


def _company(table, word, words, k=5):
    return [words[i] for i in np.argsort(-table[words.index(word)])[:k]]


def _of_money(table, words):
    return sum(word in topic_words("money") for word in _company(table, "coin", words))


def mean_cosine(table, draws=5000):
    """Mean cosine of two words that are drawn at random."""
    rng = np.random.default_rng(0)
    first, second = rng.integers(len(table), size=(2, draws))
    return float((unit(table)[first] * unit(table)[second]).sum(axis=1).mean())


def counted(counts, words):
    without = np.where(np.arange(len(words)) == words.index("the"), 0, counts)
    alike, left = mean_cosine(counts), mean_cosine(without)
    glue("coin_the", f"{int(counts[words.index('coin'), words.index('the')]):,}")
    glue("money_by_counts", _of_money(counts, words))
    glue("alike_by_counts", alike)
    glue("alike_without", left)
    frequent = sum(word in words[:12] for word in _company(counts, "coin", words))
    claim(
        "rest-frequent",
        _of_money(counts, words) == 1 and frequent == 4,
        f"{frequent} of the five are among the twelve most frequent words.",
        about="data",
    )
    claim(
        "large-counts-rule",
        alike > 0.5 > 1.5 * left,
        f"The mean cosine is {alike:.2f}, without the column {left:.2f}.",
        about="data",
    )


def surprised(surprise, words):
    alike = mean_cosine(surprise)
    glue("alike_by_surprise", alike)
    claim(
        "money-neighbours",
        _of_money(surprise, words) == 5,
        f"{_of_money(surprise, words)} are.",
        about="data",
    )
    claim(
        "random-words-apart",
        alike < 0.15,
        f"Their mean cosine is {alike:.2f}.",
        about="data",
    )


def topic_found(table, row, words):
    """For each noun with one topic: has its nearest neighbour that topic?"""
    scaled = unit(table)
    found = []
    for topic in TOPICS:
        for noun in TOPICS[topic]["nouns"]:
            if noun in row and noun not in SENSES and table[row[noun]].any():
                cosines = scaled @ scaled[row[noun]]
                cosines[row[noun]] = -1
                found.append(words[int(cosines.argmax())] in topic_words(topic))
    return float(np.mean(found))


def fewer_stories(table, sizes):
    """table: the shares of nouns, {(stories, vectors): share}."""
    glue("carried", float(100 * (sizes[:200] ** 2).sum() / (sizes**2).sum()))
    glue("n_words", len(sizes))
    glue("tenth_counts", 100 * table["a tenth", "counts"])
    glue("tenth_ppmi", 100 * table["a tenth", "PPMI"])
    claim(
        "all-find-topics",
        all(table["all", name] > 0.95 for name in ("counts", "PPMI", "SVD")),
        f"The shares are {table}.",
        about="data",
    )
    claim(
        "surprise-pays",
        table["a tenth", "PPMI"] > table["a tenth", "counts"] + 0.15,
        f"The shares are {table}.",
        about="data",
    )
    claim(
        "svd-adds-nothing",
        abs(table["a tenth", "SVD"] - table["a tenth", "PPMI"]) < 0.03
        and abs(table["all", "SVD"] - table["all", "PPMI"]) < 0.03,
        f"The shares are {table}.",
        about="data",
    )


def planted_arrows(right, sums, together, wrong_way):
    """right, sums: {relation: share} of b - a + c and of b + c."""
    glue("right_plural", float(100 * right["plural"]))
    glue("sum_capital", float(100 * sums["capital"]))
    claim("all-capitals", right["capital"] == 1, about="data")
    claim(
        "no-subtraction-works",
        sums["capital"] > 0.8,
        f"b + c finds {sums['capital']:.0%}.",
        about="data",
    )
    claim("pair-never-together", not any(together), about="data")
    glue("way_planted_wrong", float(wrong_way))


def learned_arrows(answers, scores, nearest, trio, bert):
    mean = answers.drop(columns=["relation", "pairs"]).mean()
    glue("right_all", float(100 * mean["right"]))
    glue("free_all", float(100 * mean["all allowed"]))
    glue("capital_right", float(scores.loc["capital", "right"]))
    glue("capital_free", float(scores.loc["capital", "all allowed"]))
    claim("course-model", "course model" in bert.name, f"Here {bert.name} runs.")
    claim(
        "inputs-come-first",
        bool(mean["input first"] > 0.9),
        f"It does for {mean['input first']:.0%} of the questions.",
        about="mathematics",
    )
    claim(
        "king-itself",
        nearest[0] == "king" and nearest[1] == "queen" and bool(trio.all()),
        f"It is {nearest[0]}, before {nearest[1]}.",
    )
    claim(
        "answers-lost",
        bool(mean["right"] > 0.4 and mean["all allowed"] < 0.05),
        f"{mean['right']:.0%} of the answers are right with the rule and "
        f"{mean['all allowed']:.0%} without.",
    )


def contested(near, added):
    """The arrow against near c and against b + c: {relation: verdict} each."""
    whole = near["all eight"]
    glue("near_lead", round(whole.difference))
    glue("near_interval", whole.interval("+.0f"))
    glue("sum_lead", round(added["all eight"].difference))
    glue("sum_interval", added["all eight"].interval("+.0f"))
    ahead = {name for name, v in near.items() if v.word == AHEAD}
    claim(
        "arrow-beats-near",
        whole.word == AHEAD and ahead == {"past", "all eight"},
        f"The interval is {whole.interval('+.0f')} points.",
    )
    claim(
        "sum-open",
        all(v.word == LEVEL for v in added.values()) and whole.word == AHEAD,
        f"The interval is {added['all eight'].interval('+.0f')} points.",
    )


def senses(senses_, counts, bank, money, river, n_bert):
    across, near = money @ river, (bank @ money, bank @ river)
    glue("bank_money", float(near[0]))
    glue("bank_river", float(near[1]))
    glue("money_river", float(across))
    glue("n_bert", f"{n_bert:,}")
    claim(
        "bank-between",
        bool(across < 0.2 and min(near) > 0.65),
        f"The cosines are {near[0]:.2f} and {near[1]:.2f}.",
        about="data",
    )
    claim(
        "counts-add-up",
        bool((senses_.sum(0) == counts).all()),
        about="data",
    )


def learned_products(learned, theory, did_meet):
    off = (learned - theory)[did_meet]
    fit = np.corrcoef(learned[did_meet], theory[did_meet])[0, 1]
    glue("n_met", f"{int(did_meet.sum()):,}")
    glue("fit", float(fit))
    glue("spread", float(off.std()))
    claim(
        "tables-alike",
        bool(fit > 0.99 and off.std() < 0.15 and off.mean().abs() < 0.1),
        f"Their correlation is {fit:.3f}.",
        about="data",
    )


def fewer_numbers(fits):
    claim(
        "fewer-dimensions",
        bool(fits[50] < 0.97 < 0.99 < fits[200]),
        f"The correlations are {fits[200]:.4f} and {fits[50]:.4f}.",
        about="data",
    )


def drawn_anew(drawn, capital, words):
    wide = {name: v.high - v.low for name, v in drawn.items()}
    claim(
        "narrower-interval",
        bool(wide["questions"] < 0.5 * wide["pairs, both"]),
        f"They are {wide['questions']:.0f} and {wide['pairs, both']:.0f} wide.",
    )
    gain = (100 * capital["right"] - 100 * capital["b + c"]).groupby(
        capital["pairs"].str[0].str[0].to_numpy()
    )
    gain = gain.sum().sort_values()
    most = [words[i] for i in gain.index[-3:]]
    claim(
        "three-first-pairs",
        bool(
            {*most} == {"stockholm", "cairo", "moscow"}
            and gain.iloc[-3:].sum() > 0.85 * gain.sum()
        ),
        f"The first cities that gain most are {', '.join(most)}.",
    )
    claim(
        "role-hides",
        bool(wide["pairs c : d"] < 0.6 * wide["pairs a : b"]),
        f"The widths are {wide['pairs c : d']:.0f} and {wide['pairs a : b']:.0f}.",
    )
