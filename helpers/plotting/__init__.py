"""Bokeh plots that read without colour, in the book, in JupyterLab and in Colab."""

import html
import os
import re
import sys
import textwrap

from helpers._support.valid_numbers import finite_numbers

COLORS = ["#0072b2", "#d55e00", "#00805c", "#a63d8f", "#444444"]
MARKERS = ["circle", "triangle", "square", "diamond", "inverted_triangle"]
DASHES = ["dashed", "dotted", "dotdash", "dashdot"]
BLUES = ("#f7fbff", "#6baed6", "#08519c", "#041f3d")  # from pale to dark
CROWD = 12  # more columns than this have upright names
LONG_TITLE = 36  # letters that stand beside names of bars on a phone
TAG_IN_SCRIPT = re.compile("<(?=[/!])")
# Bokeh draws once its first script is there, and gives up after a second: a slider's
# script may come later, and over a slow line each comes later than that.
AWAITED = [
    ("root.Bokeh !== undefined", "root.Bokeh && !(root._bokeh_is_loading > 0)"),
    ("attempts > 100", "attempts > 30000"),
]
_loaded = set()  # Bokeh's scripts that this notebook has already


def show(plot):
    """Show a Bokeh plot in the running notebook, which needs no network for it.

    plot: a figure, or a layout, whose widgets work without a kernel.

    >>> show(bars(["cat", "dog"], [3, 5], "Pets", "how many"))  # draws two bars
    """
    from bokeh.embed.notebook import notebook_content
    from bokeh.io import notebook
    from bokeh.models import Rect, Widget

    widgets = list(plot.select({"type": Widget}))
    _load_library(["bokeh", *["bokeh-widgets"] * bool(widgets)])
    # As bokeh.io.show does, but so that no text of the data can end the script.
    script, div, _ = notebook_content(plot)
    for condition, patient in AWAITED:
        script = script.replace(condition, patient)
    if not list(plot.select({"type": Rect})):  # in a map dark is much, on any page
        div = div.replace("<div", '<div class="dark-with-page"', 1)
    notebook.publish_display_data({notebook.HTML_MIME_TYPE: div})
    notebook.publish_display_data(
        {
            notebook.JS_MIME_TYPE: TAG_IN_SCRIPT.sub(r"\\x3c", script),
            notebook.EXEC_MIME_TYPE: "",
        },
        metadata={notebook.EXEC_MIME_TYPE: {"id": plot.id}},
    )


def _load_library(scripts):
    """Give this notebook the scripts of Bokeh that it lacks.

    The notebook carries each, once. Colab frames each output, so that each would carry
    its own, and the pages of the book keep them as files (BOKEH_RESOURCES, which is
    Bokeh's own variable): both get the addresses of all.
    """
    from bokeh.io import notebook, output_notebook
    from bokeh.resources import Resources

    lacking = [script for script in scripts if script not in _loaded]
    if "google.colab" in sys.modules:
        output_notebook(hide_banner=True)
    elif os.environ.get("BOKEH_RESOURCES", "inline") != "inline":
        if not _loaded:
            output_notebook(hide_banner=True)
    elif lacking:
        library = "\n".join(Resources(mode="inline", components=lacking).js_raw)
        script = f"(function() {{{library}}}).call(window);"
        notebook.publish_display_data({notebook.JS_MIME_TYPE: script})
    _loaded.update(scripts)


def new_figure(title, x_label, y_label, **options):
    """Return an empty Bokeh figure of the course's form, as wide as the page.

    options: what else `bokeh.plotting.figure` takes.

    >>> plot = new_figure("Growth", "day", "height in cm")
    >>> plot.yaxis.axis_label, len(plot.renderers)
    ('height in cm', 0)
    """
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


def sentence_scatter(points, senses, sentences, positions, title):
    """Draw one mark a sentence; hovering shows its sense and the sentence.

    points: (n, 2). senses: n names, at most five different ones; each gets a colour
    and a marker shape of its own, and a click in the legend hides it. sentences: n
    lists of words. positions: n indices of the word to set in bold. The text is
    escaped, so no sentence can put HTML into the page. Returns a Bokeh figure. Raises
    ValueError for too many senses.

    >>> sentences = [["a", "bank", "lends"], ["a", "river", "bank"]]
    >>> plot = sentence_scatter(
    ...     [[0, 1], [2, 3]], ["money", "river"], sentences, [1, 2], "Two senses"
    ... )
    >>> len(plot.renderers)  # one a sense
    2
    """
    from bokeh.models import HoverTool

    names = sorted(set(senses))
    if len(names) > len(MARKERS):
        raise ValueError(f"{len(names)} senses, but only {len(MARKERS)} marker shapes")
    plot = new_figure(title, "component 1", "component 2")
    rows = list(zip(points, senses, sentences, positions, strict=True))
    for name, color, marker in zip(names, COLORS, MARKERS, strict=False):
        chosen = [row for row in rows if row[1] == name]
        source = {
            "x": [float(point[0]) for point, *_ in chosen],
            "y": [float(point[1]) for point, *_ in chosen],
            "sense": [name] * len(chosen),
            "sentence": [emphasize(words, at) for *_, words, at in chosen],
        }
        look = {"marker": marker, "size": 9, "color": color, "alpha": 0.75}
        plot.scatter("x", "y", source=source, legend_label=name, **look)
    card = "<div style='max-width:320px'><b>@sense</b><br>@sentence{safe}</div>"
    plot.add_tools(HoverTool(tooltips=card))
    plot.legend.click_policy = "hide"
    plot.add_layout(plot.legend[0], "below")
    plot.legend.orientation = "horizontal"
    return plot


def emphasize(words, position):
    """Join words into escaped HTML, the one at `position` in bold.

    >>> emphasize(["a", "river", "bank"], 2)
    'a river <b>bank</b>'
    """
    words = [html.escape(str(word)) for word in words]
    words[position] = f"<b>{words[position]}</b>"
    return " ".join(words)


def draw_references(
    plot, references, ends, form, colors=COLORS[1:], line_width=2.5, upright=False
):
    """Draw a dashed line for each (label, value), as far as the two `ends`.

    form: of the value in the legend. upright: whether values lie along the x axis.

    >>> plot = new_figure("Growth", "day", "height in cm")
    >>> draw_references(plot, [("a door", 200)], [0, 9], ".0f")
    >>> plot.legend[0].items[0].label.value
    'a door: 200'
    """
    for (label, value), color, dash in zip(references, colors, DASHES, strict=False):
        values = finite_numbers([value] * 2, label)
        plot.line(
            *((values, ends) if upright else (ends, values)),
            color=color,
            line_dash=dash,
            line_width=line_width,
            legend_label=f"{label}: {value:{form}}",
        )


def in_two_columns(legend):
    """Set the names of a legend in two columns."""
    legend.ncols = 2
    legend.spacing = 10  # else a name runs into the mark beside it


def bars(names, values, title, value_label, intervals=None, references=()):
    """Draw a horizontal bar a name, in the order given; hovering shows the value.

    values: n numbers. intervals: n (low, high) pairs, drawn as whiskers. references:
    (label, value) pairs for vertical lines. Returns a Bokeh figure. Raises ValueError
    for nan and infinity, and where values or intervals are more or fewer than names.

    >>> plot = bars(["cat", "dog"], [3, 5], "Pets", "how many")
    >>> plot.y_range.factors  # from the bottom up
    ['dog', 'cat']
    """
    from bokeh.models import FactorRange, HoverTool, Range1d, Whisker

    # Bokeh needs each name once, and reads them from the bottom up.
    names = _distinct(names)
    values = finite_numbers(values, "values")
    source = {"name": names, "value": values}
    if intervals is not None:
        lows, highs = zip(*intervals, strict=True) if len(intervals) else ((), ())
        source["low"] = lows = finite_numbers(lows, "intervals")
        source["high"] = highs = finite_numbers(highs, "intervals")
    if not names or len({len(column) for column in source.values()}) > 1:
        counts = ", ".join(f"{len(column)} {name}s" for name, column in source.items())
        raise ValueError(f"bars of {counts}; give one of each a bar")
    longest = max(map(len, names), default=0)
    room = min(LONG_TITLE, max(20, 52 - longest))
    plot = new_figure(
        textwrap.fill(title, room),
        value_label,
        "",
        height=90 + 30 * len(names) + 26 * len(references),
        y_range=FactorRange(*reversed(names)),
    )
    drawn = plot.hbar("name", right="value", source=source, height=0.7, color=COLORS[0])
    plot.add_tools(HoverTool(renderers=[drawn], tooltips="@name: @value{0.[0000]}"))
    if intervals is not None:
        ends = {"base": "name", "lower": "low", "upper": "high"}
        look = {"line_width": 2, "line_color": "#222222", "level": "overlay"}
        source = drawn.data_source
        plot.add_layout(Whisker(source=source, dimension="width", **ends, **look))
        reach = [0, *values, *lows, *highs]
        margin = 0.05 * (max(reach) - min(reach))
        plot.x_range = Range1d(min(reach) - margin, max(reach) + margin)
    draw_references(plot, references, [names[-1], names[0]], ".3g", upright=True)
    if references:
        plot.add_layout(plot.legend[0], "below")
    return plot


def _distinct(names):
    """Make each name a string of its own: a second "the" becomes "the (2)"."""
    seen, distinct = {}, []
    for name in map(str, names):
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return distinct


def heat_map(values, rows, columns, title, row_label, column_label, digits=2):
    """Draw a matrix as coloured cells; hovering shows row, column and value.

    values: (r, c). rows, columns: r and c names (repeated ones are numbered). Dark
    is high; nan has no colour. Returns a Bokeh figure. Raises ValueError for infinity
    and for values that do not fit the names.

    >>> values = [[0.9, 0.1], [0.2, 0.8]]
    >>> plot = heat_map(values, ["A", "cat"], ["A", "cat"], "Attention", "from", "to")
    >>> len(plot.renderers[0].data_source.data["value"])  # cells
    4
    """
    from bokeh.models import FactorRange, HoverTool
    from bokeh.palettes import interp_palette
    from bokeh.transform import linear_cmap

    rows, columns = _distinct(rows), _distinct(columns)
    cells = [
        (row, column, value)
        for row, line in zip(rows, values, strict=True)
        for column, value in zip(
            columns, finite_numbers(line, "values", gaps=True), strict=True
        )
    ]
    numbers = [value for *_, value in cells if value == value]
    low, high = min(numbers, default=0), max(numbers, default=1)
    plot = new_figure(
        title,
        column_label,
        row_label,
        height=min(640, 150 + 26 * len(rows)),
        x_range=FactorRange(*columns),
        y_range=FactorRange(*reversed(rows)),
        tools="",
    )
    source = dict(
        zip(("row", "column", "value"), zip(*cells, strict=True), strict=True)
    )
    blues = interp_palette(BLUES, 256)  # readable without colour too
    colors = linear_cmap("value", blues, low, high if high > low else low + 1)
    drawn = plot.rect(
        "column",
        "row",
        width=1,
        height=1,
        source={name: list(column) for name, column in source.items()},
        fill_color=colors,
        line_color="#ffffff",
    )
    form = "0." + "0" * digits
    card = [
        (row_label, "@row"),
        (column_label, "@column"),
        ("value", f"@value{{{form}}}"),
    ]
    plot.add_tools(HoverTool(renderers=[drawn], tooltips=card))
    plot.add_layout(drawn.construct_color_bar(padding=4), "right")
    plot.grid.visible = False
    if len(columns) > CROWD:
        plot.xaxis.major_label_orientation = "vertical"
        plot.xaxis.major_label_text_font_size = "9px"
    elif max(map(len, columns)) > 2:
        plot.xaxis.major_label_orientation = 0.9
    return plot


def lines(series, title, x_label, y_label, references=()):
    """Draw curves that differ in colour, marker and dash; hovering shows the values.

    series: dict of name -> (xs, ys), at most five; a y of nan leaves a gap.
    references: (label, height) pairs for horizontal lines. A click in the legend hides
    a curve. Returns a Bokeh figure. Raises ValueError for infinity, an x of nan,
    curves without a point and those with more or fewer ys than xs.

    >>> plot = lines({"loss": ([0, 1, 2], [3.0, 1.5, 1.0])}, "Training", "step", "nats")
    >>> len(plot.renderers)  # a line and its markers
    2
    """
    from bokeh.models import HoverTool

    if len(series) > len(COLORS):
        raise ValueError(f"{len(series)} curves, but only {len(COLORS)} looks")
    plot = new_figure(title, x_label, y_label)
    ends = []
    for (name, (xs, ys)), color, marker in zip(
        series.items(), COLORS, MARKERS, strict=False
    ):
        source = {"x": finite_numbers(xs, f"the xs of {name}")}
        source["y"] = finite_numbers(ys, f"the ys of {name}", gaps=True)
        source["name"] = [name] * len(source["x"])
        if not source["x"] or len(source["x"]) != len(source["y"]):
            raise ValueError(f"{name!r} needs a y for each x, and one point or more")
        ends += source["x"]
        look = {"color": color, "legend_label": name}
        plot.line("x", "y", source=source, line_width=2, **look)
        if len(source["x"]) <= 60:
            plot.scatter("x", "y", source=source, marker=marker, size=7, **look)
        card = [("", "@name"), (x_label, "@x{0.[0000]}"), (y_label, "@y{0.[0000]}")]
        plot.add_tools(HoverTool(renderers=[plot.renderers[-1]], tooltips=card))
    grey = {"colors": COLORS[-1:] * len(DASHES), "line_width": 2}
    draw_references(plot, references, [min(ends), max(ends)], ".3g", **grey)
    plot.legend.click_policy = "hide"
    plot.add_layout(plot.legend[0], "below")
    in_two_columns(plot.legend)
    return plot
