"""Passages and questions by rule, from which "Question answering" learns to read.

`python -m experiments.reading_questions` writes data/questions/learn.txt and home.txt,
in a second, the same each time: the first of the passages from which the reader
learned, and others of the same kind. The words and facts are in rules.toml beside them.
A passage is three to five facts about people and things; each question comes with a
twin that the same passage does not answer: it is asked of somebody or something else in
the passage, or of what is not in it at all. The passages by hand, judge.txt, were
written before any reader was tried on them.
"""

import re
import tomllib

import numpy as np

from helpers.questions import FOLDER
from helpers.whole_files import replace

RULES = tomllib.loads((FOLDER / "rules.toml").read_text(encoding="utf-8"))
WORDS, FACTS = RULES["words"], RULES["fact"]
SETS = [("learn", 240, 0), ("home", 60, 1)]  # name, passages, seed
SLOT = re.compile(r"{(\w+?)(2?)}")


def draw_slot(kind, rng):
    """Return a filler of a kind: a name, a place, a number, a date, a word."""
    if kind == "p":
        return f"{rng.choice(WORDS['first'])} {rng.choice(WORDS['last'])}"
    if kind == "year":
        return str(rng.integers(1750, 2024))
    if kind == "date":
        return f"{rng.integers(1, 29)} {rng.choice(WORDS['month'])}"
    if kind == "age":
        return str(rng.integers(12, 90))
    if kind == "n":
        return rng.choice([str(rng.integers(2, 99)), f"{rng.integers(100, 999)}"])
    if kind == "money":
        unit = rng.choice(["pounds", "dollars", "euros", "crowns"])
        return f"{rng.integers(2, 900)} {unit}"
    if kind == "time":
        return str(
            rng.choice(["noon", "midnight", f"{rng.integers(1, 12)} o'clock"])
            if rng.random() < 0.6
            else f"{rng.integers(5, 12)}.{rng.choice([10, 15, 20, 30, 40, 45, 50])}"
        )
    return str(rng.choice(WORDS[kind]))


def draw_new(kind, rng, taken):
    """Return a filler that is none of `taken`, if one is found in fifty draws."""
    for _ in range(50):
        filler = draw_slot(kind, rng)
        if filler not in taken:
            break
    return filler


def filled(form, slots):
    """Put fillers into a form; `a` becomes `an` where it must."""
    return re.sub(r"\b([Aa]) (?=[aeio])", r"\1n ", form.format(**slots))


def slots_of(fact, rng, taken):
    """Draw a fact's fillers, none of them in the passage already."""
    slots = {}
    for name in dict.fromkeys(a + b for a, b in SLOT.findall(fact["forms"][0])):
        slots[name] = draw_new(name.rstrip("2"), rng, taken)
        taken.add(slots[name])
    return slots


def passage(rng):
    """Return sentences, and for each the number of its fact and its fillers."""
    size = int(rng.integers(3, 6))
    chosen = rng.choice(len(FACTS), size, replace=False).tolist()
    if rng.random() < 0.6:  # two facts of one kind, so that the kind alone is no help
        chosen[-1] = chosen[0]
    rng.shuffle(chosen)
    taken, facts = set(), []
    for number in chosen:
        slots = slots_of(FACTS[number], rng, taken)
        text = filled(rng.choice(FACTS[number]["forms"]), slots)
        facts.append((text[0].upper() + text[1:], number, slots))
    return _with_pronouns(facts, rng)


def _with_pronouns(facts, rng):
    """Let a person of one fact be the person of the next, too, as he or she."""
    told = facts[:1]
    for text, number, slots in facts[1:]:
        _, before, who = told[-1]
        lone = "p2" not in slots and "p2" not in who and number != before
        if "p" in slots and "p" in who and lone and rng.random() < 0.5:
            word = str(rng.choice(["He", "She"]))
            said = word if text.startswith(slots["p"]) else word.lower()
            text = text.replace(slots["p"], said)
            text = re.sub(
                r"by (she|he)\b",
                lambda m: "by " + {"she": "her", "he": "him"}[m[1]],
                text,
            )
            slots = {**slots, "p": who["p"]}
        told.append((text, number, slots))
    return [(_with_aside(text, rng), *rest) for text, *rest in told]


def _with_aside(text, rng):
    """Add a few words now and then that no question asks about."""
    return f"{text} {rng.choice(WORDS['aside'])}" if rng.random() < 0.2 else text


def short(question, rng, facts):
    """Now and then call somebody by the first or the last name alone."""
    names = [f["p"] for _, _, f in facts if "p" in f]
    names += [f["p2"] for _, _, f in facts if "p2" in f]
    for name in names:
        parts = name.split()
        lone = [p for p in parts if sum(p in other.split() for other in names) == 1]
        if name in question and lone and rng.random() < 0.3:
            question = question.replace(name, str(rng.choice(lone)))
    return question


def questions(facts, rng, n=2):
    """Return n of (question, answer, twin): the twin has no answer in the passage."""
    made = []
    for at in rng.choice(len(facts), n, replace=False):
        _, number, slots = facts[at]
        asked = FACTS[number]["asked"]
        form, slot = asked[rng.integers(len(asked))]
        question = short(filled(form, slots), rng, facts)
        made.append((question, slots[slot], twin(facts, at, form, rng)))
    return made


def twin(facts, at, form, rng):
    """Ask the same of what another fact is about, or of what no fact is about."""
    _, number, slots = facts[at]
    used, key = [a + b for a, b in SLOT.findall(form)], FACTS[number]["key"]
    name = key if key in used and rng.random() < 0.7 else str(rng.choice(used))
    kind = name.rstrip("2")
    others = [
        value
        for _, other, fillers in facts
        for slot, value in fillers.items()
        if other != number and slot.rstrip("2") == kind and value != slots[name]
    ]
    if others and rng.random() < 0.6:
        changed = str(rng.choice(others))
    else:
        taken = {value for _, _, fillers in facts for value in fillers.values()}
        changed = draw_new(kind, rng, taken)
    return short(filled(form, slots | {name: changed}), rng, facts)


def write(n, seed):
    """Return the text of the file: passages, questions (?) and twins (!)."""
    rng, parts = np.random.default_rng(seed), []
    while len(parts) < n:
        facts = passage(rng)
        asked = questions(facts, rng)
        lines = [" ".join(text for text, _, _ in facts)]
        for yes, answer, no in asked:
            lines += [f"? {yes} | {answer}", f"! {no}"]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def main():
    for name, passages, seed in SETS:
        replace(FOLDER / f"{name}.txt", write(passages, seed).encode())


if __name__ == "__main__":
    main()
