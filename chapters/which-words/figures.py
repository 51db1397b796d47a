"""What "Which words an answer needs" draws and tabulates."""

import numpy as np
import pandas as pd
import torch

from helpers.attention import read_attention
from helpers.plotting.pictures import Matrix, draw, matrices
from helpers.verdicts import compare


@torch.inference_mode()
def hide_each(bert, text, two):
    """Return words, what each costs the answer when hidden, and its attention.

    The answer is at the only [MASK]: the log-odds of the first of two words. [CLS],
    [SEP], [MASK] and the last token, a full stop, are left out. -> list, (n,), (n,)
    """
    reading = read_attention(bert, text)
    gap = reading.tokens.index("[MASK]")
    places = [i for i in range(1, len(reading.tokens) - 2) if i != gap]
    copies = bert.encode(text)["input_ids"].repeat(1 + len(places), 1)
    copies[range(1, len(copies)), places] = bert.tokenizer.mask_token_id
    states = bert.model(copies).last_hidden_state[:, gap]
    asked = bert.tokenizer.convert_tokens_to_ids(two)
    one, other = bert.mlm.cls(states)[:, asked].cpu().numpy().T
    odds = one - other
    looked = reading.attention.mean(axis=(0, 1))[gap, places]
    return [reading.tokens[i] for i in places], odds[0] - odds[1:], looked


def draw_words(words, lost, looked):
    """One row a word: what its hiding costs, and what attention it gets."""
    columns = {
        "hide the word: log-odds for animal lost": (lost, ".1f"),
        "mean attention from [MASK]": (looked, ".2f"),
    }
    said = (
        "Of the words that speak for animal, animal and tired cost most when they are "
        "hidden.",
        "By mean attention from [MASK] another word comes first.",
    )
    draw(
        *(
            matrices(
                Matrix(title, np.array(of)[:, None], words, [""], "weights", form, 52),
                words=told,
            )
            for (title, (of, form)), told in zip(columns.items(), said, strict=True)
        )
    )


def table_of_ranks(ranks):
    """ranks: (texts, scores), rank correlations with occlusion."""
    verdicts = {name: compare(of, 0) for name, of in ranks.items()}
    return pd.DataFrame(
        {
            name: {"mean": f"{v.difference:.2f}", "95 %": v.interval()}
            for name, v in verdicts.items()
        }
    ).T


def table_of_riddles(told):
    """told: {what is read: log-odds with the first endings, with the second}."""
    rows = {}
    for name, (first, second) in told.items():
        n = len(first)
        rows[name] = {
            "shift": f"{(first - second).mean():.2f}",
            "95 %": compare(first, second).interval(),
            f"right way, of {n}": int((first > second).sum()),
            f"solved, of {n}": int(((first > 0) & (second < 0)).sum()),
        }
    return pd.DataFrame(rows).T


def table_of_heads(chosen):
    """chosen: {how the head was chosen: (its name, (pairs,) effects)}."""
    rows = {}
    for how, (name, of) in chosen.items():
        v = compare(of, 0)
        rows[how] = {
            "head": name,
            "effect": f"{v.difference:.2f}",
            "95 %": v.interval(),
            "pairs": len(of),
        }
    return pd.DataFrame(rows).T
