"""Embed the words of CoarseWSD-20 in every usual way, side by side in one run.

python -m benchmarks.embedding [--sentences N] [--rounds N] [--out FILE.csv]

Each way also embeds the course's pairs of sentences, as mean vectors, to see whether
their order stays, and each of these sentences alone, to see how long one takes.
"""

import tempfile
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import torch
from scipy.stats import spearmanr
from sklearn.metrics.pairwise import paired_cosine_distances

from benchmarks import common, runtimes
from helpers import DATA, embeddings
from helpers.embeddings import embed_words
from helpers.embeddings.texts import embed_texts
from helpers.models import load_bert, quiet_transformers
from helpers.verdicts import in_turn

LOOP = "loop of one sentence"
OURS = {"embed_words, float32": "float32", "embed_words, bfloat16": "bfloat16"}
MEANS = "fastembed"  # returns means over all pieces, so it is held against such


@dataclass(frozen=True)
class Way:
    """words: returns the vectors of the words of the work, (n, hidden), or None.
    means: from texts to mean vectors, (n, hidden); None for what is no program."""

    words: object
    means: object = None


class Work:
    """The same sentences for every way, and the places of their words."""

    def __init__(self, bert, count):
        self.bert = bert
        self.sentences, self.positions = common.sentences_of_coarse_wsd(count)
        self.texts = [" ".join(words) for words in self.sentences]
        _, self.rows = embeddings.word_pieces(bert, 0, self.sentences, self.positions)
        self.pieces = sum(len(ids) for ids, _, _ in self.rows)
        self.batches = list(embeddings.rows_in_batches(self.rows, bert.device))

    def pick(self, states):
        """Mean over the word's pieces of (pieces, hidden) states, one a sentence."""
        rows = zip(states, self.rows, strict=True)
        parts = [
            torch.as_tensor(s[first : first + n]).float().mean(0)
            for s, (_, first, n) in rows
        ]
        return torch.stack(parts).cpu().numpy()


def of_states(work, read):
    """A way that reads texts to hidden states, (pieces, hidden) each, or longer."""

    def means(texts):
        lengths = map(len, work.bert.tokenizer(texts, truncation=True)["input_ids"])
        found = zip(read(texts), lengths, strict=True)
        return np.array([np.asarray(states[:n]).mean(axis=0) for states, n in found])

    return Way(lambda: work.pick(read(work.texts)), means)


@torch.inference_mode()
def loop(work, last=False):
    """Embed as published notebooks do: a call a sentence, all hidden states."""
    bert, vectors = work.bert, []
    for words, position in zip(work.sentences, work.positions, strict=True):
        encoding = bert.tokenizer(
            words, is_split_into_words=True, truncation=True, return_tensors="pt"
        ).to(bert.device)
        output = bert.model(**encoding, output_hidden_states=True)
        states = torch.stack(output.hidden_states[-1 if last else -4 :])[:, 0]
        pieces = [i for i, w in enumerate(encoding.word_ids()) if w == position]
        vectors.append(states.mean(0)[pieces].mean(0))
    return torch.stack(vectors).cpu().numpy()


@torch.inference_mode()
def loop_of_means(bert, texts):
    """Mean vectors, (texts, hidden), a call a text."""
    vectors = []
    for text in texts:
        encoding = bert.tokenizer(text, truncation=True, return_tensors="pt")
        output = bert.model(**encoding.to(bert.device))
        vectors.append(output.last_hidden_state[0].mean(dim=0))
    return torch.stack(vectors).cpu().numpy()


def pipeline(work, batch_size):
    """transformers' pipeline; the places of the words are given to it."""
    import transformers

    with quiet_transformers():
        extract = transformers.pipeline(
            "feature-extraction",
            model=work.bert.model,
            tokenizer=work.bert.tokenizer,
            device=work.bert.device,
        )

    def read(texts):
        found = extract(list(texts), batch_size=batch_size, return_tensors=True)
        return [states[0] for states in found]

    return of_states(work, read)


def sentence_transformer(work):
    """sentence-transformers on the same weights; places are given to it."""
    from sentence_transformers import SentenceTransformer

    with tempfile.TemporaryDirectory() as folder, quiet_transformers():
        work.bert.model.save_pretrained(folder)
        work.bert.tokenizer.save_pretrained(folder)
        model = SentenceTransformer(folder, device=str(work.bert.device))
    model.max_seq_length = work.bert.model.config.max_position_embeddings
    options = {"batch_size": 32, "output_value": "token_embeddings"}

    def read(texts):
        found = model.encode(list(texts), show_progress_bar=False, **options)
        return [states.cpu() for states in found]

    return of_states(work, read)


def bare(work, dtype):
    """The encoder alone on batches that lie ready, those of embed_words."""
    encoder = embeddings.encoder_for(work.bert, dtype)
    batches = [
        work.bert.tokenizer.pad(
            {"input_ids": [work.rows[i][0] for i in batch]}, return_tensors="pt"
        ).to(work.bert.device)
        for batch in work.batches
    ]

    @torch.inference_mode()
    def run():
        for batch in batches:
            encoder(**batch)

    return Way(run)


def limit(work, dtype):
    """The encoder's matrix products alone, as many as the pieces need."""
    encoder = embeddings.encoder_for(work.bert, dtype)
    most = embeddings.BATCH_PIECES
    times, rest = divmod(work.pieces, most)
    whole, part = (
        common.products(encoder, most)[0],
        common.products(encoder, max(rest, 1))[0],
    )

    def run():
        for _ in range(times):
            whole()
        part()

    return Way(run)


def ours(work, dtype):
    return Way(
        lambda: embed_words(work.bert, work.sentences, work.positions, dtype=dtype),
        lambda texts: embed_texts(work.bert, texts, dtype=dtype),
    )


def all_ways(work, folder):
    """Return {name: Way}; files of other runtimes go to `folder`."""
    bert, exported = work.bert, runtimes.export(work.bert, folder)
    ways = {
        LOOP: Way(lambda: loop(work), lambda texts: loop_of_means(bert, texts)),
        "pipeline, batch 1": pipeline(work, 1),
        "pipeline, batch 32": pipeline(work, 32),
        "sentence-transformers, batch 32": sentence_transformer(work),
    }
    readers = {
        "PyTorch, eager": runtimes.pytorch(bert, "eager"),
        "PyTorch, SDPA": runtimes.pytorch(bert, "sdpa"),
        "PyTorch, torch.compile": runtimes.pytorch(bert, "sdpa", compiled=True),
        "ONNX Runtime, float32": runtimes.onnx_runtime(bert, exported["float32"]),
        "ONNX Runtime, int8": runtimes.onnx_runtime(bert, exported["int8"]),
    }
    ways |= {name: of_states(work, read) for name, read in readers.items() if read}
    if means := runtimes.fastembed(bert, exported["float32"]):
        ways[MEANS] = Way(lambda: means(work.texts), means)
    ways |= {name: ours(work, dtype) for name, dtype in OURS.items()}
    for dtype in OURS.values():
        ways[f"encoder alone, {dtype}"] = bare(work, dtype)
        ways[f"matrix products alone, {dtype}"] = limit(work, dtype)
    return ways


def graded_pairs():
    names = ["grade", "first", "second"]
    return pd.read_csv(DATA / "sentence-pairs.tsv", sep="\t", quoting=3, names=names)


def order_of_pairs(means):
    """Return Spearman's correlation of cosines and grades on the course's pairs."""
    pairs = graded_pairs()
    first, second = (means(pairs[name].tolist()) for name in ("first", "second"))
    return spearmanr(1 - paired_cosine_distances(first, second), pairs.grade).statistic


def one_at_a_time(ways, rounds=2):
    """Return {name: ms of each sentence of the pairs, read alone}.

    In turns of all sentences: threads of one program still spin for a moment when the
    next one begins, so a first call is not counted.
    """
    pairs = graded_pairs()
    texts = [pairs["first"][0], *pairs["first"], *pairs["second"]]
    names = [name for name, way in ways.items() if way.means]
    calls = {
        (name, place): partial(ways[name].means, [text])
        for name in names
        for place, text in enumerate(texts)
    }
    took = in_turn(calls, rounds)
    counted = range(1, len(texts))
    return {n: 1000 * np.ravel([took[n, place] for place in counted]) for n in names}


def summary(work, ways, seconds, vectors):
    """A row a way: speed against the loop of the same round, rates, agreement."""
    last, rows = loop(work, last=True), []
    single = one_at_a_time(ways)
    for name, times in seconds.items():
        ratios = seconds[LOOP] / times
        row = {"way": name, "ratio": np.median(ratios)}
        row |= {"lowest": ratios.min(), "highest": ratios.max()}
        row["sentences_a_second"] = len(work.sentences) / np.median(times)
        row["pieces_a_second"] = work.pieces / np.median(times)
        if ways[name].means:
            wanted = vectors[LOOP] if name in OURS or name == LOOP else last
            if name == MEANS:
                wanted = loop_of_means(work.bert, work.texts)
            found = 1 - paired_cosine_distances(wanted, vectors[name])
            row |= {"cosine_min": found.min(), "cosine_mean": found.mean()}
            row["spearman"] = order_of_pairs(ways[name].means)
            row["ms_p50"], row["ms_p95"] = np.percentile(single[name], [50, 95])
        rows.append(row)
    return pd.DataFrame(rows)


def main(arguments=None):
    options = common.options_of("embedding", arguments, sentences=400, rounds=5)
    work = Work(load_bert(), options.sentences)
    with tempfile.TemporaryDirectory() as folder:
        ways = all_ways(work, folder)
        race_of = {name: way.words for name, way in ways.items()}
        seconds, vectors = common.race(race_of, options.rounds)
        table = summary(work, ways, seconds, vectors)
    pieces = work.pieces / len(work.sentences)
    lines = [
        f"{work.bert.name}, {options.sentences} sentences of "
        f"{common.source_of_sentences()}, {pieces:.1f} pieces each",
        f"ratio: times as fast as the loop in the same round; {options.rounds} rounds",
        "cosine: with the float32 loop, for others than embed_words of the last layer",
        "spearman: of cosines and grades, sentence-pairs.tsv; ms: one of them alone",
        *common.about("embedding", options),
    ]
    common.tell(table, lines, options.out)
    for own, dtype in OURS.items():
        others = [name for name, way in ways.items() if way.means and name not in OURS]
        alone = [f"encoder alone, {dtype}", f"matrix products alone, {dtype}"]
        for name in others + alone:
            print(f"{own} beside {name}: {common.spread(seconds[name] / seconds[own])}")


if __name__ == "__main__":
    main()
