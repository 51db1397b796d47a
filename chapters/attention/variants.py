"""Other forms of the exercises, for a class."""

import torch

from helpers.exercises.variants import Variant, on_arguments


def temperature(t):
    edits = (
        (
            "return the weights, each row summing to 1,",
            "return the weights of the scores\ndivided by a temperature of "
            f"{t}, each row summing to 1,",
        ),
        ("(scores - largest).exp()", f"((scores - largest) / {t}).exp()"),
    )
    return Variant(
        f"temperature {t}", edits, on_arguments(lambda scores: (scores * t,))
    )


REAL = "torch.arange(n) < lengths[:, None]            #"
SAID = (
    "says how many pieces of each sentence are real. The real ones come first, the "
    "rest is padding and must get no weight."
)


def number_of_padding():
    edits = (
        (
            SAID,
            "says how many pieces of each sentence are padding. The real ones come "
            "first,\nthe padding after them, and it must get no weight.",
        ),
        (REAL, "torch.arange(n) < n - lengths[:, None]        #"),
    )

    def change(query, key, value, lengths):
        return query, key, value, query.shape[2] - lengths

    return Variant("lengths count the padding", edits, on_arguments(change))


def padding_first():
    edits = (
        (
            SAID,
            "says how many pieces of each sentence are real. The padding comes first,\n"
            "the real ones after it; padding must get no weight.",
        ),
        (REAL, "torch.arange(n) >= n - lengths[:, None]       #"),
    )

    def undo(answer):
        if not callable(answer):
            return answer

        def call(query, key, value, lengths):
            turned = (part.flip(2) for part in (query, key, value))
            return _tensor(answer(*turned, lengths), lambda mixed: mixed.flip(2))

        return call

    return Variant("padding comes first", edits, undo)


def heads_after_places():
    shape = "`(batch, n, heads, d_head)`"
    edits = (
        ("have the shape `(batch, heads, n, d_head)`", f"have the shape {shape}"),
        ("mixed values, `(batch, heads, n, d_head)`", f"mixed values, {shape}"),
        (
            "n, d_head = query.shape[-2:]",
            "query, key, value = (part.transpose(1, 2) for part in (query, key, value))"
            "\n    n, d_head = query.shape[-2:]",
        ),
        (
            "return scores.softmax(dim=-1) @ value",
            "return (scores.softmax(dim=-1) @ value).transpose(1, 2)",
        ),
    )

    def undo(answer):
        if not callable(answer):
            return answer

        def call(query, key, value, lengths):
            turned = (part.transpose(1, 2) for part in (query, key, value))
            return _tensor(
                answer(*turned, lengths), lambda mixed: mixed.transpose(1, 2)
            )

        return call

    return Variant("heads are the third axis", edits, undo)


def _tensor(mixed, change):
    """Change four axes; anything else is left to the check."""
    found = torch.as_tensor(mixed)
    return change(found) if found.ndim == 4 else torch.zeros(0)


VARIANTS = {
    1: [temperature(2), temperature(4), temperature(0.5)],
    2: [number_of_padding(), padding_first(), heads_after_places()],
}
