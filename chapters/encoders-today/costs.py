"""What reading costs: a calculator in the page, and bars made of two parts.

The calculator's arithmetic is written twice, in Python for the first state and for
paper, in JavaScript for the reader's hand; a test holds the two to each other.
"""

import textwrap

import numpy as np

from helpers import plotting

BASE = 85_054_464  # weights of the layers of BERT-base
WAYS = ["counted words", "an encoder", "a model that writes"]
BOXES = [
    "Sort the texts by length",
    "Keep what was read of the writer's instruction",
    "Take an encoder of BERT-base's size",
]
SLIDERS = [  # what it sets, its title, least and most, powers of ten or not
    ("texts", "texts", 1e3, 1e9, True),
    ("pieces", "pieces in a text", 4, 4000, True),
    ("encoder", "weights in the encoder's layers", 1e6, 1e10, True),
    ("writer", "weights in the writer's layers", 1e8, 1e12, True),
    ("instruction", "pieces of instruction", 0, 2000, False),
    ("answer", "pieces that are written", 1, 500, False),
    ("speed", "weights times pieces in a second", 1e9, 1e15, True),
    ("price", "price of an hour", 0.01, 100, True),
]
ARITHMETIC = """
const hours = (texts, pieces, weights, speed, padding = 0, again = 0) =>
  texts * (pieces / (1 - padding) + again) * weights / speed / 3600
const compared = on => {
  const padding = on.sorted ? on.padding_sorted : on.padding
  const again = on.answer + (on.kept ? 0 : on.instruction)
  return [on.texts / on.words / 3600,
          hours(on.texts, on.pieces, on.encoder, on.speed, padding),
          hours(on.texts, on.pieces, on.writer, on.speed, 0, again)]
}
const sold = on => {
  const again = on.answer + (on.kept ? 0 : on.instruction)
  return compared(on)[1] * on.price / (on.texts * (on.pieces + again) / 1e6)
}
const rounded = x => Number(x.toPrecision(2)).toLocaleString("en")
const time = h => h < 1 / 60 ? rounded(h * 3600) + " seconds"
  : h < 1 ? rounded(h * 60) + " minutes"
  : h < 48 ? rounded(h) + " hours" : rounded(h / 24) + " days"
const says = on => {
  const [, encoder, writer] = compared(on), times = writer / encoder
  const [slow, fast] = times < 1 ? ["encoder", "writer"] : ["writer", "encoder"]
  const most = rounded(Math.max(times, 1 / times))
  return `The ${slow} takes ${most} times as long as the ${fast}.`
}
const sells = on => {
  const [, encoder, writer] = compared(on).map(h => rounded(h * on.price))
  return ` The encoder's work costs ${encoder}, the writer's ${writer}. An interface ` +
    `is cheaper than the encoder if a million pieces cost less than ` +
    `${rounded(sold(on))}.`
}
"""
UPDATE = """
const on = {...start}
on.sorted = boxes.active.includes(0), on.kept = boxes.active.includes(1)
if (boxes.active.includes(2)) on.encoder = base
for (const [name, slider] of Object.entries(sliders))
  on[name] = powers.includes(name) ? 10 ** slider.value : slider.value
const found = compared(on)
source.data = {...source.data, hours: found, said: found.map(time)}
said.text = says(on) + (sold_too ? sells(on) : "")
"""
NAMED = """
const name = root => root.querySelectorAll("*").forEach(part => {
  const title = part.getRootNode().querySelector(".bk-slider-title")
  if (part.classList.contains("noUi-handle") && title)
    part.setAttribute("aria-label", title.textContent.replace(/:.*/s, ""))
  if (part.shadowRoot) name(part.shadowRoot)
})
requestAnimationFrame(() => name(document))
"""
POWER = 'return Number((10 ** tick).toPrecision(2)).toLocaleString("en")'


def hours(texts, pieces, weights, speed, padding=0.0, again=0.0):
    """Hours that a network takes to read texts, by its multiplications alone.

    pieces: of a text. weights: of the network's layers. speed: weights times pieces in
    a second. padding: its share of what is computed. again: pieces that are read or
    written with each text besides.

    >>> hours(3600, 10, 2_000, 40_000, padding=0.5)
    1.0
    """
    return texts * (pieces / (1 - padding) + again) * weights / speed / 3600


def compared(on):
    """Return the hours of counted words, an encoder and a model that writes.

    on: a dict of texts, pieces, words (texts a second that are counted), encoder,
    writer, speed, padding, padding_sorted, instruction, answer, and whether the texts
    are sorted and the instruction is kept.

    >>> on = dict.fromkeys(["padding", "padding_sorted", "instruction", "answer"], 0)
    >>> on |= {"texts": 7200, "pieces": 1, "words": 2, "sorted": True, "kept": True}
    >>> compared(on | {"encoder": 10, "writer": 30, "speed": 10})
    [1.0, 2.0, 6.0]
    """
    padding = on["padding_sorted" if on["sorted"] else "padding"]
    again = on["answer"] + (0 if on["kept"] else on["instruction"])
    reading = on["texts"], on["pieces"]
    return [
        on["texts"] / on["words"] / 3600,
        hours(*reading, on["encoder"], on["speed"], padding),
        hours(*reading, on["writer"], on["speed"], 0, again),
    ]


def in_words(hours):
    """Say how long it is, to two digits, as the calculator does.

    >>> in_words(0.001), in_words(0.5), in_words(30), in_words(100)
    ('3.6 seconds', '30 minutes', '30 hours', '4.2 days')
    """
    for most, unit, name in (
        (1 / 60, 1 / 3600, "seconds"),
        (1, 1 / 60, "minutes"),
        (48, 1, "hours"),
    ):
        if hours < most:
            return f"{_rounded(hours / unit)} {name}"
    return f"{_rounded(hours / 24)} days"


def _rounded(number):
    return f"{float(f'{number:.2g}'):,.12g}"


def cost_calculator(start, sliders=False):
    """Draw the hours of three ways as bars, and what the reader may change.

    start: as for `compared`, without `sorted` and `kept`, and price, that of an hour.
    sliders: draw all sliders, and say prices, too; else three boxes to tick. Nothing
    is sent anywhere: the page computes. Returns a Bokeh layout, for `show`.

    >>> start = dict.fromkeys(["texts", "pieces", "words", "writer", "speed"], 10)
    >>> start |= {"encoder": 1, "padding": 0.5, "padding_sorted": 0, "price": 1}
    >>> layout = cost_calculator(start | {"instruction": 10, "answer": 0})
    >>> [type(part).__name__ for part in layout.children]
    ['figure', 'Div', 'CheckboxGroup']
    """
    from bokeh.layouts import column
    from bokeh.models import CheckboxGroup, CustomJS, Div

    start = {name: float(value) for name, value in start.items()}
    on = start | {"sorted": sliders, "kept": sliders}
    plot, source = _bars(compared(on))
    wide = {"sizing_mode": "stretch_width", "max_width": 720, "margin": (4, 20, 4, 20)}
    times = compared(on)[2] / compared(on)[1]
    said = f"The writer takes {_rounded(times)} times as long as the encoder."
    said = Div(text=said, styles={"font-size": "15px"}, **wide)
    said.html_attributes = {"aria-live": "polite"}
    active = [0, 1] if sliders else []
    boxes = CheckboxGroup(labels=BOXES[: 3 - sliders], active=active, **wide)
    boxes.styles = {"font-size": "15px"}
    drawn = {name: _slider(start, name, *rest) for name, *rest in SLIDERS * sliders}
    given = {"start": start, "boxes": boxes, "sliders": drawn, "base": BASE}
    given |= {"source": source, "said": said, "sold_too": sliders}
    given["powers"] = [name for name, *_, power in SLIDERS if power]
    update = CustomJS(args=given, code=ARITHMETIC + UPDATE)
    boxes.js_on_change("active", update)
    for slider in drawn.values():
        slider.js_on_change("value", update)
    plot.js_on_change("inner_width", CustomJS(code=NAMED))
    parts = [plot, said, boxes]
    if sliders:
        plot.js_on_change("inner_width", update)  # say prices from the start
        parts.append(_side_by_side(drawn.values()))
    return column(*parts, sizing_mode="stretch_width")


def _bars(values):
    """An empty scale of powers of ten, and a bar and its words for each way."""
    from bokeh.models import ColumnDataSource, FixedTicker, Range1d

    ends = 1e-4, 1e7  # words beside the longest bar need room
    plot = plotting.new_figure(
        "",
        "hours on one machine, in powers of ten",
        "",
        height=190,
        x_axis_type="log",
        x_range=Range1d(*ends),
        y_range=WAYS[::-1],
        tools="",
    )
    plot.toolbar_location = None
    plot.xaxis.ticker = FixedTicker(ticks=[10.0**power for power in range(-3, 7, 3)])
    source = ColumnDataSource(
        {
            "way": WAYS,
            "hours": values,
            "said": list(map(in_words, values)),
            "color": plotting.COLORS[:3],
        }
    )
    plot.hbar(
        "way", left=ends[0], right="hours", height=0.6, color="color", source=source
    )
    look = {"x_offset": 6, "y_offset": 7, "text_font_size": "14px"}
    plot.text("hours", "way", text="said", source=source, **look)
    plot.yaxis.major_label_text_font_size = "14px"
    return plot, source


def _slider(start, name, title, least, most, power):
    from bokeh.models import CustomJSTickFormatter, Slider

    value = min(most, max(least, start[name]))
    if power:
        least, most, value = map(float, np.log10([least, most, value]))
    step = 0.01 if power else 1
    slider = Slider(start=least, end=most, value=value, step=step, title=title)
    if power:
        slider.format = CustomJSTickFormatter(code=POWER)
    slider.bar_color = plotting.COLORS[0]
    slider.styles = {"min-width": "250px", "flex": "1 1 250px"}
    slider.margin = (4, 20, 4, 20)
    return slider


def _side_by_side(parts):
    """Two in a row where there is room, one on a phone."""
    from bokeh.layouts import row

    looks = {"flex-wrap": "wrap", "max-width": "760px"}
    return row(*parts, styles=looks, sizing_mode="stretch_width")


def bars_of_two(names, parts, title, value_label):
    """Draw a horizontal bar a name, made of two parts; hovering shows both.

    parts: {name of a part: n numbers}, two of them. Returns a Bokeh figure.

    >>> plot = bars_of_two(["a", "b"], {"x": [1, 2], "y": [3, 1]}, "Sums", "size")
    >>> plot.y_range.factors
    ['b', 'a']
    """
    from bokeh.models import HoverTool

    plot = plotting.new_figure(
        textwrap.fill(title, plotting.LONG_TITLE),
        value_label,
        "",
        height=120 + 24 * len(names),
        y_range=list(names)[::-1],
    )
    plot.x_range.start = 0
    source = {"name": list(names)} | {part: list(parts[part]) for part in parts}
    plot.hbar_stack(
        list(parts),
        y="name",
        height=0.7,
        source=source,
        color=plotting.COLORS[:2],
        hatch_pattern=[None, "right_diagonal_line"],
        hatch_color="white",
        legend_label=list(parts),
    )
    card = [("", "@name")] + [(part, f"@{{{part}}}{{0.0}}") for part in parts]
    plot.add_tools(HoverTool(tooltips=card))
    plot.legend.orientation = "horizontal"
    plot.add_layout(plot.legend[0], "below")
    return plot
