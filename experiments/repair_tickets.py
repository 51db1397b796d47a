"""Repair tickets of four ferry crews, for "Your own domain".

`python -m experiments.repair_tickets` wrote data/tickets/*.txt and labels.tsv, in a
second, the same each time. The phrases, in data/tickets/phrases.txt, were written by
hand for this course, each crew's in its own words; a ticket puts one to three of them
together, with places, what was done and a vessel. A place is drawn whatever the fault,
so that words such as *radio* stand in tickets on anything.
"""

import numpy as np

from chapters.your_own_domain.texts import CREWS, KINDS
from helpers import DATA
from helpers.whole_files import replace

VESSELS = "Petrel Tern Skua Dunlin Plover Curlew Whimbrel Gannet".split()
TICKETS, HURT = 600, 12  # of a crew
SHARES = (0.5, 0.35, 0.15)  # of tickets with one, two and three faults
FOLDER = DATA / "tickets"


def phrases():
    """Return {heading: its lines}, such as {"heron deck": [...]}."""
    text = (FOLDER / "phrases.txt").read_text(encoding="utf-8")
    blocks = [block.splitlines() for block in text.split("# ")[1:]]
    return {block[0]: block[1:] for block in blocks}


def ticket(crew, hurt, known, rng):
    """Return the labels and the text of a ticket, drawn with a numpy Generator."""

    def one(heading):
        return str(rng.choice(known[heading]))

    n = rng.choice([1, 2, 3], p=SHARES)
    labels = [str(kind) for kind in rng.choice(KINDS, n, replace=False)]
    said = []
    for kind in labels:
        place = f" {one('any place')}" if rng.random() < 0.4 else ""
        said.append(one(f"{crew} {kind}") + place)
    if hurt:
        said.append(one(f"{crew} hurt"))
    elif rng.random() < 0.12:
        said.append(one(f"{crew} unhurt"))
    rng.shuffle(said)
    hour = f"{rng.integers(5, 23):02d}{rng.integers(0, 6)}0"
    head = f"{hour} {rng.choice(VESSELS)}"
    said += [one("any done"), one("any close")]
    return sorted(labels + ["hurt"] * hurt), f"{head}: {'. '.join(said)}."


def main():
    known, rng, rows = phrases(), np.random.default_rng(0), []
    for crew in CREWS:
        hurt = rng.permutation(np.arange(TICKETS) < HURT)
        made = [ticket(crew, bool(one), known, rng) for one in hurt]
        text = "".join(f"{text}\n" for _, text in made)
        replace(FOLDER / f"{crew}.txt", text.encode())
        rows += [f"{crew}\t{' '.join(labels)}\n" for labels, _ in made]
    replace(FOLDER / "labels.tsv", "".join(rows).encode())


if __name__ == "__main__":
    main()
