"""What bad input must be answered with."""

import pytest


def one_line(error, call):
    """Return the text of the `error` that `call` raises: a single line."""
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    assert "\n" not in str(caught.value)
    return str(caught.value)


def answered(call, *expected):
    """Return what `call` does; None where it raises the error that is documented."""
    try:
        return call()
    except expected as error:
        assert str(error) and "\n" not in str(error)
        return None
