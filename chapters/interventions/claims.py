"""What "From looking to causing" says of this run, and when it is true.

One function for each hidden cell. A claim's name is the one that its sentence carries
in the page; its condition is as strict as the words, and holds the control as well.
"""

import numpy as np

from chapters.interventions.figures import MANY, ONE, kinds
from helpers import glue
from helpers.verdicts import AHEAD, claim, compare

ON_THE_WAY = "the subject", "the word before it", "[MASK]"


def opening(bert, guesses, changed):
    whole, never = guesses
    first = next((d for d, word in enumerate(whole) if word in ONE), 0)
    verbs = [word for word in whole if word in ONE | MANY]
    glue("n_heads", bert.n_layers * bert.n_heads)
    claim(
        "verb-turns-plural",
        first > 0
        and verbs[-1] in MANY
        and verbs == sorted(verbs, key=MANY.__contains__),
        f"It says {', '.join(whole)}.",
    )
    claim("no-other-head", len(changed) == 1, f"{len(changed)} heads make it so.")
    claim(
        "never-turns",
        never[-1] in ONE and not set(never) & MANY,
        f"It says {', '.join(never)}.",
    )
    claim("minilm-moved", "course model" in bert.name, f"It is {bert.name}.")


def lens(new, subject, beside):
    """Returns the layer that turns the guess."""
    gain = np.diff(subject.mean(axis=1))
    turning = int(gain.argmax())
    early = [compare(beside[d], subject[d], new.nouns) for d in range(1, turning)]
    after = compare(subject[turning + 1], beside[turning + 1], new.nouns)
    glue("turning", turning)
    glue("beside_early", float(beside[turning - 1].mean()))
    glue("subject_before", float(subject[turning].mean()))
    glue("subject_after", float(subject[turning + 1].mean()))
    glue("n_new", len(new.texts))
    glue("n_right", int((subject[-1] > 0).sum()))
    claim("follows-noun-beside", turning > 1 and all(v.word == AHEAD for v in early))
    claim(
        "one-layer-turns",
        bool(gain[turning] > 0.5 * subject[-1].mean()) and after.word == AHEAD,
        f"Layer {turning} brings {gain[turning]:.1f}.",
    )
    return turning


def patching(effects, turning):
    means = {name: of.mean(axis=1) for name, of in effects.items()}
    whole = means["the subject"][0]
    noun, word, mask = (
        means[name] for name in ("the subject", "the word before it", "[MASK]")
    )
    rest = max(abs(m).max() for name, m in means.items() if name not in ON_THE_WAY)
    glue("whole", float(whole))
    glue("noun_before", float(noun[turning]))
    glue("word_before", float(word[turning]))
    glue("mask_after", float(mask[turning + 1]))
    claim(
        "number-moves-to-mask",
        bool(
            noun[turning] > 0.5 * whole
            and mask[turning + 1] > 0.6 * whole
            and max(noun[turning + 1], mask[turning]) < 0.2 * whole
        ),
    )
    claim(
        "word-before-holds-some",
        bool(
            whole > 1 and word[:2].max() < 0.02 * whole and word[turning] > 0.2 * whole
        ),
        f"It has {word[turning]:.2f} of {whole:.2f}.",
    )
    claim(
        "no-other-place",
        bool(whole > 1 and rest < 0.1 * whole),
        f"Another one has {rest:.2f} of {whole:.2f}.",
    )


def heads(new, chosen, second, whole, shown, fetcher, turning):
    """chosen, second, whole: (texts,) effects on the new sentences."""
    share = chosen.mean() / whole.mean()
    glue("fetched", float(chosen.mean()))
    glue("share", float(100 * share))
    glue("layer", fetcher[0])
    glue("head", fetcher[1])
    claim(
        "one-head-half",
        fetcher == shown
        and fetcher[0] == turning
        and 0.45 < share < 0.55
        and compare(chosen, second, new.nouns).word == AHEAD,
        f"It is {fetcher}, with {share:.0%}.",
    )


def looks(new, frame, weight, taken, columns, whole):
    """weight: (texts, tokens). taken: {place: (texts,)}. columns: of the table.

    frame: (texts,) booleans, the sentences of the table.
    """
    mean, arrives = columns["weight"], columns["share of what arrives"]
    top = weight.argmax(dim=1)
    last = new.places["the last word"][new.rows, top].cpu().numpy()
    glue("n_frame", int(frame.sum()))
    glue("w_last", mean["the last word"])
    glue("w_subject", mean["the subject"])
    glue("a_last", arrives["the last word"])
    glue("a_subject", arrives["the subject"])
    glue("most_last", int(last[frame].sum()))
    glue("other_last", int(last[~frame].sum()))
    claim(
        "looks-past",
        bool(last[frame].mean() > 0.75)
        and mean["the last word"] > 1.5 * mean["the subject"]
        and max(arrives, key=arrives.get) == "the last word",
        f"It is the last word in {last[frame].mean():.0%}.",
    )
    whole, taken = whole[frame].mean(), {k: of[frame] for k, of in taken.items()}
    own = taken["the subject"].mean()
    nouns = [noun for noun, mine in zip(new.nouns, frame, strict=True) if mine]
    verdict = compare(taken["the last word"], 0, nouns)
    claim(
        "takes-nothing-there",
        bool(np.abs([verdict.low, verdict.high]).max() < 0.01 * whole < own / 20),
        f"It takes {verdict.interval('+.3f')}.",
    )
    others = max(abs(e.mean()) for name, e in taken.items() if name != "the subject")
    claim(
        "takes-from-subject",
        bool(own > 0.35 * whole and others < own / 10),
        f"From the subject {own:.2f}, elsewhere at most {others:.2f}.",
    )


def off(new, own, losses, names):
    """own: (texts,) log-odds for the right form. losses: {name: (texts,)}."""
    mean, together, added = (losses[name] for name in names)
    share = mean.mean() / own.mean()
    glue("still", int((own > mean).sum()))
    glue("loss_share", float(100 * share))
    claim(
        "third-of-preference",
        bool(1 / 3 < share < 0.45),
        f"It takes {share:.0%}.",
    )
    claim(
        "whole-layer-costs-more",
        compare(together, added, new.nouns).word == AHEAD and together.mean() > 1,
    )


def falls_back(rest, own, without):
    turned = (own > 0) & (without < 0)
    hard = kinds(rest)["plural subject, singular beside"]
    glue("n_turned", int(turned[hard].sum()))
    glue("n_hard", int(hard.sum()))
    glue("n_easy", int((~hard).sum()))
    leans = compare(without * rest.sign, own * rest.sign, rest.nouns)
    claim(
        "falls-back-singular",
        bool(turned[hard].sum() > 5 and not turned[~hard].any())
        and leans.word == AHEAD,
        f"{turned[hard].sum()} and {turned[~hard].sum()} answers turn.",
    )


def steering(table, turning):
    """table: a row a depth, (texts,) in each of its columns."""
    at, later = table.loc[turning], table.loc[turning + 1 :]
    glue("n_could", len(at["pushed"]))
    glue("n_steered", int(at["pushed"].sum()))
    glue("n_beside", int(at["pushed beside"].sum()))
    glue("n_first", int(table["pushed"].iloc[0].sum()))
    glue("probe_after", int(later["probe right"].iloc[0].sum()))
    noise = max(int(draw.sum()) for draws in table["random"] for draw in draws)
    glue("n_random", noise)
    claim(
        "steering-turns",
        bool(at["pushed"].mean() > 0.5)
        and compare(at["pushed"].astype(int), at["pushed beside"].astype(int)).word
        == AHEAD,
        f"It turns {at['pushed'].sum()}.",
    )
    claim(
        "random-turns-none",
        bool(noise <= 1 and at["pushed"].mean() > 0.5),
        f"One turns {noise}.",
    )
    least = min(of.sum() for of in later["probe right"])
    moved = max(of.sum() for of in later["pushed"])
    lost = max(abs(of.mean()) for of in later["lost"])
    claim(
        "readable-not-used",
        len(later) > 0
        and bool(least == len(later["probe right"].iloc[0]) and moved == 0)
        and lost < 0.1 * table["lost"].iloc[0].mean(),
        f"The probe has {least} right, {moved} answers turn, {lost:.2f} is lost.",
    )
    control = max(abs(of.mean()) for of in table["lost, control"])
    claim(
        "control-keeps",
        bool(control < 0.15 and table["lost"].iloc[0].mean() > 2),
        f"The control loses up to {control:.2f}.",
    )


def parts(new, by_part, turning):
    attention, forward = (of[turning] for of in by_part.values())
    glue("of_attention", float(attention.mean()))
    glue("of_forward", float(forward.mean()))
    claim(
        "attention-brings-number",
        compare(attention, forward, new.nouns).word == AHEAD and attention.mean() > 1,
    )


def closing(losses):
    closed, emptied = losses["[CLS]", "closed"], losses["[CLS]", "emptied"]
    glue("closed", float(closed.mean()))
    glue("emptied", float(emptied.mean()))
    claim(
        "emptying-costs-less",
        compare(closed, emptied).word == AHEAD and emptied.mean() < 0.5 * closed.mean(),
        f"Closed {closed.mean():.2f}, emptied {emptied.mean():.2f}.",
    )
