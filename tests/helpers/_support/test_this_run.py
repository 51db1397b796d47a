"""A notebook's two switches, and what decides in their place."""

import pytest

from helpers import choose_run
from helpers._support import this_run
from helpers._support.this_run import what_differs
from helpers.datasets import load_coarse_wsd, load_sms_spam
from helpers.models import load_bert
from tests.bad_input import one_line

NAMES = ("BERT_COURSE_MODEL", "COARSE_WSD_HOME", "SMS_SPAM_HOME")


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch):
    for name in NAMES:
        monkeypatch.setenv(name, "")  # so that what a test sets is put back after it
        monkeypatch.delenv(name)
    monkeypatch.setattr(this_run, "_chosen", {})
    monkeypatch.setattr(this_run, "_others", {})


def test_the_usual_switches_run_the_course_model_and_the_samples(capsys):
    choose_run("embedded", "sample")
    assert capsys.readouterr().out == "MODEL: embedded; DATA: sample\n"
    assert load_bert(quiet=True).name == "embedded course model"
    frames = load_coarse_wsd("bank"), load_sms_spam()
    assert {frame.attrs["source"] for frame in frames} == {"sample"}
    assert what_differs() == ""


def test_a_switch_may_be_changed_and_changed_back(tiny_bert_folder, capsys):
    choose_run(tiny_bert_folder, "sample")
    assert load_bert(quiet=True).name == str(tiny_bert_folder)
    assert what_differs() == f"the model is {tiny_bert_folder}"
    choose_run("embedded", "sample")
    assert load_bert(quiet=True).name == "embedded course model"
    assert what_differs() == ""


def test_a_variable_that_was_set_decides_and_is_named(
    monkeypatch, tiny_bert_folder, capsys
):
    monkeypatch.setenv("BERT_COURSE_MODEL", str(tiny_bert_folder))
    monkeypatch.setenv("SMS_SPAM_HOME", "sample")
    for _ in range(2):  # whoever runs the cell again is told the same
        choose_run("embedded", "official")
        model, data = capsys.readouterr().out.strip().split("; ")
        assert model == f"MODEL: {tiny_bert_folder} (BERT_COURSE_MODEL)"
        assert data == "DATA: official, sample (SMS_SPAM_HOME)"
    assert load_bert(quiet=True).name == str(tiny_bert_folder)


def test_other_data_are_refused_and_nothing_is_chosen():
    message = one_line(ValueError, lambda: choose_run("embedded", "/my/data"))
    assert "'/my/data'" in message and "COARSE_WSD_HOME" in message
    assert this_run._chosen == {}


def test_the_encoder_of_sentences_is_no_other_model_but_as_the_model_it_is(monkeypatch):
    from helpers.models import load_sentence_encoder

    load_sentence_encoder(quiet=True)
    assert what_differs() == ""
    load_bert("embedded-encoder", quiet=True)
    assert what_differs() == "the model is all-MiniLM-L6-v2"
