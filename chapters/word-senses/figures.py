"""A plot whose marks move when a slider is moved, in the book and in notebooks.

Python computes where the marks lie in every state and what is said of it; the page lets
them glide from one to the next, or jump where its reader wants less motion. The slider
is Bokeh's own: arrow keys move it, and no kernel need run.
"""

import html

import numpy as np

from helpers import plotting

NAMED = """
const name = root => root.querySelectorAll("*").forEach(part => {
  if (part.classList.contains("noUi-handle")) part.setAttribute("aria-label", "Layer")
  if (part.shadowRoot) name(part.shadowRoot)
})
requestAnimationFrame(() => name(document))
"""
GLIDE = """
const layer = slider.value, turn = slider.turn = (slider.turn ?? 0) + 1
said.text = words[layer]
const still = matchMedia("(prefers-reduced-motion: reduce)").matches
const ways = sources.flatMap(source => ["x", "y"].map(axis =>
  ({source, axis, from: [...source.data[axis]], to: source.data[axis + layer]})))
const start = performance.now()
const step = now => {
  if (slider.turn !== turn) return  // it has been moved on
  const part = still ? 1 : Math.min(1, Math.max(0, (now - start) / 500))
  const share = part * part * (3 - 2 * part)
  for (const {source, axis, from, to} of ways)
    source.data[axis] = from.map((at, i) => at + share * (to[i] - at))
  for (const source of sources) source.change.emit()
  if (part < 1) requestAnimationFrame(step)
}
step(start)
"""


def layer_planes(states):
    """Return for each layer the plane in which its vectors spread most.

    states: (n, layers, hidden). Returns points (layers, n, 2), in lengths of the mean
    vector of the layer, so that layers can be compared. Each plane is turned so that
    its marks lie near those of the next layer.

    >>> layer_planes(np.random.default_rng(0).normal(size=(9, 3, 5))).shape
    (3, 9, 2)
    """
    from sklearn.decomposition import PCA

    planes = []
    for vectors in np.swapaxes(states, 0, 1):
        length = np.linalg.norm(vectors, axis=-1).mean()
        planes.append(PCA(2, random_state=0).fit_transform(vectors) / length)
    for at in reversed(range(len(planes) - 1)):
        left, _, right = np.linalg.svd(planes[at].T @ planes[at + 1])
        planes[at] = planes[at] @ left @ right
    return np.stack(planes)


def layer_scatter(points, senses, sentences, positions, title, words):
    """Draw one mark a sentence, and a slider that takes the marks through the layers.

    points: (layers, n, 2), drawn in one unit; the last layer stands first. words: what
    is said below the plot, one text a layer. The rest is as for `sentence_scatter`.
    Returns a Bokeh layout, for `show`. Raises ValueError where words are more or fewer
    than layers, and what `sentence_scatter` raises.

    >>> words = ["There is one heap.", "They part."]
    >>> layout = layer_scatter(
    ...     np.zeros((2, 1, 2)), ["river"], [["bank"]], [0], "Banks", words
    ... )
    >>> [type(part).__name__ for part in layout.children]
    ['figure', 'Slider', 'Div']
    """
    from bokeh.layouts import column
    from bokeh.models import CustomJS, Div, Range1d, Slider

    points, senses = np.asarray(points, float), np.asarray(senses)
    words = [html.escape(said) for said in words]
    if not 0 < len(points) == len(words):
        raise ValueError(f"{len(points)} layers and {len(words)} texts; give one each")
    last = len(points) - 1
    plot = plotting.sentence_scatter(points[last], senses, sentences, positions, title)
    sources = [renderer.data_source for renderer in plot.renderers]
    for source, name in zip(sources, sorted(set(senses)), strict=True):
        for layer, at in enumerate(points[:, senses == name]):
            source.data[f"x{layer}"], source.data[f"y{layer}"] = at.T.tolist()
    plot.height = 340
    reach = 1.08 * np.abs(points).max(axis=(0, 1))
    plot.x_range, plot.y_range = (Range1d(-far, far) for far in reach)
    wide = {"sizing_mode": "stretch_width", "max_width": 720, "margin": (4, 20, 4, 20)}
    slider = Slider(start=0, end=last, value=last, step=1, title="Layer", **wide)
    slider.bar_color = plotting.COLORS[0]
    said = Div(text=words[last], styles={"font-size": "14px"}, **wide)
    said.html_attributes = {"aria-live": "polite"}
    given = {"slider": slider, "sources": sources, "said": said, "words": words}
    slider.js_on_change("value", CustomJS(args=given, code=GLIDE))
    plot.js_on_change("inner_width", CustomJS(code=NAMED))
    return column(plot, slider, said, sizing_mode="stretch_width")
