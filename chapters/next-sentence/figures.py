"""The pictures of "Next sentence prediction"."""

from helpers.plotting import bars, show
from helpers.plotting.pictures import Matrix, draw, matrices


def draw_stories(model):
    """A grid of squares for each kind of pair, a story each, sorted; full: 1.

    model: a table (stories, kinds) of probabilities.
    """
    draw(
        *(
            matrices(
                Matrix(
                    f"{kind}: {(row > 0.5).sum()} of {len(row)}",
                    row.sort_values(ascending=False).to_numpy().reshape(4, -1),
                    form="",
                    cell=16,
                    high=1,
                ),
                words=f"{kind}: {(row > 0.5).sum()} of {len(row)} squares are above "
                "one half",
            )
            for kind, row in model.items()
        )
    )


def draw_accepted(passages):
    """passages: a table (passages, kinds) of probabilities."""
    show(
        bars(
            [*passages.columns],
            (100 * (passages > 0.5).mean()).tolist(),
            f"Accepted, of {len(passages)} passages from books not trained on",
            "%",
        )
    )
