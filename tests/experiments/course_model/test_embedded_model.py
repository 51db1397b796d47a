"""The course model that the project holds: its files, its answers, its scores."""

import json

from helpers import DATA
from tests.experiments.course_model.small import contents

COURSE_MODEL = DATA / "course-model"


def test_the_course_model_is_small_and_says_how_it_was_made():
    files = contents(COURSE_MODEL)
    assert {"weights.safetensors", "settings.json", "scores.json"} <= files.keys()
    assert sum(map(len, files.values())) <= 8_000_000
    settings = json.loads(files["settings.json"])
    assert settings["held_out"]


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
