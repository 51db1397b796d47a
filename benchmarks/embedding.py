"""Embed the sentences of CoarseWSD-20 in every usual way, side by side in one run.

python -m benchmarks.embedding [--sentences N] [--rounds N] [--out FILE.csv]

Everybody does the same work: the mean of the last hidden state of the same sentences,
in float32 and in bfloat16. Each way also embeds the course's pairs of sentences, to see
whether their order stays, and each of these sentences alone, to see how long one takes.
"""

import copy
import tempfile
from functools import partial

import numpy as np
import pandas as pd
import torch
from scipy.stats import spearmanr
from sklearn.metrics.pairwise import paired_cosine_distances

from benchmarks import runtimes
from benchmarks.common import options_of, sentences_of_coarse_wsd, tell
from helpers import DATA
from helpers.embeddings import encoder_for
from helpers.embeddings.texts import embed_texts
from helpers.models import load_bert, quiet_transformers
from helpers.verdicts import compare, in_turn

LOOP, OURS = "loop of one sentence", "embed_words, embed_texts"
FULL, _ = DTYPES = ("float32", "bfloat16")


@torch.inference_mode()
def loop(bert, texts, dtype=FULL):
    """As published notebooks do, a call a text."""
    model, vectors = encoder_for(bert, dtype), []
    for text in texts:
        encoding = bert.tokenizer(text, truncation=True, return_tensors="pt")
        states = model(**encoding.to(bert.device)).last_hidden_state
        vectors.append(states[0].float().mean(dim=0))
    return torch.stack(vectors).cpu().numpy()


def pipeline(bert, dtype):
    """transformers' pipeline."""
    import transformers

    with quiet_transformers():
        extract = transformers.pipeline(
            "feature-extraction",
            model=copy.deepcopy(bert.model).to(getattr(torch, dtype)),
            tokenizer=bert.tokenizer,
            device=bert.device,
        )

    def means(texts):
        found = extract(list(texts), batch_size=32, return_tensors=True)
        lengths = map(len, bert.tokenizer(texts, truncation=True)["input_ids"])
        pairs = zip(found, lengths, strict=True)
        return np.array([one[0][:n].float().mean(dim=0).numpy() for one, n in pairs])

    return means


def sentence_transformer(bert, dtype):
    """sentence-transformers on the same weights."""
    from sentence_transformers import SentenceTransformer

    with tempfile.TemporaryDirectory() as folder, quiet_transformers():
        bert.model.save_pretrained(folder)
        bert.tokenizer.save_pretrained(folder)
        options = {"model_kwargs": {"dtype": getattr(torch, dtype)}}
        model = SentenceTransformer(folder, device=str(bert.device), **options)
    model.max_seq_length = bert.model.config.max_position_embeddings
    options = {"batch_size": 32, "show_progress_bar": False}

    def means(texts):
        found = model.encode(list(texts), convert_to_numpy=False, **options)
        return torch.stack(list(found)).float().cpu().numpy()

    return means


def all_ways(bert, folder):
    """Return {(name, dtype): from texts to mean vectors (n, hidden)}.

    Files of other runtimes go to `folder`; what is not installed is left out.
    """
    exported, ways = runtimes.export(bert, folder), {}
    peers = {
        LOOP: lambda bert, dtype: partial(loop, bert, dtype=dtype),
        "pipeline, batch 32": pipeline,
        "sentence-transformers, batch 32": sentence_transformer,
        "PyTorch, eager": partial(runtimes.pytorch, attention="eager"),
        "PyTorch, SDPA": partial(runtimes.pytorch, attention="sdpa"),
        "PyTorch, torch.compile": runtimes.compiled,
        "OpenVINO": partial(runtimes.openvino, path=exported["plain"]),
        OURS: lambda bert, dtype: partial(embed_texts, bert, dtype=dtype),
    }
    for dtype in DTYPES:
        ways |= {(name, dtype): make(bert, dtype) for name, make in peers.items()}
    # its processor provider has no kernels for bfloat16
    for dtype in (FULL, "int8"):
        ways["ONNX Runtime", dtype] = runtimes.onnx_runtime(bert, exported[dtype])
    ways["fastembed", FULL] = runtimes.fastembed(bert, exported[FULL])
    return {name: way for name, way in ways.items() if way}


def one_at_a_time(ways, texts):
    """Return {way: ms of each text, read alone}.

    In turns of all texts: threads of one program still spin for a moment when the next
    one begins, so a first call is not counted.
    """
    texts = [texts[0], *texts]
    calls = {
        (key, place): partial(way, [text])
        for key, way in ways.items()
        for place, text in enumerate(texts)
    }
    took = in_turn(calls, rounds=2)
    counted = range(1, len(texts))
    return {n: 1000 * np.ravel([took[n, place] for place in counted]) for n in ways}


def summary(ways, texts, rounds):
    """Yield a row a way: speed against the loop and against ours, agreement.

    Each ratio is of the same round. The verdict is `compare`'s on the logarithms of
    the seconds, at one level for all the peers of a number type. spearman: of cosines
    and grades on the course's pairs, whose first sentences are read alone, too.
    """
    seconds = in_turn({key: partial(way, texts) for key, way in ways.items()}, rounds)
    seconds = {key: np.array(times) for key, times in seconds.items()}
    names, exact = ["grade", "first", "second"], ways[LOOP, FULL](texts)
    pairs = pd.read_csv(DATA / "sentence-pairs.tsv", sep="\t", quoting=3, names=names)
    alone = one_at_a_time(ways, pairs["first"].tolist())
    for (name, dtype), times in seconds.items():
        row = {"vectors": "mean", "way": name, "dtype": dtype}
        row |= spread(seconds[LOOP, FULL] / times, "ratio", "lowest", "highest")
        row["sentences_a_second"] = len(texts) / np.median(times)
        own = seconds[OURS, FULL if dtype == "int8" else dtype]
        row |= spread(times / own, "ours", "ours_lowest", "ours_highest")
        if name != OURS and len(times) > 1:
            peers = max(1, sum(d == dtype for _, d in seconds) - 1)
            verdict = compare(np.log(times), np.log(own), family=peers)
            row["ours_are"] = verdict.word
        cosine = cosines(exact, ways[name, dtype](texts))
        row |= {"cosine_min": cosine.min(), "cosine_mean": cosine.mean()}
        both = [ways[name, dtype](pairs[n].tolist()) for n in names[1:]]
        row["spearman"] = spearmanr(cosines(*both), pairs.grade).statistic
        row["ms_p50"], row["ms_p95"] = np.percentile(alone[name, dtype], [50, 95])
        yield row


def spread(values, *names):
    found = np.median(values), values.min(), values.max()
    return dict(zip(names, found, strict=True))


def cosines(one, other):
    return 1 - paired_cosine_distances(one, other)


def main():
    options = options_of("embedding", sentences=400, rounds=5)
    bert = load_bert()
    sentences, _ = sentences_of_coarse_wsd(options.sentences)
    texts = [" ".join(words) for words in sentences]
    with tempfile.TemporaryDirectory() as folder:
        rows = list(summary(all_ways(bert, folder), texts, options.rounds))
    about = [
        f"{bert.name}, {options.sentences} sentences of CoarseWSD-20",
        f"ratio: times as fast as the float32 loop in the same round; "
        f"{options.rounds} rounds",
        "ours: times as fast embed_texts is, in the same number type",
        "cosine: with the float32 loop; spearman: of cosines and grades, "
        "sentence-pairs.tsv; ms: one of them alone",
    ]
    tell("embedding", options, rows, about)


if __name__ == "__main__":
    main()
