"""The pairs of the twenty words in "Contextual embeddings", and the scales for them."""

import pandas as pd


def pairs_by_layer(train, vectors, within_and_across):
    """Mean cosines within and across the senses, a row for each layer and word.

    vectors: (rows of train, layers + 1, hidden). Words with one sense are left out.
    """
    rows = []
    for word, index in train.groupby("word").indices.items():
        labels = train.sense[index]
        if labels.nunique() > 1:
            rows += [
                (n, word, *within_and_across(vectors[index, n], labels))
                for n in range(vectors.shape[1])
            ]
    table = pd.DataFrame(rows, columns=["layer", "word", "within", "across"])
    return table.set_index(["layer", "word"])


def share_of_room(pairs, baseline):
    """The gap as a share of what the baseline leaves: a table (layers + 1, words)."""
    gap = (pairs.within - pairs.across).unstack("word")
    return gap.div(1 - baseline, axis=0)
