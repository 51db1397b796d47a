"""Grading without judges: what each notebook passes is said beforehand."""

import pytest

from helpers.exercises.checks import exercises
from teaching.grading import __main__ as command
from teaching.grading.submission_grade import Grade

SLUG = "word-senses"
IDS = [e for e in exercises() if e.startswith(f"{SLUG}.")]
MOODLE = """\
First name;Last name;ID number;Email address;Last downloaded from this course
Anna;Müller;A-7001;anna.mueller@example.org;1764000000
=1+1;Ng;A-7002;ng@example.org;1764000000
Ana;Li Chen;A-7003;li@example.org;1764000000
Ana;Li;A-7004;ana@example.org;1764000000
"""


class NoJudges:
    """Stands in for the judges: nothing runs here."""

    def close(self):
        pass


@pytest.fixture
def hand_in(tmp_path, monkeypatch):
    """Write notebooks and grade them, as (what was passed, options, ...) says."""
    monkeypatch.setattr(command.sandbox, "fault", lambda: None)
    monkeypatch.setattr(command, "Judges", NoJudges)

    def run(passed, *options, then=None, roster=MOODLE):
        def graded(path, *_):
            if then:
                then()
            statuses = passed.get(path.relative_to(tmp_path / "in").as_posix())
            return Grade(dict(zip(IDS, statuses or [], strict=bool(statuses))))

        monkeypatch.setattr(command, "grade_submission", graded)
        for name in passed:
            (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "in" / name).write_text("{}")
        (tmp_path / "roster.csv").write_text(roster, encoding="utf-8")
        files = {"--out": "grades.csv", "--roster": "roster.csv"}
        given = [w for name in files for w in (name, str(tmp_path / files[name]))]
        return command.main([str(tmp_path / "in"), *given, *map(str, options)])

    return run
