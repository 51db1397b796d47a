"""The reader that answers a question from its passage, or keeps silent.

The page builds the same steps in its own cells, for one question.
`experiments/train_reader.py` trained the reader whose weights lie in data/questions.
"""

import copy
import re
import string
from collections import Counter

import numpy as np
import pandas as pd
import torch

from helpers.questions import FOLDER, read_questions
from helpers.training import batches, train

WEIGHTS = FOLDER / "reader.safetensors"
SIZE, STEPS = 16, 60  # questions a batch; steps for a model not trained beforehand
LONGEST = 12  # pieces of an answer


def encode_questions(bert, questions, texts):
    """Return for each question what the model reads of it and its passage, a dict.

    ids, types: the piece ids and segments. places: for each piece of the passage the
    letters (from, to) of the text that it stands for, for all others None. Raises
    ValueError where they are longer than the model reads; cut the passage into windows.

    >>> [one] = encode_questions(bert, ["Who?"], ["Ann ran."])
    >>> one["places"]
    [None, None, None, None, (0, 3), (4, 7), (7, 8), None]
    """
    encoding = bert.tokenizer(
        list(questions), list(texts), return_offsets_mapping=True, verbose=False
    )
    most, made = bert.model.config.max_position_embeddings, []
    for row, ids in enumerate(encoding["input_ids"]):
        if len(ids) > most:
            raise ValueError(
                f"question {row} and its text have {len(ids)} pieces; the "
                f"model reads {most}, so cut the text into windows"
            )
        whose, letters = encoding.sequence_ids(row), encoding["offset_mapping"][row]
        places = [
            at if of == 1 else None for at, of in zip(letters, whose, strict=True)
        ]
        types = encoding["token_type_ids"][row]
        made.append({"ids": ids, "types": types, "places": places})
    return made


def pad_questions(bert, encoded):
    """Return a batch of what `encode_questions` returned.

    >>> batch = pad_questions(bert, encode_questions(bert, ["Who?"], ["Ann ran."]))
    >>> list(batch)
    ['input_ids', 'token_type_ids', 'attention_mask']
    """
    rows = [{"input_ids": e["ids"], "token_type_ids": e["types"]} for e in encoded]
    return bert.tokenizer.pad(rows, return_tensors="pt")


def span_of(encoded, text, answers):
    """Return the first and the last piece of the first answer; (0, 0) without one.

    >>> [one] = encode_questions(bert, ["Who?"], ["Ann ran."])
    >>> span_of(one, "Ann ran.", ["Ann"]), span_of(one, "Ann ran.", [])
    ((4, 4), (0, 0))
    """
    if not answers:
        return 0, 0
    begin = text.index(answers[0])
    end = begin + len(answers[0])
    inside = [
        piece
        for piece, place in enumerate(encoded["places"])
        if place and place[0] < end and begin < place[1]
    ]
    return inside[0], inside[-1]


@torch.inference_mode()
def span_scores(bert, model, questions, texts):
    """Return for each question (start, end, places): two scores for each piece.

    start, end: arrays (pieces,); place 0 is [CLS], whose two scores are those of no
    answer. places: as from `encode_questions`.

    >>> [(start, end, places)] = span_scores(
    ...     bert, load_reader(bert), ["Who ran?"], ["Ann ran."])
    >>> len(start) == len(end) == len(places)
    True
    """
    encoded = encode_questions(bert, questions, texts)
    order = np.argsort([len(one["ids"]) for one in encoded], kind="stable")
    scores = [None] * len(encoded)
    for begin in range(0, len(order), 2 * SIZE):
        chosen = order[begin : begin + 2 * SIZE]
        batch = pad_questions(bert, [encoded[i] for i in chosen]).to(bert.device)
        out = model(**batch)
        for row, i in enumerate(chosen):
            n, places = len(encoded[i]["ids"]), encoded[i]["places"]
            pair = (out.start_logits[row, :n], out.end_logits[row, :n])
            scores[i] = (*(one.float().cpu().numpy() for one in pair), places)
    return scores


def answers(bert, model, questions, texts, longest=LONGEST, whole=True):
    """Return what the reader says of each passage, a DataFrame, a row a question.

    Columns: said (the words of the best span), lead (how far its two scores are above
    those of no answer), first and last (its letters in the text: from, to). longest:
    the most pieces of a span. whole: a word that is said in part is said in full.
    Taught in "Question answering".

    >>> answers(bert, load_reader(bert), ["Who ran?"], ["Ann ran."]).columns.tolist()
    ['said', 'lead', 'first', 'last']
    """
    rows, texts = [], list(texts)
    scores = span_scores(bert, model, questions, texts)
    for text, (start, end, places) in zip(texts, scores, strict=True):
        inside = [piece for piece, place in enumerate(places) if place]
        sums = start[inside][:, None] + end[inside]  # (first, last)
        wide = np.arange(len(inside)) - np.arange(len(inside))[:, None]
        sums = np.where((wide >= 0) & (wide < longest), sums, -np.inf)
        first, last = np.unravel_index(sums.argmax(), sums.shape)
        begin, stop = places[inside[first]][0], places[inside[last]][1]
        while whole and begin > 0 and text[begin - 1].isalnum():
            begin -= 1
        while whole and stop < len(text) and text[stop].isalnum():
            stop += 1
        lead = float(sums[first, last] - start[0] - end[0])
        rows.append((text[begin:stop], lead, begin, stop))
    return pd.DataFrame(rows, columns=["said", "lead", "first", "last"])


def answer_scores(said, golds):
    """Return exact match and F1 of an answer, as SQuAD's script counts them.

    golds: all answers that count; the best of them does. Small letters, without
    punctuation and articles. Where none counts, silence, an empty text, has 1 and 1.
    Taught in "Question answering".

    >>> answer_scores("the old mill", ["mill", "a mill"])
    (0.0, 0.666...)
    """
    said, golds = _plain(said), [*filter(None, map(_plain, golds))] or [[]]
    shares = []
    for gold in golds:
        common = sum((Counter(said) & Counter(gold)).values())
        both = len(said) + len(gold)
        shares.append(2 * common / both if both else 1.0)
    return float(said in golds), max(shares)


def best_threshold(lead, right, there):
    """Return the lead above which answering deals with most questions.

    lead, right, there: of each question the lead of its answer, whether that is right,
    and whether there is one. Only leads are tried; of several the lowest. Taught in
    "Question answering".

    >>> best_threshold([5, 1, 3], [True, False, False], [True, True, False])
    3.0
    """
    lead, right, there = np.array(lead), np.array(right) == 1, np.array(there) == 1
    lines = np.sort(lead)
    return float(max(lines, key=lambda x: np.where(lead > x, right, ~there).mean()))


def _plain(text):
    letters = "".join(x for x in text.lower() if x not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", letters).split()


def new_reader(bert, seed=0):
    """Return a BertForQuestionAnswering on a copy of the encoder, its head drawn.

    >>> new_reader(bert).qa_outputs.weight.shape == (2, bert.hidden_size)
    True
    """
    from transformers import BertForQuestionAnswering

    torch.manual_seed(seed)
    model = BertForQuestionAnswering(copy.deepcopy(bert.model.config))
    model.bert.load_state_dict(bert.model.state_dict(), strict=False)
    return model.to(bert.device).eval()


def train_reader(bert, rows, steps, seed=0, rate=2e-4, **options):
    """Train a new reader on questions as `read_questions` returns them; return it.

    steps: batches of 16 questions, each epoch in a new order. rate: the learning rate
    at its height. options: of `helpers.training.train`.

    >>> rows = read_questions("learn")[:16]
    >>> train_reader(bert, rows, steps=1).training
    False
    """
    encoded = encode_questions(bert, rows.question, rows.text)
    spans = [
        span_of(*given) for given in zip(encoded, rows.text, rows.answers, strict=True)
    ]
    epochs = -(-steps * SIZE // len(rows)) + 1
    plan = batches(len(rows), SIZE, epochs, seed)
    model = new_reader(bert, seed)
    model.bert.embeddings.requires_grad_(False)  # words that nobody asks about stay

    def batch_at(step):
        chosen = plan[step]
        start, end = torch.tensor([spans[i] for i in chosen]).T
        batch = pad_questions(bert, [encoded[i] for i in chosen])
        return {**batch, "start_positions": start, "end_positions": end}

    train(model, batch_at, steps, rate, warmup=0.1, seed=seed, **options)
    return model


def load_reader(bert):
    """Return the reader of this course, a BertForQuestionAnswering.

    For a model of the course model's shape: what was learned beforehand, over its
    weights. Any other learns now, from `learn.txt`, in few steps.

    >>> load_reader(bert).training
    False
    """
    from safetensors.torch import load_file

    kept = load_file(WEIGHTS)
    model = new_reader(bert)
    state = model.state_dict()
    change = {}
    for name, up in kept.items():
        if name.endswith(":up"):
            name = name.removesuffix(":up")
            change[name] = up.float() @ kept[f"{name}:down"].float()
        elif not name.endswith(":down"):
            change[name] = up.float()
    names = {name for name in state if "embeddings" not in name}
    if names != {n for n in change if n in state} or any(
        change[name].shape != state[name].shape for name in names
    ):
        return train_reader(bert, read_questions("learn"), STEPS)
    for name, learned in change.items():
        if name.startswith("qa_outputs"):
            state[name].copy_(learned)
        else:
            state[name].add_(learned)
    return model
