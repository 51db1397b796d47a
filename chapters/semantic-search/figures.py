"""What "Search: vectors at work" draws; what it teaches stands in the page."""

import numpy as np
from bokeh.models import HoverTool

from helpers.embeddings import piece_states
from helpers.plotting import bars, lines, new_figure, show
from helpers.plotting.pictures import Matrix, matrices, slide
from helpers.senses import unit

QUESTION = "Which sport was the noble lady asked to by letter?"
TEXT = (
    "The Fish-Footman began by producing from under his arm a great letter, nearly as "
    "large as himself, and this he handed over to the other, saying, in a solemn tone, "
    '"For the Duchess. An invitation from the Queen to play croquet."'
)
STRIP = 19  # pieces of the text in a strip


def meeting(bert):
    """The pieces of question and text, and the cosines (text, question)."""
    pair = [QUESTION, TEXT]
    across, down = [bert.tokenizer.tokenize(text) for text in pair]
    states = piece_states(bert, [bert.tokenizer(text) for text in pair])
    asking, telling = [unit(s[1:-1]) for s in states]  # no [CLS], no [SEP]
    return across, down, telling @ asking.T


def slide_of_meetings(across, down, cosines):
    """Three ways in which a question's pieces and a text's can meet."""
    same = np.array([[float(a == b) for b in across] for a in down])
    best = np.where(cosines == cosines.max(axis=0), cosines, 0)
    said = {
        "Words: colour only where both have the same piece.": same,
        "Vectors: the cosine of every two pieces.": cosines,
        "The best row of each column, and nothing else.": best,
    }
    frames = [(words, _strips(words, of, across, down)) for words, of in said.items()]
    slide("they meet in:", frames, 1)


def _strips(said, values, across, down):
    look = dict(form="", cell=13, low=0.2, high=0.6)
    parts = [
        Matrix(
            "",
            np.clip(values[i : i + STRIP], 0.2, 1),
            down[i : i + STRIP],
            across,
            **look,
        )
        for i in range(0, len(down), STRIP)
    ]
    return matrices(*parts, words=said)


def draw_questions(found, kinds, questions):
    """Each question a dot: its rank by words, its rank by one vector."""
    plot = new_figure(
        "Each dot is a question",
        "rank by words",
        "rank by one vector",
        x_axis_type="log",
        y_axis_type="log",
    )
    rng = np.random.default_rng(0)
    looks = ("#d55e00", "triangle"), ("#0072b2", "circle")
    for (kind, rows), (color, marker) in zip(kinds.items(), looks, strict=True):
        asked = questions[rows]
        moved = np.exp(rng.uniform(-0.12, 0.12, (2, len(asked))))
        source = {
            "x": found["words"][rows] * moved[0],
            "y": found["one vector"][rows] * moved[1],
            "question": asked,
        }
        plot.scatter(
            "x",
            "y",
            marker=marker,
            size=8,
            color=color,
            alpha=0.6,
            legend_label=f"asked in {kind}",
            source=source,
        )
    plot.add_tools(HoverTool(tooltips="@question"))
    plot.add_layout(plot.legend[0], "below")
    show(plot)


def draw_published():
    """Nogueira and Cho 2019, Santhanam and others 2022."""
    ways = {
        "BM25": 16.7,
        "one vector (ANCE)": 33.0,
        "many vectors (ColBERT)": 36.0,
        "BM25's first thousand re-ranked by BERT": 36.5,
        "learned words (SPLADE v2)": 36.8,
        "many vectors (ColBERTv2)": 39.7,
    }
    title = "Published: MS MARCO development questions"
    show(bars(list(ways), list(ways.values()), title, "MRR at 10, x 100"))


def draw_words(weights, text, bert):
    """The sixteen words that have the most weight."""
    order = weights.argsort(descending=True).tolist()
    inside = set(bert.tokenizer(text)["input_ids"])
    names = bert.tokenizer.convert_ids_to_tokens(order)
    kept = [(i, name) for i, name in zip(order, names, strict=True) if name.isalpha()]
    shown = [f"{n}, in the text" if i in inside else n for i, n in kept[:16]]
    show(bars(shown, [float(weights[i]) for i, _ in kept[:16]], text, "weight"))


def draw_times(seconds):
    """seconds: {way: of one question}."""
    spent = [1000 * least for least in seconds.values()]
    show(bars(list(seconds), spent, "One question, everything counted", "milliseconds"))


def draw_walks(kept, widths=(10, 20, 40, 80)):
    """kept: {(vectors, ef): share of the true ten for each search}."""
    sizes = sorted({size for size, _ in kept})
    curves = {
        f"{size:,} vectors": (list(widths), [np.mean(kept[size, ef]) for ef in widths])
        for size in sizes
    }
    show(
        lines(
            curves,
            "What an approximate index finds",
            "ef, the width of the walk",
            "share of the exact first ten",
        )
    )
