"""What "Which words an answer needs" says of this run, and when it is true."""

import numpy as np

from helpers import glue
from helpers.verdicts import AHEAD, BEHIND, claim, compare


def opening(bert, words, lost, looked):
    """The words of the sentence, what each costs when hidden, and its attention."""
    order = [words[i] for i in np.argsort(lost)[::-1]]
    first = words[int(np.argmax(looked))]
    glue("lost_animal", float(lost[words.index("animal")]))
    glue("lost_tired", float(lost[words.index("tired")]))
    glue("gained_street", float(-lost[words.index("street")]))
    glue("looked_first", float(max(looked)))
    glue("looked_animal", float(looked[words.index("animal")]))
    glue("looked_tired", float(looked[words.index("tired")]))
    claim("two-words", set(order[:2]) == {"animal", "tired"}, f"They are {order[:2]}.")
    claim(
        "street-against",
        bool(min(lost) == lost[words.index("street")] < -1),
        f"It is {lost[words.index('street')]:.1f}.",
    )
    claim(
        "attention-elsewhere",
        first == "the" and set(order[:2]) == {"animal", "tired"},
        f"Most attention goes to {first}.",
    )
    claim("course-model", "course model" in bert.name, f"It is {bert.name}.")


def scores(ranks, sums):
    """ranks: (texts, scores). sums: (texts, 2), added parts and the whole."""
    attention, flow, gradients, scrambled = (ranks[name] for name in ranks)
    error = np.abs(sums[:, 0] - sums[:, 1]).mean()
    glue("complete", float(100 * error / np.abs(sums[:, 1]).mean()))
    for name, of in zip(
        ("by_attention", "by_rollout", "by_gradients", "by_scrambled"),
        (attention, flow, gradients, scrambled),
        strict=True,
    ):
        glue(name, float(of.mean()))
    glue("n_texts", len(ranks))
    claim(
        "gradients-closer",
        compare(gradients, attention).word == AHEAD
        and compare(gradients, flow).word == AHEAD
        and gradients.mean() > 0.5,
        f"Gradients {gradients.mean():.2f}, attention {attention.mean():.2f}.",
        about="mathematics",
    )
    claim(
        "gradients-fail-scrambled",
        compare(gradients, scrambled).word == AHEAD and abs(scrambled.mean()) < 0.3,
        f"Scrambled {scrambled.mean():.2f}.",
        about="mathematics",
    )


def riddles(told):
    riddle, clause, crossed = told.values()
    shift, alone, swapped = (first - second for first, second in told.values())
    solved = {
        name: ((first > 0) & (second < 0)).astype(int)
        for name, (first, second) in told.items()
    }
    whole, half, _ = solved.values()
    n = len(shift)
    glue("n_pairs", n)
    glue("shift", float(shift.mean()))
    glue("alone_shift", float(alone.mean()))
    glue("crossed_shift", float(swapped.mean()))
    glue("remainder", compare(shift, alone).interval())
    glue("solved_riddle", int(whole.sum()))
    glue("solved_clause", int(half.sum()))
    glue("only_riddle", int((whole > half).sum()))
    glue("only_clause", int((half > whole).sum()))
    claim(
        "shift-needs-no-pronoun",
        compare(alone, 0.5 * shift).word == AHEAD and bool(alone.mean() > 1),
        f"It moves it by {alone.mean():.2f} of {shift.mean():.2f}.",
    )
    claim(
        "first-clause-solves",
        compare(whole, half).word == AHEAD,
        f"{whole.sum()} and {half.sum()} are solved.",
    )
    claim(
        "few-solved",
        bool(whole.mean() < 0.5) and compare(whole, half).word == AHEAD,
        f"{whole.sum()} and {half.sum()} are solved.",
    )


def turning(chosen, same, turns, mover):
    """same: the effects of the head chosen by turning, on the pairs of the other.

    turns: (heads,) how far each turns. mover: the number of the other head.
    """
    (_, by_turn), (name, by_effect) = chosen.values()
    verdict = compare(by_turn, 0)
    glue("turn_effect", verdict.difference)
    glue("best_effect", float(by_effect.mean()))
    glue("n_report", len(by_effect))
    claim(
        "turning-head-wrong-way",
        verdict.word == BEHIND,
        f"It moves it by {verdict.interval()}.",
    )
    claim(
        "chosen-head-moves-more",
        compare(by_effect, same).word == AHEAD
        and bool(by_effect.mean() > 0.3 and abs(turns[mover]) < 0.2 * turns.max()),
        f"Head {name} has {by_effect.mean():.2f}.",
    )


def switched_off(leads):
    """leads: of animal over street, with all heads on, one off, its layer off."""
    claim(
        "lead-kept",
        bool(leads[1] >= leads[0] > 1),
        f"It goes from {leads[0]:.2f} to {leads[1]:.2f}.",
    )
