"""The pictures of "The masked language model"."""

import numpy as np
import torch

from helpers.plotting import bars, new_figure, show
from helpers.plotting.pictures import Matrix, covered, draw, matrices, slide

SENTENCE = "The {} said that [MASK] was tired."
FISHERMAN = (
    "The old fisherman pulled his nets out of the cold sea and sold the fish on the "
    "market early in the morning ."
)
DENIED = ("robin", "salmon", "oak", "piano", "car")
NAMED = "mechanic chief lawyer secretary teacher housekeeper nurse".split()


def draw_doctor_and_nurse(bert):
    """The same sentence about two people; returns {who: {piece: probability}}."""
    guesses = {}
    for who in ("doctor", "nurse"):
        [best] = bert.predict_masked(SENTENCE.format(who), top=100)
        guesses[who] = dict(best)
    cards = []
    for who, shares in guesses.items():
        words = SENTENCE.format(who).replace(".", " .").split()
        five = dict(list(shares.items())[:5])
        hole = words.index("[MASK]")
        cards.append(covered(who, words, hole, [True] * len(words), five, "she"))
    draw(*cards)
    return guesses


def draw_company(bert):
    """A slider over the words kept around *fish*; returns {kept: five best pieces}."""
    tokenizer, words = bert.tokenizer, FISHERMAN.split()
    hole, frames, best = words.index("fish"), [], {}
    batch = tokenizer(words, is_split_into_words=True, return_tensors="pt")
    of_word = np.array(
        [np.nan if word is None else word - hole for word in batch.word_ids()]
    )
    for kept in (0, 1, 2, 4, 8, len(words)):
        covers = torch.as_tensor((abs(of_word) > kept) | (of_word == 0))
        ids = batch.input_ids.masked_fill(covers, tokenizer.mask_token_id)
        with torch.inference_mode():
            logits = bert.mlm(ids.to(bert.device)).logits[0, of_word == 0][0]
        top = logits.softmax(-1).cpu().topk(5)
        best[kept] = tokenizer.convert_ids_to_tokens(top.indices)
        seen = [abs(i - hole) <= kept for i in range(len(words))]
        sight = "all words" if all(seen) else f"{kept} words on each side"
        shares = dict(zip(best[kept], top.values.tolist(), strict=True))
        frames.append(
            (
                f"With {sight}: {', '.join(best[kept][:3])}.",
                covered(sight, words, hole, seen, shares, "fish", full=0.2),
            )
        )
    slide("words kept on each side:", frames, start=2)
    return best


def draw_best(tokenizer, p, title):
    """p: (vocabulary,), the probabilities at a mask."""
    best = (-p).argsort()[:12]
    names = tokenizer.convert_ids_to_tokens(best.tolist())
    show(bars(names, p[best].tolist(), title, "probability"))


def draw_surprise(bits):
    """bits: a table (sentences, which words are kept)."""
    show(
        bars(
            [f"{kept} kept" for kept in bits],
            bits.mean().tolist(),
            "Surprise at the hidden word, other words masked",
            "bits (lower is better)",
        )
    )


def draw_ways(ways):
    """ways: {way: table (sentences, which words are kept)}."""
    table = [table.mean().tolist() for table in ways.values()]
    kept = [*next(iter(ways.values()))]
    draw(
        matrices(
            Matrix(
                "bits; columns: kept", table, [*ways], kept, "plain", ".1f", high=20
            ),
            words="Bits left where words are masked, closed or cut, for three sets of "
            "words that are kept.",
        )
    )


def draw_fates(fates):
    """fates: what became of each of a thousand tokens."""
    some = fates.reshape(25, 40)
    shade = {"not chosen": 0, "[MASK]": 1, "random word": 0.45, "kept": 0}
    draw(
        matrices(
            Matrix(
                "full: [MASK], pale: another word, dashed: kept",
                [[shade[name] for name in row] for row in some],
                form="",
                cell=12,
                copied=some == "kept",
            ),
            words="A thousand tokens as small squares. About one in seven is marked: "
            "most full, a few pale, a few dashed.",
        )
    )


def draw_denied(bert, sentence_about, kinds):
    """A slider over things: what each is, and is not. kinds: {thing: its kind}."""
    frames = []
    for thing in DENIED:
        cards, tops = "", []
        for inserted in ("", "not"):
            text = sentence_about(thing, inserted)
            [guesses] = bert.predict_masked(text)
            words = text.replace(".", " .").split()
            tops.append(guesses[0][0])
            cards += covered(
                f"{thing} {'is not' if inserted else 'is'}",
                words,
                words.index("[MASK]"),
                [True] * len(words),
                dict(guesses),
                kinds[thing],
                full=0.6,
            )
        frames.append((f"{thing}: {tops[0]}; not: {tops[1]}.", cards))
    slide("the thing:", frames)


def draw_occupations(women, mean):
    """women: {occupation: % women}. mean: its log-odds of she against he."""
    plot = new_figure(
        "Each mark is an occupation",
        "% women, US",
        "log-odds of she against he",
        height=380,
        tooltips="@name",
        tools="",
    )
    at = dict(zip(women, mean, strict=True))
    plot.scatter(
        "women",
        "mean",
        size=8,
        alpha=0.8,
        source={"women": [*women.values()], "mean": mean, "name": [*women]},
    )
    plot.text(
        "x",
        "y",
        "text",
        source={
            "x": [women[name] for name in NAMED],
            "text": NAMED,
            "y": [at[name] for name in NAMED],
            "align": ["left" if women[n] < 30 else "right" for n in NAMED],
            "beside": [8 if women[n] < 30 else -8 for n in NAMED],
        },
        text_font_size="12px",
        x_offset="beside",
        y_offset=-4,
        text_align="align",
        text_color="#444444",
    )
    plot.y_range.range_padding = 0.2  # names stand above their marks
    show(plot)
