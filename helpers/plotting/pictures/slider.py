"""Pictures shown in the running notebook, still or turned over by a slider."""

import hashlib
import html
from itertools import count

SCRIPT = """(() => {
const box = document.getElementById("ID"), said = box.querySelector("output");
const frames = [...box.querySelectorAll(".frame")];
const slider = box.querySelector("input");
const turn = () => {
  frames.forEach((frame, i) => { frame.hidden = i !== +slider.value; });
  said.textContent = frames[slider.value].dataset.said;
  slider.setAttribute("aria-valuetext", said.textContent);
};
slider.addEventListener("input", turn);
slider.parentNode.hidden = false;
turn();
})();"""
_numbers = count(1)  # of sliders


def draw(*pictures):
    """Show pictures in the running notebook, beside each other where there is room.

    >>> draw(matrices(Matrix("A", [[1, 0]]), words="one row"))  # doctest: +SKIP
    """
    from IPython.display import HTML, display

    display(HTML(card("".join(pictures))))


def slide(label, frames, start=0):
    """Show pictures that a slider turns over; without a script the one at `start`.

    label: what the slider changes. frames: (sentence that says what is seen, picture)
    pairs, a state each.

    >>> slide("step:", [("It stands.", "<svg></svg>")])  # doctest: +SKIP
    """
    from IPython.display import HTML, display

    body = "".join(
        f'<div class="frame" data-said="{html.escape(said)}"'
        f"{'' if i == start else ' hidden'}>{card(picture)}</div>"
        for i, (said, picture) in enumerate(frames)
    )
    digest = hashlib.sha256((label + body).encode()).hexdigest()[:10]
    name = f"slide-{digest}-{next(_numbers)}"  # also where one is shown twice
    display(
        HTML(
            f'<div class="slide" id="{name}"><label hidden>{html.escape(label)} '
            f'<input type="range" min="0" max="{len(frames) - 1}" value="{start}" '
            'style="width:min(45%,16rem);vertical-align:middle"></label>'
            f'{body}<output aria-live="polite">{html.escape(frames[start][0])}</output>'
            f"<script>{SCRIPT.replace('ID', name)}</script></div>"
        )
    )


def card(picture):
    """Parts beside each other on a ground of their own, below each other on a phone."""
    style = (
        "display:flex;flex-wrap:wrap;align-items:center;gap:0.5rem;padding:0.25rem;"
        "font-size:21px;background:var(--picture-ground,#fff);"
        "color:var(--picture-ink,#222)"
    )
    return f'<div class="picture" style="{style}">{picture}</div>'
