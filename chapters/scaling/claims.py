"""What "Scaling" says of its run and of kept races, and when it is true."""

import numpy as np
import pandas as pd
import torch

from chapters.scaling import figures
from helpers import glue
from helpers.verdicts import claim


def opening(shares):
    given, ordered = shares
    claim("half-padding", 0.4 < given < 0.6, f"It is {given:.0%}.", "data")
    glue("ordered_padding", float(100 * ordered))
    claim("sorting-saves", ordered < 2 / 3 * given, f"{ordered:.0%}", "data")


def bytes_kept(embed, model, rows):
    """Bytes kept for a backward pass through one batch, weights aside."""
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
    kept = {}

    def note(tensor):
        memory = tensor.untyped_storage()
        if memory.data_ptr() not in weights:
            kept[memory.data_ptr()] = memory.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda kept: kept):
        held = embed(model, rows)  # holds the kept tensors
    del held
    return sum(kept.values())


def gradients(embed, fresh, rows, agreed, seconds):
    """agreed: lowest cosine and largest difference of the two loops' vectors."""
    few = sorted(rows, key=len)[-4:]
    size = 4 * fresh.config.hidden_size
    per_piece = bytes_kept(embed, fresh, few) / sum(map(len, few))
    glue("kept_per_piece", per_piece / 2**10)
    glue("vector_per_piece", size / 2**10)
    median = {name: float(np.median(times)) for name, times in seconds.items()}
    glue("without_faster", median["with gradients"] / median["inference mode"])
    cosine, gap = agreed
    claim(
        "same-without-gradients", cosine > 0.99999 and gap < 1e-4, about="mathematics"
    )
    claim("hundredfold-kept", per_piece / size > 95, about="mathematics")
    with torch.inference_mode():
        claim("nothing-kept", bytes_kept(embed, fresh, few) == 0, about="mathematics")


def batches(seconds, cosines):
    """cosines: the lowest of each way of batching with the loop."""
    median = {name: float(np.median(times)) for name, times in seconds.items()}
    glue("given_times", median["one by one"] / median["as given"])
    glue("sorted_times", median["one by one"] / median["by length"])
    full, _, _ = figures.kept_race()
    piped, tidy = (
        full.loc[f"{n}, batch 32"] for n in ("pipeline", "sentence-transformers")
    )
    glue("piped", float(piped.ratio))
    glue("tidy", float(tidy.ratio))
    claim(
        "batches-agree", all(c > 0.99999 for c in cosines), f"{cosines}", "mathematics"
    )
    claim("pipeline-slower", piped.highest < 1, about="results")
    claim("sorted-package-faster", tidy.lowest > piped.highest, about="results")


def order(stacked, right):
    moved = (np.abs(stacked - right).max(axis=1) > 1e-4).mean()
    claim("order-lost", moved > 0.9, f"It is {moved:.0%}.", "data")


def sizes(rows, by_pieces, bounds):
    lengths = [len(row) for row in rows]
    rng = np.random.default_rng(0)
    many = [rows[i] for i in rng.integers(32, size=10_000)]
    long = [len(row) for row in many]
    little = max(figures.padding(long, by_pieces(many, most)) for most in bounds)
    glue("few_padded", float(100 * figures.padding(lengths, by_pieces(rows, 1024))))
    claim("padding-vanishes", little < 0.01, f"It is {little:.1%}.", "data")


def squares(scores, linear):
    """linear: 2h + f, what the linear maps cost beside the square."""
    share, stored = scores["share of the work"].max(), scores["MiB if stored"]
    glue("score_share", float(100 * share))
    glue("wide_now", linear)
    claim("scores-sixteenfold", stored.max() == 16 * stored.min(), about="mathematics")
    claim("attention-minor-work", share < 0.3, about="mathematics")


def half_bits(agreed, seconds):
    cosine, gap = agreed
    units = figures.bfloat16_runs()
    median = {name: float(np.median(times)) for name, times in seconds.items()}
    glue("half_times", median["float32"] / median["bfloat16"])
    glue("with_amx", float(units.ratio["all, with AMX"]))
    claim(
        "units-decide",
        units.lowest["all, with AMX"] > 1
        and units.highest.drop("all, with AMX").max() < 1,
        about="results",
    )
    claim(
        "bfloat16-moves-vectors",
        1e-4 < gap < 0.2 and 0.99 < cosine < 0.999999,
        f"The largest difference is {gap:.1e}.",
        "mathematics",
    )


def programs():
    full, short, eight = figures.kept_race()
    eight, same = eight.iloc[0], figures.SAME_BATCHES
    alike = [*same, "ONNX Runtime"]  # which has no bfloat16
    raced = pd.concat([full, short])
    glue("least_short", float(short.ratio[same].min()))
    glue("most_full", float(full.ratio[alike].max()))
    glue("tidy_short", float(short.ratio["sentence-transformers, batch 32"]))
    glue("onnx_ms", float(full.ms_p50["ONNX Runtime"]))
    glue("loop_ms", float(full.ms_p50.iloc[0]))
    glue("onnx_slow", float(full.ms_p95["ONNX Runtime"]))
    claim(
        "type-beats-program",
        short.ratio[same].min() > full.ratio[alike].max(),
        about="results",
    )
    lines = figures.KEPT.read_text(encoding="utf-8")
    claim(
        "faster-without-amx",
        short.lowest[same].min() > 1 and "amx_tile no" in lines,
        about="results",
    )
    claim(
        "own-batches-slower",
        short.ratio["sentence-transformers, batch 32"] < full.ratio["OpenVINO"],
        about="results",
    )
    claim(
        "int8-moves-most",
        eight.cosine_min < raced.cosine_min.min() and eight.lowest > full.highest.max(),
        about="results",
    )
    without = full.ms_p50[["ONNX Runtime", "OpenVINO", "fastembed"]]
    claim(
        "single-text-half",
        (without < 0.55 * full.ms_p50.iloc[0]).all(),
        about="results",
    )


def without_padding(found, loop, mixed):
    """mixed: the same where the texts see each other."""
    claim(
        "packed-agrees",
        np.abs(found - loop).max() < 1e-4 < np.abs(mixed - loop).max(),
        f"{np.abs(found - loop).max():.1e}",
        "mathematics",
    )
