"""How the teacher wants it marked: roster, points, deadline, a table of owners."""

import argparse
import math
import tomllib
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from helpers.exercises.chapters import chapters
from teaching.grading import rosters
from teaching.grading.owners import read_owners


class GradebookFault(ValueError):
    """What cannot be turned into points; the text says why."""


@dataclass(frozen=True)
class Weights:
    """points: {slug: points of a chapter}. late: what a late exercise counts."""

    points: dict = field(default_factory=dict)
    late: float = 1.0


@dataclass(frozen=True)
class Marking:
    """roster: a Roster. owners: {file: student}, of a table. deadline: a moment."""

    roster: rosters.Roster
    weights: Weights = Weights()
    owners: dict = field(default_factory=dict)
    deadline: datetime | None = None


def add_options(parser):
    """Let a parser take what `marking_of` reads."""
    parser.add_argument("--points", type=Path, help="TOML: late, and [points] by slug")
    parser.add_argument(
        "--deadline", type=_moment, help="such as 2026-12-01T18:00+01:00"
    )
    parser.add_argument("--owners", type=Path, help="CSV: file, owner")


def marking_of(options):
    """Return the Marking that options name, None without a roster.

    Raises ValueError for what cannot be used.
    """
    weights = read_weights(options.points) if options.points else Weights()
    if not options.roster:
        if options.owners or options.deadline:
            raise GradebookFault("owners and a deadline need the roster, too")
        return None
    roster = rosters.read(options.roster)
    owners = read_owners(options.owners, roster) if options.owners else {}
    return Marking(roster, weights, owners, options.deadline)


def _moment(text):
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no day, time and zone such as 2026-12-01T18:00+01:00"
        )
    return moment


def said_of(deadline):
    """Return the line that says which moment was understood."""
    return f"late is what was changed after {deadline:%A, %d %B %Y, %H:%M:%S UTC%z}"


def read_weights(path):
    """Return the Weights of a TOML file: `late = 0.5`, `[points]`, `slug = 10`."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise GradebookFault(f"{path}: {error}") from None
    points, late = given.pop("points", {}), given.pop("late", 1)
    if given or not isinstance(points, dict):
        raise GradebookFault(f"{path}: holds late and [points] only")
    if unknown := set(points) - set(chapters()):
        raise GradebookFault(
            f"{path}: no chapter is named {', '.join(sorted(unknown))}"
        )
    for name, number in {"late": late, **points}.items():
        if type(number) not in (int, float) or not 0 <= number < math.inf:
            raise GradebookFault(
                f"{path}: {name} is {number!r}, not a number from 0 on"
            )
    if late > 1:
        raise GradebookFault(f"{path}: late is a share of the points, at most 1")
    return Weights(points, late)
