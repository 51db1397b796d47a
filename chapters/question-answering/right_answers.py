"""Right answers of the chapter by other ways than the solutions."""


def right_2(names, answer):
    def in_two_kinds(said, golds):
        """A truth value beside a number that was printed."""
        exact, f1 = answer(said, golds)
        return exact == 1, f"{f1:.3f}"

    yield in_two_kinds
