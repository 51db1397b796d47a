"""Training examples for BERT's two tasks: masked words and sentence pairs."""

from functools import lru_cache

import numpy as np
import torch

IGNORED = -100  # cross_entropy leaves targets with this value out of the loss


def mask_tokens(ids, tokenizer, rate=0.15, generator=None):
    """Choose targets and corrupt them by the 80/10/10 rule (Devlin et al. 2019, 3.1).

    Of the chosen tokens 80 % become [MASK], 10 % a random piece of the vocabulary
    (no special token) and 10 % stay; no special or padding token is ever chosen. "The
    masked language model" teaches the rule.

    ids: integer tensor (batch, length). rate: the share of tokens to choose.
    generator: a torch.Generator, for repeatable draws. Returns the corrupted ids and
    the labels, both (batch, length); labels hold the original id where a token was
    chosen and -100 elsewhere. Raises ValueError for a rate outside 0 to 1.

    >>> ids = bert.tokenizer("the cat sat", return_tensors="pt")["input_ids"]
    >>> ids.tolist()
    [[101, 1996, 4937, 2938, 102]]
    >>> corrupted, labels = mask_tokens(ids, bert.tokenizer, rate=1)
    >>> labels.tolist()
    [[-100, 1996, 4937, 2938, -100]]
    """
    if not 0 <= rate <= 1:
        raise ValueError(f"rate is {rate}; give a share between 0 and 1")
    ids = ids.long()  # 8 bits hold no -100
    special, ordinary = _vocabulary_tables(tokenizer)
    chosen = torch.rand(ids.shape, generator=generator) < rate
    chosen &= ~special[ids]
    labels = torch.where(chosen, ids, IGNORED)
    fate = torch.rand(ids.shape, generator=generator)
    draw = torch.randint(len(ordinary), ids.shape, generator=generator)
    corrupted = torch.where(chosen & (fate < 0.8), tokenizer.mask_token_id, ids)
    corrupted = torch.where(chosen & (fate >= 0.9), ordinary[draw], corrupted)
    return corrupted, labels


@lru_cache(maxsize=4)
def _vocabulary_tables(tokenizer):
    """Return, for each id, whether it is special, and the ids that are not."""
    special = torch.zeros(len(tokenizer), dtype=torch.bool)
    special[tokenizer.all_special_ids] = True
    return special, (~special).nonzero().squeeze(1)


def sentence_pair(documents, rng, room=125):
    """Draw one next-sentence example, filling `room` pieces where the text allows.

    The first part is some sentences of a document. The second is, with probability
    one half each, what follows them or sentences of another document (Devlin et al.
    2019, 3.1; taught in "Next sentence prediction"). A first part that is too long
    loses its beginning, a second part its end: the pieces on both sides of the border
    always stay.

    documents: lists of sentences, each a sequence of piece ids. The first part never
    comes from a document with a single sentence. rng: a numpy Generator. room: how
    many pieces both parts hold together, at most.
    Returns (first ids, second ids, is_next). Raises ValueError where no document has
    two sentences and where there is only one document.

    >>> documents = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    >>> rng = np.random.default_rng(0)
    >>> first, second, is_next = sentence_pair(documents, rng, room=4)
    >>> first.tolist(), second.tolist(), is_next
    ([5, 6], [7, 8], True)
    """
    index, document = _draw_document(documents, rng)
    cut = int(rng.integers(1, len(document)))
    goal = int(rng.integers(room // 4, 3 * room // 4 + 1))
    first = _run(document[:cut][::-1], goal, backwards=True)
    is_next = bool(rng.random() < 0.5)
    if is_next:
        following = document[cut:]
    else:
        other = int(rng.integers(len(documents) - 1))
        following = documents[other + (other >= index)]
        following = following[int(rng.integers(len(following))) :]
    return first, _run(following, room - len(first)), is_next


def _draw_document(documents, rng):
    if len(documents) < 2:
        raise ValueError(
            "sentence pairs need two documents or more, with blank lines between"
        )
    for _ in range(1000):
        index = int(rng.integers(len(documents)))
        if len(documents[index]) > 1:
            return index, documents[index]
    raise ValueError("hardly any document has two sentences; give longer ones")


def _run(sentences, room, backwards=False):
    """Join sentences up to `room` pieces; backwards, the last of them is given first.

    The whole sentences are cut at the end, or backwards at the beginning.
    """
    taken, count = [], 0
    for sentence in sentences:
        taken.append(sentence)
        count += len(sentence)
        if count >= room:
            break
    if backwards:
        return np.concatenate(taken[::-1])[-room:]
    return np.concatenate(taken)[:room]


def collate_pairs(pairs, tokenizer):
    """Build the input tensors of [CLS] first [SEP] second [SEP], padded to the longest.

    pairs: tuples (first ids, second ids, is_next). Returns a dict of int64 tensors
    (batch, length), input_ids, token_type_ids and attention_mask, and
    next_sentence_label (batch,), where 0 says that the second part does follow.

    >>> batch = collate_pairs([([7, 8], [9], True)], bert.tokenizer)
    >>> batch["input_ids"].tolist(), batch["token_type_ids"].tolist()
    ([[101, 7, 8, 102, 9, 102]], [[0, 0, 0, 0, 1, 1]])
    >>> batch["next_sentence_label"].tolist()
    [0]
    """
    length = 3 + max(len(first) + len(second) for first, second, _ in pairs)
    ids = torch.full((len(pairs), length), tokenizer.pad_token_id)
    segments, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    cls, sep = tokenizer.cls_token_id, tokenizer.sep_token_id
    for row, (first, second, _) in enumerate(pairs):
        whole = np.concatenate([[cls], first, [sep], second, [sep]])
        ids[row, : len(whole)] = torch.as_tensor(whole)
        segments[row, len(first) + 2 : len(whole)] = 1
        mask[row, : len(whole)] = 1
    return {
        "input_ids": ids,
        "token_type_ids": segments,
        "attention_mask": mask,
        "next_sentence_label": torch.tensor(
            [int(not follows) for *_, follows in pairs]
        ),
    }
