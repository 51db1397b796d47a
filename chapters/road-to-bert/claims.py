"""What "The road to BERT" says of this run: its numbers, and when it is true."""

import numpy as np

from helpers import glue
from helpers.verdicts import AHEAD, claim, compare


def first_screen(bert, places):
    left, right, both = (
        {word: place for (word, seen), place in places.items() if seen == side}
        for side in ("left alone", "right alone", "both sides")
    )
    claim(
        "both-sides-needed",
        both["phone"] == 1 and min(left["phone"], right["phone"]) > 5,
        f"Its place is {left['phone']}, {right['phone']} and {both['phone']}.",
    )
    claim(
        "guesses-turn",
        all(both[word] == 1 for word in ("phone", "gun", "book")),
        f"The places from both sides are {both}.",
    )
    claim(
        "misses-last-word",
        both["gun"] <= 3 and both["pen"] > 5,
        f"Its place from both sides is {both['pen']}.",
    )
    claim("course-model", "course model" in bert.name, f"Here {bert.name} runs.")


def squares(seen, left):
    glue("filled_left", int(seen["OpenAI"].sum()))
    claim(
        "forward-triangle",
        np.array_equal(seen["LSTM forward"], left)
        and np.array_equal(seen["OpenAI"], left),
        about="mathematics",
    )
    claim(
        "backward-mirror",
        np.array_equal(seen["LSTM backward"], left.T),
        about="mathematics",
    )
    claim("nothing-closed", bool(seen["BERT"].all()), about="mathematics")


def mixed_half(forward_half):
    claim("right-side-seen", bool(forward_half.all()), about="mathematics")


def careful_layers(left, two_left, two_others):
    claim("sees-itself", bool(two_others.all()), about="mathematics")
    claim("triangle-stays", np.array_equal(two_left, left), about="mathematics")


def masked_input(everything, two_open):
    claim(
        "column-stays-empty",
        bool(not two_open[:, 2].any() and np.delete(two_open, 2, axis=1).all())
        and np.array_equal(everything @ two_open, two_open),
        about="mathematics",
    )


def full_stop(bert):
    stops = dict(
        bert.predict_masked("The plane could not [MASK].", top=len(bert.tokenizer))[0]
    )
    [(first, share), (_, other)] = bert.predict_masked(
        "The plane could not [MASK]", top=2
    )[0]
    claim(
        "ends-with-stop",
        first == "." and share > 3 * other and stops["."] < 0.05,
        f"The first guess is {first}, with {share:.2f}; a full stop has "
        f"{stops['.']:.2f} where one follows.",
    )


def sides(ranks):
    """ranks: DataFrame with a column for each context, a row for each text."""
    mean = {name: 2 ** float(np.log2(of).mean()) for name, of in ranks.items()}
    halvings = -np.log2(ranks)

    def gain(ours, theirs):
        return compare(halvings[ours], halvings[theirs], family=4)

    right = gain("both", "right")
    lent, taken = (
        gain("right + word before", "right"),
        gain("left", "left - word before"),
    )
    swapped = gain("left - word before", "right + word before")
    for name, key in (
        ("left", "left"),
        ("right", "right"),
        ("both", "both"),
        ("right + word before", "lent"),
        ("left - word before", "taken"),
    ):
        glue(f"mean_{key}", mean[name])
    glue("n_better", int((ranks["both"] < ranks["left"]).sum()))
    glue("n_worse", int((ranks["both"] > ranks["left"]).sum()))
    claim(
        "beats-right",
        right.word == AHEAD and 2**right.low > 4,
        f"The interval is {right.interval()} halvings.",
    )
    claim(
        "word-before-counts",
        lent.word == AHEAD and taken.word == AHEAD and min(lent.low, taken.low) > 1,
        f"Lent {lent.interval()}, taken {taken.interval()} halvings.",
    )
    claim(
        "no-longer-behind",
        swapped.word != AHEAD
        and mean["right + word before"] < mean["left - word before"]
        and mean["left"] < mean["right"] / 10,
        f"The ranks are {mean}.",
    )


def leaks(ends, same):
    claim(
        "masks-leak",
        all(bool(found[1][2, 2]) for found in ends[:3]),
        about="mathematics",
    )
    claim("mask-token-hides", not ends[3][1][:, 2].any(), about="mathematics")
    claim("products-agree", all(same), about="mathematics")


def xlnet(content, query):
    claim(
        "stacks-keep",
        np.array_equal(content @ content, content)
        and np.array_equal(query @ content, query),
        about="mathematics",
    )
    claim(
        "both-sides-of-to",
        bool(query[3, :3].any() and query[3, 4:].any()),
        about="mathematics",
    )


def new_weights(bert):
    body = sum(weight.numel() for weight in bert.model.parameters())
    new = 2 * bert.hidden_size + 2  # a linear layer, two labels
    glue("new", f"{new:,}")
    claim(
        "under-a-thousandth",
        new < body / 1000,
        f"Of {body:,} weights {new:,} are new.",
        about="mathematics",
    )
