"""The pictures of "Pre-training", and the training that its live box moves through."""

import numpy as np

from chapters.pretraining.kept import shares_at_mask
from chapters.pretraining.learning import guesses, send_snapshots, show_learning
from helpers.corpus.grammar import AGREEMENT
from helpers.plotting import lines, show
from helpers.plotting.pictures import draw
from helpers.plotting.pictures.curves import curve

SENTENCES = {  # of the menu: the hidden word of each; the first two are shown
    "every sour bottle near the restaurants [MASK] hot .": "is",
    "the old bottles near the table [MASK] bad .": "are",
    "at night these armies of large russia [MASK] the ballet .": "prefer",
    "before lunch these farmers [MASK] the adult rabbit near the fence .": "brush",
    "in the afternoon the [MASK] grow .": "shadows",
    "many mayors of crowded moscow prefer the [MASK] .": "ballet",
    "some expensive debts near the counter [MASK] .": "disappear",
}
SHOWN = [*SENTENCES][:2]
MOMENTS = 60, 400, 1000, 2600
ONES, MANY = [*AGREEMENT["verbs"]], [*AGREEMENT["verbs"].values()]


def best(run, text, step, k=5):
    """The k likeliest words at [MASK] after a step: {word: share}."""
    [shares] = shares_at_mask(run.network(step), run.tokenizer, [text])
    pieces = run.about["pieces"]
    return {pieces[i]: float(shares[i]) for i in np.argsort(-shares)[:k]}


def first_screen(run):
    """Two sentences, one with a singular and one with a plural subject."""
    forms = (ONES, MANY), (MANY, ONES)
    show_learning(
        [
            (
                text,
                [
                    guesses(f"after {step:,} steps", best(run, text, step), *of)
                    for step in MOMENTS
                ],
            )
            for text, of in zip(SHOWN, forms, strict=True)
        ]
    )


def draw_falls(falls):
    """falls: (loss of this batch, of another) after each step."""
    own, another = zip(*falls, strict=True)
    steps = range(len(falls))
    said = (
        f"Over sixty steps the loss of the batch falls from {own[0]:.1f} to "
        f"{own[-1]:.1f}, another's goes from {another[0]:.1f} to {another[-1]:.1f}."
    )
    both = {"this batch": (steps, own), "another": (steps, another)}
    draw(curve(both, said, "Sixty steps on one batch", ("step", "loss")))


def draw_course(course, chance, frequencies, between):
    show(
        lines(
            {
                "unread sentences": (course.index, course.loss),
                "words around exchanged": (course.index, course.exchanged),
            },
            "Masked words",
            "step",
            "loss",
            [
                ("chance", chance),
                ("frequencies", frequencies),
                ("two neighbours", between),
            ],
        )
    )


def draw_verbs(agreement, course):
    """agreement: {"near" or "far": per cent of right verbs, for each kept step}."""
    show(
        lines(
            {
                "nearest noun agrees": (course.index, agreement["near"]),
                "nearest noun misleads": (course.index, agreement["far"]),
                "pairs": (course.index, 100 * course.pairs),
            },
            "Right answers",
            "step",
            "right, of 100",
            [("coin", 50)],
        )
    )


def send(run, course, agreement, chance, frequencies, between):
    """Give the book's page all kept states, with the curves of this page."""
    beside = {"chance": chance, "frequencies": frequencies, "neighbours": between}
    right = {
        "nearest noun agrees": agreement["near"],
        "it misleads": agreement["far"],
    }
    about = {name: run.about[name] for name in ("pieces", "layers", "heads", "steps")}
    send_snapshots(
        run.for_the_live_page(),
        about
        | {
            "sentences": [{"text": t, "word": w} for t, w in SENTENCES.items()],
            "curves": [
                {
                    "title": "Loss on held-out stories",
                    "low": 0,
                    "high": 8,
                    "series": {"": course.loss.round(2).tolist()},
                    "beside": {k: round(float(v), 2) for k, v in beside.items()},
                },
                {
                    "title": "Right verbs, of 100",
                    "low": 0,
                    "high": 100,
                    "series": {k: [round(x) for x in v] for k, v in right.items()},
                    "beside": {"coin": 50},
                },
            ],
        },
    )
