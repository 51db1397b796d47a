"""Pictures of small computations: matrices, arrows, curves, and a slider over them.

They are SVG that a page shows without a script; a slider turns over states that Python
has computed. Query blue, key orange, value green, weights purple; what is hidden is
dashed. Every picture carries its words, for who does not see it. Colours follow the
page, light or dark; a notebook shows a white card. A part up to 340 pixels wide keeps
its letters on a phone, where the parts of a picture stand below each other.
One module a drawing; `svg` holds what all are made of.
"""

from helpers.plotting.pictures.arrow import arrows
from helpers.plotting.pictures.covered_text import covered
from helpers.plotting.pictures.curves import curve
from helpers.plotting.pictures.matrix import Matrix, matrices
from helpers.plotting.pictures.slider import draw, slide

__all__ = [
    "Matrix",
    "arrows",
    "covered",
    "curve",
    "draw",
    "matrices",
    "slide",
]
