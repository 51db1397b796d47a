"""Seven words with two meanings, each in one frame, and their vectors."""

import torch

from helpers.senses import pairs_by_sense, unit

FRAMES = {  # a beginning that fits both kinds; four ends of the one, four of the other
    "bank": (
        "the old man stood near the bank and",
        ["caught a fish", "fed the ducks", "crossed the lake", "rowed a boat"],
        ["paid a debt", "got a loan", "counted the cash", "cashed a check"],
    ),
    "ring": (
        "she looked at the ring and",
        ["kissed her husband", "praised the diamond", "wore it to the wedding"]
        + ["cleaned the gold"],
        ["cheered the boxer", "counted the rounds", "watched the fight"]
        + ["left the arena"],
    ),
    "bat": (
        "she looked at the bat and",
        ["saw it fly", "feared its wings", "heard it squeak", "fed it insects"],
        ["hit the ball", "swung it hard", "scored a run", "joined the team"],
    ),
    "match": (
        "she looked at the match and",
        ["lit the lamp", "lit a candle", "burned the letter", "blew it out"],
        ["cheered the team", "counted the goals", "left the stadium"]
        + ["blamed the coach"],
    ),
    "seal": (
        "she looked at the seal and",
        ["fed it a fish", "saw it swim", "heard it bark", "watched it dive"],
        ["opened the letter", "broke the wax", "read the document"]
        + ["signed the treaty"],
    ),
    "pitcher": (
        "she looked at the pitcher and",
        ["poured some milk", "filled it with water", "drank the juice"]
        + ["put it on the table"],
        ["swung the bat", "hit the ball", "cheered the team", "ran to first base"],
    ),
    "palm": (
        "she looked at the palm and",
        ["washed her fingers", "rubbed her thumb", "saw the long scars"]
        + ["put on a glove"],
        ["picked a coconut", "watered its roots", "lay in its shade"]
        + ["cut off a branch"],
    ),
}
KINDS = [0] * 4 + [1] * 4
PLACES = ("near", "by", "behind", "beside", "at", "past", "from", "around")


def texts_of(word):
    """The eight sentences of a word, the first kind first."""
    start, *ends = FRAMES[word]
    return [f"{start} {end}" for kind in ends for end in kind]


def states_of(bert, word, texts):
    """The word's vector in each text: (layers + 1, texts, hidden); [0] goes in."""
    batch = bert.tokenizer(texts, padding=True, return_tensors="pt").to(bert.device)
    with torch.inference_mode():
        run = bert.model(**batch, output_hidden_states=True)
    is_word = batch.input_ids == bert.tokenizer.convert_tokens_to_ids(word)
    return torch.stack(run.hidden_states)[:, is_word].cpu()


def cosines_of(vectors):
    """(n, hidden) -> (n, n)"""
    vectors = torch.as_tensor(unit(vectors))
    return vectors @ vectors.mT


def stand_out(vectors):
    """How many of the 12 pairs of one kind are more alike than all of two kinds."""
    same, other = pairs_by_sense(vectors, KINDS)
    return int((same > other.max() + 0.001).sum())


def nearest_is_own(vectors):
    """How many of the eight are most like one of their own kind."""
    alike = cosines_of(vectors) - 2 * torch.eye(8)
    kind = torch.tensor(KINDS)
    return int((kind[alike.argmax(dim=1)] == kind).sum())


def apart(vectors):
    """Mean cosine of the pairs of one kind, less that of the pairs of two."""
    same, other = pairs_by_sense(vectors, KINDS)
    return float(same.mean() - other.mean())


def cosines_of_dog(vector_of_dog, texts, same_place):
    """How like the first sentence's dog is that of each other one: a list."""
    first, *others = (vector_of_dog(text, same_place) for text in texts)
    return [torch.cosine_similarity(first, one, dim=0).item() for one in others]
