"""What "The architecture" says of this run: the numbers, and when it is true."""

import pandas as pd
import torch

from chapters.architecture.figures import cosine_of, largest_gap
from chapters.architecture.linked import STEPS, not_printed
from helpers import glue
from helpers.verdicts import claim

QUIET = ("eps of PyTorch", "GELU by tanh")
MIDDLE = ("no mask", "no scale")
WHOLE, SECOND = "as it is", "second sum from x"


def first_screen(bert):
    claim(
        "five-steps-run",
        (len(not_printed()), len(STEPS)) == (5, 14),
        about="mathematics",
    )
    claim("course-model", "course model" in bert.name, f"Here {bert.name} runs.")


def halved(bert, other):
    given = bert.tokenizer("the cat sat on the mat", return_tensors="pt")
    with torch.inference_mode():
        one, two = (
            model(**given.to(model.device)).last_hidden_state[0].cpu()
            for model in (bert.model, other)
        )
    glue("alike", cosine_of(one, two))
    claim("prints-the-same", str(other) == str(bert.model), about="mathematics")
    claim("another-network", (one - two).abs().max() > 0.005, about="mathematics")


def written(ours, theirs):
    claim(
        "numbers-are-models",
        len(ours) == len(theirs) and largest_gap(ours, theirs) < 1e-4,
        about="mathematics",
    )


def always_right(cloze):
    """How many sentences the same five words get, each the best beside the others."""
    accepted = [{*answers.split(",")} for answers in cloze.answers]
    always = set()
    for _ in range(5):
        missed = [answers for answers in accepted if not always & answers]
        words = pd.Series([word for answers in missed for word in answers])
        always.add(sorted(words.mode())[0])
    return sum(bool(always & answers) for answers in accepted)


def _staying(right, name):
    """How many sentences are right as it is and with a slip."""
    return sum(a and b for a, b in zip(right[WHOLE], right[name], strict=True))


def slips(right, changed, gap, cosine, cloze):
    score = {name: sum(of) for name, of in right.items()}
    blind, whole = always_right(cloze), score[WHOLE]
    glue("blind", blind)
    glue("true_right", whole)
    glue("no_scale_right", score["no scale"])
    glue("no_scale_changed", changed["no scale"])
    glue("no_scale_cosine", cosine["no scale"])
    glue("relu_right", score["ReLU"])
    glue("second_right", score[SECOND])
    claim(
        "two-slips-hidden",
        whole > 100 and all(changed[name] <= 2 for name in QUIET),
        f"First guesses changed: {changed}.",
    )
    claim(
        "score-blind",
        whole > 100 and all(abs(score[name] - whole) <= 2 for name in QUIET),
        f"Right: {score}.",
    )
    claim(
        "cosine-rounds",
        all(cosine[name] > 0.999995 for name in QUIET),
        about="mathematics",
    )
    claim(
        "difference-shows",
        all(gap[name] > 3e-6 > gap[WHOLE] for name in QUIET),
        f"The differences are {gap}.",
        about="mathematics",
    )
    claim("mask-scale-matter", min(changed[name] for name in MIDDLE) > 40)
    claim(
        "cosine-disagrees",
        cosine["half the heads"] > cosine["no scale"]
        and whole > 100
        and score["half the heads"] < score["no scale"],
        f"Right: {score}; cosines: {cosine}.",
    )
    claim(
        "answers-stay",
        whole > 100 and all(_staying(right, name) > 0.7 * whole for name in MIDDLE),
        f"Right: {score}.",
    )
    claim(
        "hardly-more",
        all(abs(score[name] - blind) < 8 for name in ("ReLU", SECOND))
        and whole > 3 * blind,
        f"Right: {score}.",
    )
    claim(
        "last-two-fail",
        max(score[name] for name in [*right][-2:]) < 8 < whole,
        f"Right: {score}.",
    )


def meanings(clear, right, states, real):
    """clear: {name of a layer: {word: pairs that stand out, of 12}}"""
    whole, broken = clear[WHOLE], clear[SECOND]
    glue("bank_true", whole["bank"])
    claim(
        "meaning-misleads",
        all(broken[word] == 12 >= whole[word] > 6 for word in whole)
        and sum(right[SECOND]) < sum(right[WHOLE]) / 2,
        f"They find {clear}.",
    )
    claim(
        "check-catches-nine",
        len(states) == 10
        and not any(
            torch.allclose(of[real], states[WHOLE][real], 1e-5, 1e-5)
            for name, of in states.items()
            if name != WHOLE
        ),
    )


def axes(outputs):
    found = {key: of.dim() for output in outputs.values() for key, of in output.items()}
    expected = {"last_hidden_state": 3, "pooler_output": 2, "loss": 0, "logits": 3}
    claim("one-number-no-axes", found == expected, about="mathematics")


def head(bert, decoder, table):
    own = bert.mlm.cls.predictions.transform.parameters()
    glue("head_own", f"{sum(part.numel() for part in own):,}")
    claim(
        "guess-table-shared",
        decoder.data_ptr() == table.data_ptr(),
        about="mathematics",
    )


def parameters(counts):
    shares = 100 * counts / counts.sum()
    words, parted = shares.loc["word embeddings"], shares.loc["feed-forward"]
    glue("words_base", float(words["Base"]))
    glue("attention_base", float(shares.loc["attention", "Base"]))
    glue("feed_base", float(parted["Base"]))
    glue("words_here", float(words["this run"]))
    glue("words_narrow", float(words["half as wide"]))
    glue("words_shallow", float(words["half as deep"]))
    glue("total", f"{counts['this run'].sum():,}")
    twice = parted / shares.loc["attention"]
    claim("feed-forward-doubles", (twice - 2).abs().max() < 0.01, about="mathematics")
    narrow, shallow = words["half as wide"], words["half as deep"]
    claim(
        "width-and-depth",
        bool(abs(narrow - shallow) < 1 and min(narrow, shallow) > words["Base"] + 5),
        about="mathematics",
    )


def whole(widest):
    claim("count-agrees", widest < 1e-4, about="mathematics")
