"""The command line of the course model; see the package."""

import argparse
from pathlib import Path

from experiments.course_model.recipe import read_settings, train_course_model
from experiments.course_model.scores import report
from experiments.course_model.training_texts import write_texts


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m experiments.course_model")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("texts", help="make training texts from a package")
    command.add_argument("package", type=Path, help="file that pip or npm fetched")
    command.add_argument("--out", type=Path, required=True)
    command.add_argument("--avoid", type=Path, help="text to share no ten words with")
    command.set_defaults(run=write_texts)
    command = commands.add_parser("train", help="train on a folder of text")
    command.add_argument("settings", type=Path, help="TOML, as settings.toml here")
    command.add_argument("--corpus", type=Path, required=True)
    command.add_argument("--out", type=Path, required=True, help="goes on after a kill")
    command.set_defaults(run=_train)
    command = commands.add_parser("evaluate", help="score the model that runs")
    command.add_argument("--model", help="name of a model, or a folder of weights")
    command.add_argument("--corpus", type=Path, help="the folder it was trained on")
    command.add_argument("--out", type=Path, help="folder to write scores.json to")
    command.set_defaults(run=report)
    options = vars(parser.parse_args(arguments))
    try:
        options.pop("run")(**options)
    except (ValueError, OSError, FloatingPointError) as error:
        parser.exit(2, f"{error}\n")


def _train(settings, corpus, out):
    train_course_model(corpus, out, read_settings(settings))
    report(corpus, out, out)


if __name__ == "__main__":
    main()
