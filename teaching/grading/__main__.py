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


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="python -m teaching.grading")
    add = parser.add_argument
    add("folder", type=Path, help="of submitted notebooks (.ipynb)")
    add("--out", type=Path, default=Path("grades.csv"))
    add("--gradebook", type=Path, help="CSV that the platform exported")
    add("--owners", type=Path, help="CSV with the columns file and id")
    add("--seconds", type=float, default=600, help="a notebook")
    add("--memory", type=float, default=4, help="GiB, each")
    add("--workers", type=int, default=2, help="at a time")
    return parser, parser.parse_args(arguments)


def main(arguments=None):
    parser, options = options_of(arguments)
    out = options.out
    replies = out.with_name(f"{out.stem}-replies")
    points = out.with_name(f"{out.stem}-gradebook.csv")
    submissions, others = submissions_in(options.folder)
    names = [submission.name for submission in submissions]
    left = [f"not graded: {table.harmless(n)}: {why}" for n, why in others.items()]
    if not submissions:
        left = [f"{options.folder} holds no notebooks (.ipynb) to grade", *left]
        parser.exit(2, "\n".join(left) + "\n")
    for path in filter(os.path.lexists, (out, replies, points)):
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
        table.write_replies(replies, grades)
        lines = [f"graded {len(grades)} submissions: {options.out}", *left]
        if options.gradebook:
            rows, unknown = gradebook.merged(options.gradebook, grades, owners)
            table.write_rows(points, rows, kept=str)
            lines += [table.harmless(unknown)] if unknown else []
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
            for submission, grade in zip(
                submissions, pool.map(run, submissions), strict=True
            ):
                grades[submission.name] = grade
                table.write(options.out, grades)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return grades


if __name__ == "__main__":
    sys.exit(main())
