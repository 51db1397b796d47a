"""The scores: each is what its definition says, on data made for it."""

import gzip
import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch

from experiments.course_model import scores as course_scores
from helpers import DATA, models
from helpers.corpus import encode_files
from helpers.corpus.masking import IGNORED
from tests.experiments.course_model.small import bare_base, paragraph, write_corpus

LONG = "The <unk> of the old harbour was <unk> by a storm , so that the boats of the "
LONG += "village lay on the sand for many weeks ."
WIKITEXT = f" \n = Harbour = \n \n {LONG} \n Too short . \n = = {LONG} = = \n \n"


@pytest.mark.parametrize("place", ["valid.txt", "valid.txt.gz", "other.txt"])
def test_wikitext_without_headings_and_short_lines(tmp_path, monkeypatch, place):
    path = tmp_path / place
    data = WIKITEXT.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    home = path if place == "other.txt" else tmp_path
    monkeypatch.setenv("WIKITEXT_HOME", str(home))
    assert course_scores.read_wikitext() == [LONG.replace("<unk>", "[UNK]")]
    [printed] = course_scores.read_wikitext(as_printed=True)
    assert "by a storm, so that" in printed and printed.endswith("many weeks.")


def test_missing_wikitext_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("WIKITEXT_HOME", raising=False)
    with pytest.raises(FileNotFoundError, match="WIKITEXT_HOME does not name"):
        course_scores.read_wikitext()
    with pytest.raises(FileNotFoundError, match=r"no valid.txt\(.gz\) in"):
        course_scores.read_wikitext(tmp_path)
    (tmp_path / "valid.txt").write_text("Too short .\n")
    with pytest.raises(ValueError, match="no line of over 20 words"):
        course_scores.read_wikitext(tmp_path)


@pytest.fixture
def frequent_words_bert(tiny_bert_folder, tmp_path):
    """A tiny model whose guesses are often right: it prefers the corpus's words."""
    tokenizer = models.load_tokenizer(tiny_bert_folder)
    base = bare_base(tiny_bert_folder)
    text = " ".join(paragraph(np.random.default_rng(1)) for _ in range(50))
    ids = torch.tensor(tokenizer(text, add_special_tokens=False)["input_ids"])
    counts = torch.bincount(ids, minlength=len(tokenizer))
    with torch.no_grad():
        base.cls.predictions.bias.copy_(2 * counts.log1p())
    base.save_pretrained(tmp_path / "frequent")
    tokenizer.save_pretrained(tmp_path / "frequent")
    return models.load_bert(tmp_path / "frequent")


def test_masked_scores_are_those_of_the_whole_model(frequent_words_bert, monkeypatch):
    """The loss of transformers' own head over whole batches, and plain counting."""
    tiny_bert = frequent_words_bert
    batches = []

    def mask(*arguments, **options):
        batches.append(mask_tokens(*arguments, **options))
        return batches[-1]

    mask_tokens = course_scores.mask_tokens
    monkeypatch.setattr(course_scores, "mask_tokens", mask)
    rng = np.random.default_rng(0)
    lines = [paragraph(rng) + " [UNK]" for _ in range(19)] + ["word " * 300]
    scores = course_scores.score_masked(tiny_bert, lines)
    losses, places, fates = [], [], []
    for ids, labels in batches:
        assert ids.shape[1] <= 128
        real = (ids != tiny_bert.tokenizer.pad_token_id).long()
        with torch.no_grad():
            logits = tiny_bert.mlm(ids, attention_mask=real).logits
        for row, column in (labels != IGNORED).nonzero().tolist():
            label = labels[row, column]
            assert label != tiny_bert.tokenizer.unk_token_id
            seen = ids[row, column].item()
            own = "kept" if seen == label.item() else "random"
            mask = tiny_bert.tokenizer.mask_token_id
            fates.append("masked" if seen == mask else own)
            losses.append(-logits[row, column].log_softmax(-1)[label].item())
            best = logits[row, column].topk(9).indices.tolist()
            places.append(best.index(label) if label in best else 9)
    assert {0, 1, 4, 5} <= set(places)  # else the shares would show little
    assert scores["targets"] == len(losses) > 100
    assert scores["loss"] == pytest.approx(np.mean(losses), rel=1e-4)
    assert scores["top1"] == np.mean(np.array(places) < 1)
    assert scores["top5"] == np.mean(np.array(places) < 5)
    for fate in ("masked", "random", "kept"):
        here = np.array(fates) == fate
        apart = scores[fate]
        assert apart["targets"] == here.sum() > 0
        assert apart["loss"] == pytest.approx(np.array(losses)[here].mean(), rel=1e-4)
        assert apart["top1"] == np.mean(np.array(places)[here] < 1)
    assert course_scores.score_masked(tiny_bert, lines) == scores
    assert course_scores.score_masked(tiny_bert, lines, seed=1) != scores


def test_next_sentence_pairs_are_held_out_and_half_of_them_follow(
    tiny_bert, trained, corpus, monkeypatch
):
    drawn, held_out = [], json.loads((trained.folder / "settings.json").read_text())
    held_out = held_out["held_out"]

    def truth(bert, pairs):
        drawn.extend(pairs)
        return np.array([pair[2] for pair in pairs])

    monkeypatch.setattr(course_scores, "_follows", truth)
    scores = course_scores.score_next(tiny_bert, corpus, held_out)
    baselines = {"bag_of_words", "mean_vectors"}
    assert scores.keys() == {"accuracy", "standard_error", "pairs"} | baselines
    assert scores["accuracy"] == 1 and scores["pairs"] == len(drawn) == 40
    assert sum(pair[2] for pair in drawn) == 20
    text = encode_files([corpus / held_out[0]], tiny_bert.tokenizer)
    text = [" ".join(map(str, np.concatenate(document))) for document in text]
    for first, *_ in drawn:
        run = " ".join(map(str, first))
        assert any(run in document for document in text)


def test_rivals_for_the_next_sentence_learn_from_texts_of_the_same_kind(
    tiny_bert, tmp_path, monkeypatch
):
    for kind in ("books", "lists"):
        write_corpus(tmp_path / kind, n_files=4)
    draw, read = course_scores._draw_pairs, []

    def noted(files, *others):
        read.append(list(files))
        return draw(files, *others)

    monkeypatch.setattr(course_scores, "_draw_pairs", noted)
    course_scores.score_next(tiny_bert, tmp_path, ["books/1.txt"])
    test, learned = read
    assert [file.name for file in test] == ["1.txt"]
    assert {file.parent.name for file in learned} == {"books"}
    assert "1.txt" not in {file.name for file in learned}


def test_the_head_answers_0_for_a_part_that_follows(tiny_bert):
    rng = np.random.default_rng(0)
    pairs = [(rng.integers(2000, 9000, 9), rng.integers(2000, 9000, 5), True)] * 20
    answers = course_scores._follows(tiny_bert, pairs)
    first, second = (tiny_bert.tokenizer.decode(part) for part in pairs[0][:2])
    expected = tiny_bert.predict_next(first, second) > 0.5
    assert answers.tolist() == [expected] * 20


def test_files_that_were_held_out_must_be_there(tiny_bert, corpus):
    with pytest.raises(ValueError, match=r"lacks files .*\(gone.txt\)"):
        course_scores.score_next(tiny_bert, corpus, ["gone.txt"])
    with pytest.raises(ValueError, match="training held out no file"):
        course_scores.score_next(tiny_bert, corpus, [])


def test_the_bag_of_words_baseline_sees_repeated_words_and_nothing_else(tiny_bert):
    rng = np.random.default_rng(0)

    def pairs(count, words_tell):
        made = []
        for number in range(count):
            topics = rng.permutation(np.arange(3000, 9000)).reshape(60, 100)
            follows = number % 2 == 0
            second = topics[0] if follows or not words_tell else topics[1]
            made.append((rng.choice(topics[0], 50), rng.choice(second, 50), follows))
        return made

    tell = course_scores.bag_of_words_baseline(
        pairs(200, True), pairs(200, True), tiny_bert.tokenizer
    )
    silent = course_scores.bag_of_words_baseline(
        pairs(200, False), pairs(200, False), tiny_bert.tokenizer
    )
    assert tell > 0.97
    assert abs(silent - 0.5) < 0.12


def test_word_senses_are_averaged_by_layer(tiny_bert, monkeypatch):
    rows = [
        *(("bank", "layer", layer, 10, 0.9, 0.8) for layer in (0, 1, 2)),
        *(
            ("seal", "layer", layer, 90, 0.1 * layer, 0.2 * layer)
            for layer in (0, 1, 2)
        ),
        ("bank", "majority", None, 10, 0.6, 0.4),
    ]
    columns = ["word", "method", "layer", "n", "accuracy", "macro_f1"]
    table = pd.DataFrame(rows, columns=columns).astype({"layer": "Int64"})
    monkeypatch.setattr("helpers.senses.evaluate_all", lambda bert, dtype: table)
    monkeypatch.setenv("COARSE_WSD_HOME", str(DATA / "coarse-wsd-20-mini"))
    scores = course_scores.score_senses(tiny_bert)
    assert scores["accuracy_by_layer"] == pytest.approx([0.45, 0.5, 0.55])
    assert scores["macro_f1_by_layer"] == pytest.approx([0.4, 0.5, 0.6])
    assert scores["accuracy"] == scores["accuracy_by_layer"][2]
    assert scores["macro_f1"] == scores["macro_f1_by_layer"][2]


def test_cloze_hits_are_counted_in_the_top_5(tmp_path):
    def predict_masked(text, top):
        words = "one two three four five six".split()
        return [[(word, 0.1) for word in words[:top]]]

    path = tmp_path / "cloze.tsv"
    path.write_text("A [MASK].\tfive,nine\nB [MASK].\tsix\nC [MASK].\tone\n")
    fake = SimpleNamespace(missing={}, predict_masked=predict_masked)
    scores = course_scores.score_cloze(fake, path)
    error = pytest.approx((2 / 3 / 3 / 3) ** 0.5)
    assert scores == {
        "top5": 2 / 3,
        "standard_error": error,
        "hits": 2,
        "sentences": 3,
        "top1": 1 / 3,
    }


def read_cloze(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("name", "count"), [("cloze", 40), ("cloze-everyday", 200)])
def test_the_cloze_sentences_have_words_of_one_piece(name, count, tokenizer):
    rows = read_cloze(DATA / f"{name}.tsv")
    assert len({sentence for sentence, _ in rows}) == len(rows) == count
    for sentence, accepted in rows:
        words = accepted.split(",")
        assert sentence.count("[MASK]") == 1
        assert 1 <= len(set(words)) == len(words)
        assert all(tokenizer.tokenize(word) == [word] for word in words)


def test_no_cloze_sentence_is_in_both_files():
    rows = read_cloze(course_scores.CLOZE) + read_cloze(course_scores.CLOZE_EVERYDAY)
    assert len(dict(rows)) == 240


def test_mean_vectors_tell_parts_of_one_subject(tiny_bert):
    rng, made = np.random.default_rng(0), []
    for number in range(120):
        topics = rng.integers(2000, 9000, (2, 3))
        second = topics[0] if number % 2 else topics[1]
        made.append((np.tile(topics[0], 5), np.tile(second, 5), bool(number % 2)))
    assert course_scores.mean_vectors_baseline(made[:80], made[80:]) > 0.9
