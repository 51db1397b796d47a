"""Does the cost of embed_words grow with the sentences, and the memory not?

python -m benchmarks.scaling [--rounds N] [--out FILE.csv]

Each size runs in a process of its own, from a generator. The vectors are the result
and grow with the sentences; what else is needed must not, so they are taken off.
"""

import resource
import sys
import time

import pandas as pd

from benchmarks import common

SIZES = (1000, 4000, 16000)


def run_one(count):
    """Embed `count` sentences; returns seconds and peak MiB."""
    from helpers.embeddings import embed_words
    from helpers.models import load_bert

    bert = load_bert()
    # Alike for all sizes.
    sentences, positions = common.sentences_of_coarse_wsd(max(SIZES))
    embed_words(bert, sentences[:32], positions[:32], dtype="float32")  # warm-up
    start = time.perf_counter()
    texts = iter(sentences[:count])
    vectors = embed_words(bert, texts, positions[:count], dtype="float32")
    seconds = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, KiB elsewhere
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit - vectors.nbytes
    return {"seconds": seconds, "peak_mib": peak / 2**20}


def main(arguments=None):
    options = common.options_of("scaling", arguments, rounds=3)
    sizes = [*SIZES] * options.rounds
    rows = [common.in_a_process("scaling", f"run_one({size})") for size in sizes]
    runs = pd.DataFrame(rows).assign(sentences=sizes)
    runs["ms_per_sentence"] = 1000 * runs.seconds / runs.sentences
    table = runs.groupby("sentences", as_index=False).median()
    lines = [
        f"embed_words, float32, {common.source_of_sentences()}, "
        f"a process for each size, median of {options.rounds} rounds",
        *common.about("scaling", options),
    ]
    common.tell(table, lines, options.out, digits=3)
    for size, found in runs.groupby("sentences"):
        print(f"{size}: {common.spread(found.ms_per_sentence)} ms a sentence")
    for column in ("ms_per_sentence", "peak_mib"):
        print(f"{column}: x{table[column].max() / table[column].min():.2f} at most")


if __name__ == "__main__":
    main()
