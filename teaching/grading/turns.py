"""Whose turn it is, so that no hand-in of many notebooks keeps a class waiting."""

import time
from collections import Counter

from teaching.grading.owners import hand_in
from teaching.grading.submission_grade import Grade

SHARE = 10  # notebooks whose time those of one hand-in have together
OVER = f"not graded: its hand-in has used up the time of {SHARE} notebooks"


class Turns:
    """names: of the submissions. seconds: what each may take."""

    def __init__(self, names, seconds):
        self.owners = list(map(hand_in, names))
        self.left = dict.fromkeys(self.owners, SHARE * seconds)

    def order(self):
        """Return the places of all: the first of each hand-in, then the second, ..."""
        seen, turns = Counter(), []
        for owner in self.owners:
            turns.append(seen[owner])
            seen[owner] += 1
        return sorted(range(len(turns)), key=turns.__getitem__)

    def take(self, place, grade):
        """Return what `grade()` returns, or a Grade that says that no time is left."""
        owner = self.owners[place]
        if self.left[owner] <= 0:
            return Grade(remarks=[OVER])
        began = time.monotonic()
        try:
            return grade()
        finally:
            self.left[owner] -= time.monotonic() - began
