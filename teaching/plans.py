"""Plans for a term: `python -m teaching.plans WEEKS`, a syllabus to copy.

`teaching/plans.toml` says which chapters belong to which week, `_toc.yml` which there
are, and the exported notebooks how long the pages take, by the count that writes the
line under a title, so that no book needs to be built.
"""

import argparse
import re
import sys
import tomllib
from collections import Counter
from functools import cache

from build_tools.book.reading_time import minutes_of_built
from build_tools.console import say
from build_tools.notebooks import kept
from helpers.exercises.chapters import ROOT, read_chapters
from helpers.exercises.checks import exercises

TEACHING = ROOT / "teaching"


class PlanFault(ValueError):
    """What is wrong with the plans, a line each."""


def read_plans(path=TEACHING / "plans.toml"):
    """Return the plans; raises PlanFault where one does not fit `_toc.yml`."""
    plans = tomllib.loads(path.read_text(encoding="utf-8"))["plan"]
    slugs = [chapter.slug for chapter in read_chapters()]
    if faults := [line for plan in plans for line in faults_of(plan, slugs)]:
        raise PlanFault("\n".join(f"{path.name}: {line}" for line in faults))
    return plans


def faults_of(plan, slugs):
    """Yield a line for each chapter that a plan has not once, and for odd weeks."""
    name = f"the plan of {plan['weeks']} weeks"
    weeks = plan["week"]
    listed = Counter(sum((week["chapters"] for week in weeks), plan["left_out"]))
    for slug in slugs:
        if not listed[slug]:
            yield f"{name} lacks {slug}: put it into a week or into left_out"
    for slug, times in listed.items():
        if slug not in slugs or times > 1:
            why = f"{times} times" if slug in slugs else "which _toc.yml has not"
            yield f"{name} has {slug} {why}: take it out"
    if len(weeks) != plan["weeks"]:
        yield f"{name} has {len(weeks)} weeks"
    for number, week in enumerate(weeks, start=1):
        if week.get("run", "") not in ["", *week["chapters"]]:
            yield f"{name}, week {number}: {week['run']} is not read in it"


@cache
def minutes_of_chapters():
    """Return {slug: minutes} of all chapters without what is deeper, read once.

    Raises PlanFault for a chapter whose minutes nobody has counted.
    """
    minutes = {
        chapter.slug: kept.in_notebook(chapter.page, ROOT).minutes
        or minutes_of_built(chapter.page, ROOT)
        for chapter in read_chapters()
    }
    if unknown := [slug for slug, parts in minutes.items() if not parts]:
        raise PlanFault(f"{unknown[0]} has no minutes: make book, then make notebooks")
    return {slug: sum(m.values()) - m["deeper"] for slug, m in minutes.items()}


def hours(week, minutes):
    """Return the hours of a week: of its chapters, and of its part of the project."""
    return sum(minutes[slug] for slug in week["chapters"]) / 60 + week.get("hours", 0)


def to_the_half(number):
    return f"{round(2 * number) / 2:g}"


def table_of(plan, chapters, minutes):
    """Return a plan as a Markdown table, and the sum of its hours."""
    rows = ["| week | read | run in class | hand in | hours |", "|---|---|---|---|---|"]
    known = set(exercises())
    for number, week in enumerate(plan["week"], start=1):
        read = [chapters[slug] for slug in week["chapters"]]
        run = str(chapters[week["run"]].number) if "run" in week else ""
        ids = [
            f"{chapter.number}.{n}"
            for chapter in read
            for n in plan["hand_in"]
            if f"{chapter.slug}.{n}" in known
        ]
        due = [f"exercises {', '.join(ids)}"] if ids else []
        due += [week["project"]] if "project" in week else []
        cells = [_titles(read), run, "; ".join(due), to_the_half(hours(week, minutes))]
        rows.append(f"| {number} | {' | '.join(cells)} |")
    return "\n".join(rows), sum(hours(week, minutes) for week in plan["week"])


def _titles(chapters):
    return "; ".join(f"{chapter.number}. {chapter.title}" for chapter in chapters)


def syllabus(plan):
    """Return the syllabus of a plan in Markdown."""
    chapters = {chapter.slug: chapter for chapter in read_chapters()}
    table, total = table_of(plan, chapters, minutes_of_chapters())
    marks = {
        "WEEKS": str(plan["weeks"]),
        "FOR": plan["for"],
        "HOURS": to_the_half(total),
        "A-WEEK": f"{total / plan['weeks']:.1f}",
        "PLAN": table,
        "LEFT-OUT": _titles(chapters[s] for s in plan["left_out"]) or "nothing",
    }
    text = (TEACHING / "syllabus.md").read_text(encoding="utf-8")
    return re.sub(r"<([A-Z-]+)>", lambda found: marks[found[1]], text)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m teaching.plans")
    parser.add_argument("weeks", type=int, help="of the term")
    weeks = parser.parse_args(arguments).weeks
    try:
        plans = {plan["weeks"]: plan for plan in read_plans()}
        if weeks not in plans:
            known = ", ".join(map(str, sorted(plans)))
            raise PlanFault(f"there is no plan of {weeks} weeks; there are {known}")
        say(syllabus(plans[weeks]))
    except (PlanFault, OSError) as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    sys.exit(main())
