"""The command line of the course model; see the package."""

import argparse
from pathlib import Path

from experiments.course_model.scores import report


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m experiments.course_model")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("evaluate", help="score the model that runs")
    command.add_argument("--model", help="name of a model, or a folder of weights")
    command.add_argument("--corpus", type=Path, help="the folder it was trained on")
    command.add_argument("--out", type=Path, help="folder to write scores.json to")
    options = vars(parser.parse_args(arguments))
    del options["command"]
    try:
        report(**options)
    except (ValueError, OSError) as error:
        parser.exit(2, f"{error}\n")


if __name__ == "__main__":
    main()
