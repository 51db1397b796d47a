"""The kept results of the chapter's methods, word by word, as one row a method."""


def averages(results):
    """Average the words, by method and layer; returns a row for each of these.

    results: as from `evaluate_all`. In accuracy and macro_f1 every word counts alike,
    in accuracy_all every sentence, so that words with many test sentences weigh more.

    >>> import pandas as pd
    >>> results = pd.DataFrame(
    ...     {"method": "layer", "layer": 6, "n": [1, 3], "accuracy": [1.0, 0.0],
    ...      "macro_f1": [1.0, 0.0]}
    ... )
    >>> averages(results)[["accuracy", "accuracy_all"]].values.tolist()
    [[0.5, 0.25]]
    """
    groups = results.groupby(["method", "layer"], dropna=False)
    table = groups[["accuracy", "macro_f1"]].mean()
    correct = results.assign(hits=results.accuracy * results.n)
    sums = correct.groupby(["method", "layer"], dropna=False)[["hits", "n"]].sum()
    return table.assign(accuracy_all=sums.hits / sums.n).reset_index()
