"""Colours of replies and quizzes: dark on light, unless the page says otherwise.

The book sets these properties on dark pages (`build_tools/static/custom.css`); a
notebook does not, and there the card stays light.
"""


def _colour(name, light):
    return f"var(--exercise-{name}, {light})"


CARD = f"background:{_colour('ground', '#fff')};color:{_colour('ink', '#1f2328')}"
CODE = f"color:{_colour('ink', '#1f2328')};background:{_colour('code', '#eff1f3')}"
INK = _colour("ink", "#1f2328")
RIGHT = _colour("right", "#1a7f37")
WRONG = _colour("wrong", "#a40e26")
WAITING = _colour("waiting", "#b54708")
QUIET = _colour("quiet", "#57606a")
