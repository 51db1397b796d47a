"""Sentences come from their section, without lists; shared values make families."""

from capstone.sections import docstrings, in_sections, joined

SOURCE = '''
def f(x):
    """Add one.

    Parameters
    ----------
    x : int
        The `number` that is raised by one. Too short.

        - No sentence of a list is taken from here.
    y : int, default=0
        If it is :class:`~a.B`, nothing is
        added to it.

    Returns
    -------
    sum : int
        The number that has been raised by one.
    """
'''


def test_each_sentence_has_its_section_and_its_entry():
    [docstring] = docstrings(SOURCE)
    assert [*in_sections(docstring)] == [
        ("The number that is raised by one.", "Parameters", "x"),
        ("If it is a.B, nothing is added to it.", "Parameters", "y"),
        ("The number that has been raised by one.", "Returns", "sum"),
    ]


def test_rows_that_share_a_value_are_one_family_and_hand_it_on():
    assert joined(["a", "a", "b", "c"], [1, 2, 2, 3]).tolist() == [0, 0, 0, 1]
