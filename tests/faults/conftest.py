"""What the tests of faults share."""

import pytest


@pytest.fixture
def one_line():
    """A function: the text of the `error` that `call` raises, a single line."""

    def raised(error, call):
        with pytest.raises(error) as caught:
            call()
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return raised
