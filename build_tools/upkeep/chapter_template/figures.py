"""The pictures of the chapter."""

from helpers.plotting.pictures import Matrix, draw, matrices


def opening(reading):
    """Draw one head's attention. reading: as `read_attention` returns it."""
    table = Matrix(
        "TO WRITE", reading.attention[0, 0], reading.tokens, reading.tokens, form=""
    )
    draw(matrices(table, words="TO WRITE: what the picture shows."))
