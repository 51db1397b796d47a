"""The command line of the course model; see the package."""

import argparse
from pathlib import Path

from experiments.course_model.recipe import train_course_model
from experiments.course_model.scores import report
from experiments.course_model.texts import write_texts


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m experiments.course_model")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("texts", help="make training texts from a package")
    command.add_argument("package", type=Path, help="file that pip or npm fetched")
    command.add_argument("--out", type=Path, required=True)
    command.add_argument("--avoid", type=Path, help="text to share no ten words with")
    _add_train(commands.add_parser("train", help="train on a folder of text"))
    command = commands.add_parser("evaluate", help="score the model that runs")
    command.add_argument("--corpus", type=Path, help="the folder it was trained on")
    command.add_argument("--out", type=Path, help="folder to write scores.json to")
    options = vars(parser.parse_args(arguments))
    run = {"texts": write_texts, "train": _train, "evaluate": report}
    try:
        run[options.pop("command")](**options)
    except (ValueError, OSError, FloatingPointError) as error:
        parser.exit(2, f"{error}\n")


def _train(corpus, out, checkpoints, start, **settings):
    shares = dict(settings.pop("share"))
    settings = settings | {"shares": shares}
    train_course_model(corpus, out, settings, checkpoints, start=start)


def _share(text):
    kind, _, share = text.rpartition("=")
    try:
        share = float(share)
    except ValueError:
        share = 0
    if not kind or not 0 < share < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r:.50} is not FOLDER=SHARE")
    return kind, share


def _add_train(command):
    command.add_argument("--corpus", type=Path, required=True)
    command.add_argument("--out", type=Path, required=True)
    command.add_argument("--steps", type=int, default=3000, help="of 2,048 pieces")
    command.add_argument("--rank", type=int, default=32, help="of the words' change")
    command.add_argument("--learning-rate", type=float, default=4e-4)
    command.add_argument("--rate", type=float, default=0.2, help="share to mask")
    command.add_argument("--seed", type=int, default=0)
    command.add_argument(
        "--share",
        type=_share,
        action="append",
        default=[],
        metavar="FOLDER=SHARE",
        help="share of the pieces that come from a folder or file of the corpus",
    )
    command.add_argument("--checkpoints", type=Path, help="to resume from")
    command.add_argument("--start", type=Path, help="earlier weights to go on from")


if __name__ == "__main__":
    main()
