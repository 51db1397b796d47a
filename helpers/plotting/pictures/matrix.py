"""Matrices as coloured cells, with the signs between them."""

import html
import math
from dataclasses import dataclass

from helpers.plotting.pictures.svg import FONT, SMALL, drawing, letters, mixed


@dataclass
class Matrix:
    """A matrix to be drawn as coloured cells, the further from `low`, the darker.

    values: (r, c), nan or infinity where a place is hidden (dashed, without a number).
    rows, columns: their names. hue: query, key, value, weights or plain. form: of the
    numbers; "" for none. low, high: the values without colour and of the full hue, by
    default 0 and the farthest. copied: (r, c), true for a cell that only repeats
    another, drawn dashed.

    >>> Matrix("A", [[1, 0]], rows=["one"]).hue
    'weights'
    """

    title: str
    values: object
    rows: tuple = ()
    columns: tuple = ()
    hue: str = "weights"
    form: str = ".2f"
    cell: int = 44
    low: float = 0.0
    high: float | None = None
    copied: object = None

    def svg(self, words):
        """Return the matrix as SVG that says `words`."""
        values = [[float(value) for value in row] for row in self.values]
        small = max(SMALL, min(FONT, round(self.cell * 0.34)))
        upright = any(len(name) * small * 0.6 > self.cell for name in self.columns)
        over = 0.6 * small * max(map(len, self.columns), default=0) + 8
        top = 26 + (over if upright else small + 6 if self.columns else 0)
        left = 8 + 0.6 * small * max(map(len, self.rows), default=0)
        inner = self.cell * max(map(len, values), default=0)
        width = max(left + inner + 6, 0.58 * FONT * len(self.title) + 6)
        left += max(0, (width - left - inner) / 2 - 3) if not self.rows else 0
        half = 0.29 * FONT * len(self.title)
        middle = max(half, min(left + inner / 2, width - half))
        parts = [letters(middle, 15, self.title, FONT, bold=True)]
        for j, name in enumerate(self.columns):
            x = left + (j + 0.5) * self.cell
            parts.append(letters(x, top - 6, name, small, upright=upright))
        for i, row in enumerate(values):
            y = top + (i + 0.5) * self.cell + small / 3
            if self.rows:
                parts.append(letters(left - 5, y, self.rows[i], small, "end"))
            for j, value in enumerate(row):
                x = left + j * self.cell
                parts.append(self._cell(i, j, x, top + i * self.cell, value, small))
        return drawing(parts, width, top + len(values) * self.cell + 4, words)

    def _cell(self, i, j, x, y, value, small):
        size, hidden = self.cell, not math.isfinite(value)
        dashed = hidden or (self.copied is not None and bool(self.copied[i][j]))
        inset = 3 if dashed else 0
        fill = 'fill="none"' if hidden else mixed(self.hue, self._share(value))
        box = (
            f'<rect x="{x + inset:.1f}" y="{y + inset:.1f}" width="{size - 2 * inset}"'
            f' height="{size - 2 * inset}" {fill}'
            f' stroke="currentColor" stroke-opacity="{0.7 if dashed else 0.25}"'
            + (' stroke-dasharray="3 3"' if dashed else "")
        )
        said = "" if hidden else f"{value:{self.form}}" if self.form else ""
        if not hidden and not self.form:
            return f"{box}><title>{value:.2f}</title></rect>"
        said = said.lstrip("-") if not said.strip("-0.") else said.replace("-", "−")
        return f"{box}/>" + letters(x + size / 2, y + size / 2 + small / 3, said, small)

    def _share(self, value):
        known = [abs(v - self.low) for row in self.values for v in map(float, row)]
        farthest = max((v for v in known if math.isfinite(v)), default=1) or 1
        reach = farthest if self.high is None else abs(self.high - self.low) or 1
        return min(1, abs(value - self.low) / reach)


def matrices(*parts, words):
    """Return matrices and the signs between them as a picture; "\\n" starts a line.

    >>> picture = matrices(Matrix("A", [[1, 0]]), "=", Matrix("B", [[1, 0]]), words="A")
    >>> picture.count("<rect"), picture.count('class="sign"')
    (4, 1)
    """
    drawn, first = [], True
    for part in parts:
        if isinstance(part, Matrix):
            drawn.append(part.svg(words if first else part.title or words))
            first = False
        elif part == "\n":
            drawn.append('<span class="break" style="flex-basis:100%"></span>')
        else:
            drawn.append(f'<span class="sign">{html.escape(part)}</span>')
    return "".join(drawn)
