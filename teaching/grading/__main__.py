"""Command line of the grading; see the package."""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from build_tools.book import execution
from build_tools.console import say
from teaching.grading import gradebook, sandbox, table
from teaching.grading.grades import grade_of
from teaching.grading.submissions import submissions_in

SECONDS, GIBIBYTES = 600, 4


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="python -m teaching.grading")
    parser.add_argument("folder", type=Path, help="of submitted notebooks (.ipynb)")
    parser.add_argument("--out", type=Path, default=Path("grades.csv"))
    parser.add_argument("--gradebook", type=Path, help="CSV that the platform exported")
    parser.add_argument("--owners", type=Path, help="CSV with the columns file and id")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="a notebook")
    parser.add_argument("--memory", type=float, default=GIBIBYTES, help="GiB, each")
    parser.add_argument("--workers", type=int, default=2, help="at a time")
    return parser, parser.parse_args(arguments)


def main(arguments=None):
    parser, options = options_of(arguments)
    files = {
        "out": options.out,
        "replies": options.out.with_name(f"{options.out.stem}-replies"),
        "gradebook": options.out.with_name(f"{options.out.stem}-gradebook.csv"),
    }
    submissions, others = submissions_in(options.folder)
    names = [submission.name for submission in submissions]
    if not submissions:
        parser.exit(2, f"{options.folder} holds no notebooks (.ipynb) to grade\n")
    for path in filter(os.path.lexists, files.values()):
        parser.exit(2, f"{path} is there already: move it away, or name another OUT\n")
    try:  # before minutes of grading
        owners = gradebook.named_by_ids(names)
        if options.owners:
            owners = gradebook.whose(options.owners, names)
        if options.gradebook:
            gradebook.merged(options.gradebook, {}, {})
    except gradebook.Fault as fault:
        parser.exit(2, f"error: {fault}\n")
    for name, default in execution.DEFAULTS.items():  # the same for all, no network
        os.environ[name] = os.environ.get(name) or default
    if fault := sandbox.fault():
        parser.exit(2, f"{fault}\n")
    try:
        grades = graded(submissions, options)
        table.write_replies(files["replies"], grades)
        lines = [f"graded {len(grades)} submissions: {options.out}"]
        lines += [f"not graded: {name}: {why}" for name, why in others.items()]
        if options.gradebook:
            rows, unknown = gradebook.merged(options.gradebook, grades, owners)
            table.write_rows(files["gradebook"], rows, as_they_are=True)
            lines += [
                f"not in {options.gradebook}: {table.harmless(i)}" for i in unknown
            ]
    except OSError as error:
        parser.exit(1, f"error: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130, f"stopped; what was graded is in {options.out}\n")
    say("\n".join(lines))


def graded(submissions, options):
    """Grade all; return {name: Grade}. The table is written anew after each."""
    memory, grades = int(options.memory * 2**30), {}
    run = partial(grade_of, seconds=options.seconds, memory=memory)
    with ThreadPoolExecutor(max(1, options.workers)) as pool:
        try:
            done = zip(submissions, pool.map(run, submissions), strict=True)
            for submission, grade in done:
                grades[submission.name] = grade
                table.write(options.out, grades)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return grades


if __name__ == "__main__":
    sys.exit(main())
