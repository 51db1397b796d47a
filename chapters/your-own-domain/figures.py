"""What "Texts of your own" draws."""

from chapters.your_own_domain.texts import CREWS, kept, kept_run
from helpers.plotting.pictures import curve, draw, slide
from helpers.plotting.pictures.dots import dots

MEASURES = ("tickets", "new phrases", "everyday")
KEPT = {  # of the kept runs of masked words and pairs
    "sixteen, words": "words",
    "sixteen, frozen": "BERT, frozen",
    "sixteen, adapted": "masked words first",
    "sixteen, frozen, pairs": "pairs first, 30 steps",
}
TUNED = {
    "fine-tuned, 30": "fine-tuned, 30 steps",
    "fine-tuned, 60": "fine-tuned, 60 steps",
}
RANDOM = {"sixteen, random, pairs": "random BERT, pairs"}


def losses():
    """A row a crew and step, a column a measure and way, of the kept runs."""
    stored = kept_run()
    stored = stored[stored.what.str.contains("tickets|phrases|everyday")]
    return stored.pivot(index=["crew", "step"], columns="what", values="value")


def both_ways(crew, loss):
    """A crew: tickets alone, and with everyday text, on axes that reach alike."""
    of, drawn = loss.loc[crew], []
    low, high = of.min(axis=None), of.max(axis=None)
    axis = {"_low": ([0, 0], [low, low]), "_high": ([0, 0], [high, high])}
    for title, way in [("tickets only", ""), ("everyday text mixed in", ", mixed")]:
        rows = {n: (of.index, of[n + way].fillna(of[n])) for n in MEASURES}
        said = "; ".join(
            f"{name} from {y.iloc[0]:.1f} to {y.iloc[-1]:.1f}"
            for name, (_, y) in rows.items()
        )
        words = f"{title}: {said}"
        drawn.append(curve(rows | axis, words, title, ("step", "surprise")))
    return "".join(drawn)


def draw_crews():
    loss = losses()
    frames = [
        (f"Judged on the tickets of crew {crew}.", both_ways(crew, loss))
        for crew in CREWS
    ]
    slide("the crew that judges:", frames, start=1)


def sixteen_labels():
    """{way: the share of right kinds of each crew}, of the kept runs."""
    runs = {"what": kept_run(), "way": kept().rename(columns={"right": "value"})}
    shares = {}
    for column, names in (("what", KEPT), ("way", TUNED), ("what", RANDOM)):
        for name, said in names.items():
            rows = runs[column]
            rows = rows[rows[column] == name].set_index("crew")
            shares[said] = rows.value[CREWS].tolist()
    return shares


def draw_sixteen():
    shares = sixteen_labels()
    said = "; ".join(f"{name} {sum(four) / 4:.2f}" for name, four in shares.items())
    words = f"Right kinds from sixteen labels a class, a disc a crew: {said}"
    ticks = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    rows = {name: (four, []) for name, four in shares.items()}
    draw(dots(rows, words, ticks, ("a crew that judges", ""), (1 / 6, "a guess")))
