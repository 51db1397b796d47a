"""A layer drawn, as code and as printed: what belongs together has one name."""

from collections import Counter

import pytest
from bs4 import BeautifulSoup

from chapters.architecture.linked import STEPS, linked, not_printed, printed_lines

CODE = "def layer(x):\n" + "".join(
    f"    {step.code} and <{step.key}>  # comment\n" for step in STEPS
)


@pytest.fixture(scope="module")
def printout(tiny):
    return str(tiny.model.encoder.layer[0])


@pytest.fixture(scope="module")
def shown(printout):
    return BeautifulSoup(linked(printout, CODE), "html.parser")


def test_each_step_is_drawn_computed_and_where_it_is_printed_printed(shown):
    drawn = Counter(part["data-part"] for part in shown.select("svg [data-part]"))
    lines = Counter(line["data-part"] for line in shown.select("fieldset [data-part]"))
    prints = Counter(part["data-part"] for part in shown.select(".texts > label"))
    assert drawn == lines == Counter({step.key: 1 for step in STEPS})
    assert prints == Counter({s.key: 1 for s in STEPS if s.key not in not_printed()})


def test_what_is_not_printed_is_dashed_and_says_so(shown):
    dashed = {g["data-part"] for g in shown.select("g:has([stroke-dasharray])")}
    said = {s["data-part"] for s in shown.select(".said span") if "No line" in s.text}
    assert dashed == said == set(not_printed())


def test_a_printed_line_chooses_its_line_of_code(shown):
    for line in shown.select("label[for]"):
        [radio] = shown.select(f"input#{line['for']}")
        assert radio.parent["data-part"] == line["data-part"]
        assert f"<{line['data-part']}>" in radio.parent.text
        assert shown.find(id=radio["aria-describedby"]).text


def test_one_line_is_chosen_at_the_start_and_comments_are_left_out(printout, shown):
    assert len(shown.select("input[checked]")) == 1
    assert "comment" not in shown.text and "script" not in str(shown)
    other = BeautifulSoup(linked(printout, CODE, "bend"), "html.parser")
    assert other.select_one("input[checked]").parent["data-part"] == "bend"


def test_paths_follow_the_indentation(printout, tiny):
    modules = {name for name, _ in tiny.model.encoder.layer[0].named_modules() if name}
    assert set(printed_lines(printout)) == modules
