"""How "The masked language model" hides the middle words of sentences."""

import numpy as np
import torch

BATCH = 50  # texts of about one length, so that little is padding
LENGTHS = 17, 40  # words of a sentence


def hide_the_middle(bert, sentences, most):
    """Return (encoding, gap) of sentences whose middle word is one piece of letters.

    sentences: a Series of lists of words. gap: for each piece how many words it lies
    to the right of the middle one, nan for a piece of no word. The shortest come first.
    """
    middle = sentences.map(lambda words: words[len(words) // 2])
    plain = middle.map(bert.tokenizer.tokenize).map(
        lambda pieces: len(pieces) == 1 and pieces[0].isalpha()
    )
    usable = sentences[plain & sentences.map(len).between(*LENGTHS)][:most]
    usable = usable.iloc[usable.map(len).argsort(kind="stable")]
    encoding = bert.tokenizer(
        usable.tolist(), is_split_into_words=True, padding=True, return_tensors="pt"
    ).to(bert.device)
    gap = [
        [
            np.nan if word is None else word - len(words) // 2
            for word in encoding.word_ids(row)
        ]
        for row, words in enumerate(usable)
    ]
    return encoding, torch.tensor(gap).to(bert.device)


@torch.inference_mode()
def logits_at(bert, ids, attended, places):
    """The MLM head's logits at one place of each text: (texts, vocabulary).

    ids, attended, places: (texts, pieces).
    """
    found = []
    for rows in torch.arange(len(ids)).split(BATCH):
        n = attended[rows].sum(dim=1).max()  # beyond it all is padding
        states = bert.mlm.bert(ids[rows, :n], attention_mask=attended[rows, :n])[0]
        found.append(bert.mlm.cls(states[places[rows, :n]]))
    return torch.cat(found)
