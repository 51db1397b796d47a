"""The files to take home learn from a CSV, and another process reads the model back."""

import importlib.util
import json
import random
import subprocess
import sys

import pandas as pd
import pytest

from build_tools.notebooks.exporter import ROOT
from helpers.models import embedded_encoder

KIT = {path.stem: path for path in ROOT.glob("chapters/*/take-home/*.py")}
QUICK = {"num_train_epochs": 5, "disable_tqdm": True}
ANIMALS = "cat dog horse cow bird fish sheep goat lion bear".split()
PLACES = "london paris rome berlin vienna madrid lisbon athens".split()
pytestmark = pytest.mark.slow


def child(name, *words):
    """Run Python in the folder of a file of the kit, with that model class at hand."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=KIT[name].parent,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def learn(name, rows, folder, rate=5e-4, **choices):
    """Train on rows as the file does, but quickly; returns what it printed."""
    csv = folder.with_suffix(".csv")
    pd.DataFrame(rows).to_csv(csv, index=False)
    program = (
        f"import json, {name} as kit, sys\n"
        "settings, choices, csv, folder, model = map(json.loads, sys.argv[1:])\n"
        "kit.SETTINGS.update(settings)\n"
        "vars(kit).update(choices)\n"
        "made = kit.train(kit.read(csv), model)\n"
        "for part in made if isinstance(made, tuple) else [made]:\n"
        "    part.save_pretrained(folder)\n"
    )
    settings = QUICK | {"learning_rate": rate}
    places = str(csv), str(folder), str(embedded_encoder())
    given = map(json.dumps, (settings, choices, *places))
    done = child(name, "-c", program, *given)
    assert done.returncode == 0, done.stderr[-1500:]
    return done.stdout


@pytest.mark.parametrize(("rank", "rate"), [(0, 5e-4), (4, 5e-3)])
def test_a_classifier_knows_its_labels(tmp_path, rank, rate):
    from transformers import pipeline

    kinds = {"i saw": "wild", "we fed": "tame"}
    rows = [
        {"text": f"{start} a {animal} in {place}", "label": label}
        for start, label in kinds.items()
        for animal in ANIMALS
        for place in PLACES[:3]
    ]
    rows += [{"text": "", "label": "tame"}, rows[0]]
    told = learn("classifier", rows, tmp_path / "model", rate, LORA=rank)
    assert "60 texts; 2 empty or repeated" in told
    classify = pipeline("text-classification", str(tmp_path / "model"))
    texts = ["i saw a bear in cairo", "we fed a cat in cairo", "we fed a dog in oslo"]
    assert [found["label"] for found in classify(texts)] == ["wild", "tame", "tame"]


def test_a_tagger_finds_words_in_sentences_it_has_not_seen(tmp_path):
    from transformers import pipeline

    draw, rows = random.Random(0), []
    for n in range(60):
        words = f"the {draw.choice(ANIMALS)} went to {draw.choice(PLACES[:6])}".split()
        tags = ["O", "ANIMAL", "O", "O", "PLACE"]
        rows += [
            {"sentence": n, "word": w, "tag": t}
            for w, t in zip(words, tags, strict=True)
        ]
    rows.append({"sentence": 60, "word": "", "tag": "O"})
    told = learn("tagger", rows, tmp_path / "model")
    assert "60 sentences; 1 rows" in told
    tag = pipeline(
        "token-classification", str(tmp_path / "model"), aggregation_strategy="first"
    )
    found = {one["word"]: one["entity_group"] for one in tag("the cow went to athens")}
    assert found["cow"] == "ANIMAL" and found["athens"] == "PLACE"


def test_a_reader_finds_the_answer_and_keeps_silent(tmp_path):
    draw, rows = random.Random(0), []
    for n in range(60):
        a, p = draw.choice(ANIMALS), draw.choice(PLACES)
        passage = f"on day {n} the {a} went to {p}"
        rows.append({"question": "where", "passage": passage, "answer": p})
        rows.append({"question": "why", "passage": passage, "answer": ""})
    rows.append({"question": "who", "passage": "nobody", "answer": "somebody"})
    told = learn("reader", rows, tmp_path / "model")
    assert "120 questions; 1 whose answer" in told
    reader = loaded("reader")
    passage = "on day 90 the lion went to rome"
    assert reader.answer(tmp_path / "model", "where", passage) == "rome"
    assert reader.answer(tmp_path / "model", "why", passage) == ""


def test_an_answer_in_a_later_window_has_its_place_there_alone(tiny_bert_folder):
    from transformers import AutoTokenizer

    reader = loaded("reader")
    tokenizer = AutoTokenizer.from_pretrained(tiny_bert_folder, model_max_length=12)
    passage = "one two three four five six seven eight nine ten eleven twelve thirteen"
    row = pd.Series({"question": "what", "passage": passage, "answer": "eleven twelve"})
    rows = reader.encode(row, tokenizer)
    spans = [(r["start_positions"], r["end_positions"]) for r in rows]
    read = [
        tokenizer.decode(r["input_ids"][a : b + 1])
        for r, (a, b) in zip(rows, spans, strict=True)
    ]
    assert len(rows) > 1 and read[0] == "[CLS]" and "eleven twelve" in read
    assert set(read) == {"[CLS]", "eleven twelve"}


def test_an_encoder_brings_what_belongs_together_close(tmp_path):
    from sentence_transformers import SentenceTransformer

    rows = [
        {"anchor": f"{n} {a}", "positive": f"a {a} of {p}"}
        for n, p in enumerate(PLACES)
        for a in ANIMALS
    ]
    told = learn("sentence_encoder", [*rows, rows[0]], tmp_path / "model")
    assert "80 pairs; 1 empty or repeated" in told
    encoder = SentenceTransformer(str(tmp_path / "model"))
    ours, theirs = (encoder.encode([f"{w} {a}" for a in ANIMALS]) for w in ("30", "a"))
    nearest = encoder.similarity(ours, theirs).argmax(1).tolist()
    assert sum(i == n for i, n in enumerate(nearest)) >= 8


@pytest.mark.parametrize("name", KIT)
def test_a_file_of_other_columns_gets_one_line(tmp_path, name):
    csv = tmp_path / "mine.csv"
    csv.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="mine.csv: no column"):
        loaded(name).read(csv)
    assert "helpers" not in KIT[name].read_text(encoding="utf-8")


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path):
    done = child("classifier", "classifier.py", "mine.csv", tmp_path, "a-model")
    assert done.returncode and "NEW_FOLDER" in done.stderr.splitlines()[-1]


def loaded(name):
    spec = importlib.util.spec_from_file_location(name, KIT[name])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
