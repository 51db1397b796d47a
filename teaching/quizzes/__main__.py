"""Command line of the quizzes; see the package."""

import argparse
import sys
from pathlib import Path

from build_tools.console import say
from teaching.quizzes import anki, moodle, qti12
from teaching.quizzes.questions import all_quizzes

FORMATS = {"qti-1.2": qti12, "moodle": moodle, "anki": anki}


def write(folder, quizzes):
    """Write every format to `folder`: a file a quiz, and `all`; return their number."""
    files = {f"{quiz.number:02}-{quiz.slug}": [quiz] for quiz in quizzes}
    files["all"] = quizzes
    for name, form in FORMATS.items():
        place = Path(folder) / name
        place.mkdir(parents=True, exist_ok=True)
        for stem, some in files.items():
            (place / f"{stem}{form.ENDING}").write_bytes(form.packed(some))
    return len(FORMATS) * len(files)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m teaching.quizzes")
    parser.add_argument("folder", type=Path, help="where the files go")
    options = parser.parse_args(arguments)
    try:
        quizzes = all_quizzes()
        count = write(options.folder, quizzes)
    except (OSError, ValueError) as error:
        parser.exit(1, f"error: {error}\n")
    questions = sum(len(quiz.questions) for quiz in quizzes)
    say(f"wrote {count} files with {questions} questions: {options.folder}")


if __name__ == "__main__":
    sys.exit(main())
