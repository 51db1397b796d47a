"""What a check answers: NotYet while it runs, and the Outcome that is shown."""

import html
from dataclasses import dataclass

from helpers.exercises.checks import shown
from helpers.exercises.colours import CARD, INK, QUIET, RIGHT, WAITING

COLORS = {"passed": RIGHT, "not yet": WAITING, "not attempted yet": QUIET}


class NotYet(Exception):
    """Raised by a check; its text says what was expected, never the solution.

    traceback: where the student's function stopped, as text, if it did.
    """

    def __init__(self, message, traceback=""):
        super().__init__(message)
        self.traceback = traceback


@dataclass
class Outcome:
    """What a check found: passed, not yet, or not attempted yet.

    traceback: where the student's function stopped. so_far: how many exercises this
    student has passed. ran_on: the model and data, where they are not those of the
    page. All are text, and empty where there is nothing to say.
    """

    exercise: str
    status: str
    message: str = ""
    traceback: str = ""
    so_far: str = ""
    ran_on: str = ""

    @property
    def passed(self):
        return self.status == "passed"

    @property
    def title(self):
        return f"Exercise {shown(self.exercise)}"

    def __repr__(self):
        said = (f"{self.status}.", self.message, self.ran_on, self.so_far)
        return f"{self.title}: {' '.join(filter(None, said))}"

    def _repr_html_(self):
        color = COLORS[self.status]
        said = f"<strong style='color:{color}'>{html.escape(self.title)}: "
        said += f"{self.status}.</strong> {html.escape(self.message)}"
        for text in filter(None, (self.ran_on, self.so_far)):
            said += f"<br><small>{html.escape(text)}</small>"
        if self.traceback:
            said += "<details><summary style='cursor:pointer'>Where it stopped"
            said += f"</summary><pre style='white-space:pre-wrap;color:{INK}'>"
            said += f"{html.escape(self.traceback)}</pre></details>"
        return (
            f'<div class="check" role="status" style="border-left:6px solid {color};'
            f'margin:1em 0;padding:.4em .8em;{CARD}">{said}'
            "</div>"
        )
