"""What "The architecture" draws and tabulates; what it teaches stands in the page."""

import torch

from helpers.plotting.pictures import Matrix, covered, draw, matrices, slide
from helpers.senses import pairs_by_sense

SHOWN = (
    "She has long blond [MASK].",
    "The Nile is the longest [MASK] in Africa.",
    "He has lived in London for ten [MASK].",
)


def right_guesses(guesses, cloze, tokenizer):
    """{name of a layer: for each sentence, is one of its five guesses accepted?}

    guesses: {name: the five largest shares, values and indices (200, 5)}.
    """
    return {
        name: [
            not set(tokenizer.convert_ids_to_tokens(five)).isdisjoint(
                answers.split(",")
            )
            for five, answers in zip(top.indices, cloze.answers, strict=True)
        ]
        for name, top in guesses.items()
    }


def slide_slips(guesses, right, cloze, tokenizer):
    frames = []
    for name, top in guesses.items():
        parts = [_gap(text, top, cloze, tokenizer) for text in SHOWN]
        frames.append((f"{name}: {sum(right[name])} of 200 right.", "".join(parts)))
    slide("slip:", frames, start=4)


def _gap(text, top, cloze, tokenizer):
    """One sentence with the guesses for its gap."""
    at = cloze.text.tolist().index(text)
    words = text.replace(".", " .").split()
    told = tokenizer.convert_ids_to_tokens(top.indices[at])
    shares = dict(zip(told[:4], top.values[at].tolist(), strict=False))
    answers = cloze.answers[at].split(",")
    best = next((word for word in told[:4] if word in answers), "")
    seen = [word != "[MASK]" for word in words]
    return covered("", words, words.index("[MASK]"), seen, shares, best)


def clear_pairs(run, two, bert, **settings):
    """For each word: how many of its 12 pairs of one meaning stand out.

    run: the page's stack of layers. two: word, sense and sentence, 8 rows a word.
    """
    clear = {}
    for word, rows in two.groupby("word"):
        batch = bert.tokenizer(list(rows.sentence), padding=True, return_tensors="pt")
        batch = batch.to(bert.device)
        at = batch["input_ids"] == bert.tokenizer.convert_tokens_to_ids(word)
        same, other = pairs_by_sense(run(batch, **settings)[-1][at].cpu(), rows.sense)
        clear[word] = int((same > other.max() + 0.001).sum())
    return clear


def draw_shares(counts):
    """counts: DataFrame of parameters, parts by configurations."""
    shares = 100 * counts / counts.sum()
    said = "; ".join(
        f"{name}: word embeddings {of['word embeddings']:.1f}, attention "
        f"{of['attention']:.1f}, feed-forward {of['feed-forward']:.1f}"
        for name, of in shares.items()
    )
    names = [name.replace("half as ", "½ as ") for name in counts]
    table = Matrix(
        "parameters, %", shares.to_numpy(), [*counts.index], names, "value", ".1f", 58
    )
    draw(matrices(table, words=f"Shares of the parameters in per cent. {said}."))


def largest_gap(ours, theirs):
    return max((a - b).abs().max().item() for a, b in zip(ours, theirs, strict=True))


def cosine_of(one, other):
    return torch.cosine_similarity(one, other, dim=-1).mean().item()
