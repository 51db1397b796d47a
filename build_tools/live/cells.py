"""What stands in a notebook for each kind of widget: a cell to type in.

A template's fields are the widget's options; {a, b} of Python is doubled. The names
begin with `box_`, so that a run of the cell changes nothing that the page goes on with.
"""

TOKENS = """\
import pandas as pd

box_texts = {first}, {second}
box = bert.tokenizer(*box_texts)
pd.DataFrame({{
    "piece": box.tokens(), "id": box["input_ids"],
    "segment": box["token_type_ids"], "position": range(len(box.tokens())),
}}).T"""

MASKED = """\
box_text = {text}
for box_guesses in bert.predict_masked(box_text):
    print(", ".join(f"{{piece}} {{share:.1%}}" for piece, share in box_guesses))"""

NEXT = """\
box_first = {first}
box_second = {second}
print(f"the second follows: {{bert.predict_next(box_first, box_second):.1%}}")"""

ATTENTION = """\
import numpy as np
from helpers.attention import head_scores, read_attention
from helpers.attention.patterns import pattern_targets
from helpers.attention.views import head_view

box_first = {first}
box_second = {second}     # or None
box_pattern = {pattern}   # or one of those that are printed
box = read_attention(bert, box_first, box_second)
box_targets = pattern_targets(box)
box_scores = head_scores(box.attention, box_targets[box_pattern])
box_head = np.unravel_index(box_scores.argmax(), box_scores.shape)
print("patterns:", ", ".join(box_targets))
print("most in layer, head:", *box_head)
head_view(box, layer=box_head[0], heads=[box_head[1]], title=box_pattern)"""

BOARD = """\
from helpers.attention import heads_off

box_text = {text}
box_heads = [(0, head) for head in range(bert.n_heads)]     # a (layer, head) each
def box_guesses():
    [box_pieces] = bert.predict_masked(box_text)
    return ", ".join(f"{{piece}} {{share:.1%}}" for piece, share in box_pieces)
print("all on:", box_guesses())
with heads_off(bert, box_heads):
    print("off:   ", box_guesses())"""

SENSES = """\
import re

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from helpers.embeddings import embed_words
from helpers.plotting import sentence_scatter, show
from helpers.senses import {imports}sense_centroids, unit

box_word = {word}
box_text = {text}
{rows}
box_words = re.findall(r"\\w+|[^\\w\\s]", box_text.lower())
box_vectors = embed_words(bert, box_sentences, box_positions, (-1,))
box_own = embed_words(bert, [box_words], [box_words.index(box_word)], (-1,))
box_axes = PCA(n_components=2, random_state=0).fit(box_vectors)  # without yours
box_plot = sentence_scatter(box_axes.transform(box_vectors), box_senses,
                            box_sentences, box_positions, "The cross is yours")
box_plot.scatter(*box_axes.transform(box_own).T, marker="x", size=16,
                 color="black", line_width=3)
show(box_plot)
box_names, box_means = sense_centroids(box_vectors, box_senses)
box_cosines = pd.Series(unit(box_means) @ unit(box_own[0]), box_names)
box_cosines.sort_values(ascending=False).round(3)"""
MERGES = """\
box_text = {text}
box_counts = Counter(words(box_text.lower()))
for box_rule in ("count", {rule}):
    box_found = learn(box_counts, rules[box_rule], 20, mark="##")
    print(f"{{box_rule}}:", *("+".join(pair) for pair in box_found))"""
ANSWERS = """\
box_question = {question}
box_passage = {passage}
box = answers(bert, reader, [box_question], [box_passage]).iloc[0]
print(box.said if box.lead > best_threshold(lead, right, there) else "declined",
      f"(lead {{box.lead:.1f}})")"""
OF_THE_PAGE = "box_senses, box_sentences, box_positions = senses, sentences, positions"
OF_A_WORD = """\
box_rows = load_parts(box_word, most=40)[0]
box_senses, box_sentences, box_positions = (
    box_rows[name].tolist() for name in ("sense", "sentence", "word_pos"))"""
ONLY_THE_BOOK = {"book", "search", "steps"}
CELLS = {
    "tokens": TOKENS,
    "masked": MASKED,
    "next": NEXT,
    "attention": ATTENTION,
    "board": BOARD,
    "merges": MERGES,
    "answers": ANSWERS,
}


def cell_of(kind, options):
    """Return the source of the cell for a widget; None where only the book can answer.

    options: as its directive has them. Raises KeyError for a kind that is not known.
    """
    if kind in ONLY_THE_BOOK:
        return None
    texts = {name: repr(value) for name, value in options.items()}
    if kind != "senses":
        known = {"pattern": repr("previous word"), "second": "None"} | texts
        return CELLS[kind].format_map(known)
    any_word = "choose" in options
    parts = ("load_parts, ", OF_A_WORD) if any_word else ("", OF_THE_PAGE)
    return SENSES.format_map(texts | dict(zip(("imports", "rows"), parts, strict=True)))
