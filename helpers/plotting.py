"""Bokeh plots that read without colour, in the book, in JupyterLab and in Colab."""

import html
import sys

COLORS = ["#0072b2", "#d55e00", "#00805c", "#a63d8f", "#444444"]
MARKERS = ["circle", "triangle", "square", "diamond", "inverted_triangle"]
_loaded = False  # whether this notebook has Bokeh's script already


def show(plot):
    """Show a Bokeh plot in the running notebook."""
    from bokeh.io import output_notebook
    from bokeh.io import show as bokeh_show

    global _loaded
    if not _loaded or "google.colab" in sys.modules:  # Colab frames each output
        output_notebook(hide_banner=True)
        _loaded = True
    bokeh_show(plot)


def new_figure(title, x_label, y_label, **options):
    """Return an empty Bokeh figure of the course's form, as wide as the page."""
    from bokeh.plotting import figure

    options = {"height": 420, "tools": "pan,wheel_zoom,box_zoom,reset"} | options
    plot = figure(
        title=title,
        x_axis_label=x_label,
        y_axis_label=y_label,
        sizing_mode="stretch_width",
        max_width=760,
        toolbar_location="above",
        **options,
    )
    plot.toolbar.logo = None
    plot.toolbar.autohide = True
    return plot


def sentence_scatter(
    points, senses, sentences, positions, title, axes=("component 1", "component 2")
):
    """Draw one mark a sentence; hovering shows its sense and the sentence.

    points: (n, 2). senses: n names, at most five different ones; each gets a colour
    and a marker shape of its own, and a click in the legend hides it. sentences: n
    lists of words. positions: n indices of the word to set in bold. The text is
    escaped, so no sentence can put HTML into the page. Returns a Bokeh figure.
    """
    from bokeh.models import HoverTool

    names = sorted(set(senses))
    if len(names) > len(MARKERS):
        raise ValueError(f"{len(names)} senses, but only {len(MARKERS)} marker shapes")
    plot = new_figure(title, *axes)
    rows = list(zip(points, senses, sentences, positions, strict=True))
    for name, color, marker in zip(names, COLORS, MARKERS, strict=False):
        chosen = [row for row in rows if row[1] == name]
        source = {
            "x": [float(point[0]) for point, *_ in chosen],
            "y": [float(point[1]) for point, *_ in chosen],
            "sense": [name] * len(chosen),
            "sentence": [emphasize(words, at) for *_, words, at in chosen],
        }
        plot.scatter(
            "x",
            "y",
            source=source,
            legend_label=name,
            marker=marker,
            size=9,
            color=color,
            alpha=0.75,
        )
    card = "<div style='max-width:320px'><b>@sense</b><br>@sentence{safe}</div>"
    plot.add_tools(HoverTool(tooltips=card))
    plot.legend.click_policy = "hide"
    plot.add_layout(plot.legend[0], "below")
    plot.legend.orientation = "horizontal"
    return plot


def emphasize(words, position):
    """Join words into escaped HTML, the one at `position` in bold."""
    words = [html.escape(str(word)) for word in words]
    words[position] = f"<b>{words[position]}</b>"
    return " ".join(words)


def layer_lines(table, title, y_label, references=()):
    """Draw a line a word over the layers, their mean in bold, references dashed.

    table: DataFrame, a row a layer (its index the layer's number), a column a word.
    references: (label, height) pairs for horizontal lines. Hovering shows word, layer
    and value. Returns a Bokeh figure.
    """
    from bokeh.models import HoverTool

    plot = new_figure(title, "layer (0 = input embeddings)", y_label, height=460)
    layers = [int(layer) for layer in table.index]
    columns = [(word, table[word]) for word in table] + [("mean", table.mean(axis=1))]
    for name, values in columns:
        mean = name == "mean"
        source = {
            "layer": layers,
            "value": values.tolist(),
            "name": [name] * len(layers),
        }
        look = {"color": COLORS[0] if mean else "#8a8a8a", "alpha": 1 if mean else 0.6}
        line = plot.line(
            "layer", "value", source=source, line_width=4 if mean else 1, **look
        )
        dots = plot.scatter(
            "layer", "value", source=source, size=8 if mean else 5, **look
        )
        if mean:
            line.level = dots.level = "overlay"
        plot.add_tools(
            HoverTool(renderers=[dots], tooltips="@name, layer @layer: @value{0.000}")
        )
    dashes = ["dashed", "dotted", "dotdash", "dashdot"]
    for (label, height), color, dash in zip(
        references, COLORS[1:], dashes, strict=False
    ):
        plot.line(
            [layers[0], layers[-1]],
            [height, height],
            color=color,
            line_dash=dash,
            line_width=2.5,
            legend_label=f"{label}: {height:.3f}",
        )
    plot.xaxis.ticker = layers
    if references:
        plot.add_layout(plot.legend[0], "below")
        plot.legend.ncols = 2
    return plot
