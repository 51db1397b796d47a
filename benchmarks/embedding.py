"""Embed the words of CoarseWSD-20 in every usual way, side by side in one run.

python -m benchmarks.embedding [--sentences N] [--rounds N] [--out FILE.csv]
"""

import argparse
import tempfile

import numpy as np
import pandas as pd
import torch

from benchmarks.common import (
    about,
    products,
    race,
    sentences_of_coarse_wsd,
    source_of_sentences,
    spread,
    write_table,
)
from helpers import embeddings
from helpers.embeddings import embed_words
from helpers.models import load_bert, quiet_transformers

LOOP = "loop of one sentence"
OURS = {"embed_words, float32": "float32", "embed_words, bfloat16": "bfloat16"}


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
        parts = [s[first : first + n].float().mean(0) for s, (_, first, n) in rows]
        return torch.stack(parts).cpu().numpy()


def loop(work, last=False):
    """Embed as published notebooks do: a call a sentence, all hidden states."""
    bert, vectors = work.bert, []
    for words, position in zip(work.sentences, work.positions, strict=True):
        encoding = bert.tokenizer(
            words, is_split_into_words=True, truncation=True, return_tensors="pt"
        ).to(bert.device)
        with torch.no_grad():
            output = bert.model(**encoding, output_hidden_states=True)
        states = torch.stack(output.hidden_states[-1 if last else -4 :])[:, 0]
        pieces = [i for i, w in enumerate(encoding.word_ids()) if w == position]
        vectors.append(states.mean(0)[pieces].mean(0))
    return torch.stack(vectors).cpu().numpy()


def pipeline(work, batch_size):
    """Run transformers' pipeline; the places of the words are given to it."""
    import transformers

    with quiet_transformers():
        extract = transformers.pipeline(
            "feature-extraction",
            model=work.bert.model,
            tokenizer=work.bert.tokenizer,
            device=work.bert.device,
        )

    def run():
        found = extract(work.texts, batch_size=batch_size, return_tensors=True)
        return work.pick([states[0] for states in found])

    return run


def sentence_transformer(work):
    """Run sentence-transformers on the same weights; places are given to it."""
    from sentence_transformers import SentenceTransformer

    with tempfile.TemporaryDirectory() as folder, quiet_transformers():
        work.bert.model.save_pretrained(folder)
        work.bert.tokenizer.save_pretrained(folder)
        model = SentenceTransformer(folder, device=str(work.bert.device))
    model.max_seq_length = work.bert.model.config.max_position_embeddings

    def run():
        return work.pick(
            model.encode(
                work.texts,
                batch_size=32,
                output_value="token_embeddings",
                show_progress_bar=False,
            )
        )

    return run


def bare(work, dtype):
    """Run the encoder alone on batches that lie ready, those of embed_words."""
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

    return run


def limit(work, dtype):
    """Run the encoder's matrix products alone, as many as the pieces need."""
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

    return run


def all_ways(work):
    ways = {
        LOOP: lambda: loop(work),
        "pipeline, batch 1": pipeline(work, 1),
        "pipeline, batch 32": pipeline(work, 32),
        "sentence-transformers, batch 32": sentence_transformer(work),
    }
    for name, dtype in OURS.items():
        ways[name] = lambda dtype=dtype: embed_words(
            work.bert, work.sentences, work.positions, dtype=dtype
        )
    for dtype in OURS.values():
        ways[f"encoder alone, {dtype}"] = bare(work, dtype)
        ways[f"matrix products alone, {dtype}"] = limit(work, dtype)
    return ways


def cosines(first, second):
    product = (first * second).sum(axis=1)
    return product / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)


def summary(work, seconds, vectors):
    """A row a way: speed against the loop of the same round, rates, agreement."""
    last, rows = loop(work, last=True), []
    for name, times in seconds.items():
        ratios = seconds[LOOP] / times
        row = {"way": name, "ratio": np.median(ratios)}
        row |= {"lowest": ratios.min(), "highest": ratios.max()}
        row["sentences_a_second"] = len(work.sentences) / np.median(times)
        row["pieces_a_second"] = work.pieces / np.median(times)
        if vectors[name] is not None:
            own = name in OURS or name == LOOP
            found = cosines(vectors[LOOP] if own else last, vectors[name])
            row |= {"cosine_min": found.min(), "cosine_mean": found.mean()}
        rows.append(row)
    return pd.DataFrame(rows)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedding")
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", help="a CSV file for the table")
    options = parser.parse_args(arguments)
    work = Work(load_bert(), options.sentences)
    seconds, vectors = race(all_ways(work), options.rounds)
    table = summary(work, seconds, vectors)
    lines = [
        f"{work.bert.name}, {len(work.sentences)} sentences of "
        f"{source_of_sentences()}, {work.pieces / len(work.sentences):.1f} pieces each",
        f"ratio: times as fast as the loop in the same round; {options.rounds} rounds",
        "cosine: with the float32 loop, for the peers of the last layer alone",
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
    if options.out:
        write_table(table, options.out, lines)


if __name__ == "__main__":
    main()
