"""Variants of the exercises: their texts, their solutions, and what does not pass."""

import importlib.util
import os
import re

import nbformat
import pytest

from build_tools import notebooks, variants
from build_tools.variants import VariantFault
from helpers._support.contents import chapters
from helpers.exercises import check
from helpers.exercises.variants import PUBLISHED, VARIABLE
from helpers.exercises.variants import variants as declared
from teaching import class_sets
from teaching.grading.submitted_notebook import code_cells, has_other_forms

SEED = "seed-8471"
FORMS = [(e, n) for e, forms in declared().items() for n in range(len(forms))]
FEW = ("tensors", "architecture", "semantic-search")  # quick, and of each kind
each_form = pytest.mark.parametrize(
    ("exercise", "number"),
    [
        pytest.param(e, n, marks=() if e.startswith(FEW) else pytest.mark.slow)
        for e, n in FORMS
    ],
)


@pytest.fixture(autouse=True)
def course_model(monkeypatch):
    monkeypatch.setenv("BERT_COURSE_MODEL", "embedded")
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    monkeypatch.delenv(VARIABLE, raising=False)


def page_of(exercise):
    return chapters()[exercise.rpartition(".")[0]].page


def wrong_answers(exercise):
    path = page_of(exercise).with_name("wrong_answers.py")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    names = dict(variants.solved(exercise)[0])
    return [a for a, _ in getattr(module, f"wrong_{exercise[-1]}")(names)]


def test_there_are_twenty_exercises_in_three_forms_or_more():
    assert len(declared()) >= 20
    assert all(len(forms) >= 3 for forms in declared().values())


@each_form
def test_its_solution_passes_and_the_published_one_is_named(exercise, number):
    own, published = variants.outcomes(exercise, number)
    assert own.passed, own
    assert (published.status, published.message) == ("not yet", PUBLISHED)


@each_form
def test_what_is_wrong_in_the_book_is_wrong_here(exercise, number):
    answers = wrong_answers(exercise)
    with variants.at_work({exercise: number}):
        passed = [a for a in answers if check(exercise, a).passed]
    assert not passed


@pytest.mark.parametrize(("exercise", "number"), FORMS)
def test_the_text_asks_for_the_form_and_no_longer_for_the_books(exercise, number):
    text = page_of(exercise).read_text(encoding="utf-8")
    changed = variants.varied(text, {exercise: number})
    label = f"{exercise.replace('.', '-exercise-')}\n"
    pattern = rf"exercise-start[^\n]*\n:label: {label}.*?exercise-end"
    book, own = (re.search(pattern, t, re.S)[0] for t in (text, changed))
    assert own != book and changed.replace(own, "") != text.replace(book, "")
    others = [variants.varied(text, {e: n}) for e, n in FORMS if e == exercise]
    assert len(set(others)) == len(others)


def test_the_form_alone_decides_and_without_one_it_is_the_books():
    answer = variants.handed_in("tensors.1", 0)
    with variants.at_work({"tensors.2": 0}):
        assert not check("tensors.1", answer).passed
    assert not check("tensors.1", answer).passed
    assert check("tensors.1", variants.handed_in("tensors.1", None)).passed


def test_a_wrong_answer_to_a_form_is_named_by_what_it_is():
    with variants.at_work({"tensors.2": 0}):
        outcome = check("tensors.2", lambda scores, right: -(scores.mean() ** 2))
    assert outcome.status == "not yet" and PUBLISHED not in outcome.message
    with variants.at_work({"tensors.2": 0}):
        untouched = check("tensors.2", lambda scores, right: None)
        text = check("tensors.2", lambda scores, right: "much")
    assert untouched.status == "not attempted yet"
    assert "text: 'much'" in text.message


def test_a_seed_draws_the_same_forms_and_another_seed_others():
    assert variants.drawn(SEED) == variants.drawn(SEED) != variants.drawn("autumn")
    drawn = [variants.drawn(seed) for seed in range(60)]
    assert {(e, n) for forms in drawn for e, n in forms.items()} == {*FORMS}


def test_a_form_that_replaces_what_is_not_there_is_named():
    text = page_of("tensors.2").read_text(encoding="utf-8")
    gone = text.replace("the mean loss, one number", "a mean loss, one number")
    assert gone != text
    with pytest.raises(VariantFault, match="tensors.2, logarithms.*0 times"):
        variants.varied(gone, {"tensors.2": 0})


def test_a_form_that_there_is_not_is_named(monkeypatch):
    monkeypatch.setenv(VARIABLE, "tensors.1=77")
    with pytest.raises(ValueError, match="tensors.1=77"):
        check("tensors.1", {"x": 1})


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class") / "new"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(variants, "prove", lambda forms: None)  # tested above
        patch.setattr(notebooks, "chapters", lambda root: [page_of("tensors.1")])
        class_sets.write(folder, seed=SEED)
    return folder


def sources(path):
    return [str(c.source) for c in nbformat.read(path, as_version=4).cells]


def test_the_students_set_has_the_forms_and_no_solution_or_seed(written):
    forms = variants.drawn(SEED)
    text = "\n".join(sources(written / "student/tensors.ipynb"))
    n = (6, 5, 3)[forms["tensors.1"]]
    assert f"`m` the shape `({n},)`" in text and "`m` the shape `(4,)`" not in text
    assert f"tensors.1={forms['tensors.1']}" in text
    assert "asks something else here" in text
    assert "cross_entropy_solution" not in text
    named = [p for p in written.rglob("*.*") if p.is_file() and SEED in p.read_text()]
    assert {p.relative_to(written).parts[0] for p in named} == {"instructor"}


def test_the_instructors_set_has_the_solutions_of_the_forms(written):
    base = (2, 10, 3)[variants.drawn(SEED)["tensors.2"]]
    text = "\n".join(sources(written / "instructor/tensors.ipynb"))
    assert f"torch.tensor({base}.0).log()" in text
    listed = (written / "instructor/variant.md").read_text(encoding="utf-8")
    assert all(f"| {exercise} |" in listed for exercise in declared())


def test_replies_on_a_push_go_by_the_forms(written):
    named = " ".join(variants.named(variants.drawn(SEED)).split())
    for place in (
        "template/.github/workflows/feedback.yml",
        "instructor/classroom50/autograder.py",
    ):
        assert f'"{named}"' in (written / place).read_text(encoding="utf-8")


def test_a_notebook_of_another_variant_is_told(written, monkeypatch):
    cells = code_cells((written / "student/tensors.ipynb").read_bytes())
    checks = [(0, "tensors.1"), (1, "tensors.2")]
    assert has_other_forms(cells, checks)
    monkeypatch.setenv(VARIABLE, variants.named(variants.drawn(SEED)))
    assert not has_other_forms(cells, checks)
    assert has_other_forms([], checks)
    assert not has_other_forms([], [(0, "road-to-bert.3")])


def test_without_a_seed_nothing_is_varied(tmp_path, monkeypatch):
    drawn = {e: n for e, n in variants.drawn(SEED).items() if e == "tensors.1"}
    path = page_of("tensors.1")
    plain = notebooks.as_text(path)
    assert VARIABLE not in plain and VARIABLE not in os.environ
    assert notebooks.as_text(path, forms=drawn) != plain
