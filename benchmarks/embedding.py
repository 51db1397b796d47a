"""Embed the words of CoarseWSD-20 in every usual way, side by side in one run.

python -m benchmarks.embedding [--sentences N] [--rounds N] [--out FILE.csv]

Each way also embeds the course's pairs of sentences, as mean vectors, to see whether
their order stays, and each of these sentences alone, to see how long one takes.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from scipy.stats import spearmanr

from benchmarks import runtimes
from benchmarks.common import (
    about,
    products,
    race,
    sentences_of_coarse_wsd,
    source_of_sentences,
    spread,
    write_table,
)
from helpers import DATA, embeddings
from helpers.embeddings import embed_words
from helpers.models import load_bert, quiet_transformers
from helpers.text_embeddings import embed_texts

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
        self.sentences, self.positions = sentences_of_coarse_wsd(count)
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
def loop_of_means(work, texts):
    vectors = []
    for text in texts:
        encoding = work.bert.tokenizer(text, truncation=True, return_tensors="pt")
        output = work.bert.model(**encoding.to(work.bert.device))
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
        if work.bert.device.type == "cuda":
            torch.cuda.synchronize()

    return Way(run)


def limit(work, dtype):
    """The encoder's matrix products alone, as many as the pieces need."""
    encoder = embeddings.encoder_for(work.bert, dtype)
    most = embeddings.BATCH_PIECES
    times, rest = divmod(work.pieces, most)
    whole, part = products(encoder, most)[0], products(encoder, max(rest, 1))[0]

    def run():
        for _ in range(times):
            whole()
        part()
        if work.bert.device.type == "cuda":
            torch.cuda.synchronize()

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
        LOOP: Way(lambda: loop(work), lambda texts: loop_of_means(work, texts)),
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
    return spearmanr(cosines(first, second), pairs.grade).statistic


def one_at_a_time(ways, rounds=3):
    """Return {name: ms of each sentence of the pairs, read alone}.

    In turns of all sentences: threads of one program still spin for a moment when the
    next one begins, so a first call is not counted.
    """
    pairs = graded_pairs()
    took = {name: [] for name, way in ways.items() if way.means}
    for name in [*took] * rounds:
        ways[name].means([pairs["first"][0]])
        for text in [*pairs["first"], *pairs["second"]]:
            start = time.perf_counter()
            ways[name].means([text])
            took[name].append(1000 * (time.perf_counter() - start))
    return {name: np.array(times) for name, times in took.items()}


def cosines(first, second):
    product = (first * second).sum(axis=1)
    return product / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)


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
                wanted = loop_of_means(work, work.texts)
            found = cosines(wanted, vectors[name])
            row |= {"cosine_min": found.min(), "cosine_mean": found.mean()}
            row["spearman"] = order_of_pairs(ways[name].means)
            row["ms_p50"], row["ms_p95"] = np.percentile(single[name], [50, 95])
        rows.append(row)
    return pd.DataFrame(rows)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedding")
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", help="a CSV file for the table")
    options = parser.parse_args(arguments)
    work = Work(load_bert(), options.sentences)
    with tempfile.TemporaryDirectory() as folder:
        ways = all_ways(work, folder)
        race_of = {name: way.words for name, way in ways.items()}
        seconds, vectors = race(race_of, options.rounds)
        table = summary(work, ways, seconds, vectors)
    lines = [
        f"{work.bert.name}, {len(work.sentences)} sentences of "
        f"{source_of_sentences()}, {work.pieces / len(work.sentences):.1f} pieces each",
        f"ratio: times as fast as the loop in the same round; {options.rounds} rounds",
        "cosine: with the float32 loop, for others than embed_words of the last layer",
        "spearman: of cosines and grades, sentence-pairs.tsv; ms: one of them alone",
        *about(
            f"python -m benchmarks.embedding --sentences {options.sentences} "
            f"--rounds {options.rounds}"
        ),
    ]
    print(*lines, table.round(6).to_string(index=False), sep="\n")
    for name, dtype in OURS.items():
        bare_time = seconds[f"encoder alone, {dtype}"]
        peak_time = seconds[f"matrix products alone, {dtype}"]
        print(f"{name} beside the encoder alone: {spread(bare_time / seconds[name])}")
        print(f"  beside the matrix products: {spread(peak_time / seconds[name])}")
    for name, times in seconds.items():
        if ways[name].means and name not in OURS:
            print(
                f"embed_words beside {name}: "
                f"{spread(times / seconds['embed_words, float32'])} float32, "
                f"{spread(times / seconds['embed_words, bfloat16'])} bfloat16"
            )
    if options.out:
        write_table(table, options.out, lines)


if __name__ == "__main__":
    main()
