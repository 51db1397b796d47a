"""The training batches of the recipe: texts of several kinds, in set shares."""

import os

import numpy as np
import torch
from torch.utils.data import DataLoader

from helpers.corpus.masking import IGNORED, collate_pairs, mask_tokens, sentence_pair

LENGTH = 128  # pieces in a training example, special tokens included
NEAR = 64  # documents in a row, of a few books, that a near pair is drawn from
LEAST = 64  # pieces in a document that running text is taken from
TERM = 8  # pieces in a short text, at most, but for the end of its last word
KINDS = ("pairs", "sentences", "runs", "terms")
ADDED = ("clear", "held")  # without masks; with the term that holds states


def check_cycle(cycle):
    """Raise ValueError for a batch that is none, or that would teach nothing."""
    for name in cycle:
        words = name.split() if isinstance(name, str) else []
        kinds = [word for word in words if word in KINDS]
        if len(kinds) != 1 or not set(words) <= {*kinds, *ADDED}:
            raise ValueError(f"cycle: {name!r:.50} is not one of {', '.join(KINDS)}")
        if "clear" in words and not {"pairs", "held"} & set(words):
            raise ValueError(f"cycle: {name!r} has no loss; add held")


class Kind:
    """The texts of one kind: sentences, documents for pairs, and for running text."""

    def __init__(self, documents):
        self.sentences = [s for d in documents for s in d if 4 <= len(s) <= LENGTH - 2]
        self.longer = [document for document in documents if len(document) > 1]
        self.mean = np.mean([len(s) + 2 for s in self.sentences] or [1])
        self.runs = [row for row in map(np.concatenate, documents) if len(row) >= LEAST]
        self.ends = np.cumsum([len(row) for row in self.runs])


class Batches:
    """Training batches of a corpus; the same step always gives the same batch.

    Of the kinds that `cycle` names in turn. "pairs": sentence pairs, half of which
    follow. "sentences": single ones of like length. "runs": running text as long as a
    row. "terms": a few words of a sentence. "clear" ones are not masked; "held" ones
    carry what `PretrainingModel` asks for, to hold states near the bare encoder's.
    """

    def __init__(self, texts, settings, tokenizer):
        """texts: {kind: documents}. settings: see the recipe's SETTINGS."""
        self.tokenizer, self.seed = tokenizer, settings["seed"]
        pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
        self.continues = np.array([piece.startswith("##") for piece in pieces])
        self.rate, self.cycle = settings["rate"], settings["cycle"]
        self.room = settings["batch"]
        self.near, self.steps = settings["near"], settings["steps"]
        shares = settings["shares"] or dict.fromkeys(texts, 1)
        self.kinds = [Kind(texts[name]) for name in shares]
        if not all(kind.sentences for kind in self.kinds):
            raise ValueError("no sentence of the corpus has 4 to 126 pieces")
        means = np.array([kind.mean for kind in self.kinds])
        pairs = np.array([len(kind.longer) > 1 for kind in self.kinds])
        if not pairs.any():
            raise ValueError(
                "sentence pairs need two documents of two sentences or more, with "
                "blank lines between"
            )
        runs = np.array([len(kind.runs) > 0 for kind in self.kinds])
        if not runs.any():
            raise ValueError(f"no document of the corpus has {LEAST} pieces or more")
        shares = np.array(list(shares.values()), float)
        # short sentences are drawn more often, so that the pieces are in shares
        self.of_sentences = shares / means / (shares / means).sum()
        self.of_pairs = shares * pairs / (shares * pairs).sum()
        self.of_runs = shares * runs / (shares * runs).sum()

    def __getitem__(self, step):
        rng = np.random.default_rng([self.seed, step])
        kind, *added = sorted(
            self.cycle[step % len(self.cycle)].split(), key=ADDED.__contains__
        )
        batch = self._pairs(rng, step) if kind == "pairs" else None
        batch = batch or self._padded(getattr(self, f"_{kind}")(rng))
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        original = batch["input_ids"]
        held = batch["attention_mask"].bool()
        for special in (self.tokenizer.cls_token_id, self.tokenizer.sep_token_id):
            held &= original != special  # the next-sentence head reads them
        if "clear" not in added:
            batch["input_ids"], batch["labels"] = mask_tokens(
                original, self.tokenizer, self.rate, generator=generator
            )
            held &= batch["labels"] == IGNORED
        if "held" in added:
            batch |= {"original_ids": original, "held": held}
        return batch

    def _padded(self, rows):
        cls, sep = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        rows = [[cls, *row.tolist(), sep] for row in rows]
        return dict(self.tokenizer.pad({"input_ids": rows}, return_tensors="pt"))

    def _pairs(self, rng, step):
        """Pairs as long as a row. More and more are of a few books in a row, where the
        subject alone does not tell which parts belong together."""
        near = self.near * step / self.steps
        pairs = []
        for kind in rng.choice(len(self.kinds), self.room // LENGTH, p=self.of_pairs):
            documents = self.kinds[kind].longer
            if rng.random() < near:
                start = int(rng.integers(max(1, len(documents) - NEAR + 1)))
                documents = documents[start : start + NEAR]
            pairs.append(sentence_pair(documents, rng, LENGTH - 3))
        return collate_pairs(pairs, self.tokenizer)

    def _runs(self, rng):
        rows = []
        for number in rng.choice(len(self.kinds), self.room // LENGTH, p=self.of_runs):
            kind = self.kinds[number]
            place = rng.integers(kind.ends[-1])
            row = kind.runs[np.searchsorted(kind.ends, place, side="right")]
            start = int(rng.integers(max(1, len(row) - LENGTH + 3)))
            rows.append(row[start : start + LENGTH - 2])
        return rows

    def _sentences(self, rng):
        """One part of the sentences drawn, sorted by length; each part as likely."""
        drawn = sorted(self._drawn(rng, self.room // 2), key=len, reverse=True)
        starts = [0]
        while starts[-1] < len(drawn):
            longest = len(drawn[starts[-1]]) + 2
            starts.append(starts[-1] + max(1, self.room // longest))
        part = int(rng.integers(len(starts) - 1))
        return drawn[starts[part] : starts[part + 1]]

    def _terms(self, rng):
        return [
            self._term(row, rng) for row in self._drawn(rng, self.room // (TERM + 4))
        ]

    def _term(self, row, rng):
        """Some pieces in a row, from the start of a word to the end of one."""
        start = rng.choice(np.flatnonzero(~self.continues[row]))
        end = start + int(rng.integers(1, TERM + 1))
        while end < len(row) and self.continues[row[end]]:
            end += 1
        return row[start:end]

    def _drawn(self, rng, count):
        drawn = []
        counts = rng.multinomial(count, self.of_sentences)
        for kind, count in zip(self.kinds, counts, strict=True):
            places = rng.integers(len(kind.sentences), size=count)
            drawn += [kind.sentences[place] for place in places]
        return drawn


class Ahead:
    """Batches that other processes make while a GPU learns from those before."""

    def __init__(self, batches, steps):
        """batches: step -> batch, as a sequence. steps: how many there are."""
        self.batches, self.steps, self.due = batches, steps, None
        self.workers = max(0, os.cpu_count() - 2) if torch.cuda.is_available() else 0

    def __call__(self, step):
        if step != self.due:  # the first one, or the first after a kill
            rest = range(step, self.steps)
            loader = DataLoader(
                self.batches, None, sampler=rest, num_workers=self.workers
            )
            self.made = iter(loader)
        self.due = step + 1
        return next(self.made)


def filled_up(chosen, step=64):
    """Return the places where `chosen` is True, and others up to a multiple of `step`.

    The others' labels are IGNORED. A CPU compiles its matrix products for each number
    of rows: a fifth of the time, were that number another one in each batch.
    """
    places, rest = chosen.flatten().nonzero()[:, 0], (~chosen).flatten().nonzero()[:, 0]
    return torch.cat([places, rest[: -len(places) % step]])
