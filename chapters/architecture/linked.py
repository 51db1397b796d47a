"""A layer of BERT three times: drawn, as code and as it prints itself, all linked.

What belongs together lights up where a pointer rests on it or where its line of code is
chosen, by a style sheet alone: no script, one stop for the tab key, arrow keys from
line to line. Without style sheets it is a drawing and two texts.
"""

import hashlib
import html
import re
from typing import NamedTuple

from helpers.plotting.pictures.svg import drawing, letters, stroke_in

COMMENT = re.compile(r" +#.*$", re.M)
LINE = re.compile(r"(?P<indent> *)\((?P<name>\w+)\):")
PLAIN, SIZE = "plain", 13  # letters in a box
GROUND = (
    "padding:.25rem;background:var(--picture-ground,#fff);color:var(--picture-ink,#222)"
)
LIT = "color-mix(in srgb,currentColor 22%,transparent)"
LOOK = """
#ID{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.25rem 1rem;
 align-items:start}
#ID .texts{font-size:11px;line-height:1.35;min-width:0}
#ID fieldset{border:0;margin:0;padding:0}
#ID :is(legend,.title){font:bold 15px sans-serif;padding:.2rem 0;margin:0;float:none}
#ID :is(label,.line){display:block;margin:0;padding:0 0 0 3em;text-indent:-1.5em;
 font-family:monospace;white-space:pre-wrap;overflow-wrap:anywhere}
#ID .texts>.line{padding-left:1.5em}
#ID label{cursor:pointer}
#ID input{margin:0 .3em 0 -1.5em;width:1.2em;height:1em;vertical-align:-.15em}
#ID g{pointer-events:all}
#ID .said{margin:.3rem 0 0;font-size:14px;min-height:2.8em}
@media(max-width:600px){#ID{grid-template-columns:minmax(0,1fr)}}
@media print{#ID input{display:none}}
"""
# A part is lit by the pointer, or the focus; else the chosen line stays lit.
ON = """#ID:is(:has([data-part=KEY]:hover),
 :not(:has([data-part]:hover)):has([data-part=KEY]>:checked))"""
RULE = f"""
{ON} [data-part=KEY]{{--lit:LIT;--thick:3.5;background:var(--lit);
 box-shadow:inset 3px 0 currentColor}}
{ON} .said [data-part=KEY]{{display:inline!important;background:none;box-shadow:none}}
"""


class Step(NamedTuple):
    """A step of the layer: its name in the drawing, and where else it stands."""

    key: str
    label: str
    code: str  # words of its line of code
    module: str  # whose line in the printout; "" where there is none
    said: str
    place: tuple  # in the drawing: row, left, right
    hue: str = PLAIN


LEFT, MIDDLE, RIGHT, WIDE = (44, 92), (96, 144), (148, 196), (44, 196)
BOX = (70, 170)
LAYER = """
def bert_layer(layer, x, mask):                   # x: (batch, n, hidden)
    query = heads(layer.attention.self.query(x))  # (batch, heads, n, d_head)
    key = heads(layer.attention.self.key(x))
    value = heads(layer.attention.self.value(x))
    scores = query @ key.mT * query.shape[-1] ** -0.5
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    found = (weights @ value).transpose(1, 2).flatten(2)
    found = layer.attention.output.dense(found)
    x = x + found
    x = layer.attention.output.LayerNorm(x)
    wide = layer.intermediate.dense(x)
    wide = torch.nn.functional.gelu(wide)
    narrow = layer.output.dense(wide)
    x = x + narrow
    return layer.output.LayerNorm(x)
"""
STEPS = [
    Step("query", "query", "self.query", "attention.self.query",
         "Each piece asks.", (1, *LEFT), "query"),
    Step("key", "key", "self.key", "attention.self.key",
         "Each piece says what it can be found by.", (1, *MIDDLE), "key"),
    Step("value", "value", "self.value", "attention.self.value",
         "Each piece says what it has to give.", (1, *RIGHT), "value"),
    Step("scores", "q · k ÷ √", "scores =", "",
         "How well each query meets each key, by the root of a head's width.",
         (2, 44, 144), "weights"),
    Step("weights", "mask, softmax", "weights =", "",
         "Padding is closed, and each row of scores becomes weights.",
         (3, 44, 144), "weights"),
    Step("mixed", "mix, join heads", "weights @", "",
         "Each head averages the values; the heads are laid side by side.",
         (4, *WIDE), "weights"),
    Step("output", "linear", "attention.output.dense", "attention.output.dense",
         "Mixes what the heads have found.", (5, *BOX)),
    Step("first-sum", "+", "x + found", "",
         "A residual connection: what went in is added.", (6, *BOX)),
    Step("first-norm", "layer norm", "attention.output.LayerNorm",
         "attention.output.LayerNorm", "Norms the sum.", (7, *BOX)),
    Step("widen", "widen", "intermediate.dense", "intermediate.dense",
         "Now each piece by itself: wider,", (8, *WIDE)),
    Step("bend", "GELU", "gelu", "intermediate.intermediate_act_fn",
         "bent,", (9, *WIDE)),
    Step("narrow", "narrow", "layer.output.dense", "output.dense",
         "and as narrow as before.", (10, *BOX)),
    Step("second-sum", "+", "x + narrow", "",
         "What went into the feed-forward part is added.", (11, *BOX)),
    Step("second-norm", "layer norm", "layer.output.LayerNorm", "output.LayerNorm",
         "Norms the sum: the layer is done.", (12, *BOX)),
]  # fmt: skip
ROW, HIGH, TOP = 34, 23, 4
DASHES = ' stroke-dasharray="5 3"'


def linked_layer(layer, code, start="first-sum"):
    """Show a layer of BERT drawn, as code and as it prints itself, linked.

    layer: a BertLayer of transformers. code: the source of a function that computes it
    with its modules, `layer`, a line for each step (see `STEPS`). start: the step that
    is lit at first. Dashed is what no line of the printout says. Raises ValueError
    where a step has no line of code, or a module is not printed.

    >>> linked_layer(layer, inspect.getsource(encoder_layer))  # doctest: +SKIP
    """
    from IPython.display import HTML, display

    display(HTML(linked(str(layer), code, start)))


def linked(printout, code, start="first-sum"):
    """Return the three as HTML, from the text of a printout.

    >>> linked("BertLayer()", "def encoder_layer(layer, x, mask): ...")
    Traceback (most recent call last):
    ...
    ValueError: no line of code has 'self.query'
    """
    lines = COMMENT.sub("", code).strip("\n").splitlines()
    printed = printed_lines(printout)
    at = {step.key: _line_of(step, lines) for step in STEPS}
    if missing := [s.module for s in STEPS if s.module and s.module not in printed]:
        raise ValueError(f"not printed: {', '.join(missing)}")
    name = "linked-" + hashlib.sha256(f"{printout}{code}".encode()).hexdigest()[:10]
    keys = {number: key for key, number in at.items()}
    radios = "".join(_code(keys.get(i), line, name, start) for i, line in
                     enumerate(lines))  # fmt: skip
    parts = {step.module: step.key for step in STEPS if step.module}
    texts = "".join(_printed(parts.get(path), line, name) for path, line in
                    printed.items())  # fmt: skip
    said = "".join(_said(step, name) for step in STEPS)
    rules = "".join(RULE.replace("KEY", step.key) for step in STEPS)
    style = (LOOK + rules).replace("LIT", LIT).replace("ID", name).replace("\n", " ")
    return (
        f'<div class="picture" id="{name}" style="{GROUND}">{_drawing()}'
        f'<div class="texts"><p class="said">{said}</p>'
        f"<fieldset><legend>as code</legend>{radios}</fieldset>"
        f'<div class="title">as it prints itself</div>{texts}</div>'
        f"<style>{style}</style></div>"
    )


def printed_lines(printout):
    """Return {path of a module: its line}, in order; brackets alone are left out.

    >>> printed_lines("A(\\n  (b): B(\\n    (c): C()\\n  )\\n)")
    {'b': '(b): B(', 'b.c': '  (c): C()'}
    """
    found, path = {}, []
    for line in printout.splitlines():
        if match := LINE.match(line):
            depth = len(match["indent"]) // 2 - 1
            path = [*path[:depth], match["name"]]
            found[".".join(path)] = line[2:]
    return found


def not_printed():
    """Return the names of the steps that no line of the printout says.

    >>> len(not_printed())
    5
    """
    return [step.key for step in STEPS if not step.module]


def _line_of(step, lines):
    for number, line in enumerate(lines):
        if step.code in line:
            return number
    raise ValueError(f"no line of code has {step.code!r}")


def _code(key, line, name, start):
    if key is None:
        return f'<span class="line">{html.escape(line) or " "}</span>'
    chosen = " checked" if key == start else ""
    return (
        f'<label data-part="{key}"><input type="radio" name="{name}"'
        f' id="{name}-{key}" aria-describedby="{name}-said-{key}"{chosen}>'
        f"{html.escape(line)}</label>"
    )


def _printed(key, line, name):
    part = f' data-part="{key}"' if key else ""
    tag, to = ("label", f' for="{name}-{key}"') if key else ("span", "")
    return f'<{tag}{to} class="line"{part}>{html.escape(line)}</{tag}>'


def _said(step, name):
    where = "" if step.module else " No line of the printout says it."
    return (
        f'<span data-part="{step.key}" id="{name}-said-{step.key}" hidden>'
        f"{html.escape(step.said)}{where}</span>"
    )


def _drawing():
    middle = 120
    ends = {row: TOP + row * ROW for row in range(14)}
    parts = [letters(middle, ends[0] + 17, "x", SIZE, bold=True)]
    parts += [_way(x, 0, 1) for x in (68, middle, 172)]
    parts += [_way(x, 1, 2) for x in (68, middle)] + [_way(94, 2, 3), _way(94, 3, 4)]
    parts += [_way(172, 1, 4), *(_way(middle, row, row + 1) for row in range(4, 13))]
    for start, end in ((0, 6), (7, 11)):
        y, low = ends[start] + HIGH + 5, ends[end] + HIGH / 2
        parts.append(
            f'<path d="M{middle} {y}H22V{low}H{middle - 14}" fill="none"'
            f' stroke="currentColor" stroke-width="1.5"{DASHES}/>'
        )
    parts += [_box(step) for step in STEPS]
    parts.append(letters(middle, ends[13] + 15, "next layer", SIZE, bold=True))
    words = (
        "One layer, from top to bottom. x is made into query, key and value. Query and "
        "key give scores, mask and softmax make weights of them, which mix the values; "
        "the heads are joined by a linear layer. x is added, a layer norm follows. "
        "Then widen, GELU, narrow; what went in is added, and a layer norm follows. "
        "Dashed, because not printed: scores, softmax, mixing and both additions."
    )
    return drawing(parts, 204, ends[13] + 22, words)


def _box(step):
    row, left, right = step.place
    y, hidden = TOP + row * ROW, "" if step.module else DASHES
    look = stroke_in(step.hue).replace("fill:none", "fill:var(--lit,none)")
    look = look[:-1] + ';stroke-width:var(--thick,1.5)"' + hidden
    middle = (left + right) / 2
    if step.label == "+":
        shape = f'<circle cx="{middle}" cy="{y + HIGH / 2}" r="12" {look}/>'
    else:
        shape = (
            f'<rect x="{left}" y="{y}" width="{right - left}" height="{HIGH}" rx="4"'
            f" {look}/>"
        )
    word = letters(middle, y + HIGH / 2 + 4.5, step.label, SIZE)
    return f'<g data-part="{step.key}">{shape}{word}</g>'


def _way(x, above, below):
    y, low = TOP + above * ROW + HIGH, TOP + below * ROW
    above = y if above else y - 4
    return (
        f'<path d="M{x} {above}V{low - 1}M{x - 3} {low - 5}L{x} {low - 1}L{x + 3}'
        f' {low - 5}" fill="none" stroke="currentColor" stroke-opacity="0.7"/>'
    )
