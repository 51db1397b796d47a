"""The command line of the job; see the package."""

import argparse
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[3])]  # where no one installs it

import torch  # noqa: E402

from embed_job.job import Job, rank_and_ranks  # noqa: E402
from embed_job.reading import Texts  # noqa: E402
from helpers.embeddings.texts import POOLING  # noqa: E402
from helpers.models import load_bert  # noqa: E402


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python chapters/many-machines/embed_job")
    parser.add_argument("texts", type=Path, help="a text a line, or Parquet")
    parser.add_argument("out", type=Path, help="folder for vectors and manifest")
    parser.add_argument("--column", default="text", help="of Parquet")
    parser.add_argument("--model", help="as for load_bert; else BERT_COURSE_MODEL")
    parser.add_argument("--layers", type=int, nargs="+", default=[-1])
    parser.add_argument("--pooling", choices=POOLING, default="mean")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--shard", type=_size, default=10_000, help="texts a shard")
    options = parser.parse_args(arguments)
    try:
        rank, ranks = rank_and_ranks()
        texts = Texts(options.texts, options.column)
        if options.out.exists() and not options.out.is_dir():
            raise ValueError(f"{options.out} is a file; OUT must be a folder")
        job = Job(
            load_bert(options.model, _device()),
            texts,
            options.out,
            tuple(options.layers),
            options.pooling,
            options.dtype,
            options.shard,
        )
        print(f"{options.out}: {job.make_shards(rank, ranks)}")
    except (ValueError, OSError) as error:
        parser.exit(2, f"{error}\n")


def _device():
    """The GPU of this process where each has one, else as `load_bert` chooses."""
    if os.environ.get("ACCELERATE_USE_CPU", "").lower() == "true":
        return "cpu"
    if torch.cuda.is_available() and "LOCAL_RANK" in os.environ:
        return f"cuda:{os.environ['LOCAL_RANK']}"
    return None


def _size(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r:.20} is no number of texts above 0")
    return int(text)


if __name__ == "__main__":
    main()
