"""What bad input must be answered with."""

import pytest


def one_line(error, call):
    """Return the text of the `error` that `call` raises: a single line."""
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    assert "\n" not in str(caught.value)
    return str(caught.value)
