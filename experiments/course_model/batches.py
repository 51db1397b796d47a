"""The training batches of the recipe: texts of several kinds, in set shares."""

import numpy as np
import torch

from helpers.corpus.masking import collate_pairs, mask_tokens, sentence_pair

LENGTH = 128  # pieces in a training example, special tokens included
BATCH = 2048  # pieces in a batch
ROOMS = (61, LENGTH - 3)  # pieces of text in a pair: half the batches hold short ones
NEAR = 64  # documents in a row, of a few books, that a pair is drawn from
DRAWN = 1024  # sentences, of which those of like length make a batch


class Kind:
    """The texts of one kind: all sentences, and the documents that hold pairs."""

    def __init__(self, documents):
        self.sentences = [s for d in documents for s in d if 4 <= len(s) <= LENGTH - 2]
        self.longer = [document for document in documents if len(document) > 1]
        self.mean = np.mean([len(s) + 2 for s in self.sentences] or [1])


class Batches:
    """Training batches of a corpus; the same step always gives the same batch.

    Every second batch holds sentence pairs, the others single sentences of like
    length. One in four, of either kind in turn, carries the uncorrupted ids.
    """

    def __init__(self, texts, shares, tokenizer, rate, seed):
        """texts: {kind: documents}. shares: {kind: share of the pieces}."""
        self.tokenizer, self.rate, self.seed = tokenizer, rate, seed
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
        shares = np.array(list(shares.values()), float)
        # short sentences are drawn more often, so that the pieces are in shares
        self.of_sentences = shares / means / (shares / means).sum()
        self.of_pairs = shares * pairs / (shares * pairs).sum()

    def __call__(self, step):
        rng = np.random.default_rng([self.seed, step])
        batch = self._sentences(rng) if step % 2 else self._pairs(rng)
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        original = batch["input_ids"]
        batch["input_ids"], batch["labels"] = mask_tokens(
            original, self.tokenizer, self.rate, generator=generator
        )
        if step % 8 in (2, 5):
            batch["original_ids"] = original
        return batch

    def _pairs(self, rng):
        room = int(rng.choice(ROOMS))
        drawn = rng.choice(len(self.kinds), BATCH // (room + 3), p=self.of_pairs)
        pairs = [sentence_pair(self._near(kind, rng), rng, room) for kind in drawn]
        return collate_pairs(pairs, self.tokenizer)

    def _near(self, kind, rng):
        """Draw documents in a row: one second part in some is then of the same book,
        and the subject alone does not tell which parts belong together."""
        longer = self.kinds[kind].longer
        start = int(rng.integers(max(1, len(longer) - NEAR + 1)))
        return longer[start : start + NEAR]

    def _sentences(self, rng):
        drawn = []
        counts = rng.multinomial(DRAWN, self.of_sentences)
        for kind, count in zip(self.kinds, counts, strict=True):
            places = rng.integers(len(kind.sentences), size=count)
            drawn += [kind.sentences[place] for place in places]
        drawn = sorted(drawn, key=len)
        lengths = np.array([len(sentence) + 2 for sentence in drawn])
        # A batch holds the more sentences, the shorter they are; so each is as likely.
        start = rng.choice(len(drawn), p=lengths / lengths.sum())
        count = max(1, BATCH // int(lengths[start]))
        cls, sep = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        rows = [[cls, *row.tolist(), sep] for row in drawn[start : start + count]]
        return dict(self.tokenizer.pad({"input_ids": rows}, return_tensors="pt"))


def filled_up(chosen, step=64):
    """Return the places where `chosen` is True, and others up to a multiple of `step`.

    The others' labels are IGNORED. A CPU compiles its matrix products for each number
    of rows: a fifth of the time, were that number another one in each batch.
    """
    places, rest = chosen.flatten().nonzero()[:, 0], (~chosen).flatten().nonzero()[:, 0]
    return torch.cat([places, rest[: -len(places) % step]])
