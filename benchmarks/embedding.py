"""Embed the sentences of CoarseWSD-20 in every usual way, side by side in one run.

python -m benchmarks.embedding [--sentences N] [--rounds N] [--out FILE.csv]

Everybody does the same work: the last hidden state of the same sentences, in float32
and in bfloat16, once as the vector of a chosen word and once as the mean vector of the
text. Each way also embeds the course's pairs of sentences, to see whether their order
stays, and each of these sentences alone, to see how long one takes.
"""

import copy
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
from helpers.verdicts import compare, in_turn

LOOP, OURS = "loop of one sentence", "embed_words, embed_texts"
FULL, HALF = DTYPES = ("float32", "bfloat16")


@dataclass(frozen=True)
class Way:
    """word: returns the vectors of the words of the work, (n, hidden), or None.
    mean: from texts to mean vectors, (n, hidden); None for what is no program."""

    word: object = None
    mean: object = None


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

    def mean(texts):
        lengths = map(len, work.bert.tokenizer(texts, truncation=True)["input_ids"])
        found = zip(read(texts), lengths, strict=True)
        return np.array([np.asarray(states[:n]).mean(axis=0) for states, n in found])

    return Way(lambda: work.pick(read(work.texts)), mean)


def loop(work, dtype):
    """As published notebooks do: a call a sentence, all hidden states kept."""
    bert, model = work.bert, embeddings.encoder_for(work.bert, dtype)

    @torch.inference_mode()
    def word():
        vectors = []
        for words, position in zip(work.sentences, work.positions, strict=True):
            encoding = bert.tokenizer(
                words, is_split_into_words=True, truncation=True, return_tensors="pt"
            ).to(bert.device)
            states = model(**encoding, output_hidden_states=True).hidden_states[-1][0]
            pieces = [i for i, w in enumerate(encoding.word_ids()) if w == position]
            vectors.append(states[pieces].float().mean(0))
        return torch.stack(vectors).cpu().numpy()

    return Way(word, partial(loop_of_means, bert, model=model))


@torch.inference_mode()
def loop_of_means(bert, texts, model=None):
    """Mean vectors, (texts, hidden), a call a text."""
    vectors = []
    for text in texts:
        encoding = bert.tokenizer(text, truncation=True, return_tensors="pt")
        output = (model or bert.model)(**encoding.to(bert.device))
        vectors.append(output.last_hidden_state[0].float().mean(dim=0))
    return torch.stack(vectors).cpu().numpy()


def pipeline(work, dtype):
    """transformers' pipeline; the places of the words are given to it."""
    import transformers

    with quiet_transformers():
        extract = transformers.pipeline(
            "feature-extraction",
            model=copy.deepcopy(work.bert.model).to(getattr(torch, dtype)),
            tokenizer=work.bert.tokenizer,
            device=work.bert.device,
        )

    def read(texts):
        found = extract(list(texts), batch_size=32, return_tensors=True)
        return [states[0].float() for states in found]

    return of_states(work, read)


def sentence_transformer(work, dtype):
    """sentence-transformers on the same weights; places are given to it."""
    from sentence_transformers import SentenceTransformer

    with tempfile.TemporaryDirectory() as folder, quiet_transformers():
        work.bert.model.save_pretrained(folder)
        work.bert.tokenizer.save_pretrained(folder)
        options = {"model_kwargs": {"dtype": getattr(torch, dtype)}}
        model = SentenceTransformer(folder, device=str(work.bert.device), **options)
    model.max_seq_length = work.bert.model.config.max_position_embeddings
    options = {"batch_size": 32, "show_progress_bar": False}

    def read(texts):
        found = model.encode(list(texts), output_value="token_embeddings", **options)
        return [states.float().cpu() for states in found]

    def mean(texts):
        found = model.encode(list(texts), convert_to_numpy=False, **options)
        return torch.stack(list(found)).float().cpu().numpy()

    return Way(of_states(work, read).word, mean)


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
    whole, part = (common.products(encoder, n) for n in (most, max(rest, 1)))

    def run():
        for _ in range(times):
            whole()
        part()

    return Way(run)


def ours(work, dtype):
    """The course's own: a word needs the top layer at its pieces only, a mean all."""
    words = (work.bert, work.sentences, work.positions)
    return Way(
        lambda: embed_words(*words, layers=[-1], dtype=dtype),
        lambda texts: embed_texts(work.bert, texts, dtype=dtype),
    )


def all_ways(work, folder):
    """Return {(name, dtype): Way}; files of other runtimes go to `folder`."""
    bert, exported = work.bert, runtimes.export(work.bert, folder)
    ways, means = {}, runtimes.fastembed(bert, exported[FULL])
    for dtype in DTYPES:
        ways[LOOP, dtype] = loop(work, dtype)
        ways["pipeline, batch 32", dtype] = pipeline(work, dtype)
        packed = sentence_transformer(work, dtype)
        ways["sentence-transformers, batch 32", dtype] = packed
        readers = {
            "PyTorch, eager": runtimes.pytorch(bert, "eager", dtype=dtype),
            "PyTorch, SDPA": runtimes.pytorch(bert, "sdpa", dtype=dtype),
            "PyTorch, torch.compile": runtimes.pytorch(bert, "sdpa", True, dtype),
            "OpenVINO": runtimes.openvino(bert, exported["plain"], dtype),
        }
        if dtype == FULL:  # its processor provider has no kernels for bfloat16
            readers["ONNX Runtime"] = runtimes.onnx_runtime(bert, exported[FULL])
        read = {name: of_states(work, read) for name, read in readers.items() if read}
        ways |= {(name, dtype): way for name, way in read.items()}
        if dtype == FULL and means:
            ways["fastembed", dtype] = Way(None, means)
        ways[OURS, dtype] = ours(work, dtype)
        ways["encoder alone", dtype] = bare(work, dtype)
        ways["matrix products alone", dtype] = limit(work, dtype)
    small = runtimes.onnx_runtime(bert, exported["int8"])
    ways["ONNX Runtime", "int8"] = of_states(work, small)
    return ways


def graded_pairs():
    names = ["grade", "first", "second"]
    return pd.read_csv(DATA / "sentence-pairs.tsv", sep="\t", quoting=3, names=names)


def order_of_pairs(means):
    """Return Spearman's correlation of cosines and grades on the course's pairs."""
    pairs = graded_pairs()
    first, second = (means(pairs[name].tolist()) for name in ("first", "second"))
    return spearmanr(1 - paired_cosine_distances(first, second), pairs.grade).statistic


def one_at_a_time(ways):
    """Return {way: ms of the first sentence of each pair, read alone}.

    In turns of all sentences: threads of one program still spin for a moment when the
    next one begins, so a first call is not counted.
    """
    pairs = graded_pairs()
    texts = [pairs["first"][0], *pairs["first"]]
    named = [key for key, way in ways.items() if way.mean]
    calls = {
        (key, place): partial(ways[key].mean, [text])
        for key in named
        for place, text in enumerate(texts)
    }
    took = in_turn(calls, rounds=2)
    counted = range(1, len(texts))
    return {n: 1000 * np.ravel([took[n, place] for place in counted]) for n in named}


def summary(work, kind, seconds, vectors):
    """A row a way: rates, speed against the loop and against ours, agreement.

    Each ratio is of the same round. The verdict is `compare`'s on the logarithms of
    the seconds, at one level for all the peers of a number type.
    """
    rows = []
    for (name, dtype), times in seconds.items():
        ratios = seconds[LOOP, FULL] / times
        row = {"vectors": kind, "way": name, "dtype": dtype, "ratio": np.median(ratios)}
        row |= {"lowest": ratios.min(), "highest": ratios.max()}
        row["sentences_a_second"] = len(work.sentences) / np.median(times)
        row["pieces_a_second"] = work.pieces / np.median(times)
        own = seconds[OURS, FULL if dtype == "int8" else dtype]
        against, peers = times / own, sum(d == dtype for _, d in seconds) - 1
        row |= {"ours": np.median(against)}
        row |= {"ours_lowest": against.min(), "ours_highest": against.max()}
        if name != OURS and len(times) > 1:
            logs = np.log(times), np.log(own)
            row["ours_are"] = compare(*logs, family=max(1, peers)).word
        if vectors[name, dtype] is not None:
            wanted = vectors[LOOP, FULL]
            found = 1 - paired_cosine_distances(wanted, vectors[name, dtype])
            row |= {"cosine_min": found.min(), "cosine_mean": found.mean()}
        rows.append(row)
    return pd.DataFrame(rows)


def with_one_text(table, ways):
    """Add the milliseconds of one text and the order of the pairs, for mean vectors."""
    single = one_at_a_time(ways)
    for key, took in single.items():
        chosen = (table.way == key[0]) & (table.dtype == key[1])
        chosen &= table.vectors == "mean"
        table.loc[chosen, "spearman"] = order_of_pairs(ways[key].mean)
        table.loc[chosen, ["ms_p50", "ms_p95"]] = np.percentile(took, [50, 95])
    return table


def main(arguments=None):
    options = common.options_of("embedding", arguments, sentences=400, rounds=5)
    work = Work(load_bert(), options.sentences)
    with tempfile.TemporaryDirectory() as folder:
        ways, tables = all_ways(work, folder), []
        for kind in ("word", "mean"):
            calls = {
                key: way.word if kind == "word" else partial(way.mean, work.texts)
                for key, way in ways.items()
                if getattr(way, kind)
            }
            tables.append(summary(work, kind, *common.race(calls, options.rounds)))
            print(tables[-1].round(2).to_string(), flush=True)
        table = with_one_text(pd.concat(tables, ignore_index=True), ways)
    pieces = work.pieces / len(work.sentences)
    lines = [
        f"{work.bert.name}, {options.sentences} sentences of "
        f"{common.source_of_sentences()}, {pieces:.1f} pieces each",
        f"ratio: times as fast as the float32 loop of the same vectors in the same "
        f"round; {options.rounds} rounds",
        "ours: times as fast embed_words or embed_texts is, in the same number type",
        "cosine: with the float32 loop; spearman: of cosines and grades, "
        "sentence-pairs.tsv; ms: one of them alone",
        *common.about("embedding", options, ("onnxruntime", "openvino", "fastembed")),
    ]
    common.tell(table, lines, options.out)


if __name__ == "__main__":
    main()
