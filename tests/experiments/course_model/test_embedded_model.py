"""The course model that the project holds: its files, its answers, its scores."""

import json

from helpers import DATA

COURSE_MODEL = DATA / "course-model"


def test_the_course_model_is_small_and_says_how_it_was_made():
    files = {path.name: path.read_bytes() for path in COURSE_MODEL.iterdir()}
    assert {"weights.safetensors", "settings.json", "scores.json"} <= files.keys()
    assert sum(map(len, files.values())) <= 8_000_000
    settings = json.loads(files["settings.json"])
    assert settings["held_out"]


def test_the_scores_of_the_course_model_do_not_fall_behind():
    scores = json.loads((COURSE_MODEL / "scores.json").read_text())
    assert scores["model"] == "embedded course model"
    assert scores["masked"]["loss"] <= 3.66
    assert scores["masked"]["top1"] >= 0.41
    assert scores["cloze"]["top5"] >= 0.75
    assert scores["everyday"]["top5"] >= 0.72
    assert scores["senses"]["accuracy"] >= 0.917
    assert scores["next"]["accuracy"] >= 0.87
    assert scores["similarity"] >= 0.85
    assert scores["terms"]["commonest"] <= 36
    for baseline in ("bag_of_words", "mean_vectors"):
        assert scores["next"]["accuracy"] > scores["next"][baseline]


def test_the_cloze_sentences_are_different_and_have_words_of_one_piece(tokenizer):
    files = (DATA / "cloze.tsv", DATA / "cloze-everyday.tsv")
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    rows = [line.split("\t") for line in lines]
    assert len(dict(rows)) == len(rows) == 240
    for sentence, accepted in rows:
        words = accepted.split(",")
        assert sentence.count("[MASK]") == 1
        assert 1 <= len(set(words)) == len(words)
        assert all(tokenizer.tokenize(word) == [word] for word in words)
