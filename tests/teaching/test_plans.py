"""Plans fit the chapters that there are, and their hours are those of the pages."""

import re

import pytest

from teaching import plans

WORKING_DAY = 8  # hours, which no week of a plan takes, its project included


@pytest.fixture(scope="module")
def all_plans():
    """The plans; what does not fit _toc.yml is said a line each."""
    try:
        return plans.read_plans()
    except plans.PlanFault as fault:
        pytest.fail(f"mend teaching/plans.toml:\n{fault}", pytrace=False)


def test_every_plan_has_every_chapter_once(all_plans):
    assert [plan["weeks"] for plan in all_plans] == [5, 10, 14]


def test_no_week_asks_for_much_more_than_the_others(all_plans):
    minutes = plans.minutes_of_chapters()
    for plan in all_plans:
        read = [sum(minutes[slug] for slug in w["chapters"]) for w in plan["week"]]
        mean = sum(read) / sum(map(bool, read))
        assert max(read) <= 2 * mean, plan["weeks"]
        hours = [plans.hours(week, minutes) for week in plan["week"]]
        assert max(hours) <= WORKING_DAY, plan["weeks"]


PLAN = {
    "weeks": 2,
    "left_out": ["c"],
    "week": [{"chapters": ["a"], "run": "a"}, {"chapters": ["b"]}],
}


@pytest.mark.parametrize(
    ("chapters", "changes", "said"),
    [
        ("abcd", {}, "lacks d: put it into a week or into left_out"),
        ("ab", {}, "has c which _toc.yml has not"),
        ("abc", {"left_out": ["c", "a"]}, "has a 2 times"),
        ("abc", {"weeks": 3}, "has 2 weeks"),
        ("abc", {"week": [{"chapters": ["a", "b"], "run": "c"}, {"chapters": []}]},
         "week 1: c is not read in it"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(chapters, changes, said):
    assert list(plans.faults_of(PLAN, [*"abc"])) == []
    [fault] = plans.faults_of(PLAN | changes, [*chapters])
    assert fault.startswith("the plan of ") and said in fault


def test_a_syllabus_has_a_row_a_week_and_no_mark_left(all_plans):
    for plan in all_plans:
        text = plans.syllabus(plan)
        rows = re.findall(r"^\| (\d+) \|.*\| ([\d.]+) \|$", text, re.M)
        assert [int(week) for week, _ in rows] == list(range(1, plan["weeks"] + 1))
        whole = float(re.search(r"together ([\d.]+) hours", text)[1])
        assert whole == pytest.approx(
            sum(float(h) for _, h in rows), abs=plan["weeks"] / 4
        )
        assert not re.search(r"<[A-Z-]+>", text)


def test_a_term_without_a_plan_is_named(capsys):
    with pytest.raises(SystemExit):
        plans.main(["7"])
    assert (
        capsys.readouterr().err == "there is no plan of 7 weeks; there are 5, 10, 14\n"
    )
