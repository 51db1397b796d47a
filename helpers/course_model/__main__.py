"""The command line of the course model; see the package."""

import argparse
from pathlib import Path

from helpers.course_model.recipe import train_course_model
from helpers.course_model.scores import report


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m helpers.course_model")
    commands = parser.add_subparsers(dest="command", required=True)
    _add_train(commands.add_parser("train", help="train adapter and heads on a folder"))
    command = commands.add_parser("evaluate", help="score the model that runs")
    command.add_argument("--corpus", type=Path, help="the folder it was trained on")
    command.add_argument("--out", type=Path, help="folder to write scores.json to")
    options = vars(parser.parse_args(arguments))
    try:
        if options.pop("command") == "train":
            folders = {
                name: options.pop(name)
                for name in ("corpus", "out", "checkpoints", "start")
            }
            options["repeat"] = dict(options["repeat"])
            train_course_model(**folders, settings=options)
        else:
            report(**options)
    except (ValueError, OSError, FloatingPointError) as error:
        parser.exit(2, f"{error}\n")


def _repetition(text):
    folder, _, times = text.rpartition("=")
    if not folder or not times.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r:.50} is not FOLDER=TIMES")
    return folder, int(times)


def _add_train(command):
    command.add_argument("--corpus", type=Path, required=True)
    command.add_argument("--out", type=Path, required=True)
    command.add_argument("--steps", type=int, default=3000, help="of 2,048 pieces")
    command.add_argument("--rank", type=int, default=48)
    command.add_argument("--learning-rate", type=float, default=1.5e-3)
    command.add_argument("--rate", type=float, default=0.2, help="share to mask")
    command.add_argument("--seed", type=int, default=0)
    command.add_argument(
        "--repeat",
        type=_repetition,
        action="append",
        default=[],
        metavar="FOLDER=TIMES",
        help="take the texts of a folder in the corpus several times",
    )
    command.add_argument("--checkpoints", type=Path, help="to resume from")
    command.add_argument("--start", type=Path, help="earlier weights to go on from")


if __name__ == "__main__":
    main()
