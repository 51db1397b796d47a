"""The training batches of the recipe: texts of several kinds, in set shares."""

import numpy as np
import torch

from helpers.corpus.masking import IGNORED, collate_pairs, mask_tokens, sentence_pair

SHORTEST = 4  # pieces of a sentence that is trained on by itself, and of a pair
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
    """The texts of one kind: single sentences, and what qualifies for the rest."""

    def __init__(self, files, length, least):
        """files: of each, its documents. length, least: see settings.toml."""
        documents = [document for file in files for document in file]
        whole = [s for d in documents for s in d]
        self.sentences = [s for s in whole if SHORTEST <= len(s) <= length - 2]
        self.mean = np.mean([len(s) + 2 for s in self.sentences] or [1])
        longer = [[d for d in file if len(d) > 1] for file in files]
        self.files = [file for file in longer if file]
        self.ends_of_files = np.cumsum([len(file) for file in self.files])
        self.runs = [row for row in map(np.concatenate, documents) if len(row) >= least]
        self.ends = np.cumsum([len(row) for row in self.runs])
        pieces = sum(map(len, whole)) or 1
        paired = sum(len(s) for file in self.files for d in file for s in d)
        enough = len(self.ends_of_files) and self.ends_of_files[-1] > 1
        self.in_pairs = paired / pieces if enough else 0.0
        self.in_runs = sum(map(len, self.runs)) / pieces

    def draw_documents(self, rng, near):
        """Return two documents for a pair, of the same file where `near` is true and
        it holds two, else of two files where there are two."""
        place = int(rng.integers(self.ends_of_files[-1]))
        number = int(np.searchsorted(self.ends_of_files, place, side="right"))
        file = self.files[number]
        own = place - self.ends_of_files[number]  # counted from the file's end
        if len(file) > 1 and (near or len(self.files) == 1):
            other = int(rng.integers(len(file) - 1))
            return [file[own], file[other + (other >= own % len(file))]]
        other = int(rng.integers(len(self.files) - 1))
        file = self.files[other + (other >= number)]
        return [self.files[number][own], file[int(rng.integers(len(file)))]]


class Batches:
    """Training batches of a corpus; the same step always gives the same batch.

    Of the kinds that `cycle` names in turn. "pairs": sentence pairs, half of which
    follow. "sentences": single ones of like length. "runs": running text as long as a
    row. "terms": a few words of a sentence. "clear" ones are not masked; "held" ones
    carry what `PretrainingModel` asks for, to hold states near the bare encoder's.
    """

    def __init__(self, texts, settings, tokenizer):
        """texts: {kind: files}, of each its documents. settings: see settings.toml."""
        self.tokenizer, self.settings = tokenizer, settings
        pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
        self.continues = np.array([piece.startswith("##") for piece in pieces])
        self.length, self.room = settings["length"], settings["batch"]
        shares = settings["shares"] or dict.fromkeys(texts, 1)
        self.kinds = [
            Kind(texts[name], self.length, settings["least"]) for name in shares
        ]
        if not all(kind.sentences for kind in self.kinds):
            most = self.length - 2
            raise ValueError(
                f"no sentence of the corpus has {SHORTEST} to {most} pieces"
            )
        shares = np.array(list(shares.values()), float)
        # short sentences are drawn more often, so that the pieces are in shares
        self.of_sentences = _shares(shares / [kind.mean for kind in self.kinds])
        self.of_pairs = _shares(shares * [kind.in_pairs for kind in self.kinds])
        self.of_runs = _shares(shares * [kind.in_runs for kind in self.kinds])
        if not self.of_pairs.any():
            raise ValueError(
                "sentence pairs need two documents of two sentences or more, with "
                "blank lines between"
            )
        if not self.of_runs.any():
            least = settings["least"]
            raise ValueError(f"no document of the corpus has {least} pieces or more")

    def __len__(self):
        return self.settings["steps"]

    def __getitem__(self, step):
        rng = np.random.default_rng([self.settings["seed"], step])
        cycle, done = self.settings["cycle"], step / self.settings["steps"]
        kind, *added = sorted(cycle[step % len(cycle)].split(), key=ADDED.__contains__)
        batch = self._pairs(rng, done) if kind == "pairs" else None
        batch = batch or self._padded(getattr(self, f"_{kind}")(rng))
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        original = batch["input_ids"]
        held = batch["attention_mask"].bool()
        for special in (self.tokenizer.cls_token_id, self.tokenizer.sep_token_id):
            held &= original != special  # the next-sentence head reads them
        if "clear" not in added:
            first, last = self.settings["rate"], self.settings["last_rate"]
            batch["input_ids"], batch["labels"] = mask_tokens(
                original,
                self.tokenizer,
                first + (last - first) * done,
                generator=generator,
            )
            held &= batch["labels"] == IGNORED
        if "held" in added:
            batch |= {"original_ids": original, "held": held}
        return batch

    def _padded(self, rows):
        cls, sep = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        rows = [[cls, *row.tolist(), sep] for row in rows]
        return dict(self.tokenizer.pad({"input_ids": rows}, return_tensors="pt"))

    def _pairs(self, rng, done):
        """Pairs, most of them as long as a row; done: the share of the steps behind.

        Of the false ones more and more have both parts of one file, where the subject
        alone does not tell which belong together.
        """
        grown = min(1, done / (self.settings["near_after"] or 1e-9))
        near = self.settings["near"] * grown
        count = self.room // self.length
        pairs = [
            self._pair(self.kinds[kind].draw_documents(rng, rng.random() < near), rng)
            for kind in rng.choice(len(self.kinds), count, p=self.of_pairs)
        ]
        return collate_pairs(pairs, self.tokenizer)

    def _pair(self, documents, rng):
        """One pair: long, "short" (of any length) or "single" (a sentence each)."""
        room, form = self.length - 3, rng.random()
        if form < self.settings["single"]:
            return _single_sentences(documents, rng, room)
        if form < self.settings["single"] + self.settings["short"]:
            room = int(rng.integers(2 * SHORTEST, room + 1))
        return sentence_pair(documents, rng, room)

    def _runs(self, rng):
        rows = []
        for number in rng.choice(
            len(self.kinds), self.room // self.length, p=self.of_runs
        ):
            kind = self.kinds[number]
            place = rng.integers(kind.ends[-1])
            row = kind.runs[np.searchsorted(kind.ends, place, side="right")]
            start = int(rng.integers(max(1, len(row) - self.length + 3)))
            rows.append(row[start : start + self.length - 2])
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
        count = self.room // (self.settings["term"] + 4)
        return [self._term(row, rng) for row in self._drawn(rng, count)]

    def _term(self, row, rng):
        """Some pieces in a row, from the start of a word to the end of one."""
        start = rng.choice(np.flatnonzero(~self.continues[row]))
        end = start + int(rng.integers(1, self.settings["term"] + 1))
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


def _shares(weights):
    return weights / (weights.sum() or 1)


def _single_sentences(documents, rng, room):
    """A pair of two whole sentences, the second next to the first or of the other
    document; the longer one loses its end where they do not fit."""
    document, other = documents
    place = int(rng.integers(len(document) - 1))
    is_next = bool(rng.random() < 0.5)
    second = document[place + 1] if is_next else other[int(rng.integers(len(other)))]
    first = document[place][: max(room // 2, room - len(second))]
    return first, second[: room - len(first)], is_next


def filled_up(chosen, step=64):
    """Return the places where `chosen` is True, and others up to a multiple of `step`.

    The others' labels are IGNORED. A CPU compiles its matrix products for each number
    of rows: a fifth of the time, were that number another one in each batch.
    """
    places, rest = chosen.flatten().nonzero()[:, 0], (~chosen).flatten().nonzero()[:, 0]
    return torch.cat([places, rest[: -len(places) % step]])
