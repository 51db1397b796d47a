"""What "Word senses" draws and tabulates, with a plot whose marks move by a slider.

Python computes where the marks lie in every state and what is said of it; the page lets
them glide from one to the next, or jump where its reader wants less motion. The slider
is Bokeh's own: arrow keys move it, and no kernel need run.
"""

import html

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist

from chapters.word_senses.averages import averages
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


def own_nearest(points, senses):
    """Return how many have one of their own sense nearest; ties count in shares.

    >>> own_nearest([[0, 0], [0, 1], [9, 0], [9, 1]], ["a", "a", "b", "b"])
    4
    """
    apart = cdist(points, points)
    np.fill_diagonal(apart, np.inf)
    near = apart < apart.min(axis=1, keepdims=True) + 1e-3
    same = np.equal.outer(np.asarray(senses), np.asarray(senses))
    return round(((near & same).sum(axis=1) / near.sum(axis=1)).sum())


def draw_apples(apples, states):
    """The slider of the opening; returns the planes and, by layer, `own_nearest`."""
    planes = layer_planes(states)
    own = [own_nearest(at, apples.sense) for at in planes]
    said = [
        f"After {n} layers {count} of {len(apples)} apples have one of their "
        "own kind nearest."
        for n, count in enumerate(own)
    ]
    plotting.show(
        layer_scatter(
            planes,
            apples.sense,
            apples.sentence,
            apples.word_pos,
            "Each mark is one apple",
            said,
        )
    )
    return planes, own


def draw_layers(by_layer, references, title="Nearest centroid by layer"):
    """A thin line a word, a thick one for their mean; references: {name: accuracy}."""
    plotting.show(layer_lines(by_layer, list(references.items()), title))


def layer_lines(table, references, title):
    """A line a word over the layers, their mean in bold, references dashed.

    table: a column a word, a row a state (its index how many layers it has passed, 0
    for the embeddings). references: (label, height) pairs for horizontal lines.

    >>> table = pd.DataFrame({"bank": [0.5, 0.9], "java": [0.7, 0.9]}, index=[0, 1])
    >>> plot = layer_lines(table, [("most frequent", 0.6)], "Senses")
    >>> len(plot.renderers)  # line and dots of bank, java and mean, and the reference
    7
    """
    from bokeh.models import HoverTool

    axis = "layers passed (0: the embeddings)"
    plot = plotting.new_figure(title, axis, "accuracy", height=460)
    layers = table.index.tolist()
    columns = [(word, table[word]) for word in table] + [("mean", table.mean(axis=1))]
    card = "@name, after @layer layers: @value{0.000}"
    for number, (name, values) in enumerate(columns):
        mean = number == len(columns) - 1
        source = {"layer": layers, "value": values.tolist()}
        source["name"] = [name] * len(layers)
        look = {"color": "#8a8a8a", "alpha": 0.6, "source": source}
        if mean:
            look |= {"color": plotting.COLORS[0], "alpha": 1}
        line = plot.line("layer", "value", line_width=4 if mean else 1, **look)
        dots = plot.scatter("layer", "value", size=8 if mean else 5, **look)
        if mean:
            line.level = dots.level = "overlay"
        plot.add_tools(HoverTool(renderers=[dots], tooltips=card))
    plotting.draw_references(plot, references, [layers[0], layers[-1]], ".3f")
    plot.xaxis.ticker = layers
    if references:
        plot.add_layout(plot.legend[0], "below")
        plotting.in_two_columns(plot.legend)
    return plot


def draw_ways(ways, always):
    """What is left of the accuracy when the sentences are changed."""
    plotting.show(
        plotting.bars(
            ways.columns,
            ways.mean(),
            "What tells the sense",
            "accuracy over twenty words",
            None,
            [("commonest sense", always.mean())],
        )
    )


def table_of_losses(lost):
    """lost: {way: a `Verdict`}."""
    rows = {
        way: [f"{each.difference:+z.2f}", each.interval()] for way, each in lost.items()
    }
    return pd.DataFrame(rows, ["lost", "95 %"]).T


def table_of_two(**told):
    """told: {way: the shares of the own sentence's sense, and of the other's}."""
    rows = {
        way.replace("_", " "): [share.mean() for share in each]
        for way, each in told.items()
    }
    return pd.DataFrame(rows, ["own sense", "other's sense"]).T.round(2)


def table_of_tasks(never_reads, bag, bert_base):
    """Three tasks and their rulers; all but the first row's figures are published."""
    rows = {
        "this page's task": (never_reads, bag, "BERT-base, centroids", bert_base, None),
        "all words, WordNet's senses": (
            0.652,
            None,
            "BERT-large and definitions",
            0.754,
            None,
        ),
        "same sense or not (WiC)": (0.5, None, "BERT-large", 0.655, 0.8),
    }
    columns = ["without reading", "bag of words", "model", "its score", "people"]
    return pd.DataFrame(
        [[_percent(share) for share in row] for row in rows.values()], rows, columns
    )


def _percent(share):
    if share is None or isinstance(share, str):
        return share or ""
    return f"{share:.1%}"


def kept_means(official):
    """Return the kept accuracies: without reading, bag of words, last layer."""
    table = averages(official)
    last = table[table.layer == table.layer.max()].iloc[0].accuracy
    means = table.set_index("method").accuracy
    return means["majority"], means["static context"], last


def table_by_word(official, published):
    """Return the accuracies on the published sentences, a row a word."""
    methods = ["bert_base", "bert_large", "fasttext"]
    hits = published[methods].mul(published.n, axis=0).groupby(published.word).sum()
    theirs = hits.div(published.groupby("word").n.sum(), axis=0)
    cheap = official[official.layer.isna()].pivot(
        index="word", columns="method", values="accuracy"
    )
    last = official[official.layer == official.layer.max()].set_index("word")
    table = cheap[["majority", "static context"]].assign(ours=last.accuracy)
    return table.join(theirs)
