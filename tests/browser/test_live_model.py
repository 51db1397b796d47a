"""The live model against PyTorch: the same pieces, words, attention and senses."""

import random

import numpy as np
import pytest

from build_tools.live.widgets import WIDGETS
from chapters.seeing_attention.patterns import head_scores, pattern_targets
from helpers import DATA
from helpers.attention import read_attention
from helpers.corpus import read_documents
from helpers.datasets import coarse_wsd_words, load_coarse_wsd
from helpers.embeddings import embed_words
from helpers.senses import nearest_sense
from tests.browser.live_model import PAGES, QUESTIONS, ask, connect

pytestmark = pytest.mark.browser
TIE = 0.015  # of cosines: the live model has weights of 8 bits

ODD = [
    "the\u061dcat \u061d",
    "Zoë's New-York café costs $3.14!",
    "TABS\tand\nlines\r\nand\u00a0no-break\u2003spaces",
    "🦩🦩 flamingo 👩‍👩‍👧 family ☂",
    "meine Schwester trinkt Wasser, die Katze schläft",
    "моя сестра пьёт воду",
    "أختي تشرب الماء",
    "मेरी बहन पानी पीती है",
    "我的姐姐在喝水 猫在椅子上睡觉",
    "κιμάται στην καρέκλα, İstanbul, ﬁne ﬂour, Ångström, ß",
    "zero\u200bwidth, soft\u00adhyphen, control\u0001, replacement \ufffd",
    "[MASK] the [CLS] and [SEP] and [mask] and ##ing",
    "https://example.org/a?b=c#d e-mail@example.org",
    "pneumonoultramicroscopicsilicovolcanoconiosis " + "x" * 101,
    "'single' \"double\" “curly” `tick` <b>&amp;</b> a_b a/b a\\b {c} ~",
    "two\U00020000of \U0002a700\U0002ceaf three\U0002f800",
    "e\u0301 and é, Å and Å, 한국어 조선글",
]


def sentences():
    """200 sentences: odd ones, word senses, spam, stories."""
    rng = random.Random(0)
    senses = [" ".join(words) for words, *_ in sense_rows()]
    spam = [
        line.split("\t", 1)[1]
        for line in (DATA / "sms-spam-mini/messages.tsv").read_text("utf-8").split("\n")
        if "\t" in line
    ]
    stories = [" ".join(s) for s in read_documents(DATA / "next-sentence.txt")]
    chosen = ODD + rng.sample(senses, 103) + rng.sample(spam, 50)
    return chosen + rng.sample(stories, 30)


def sense_rows(n=10):
    """(words, position, word, label) of test sentences, at most n a word."""
    rows = []
    for word in coarse_wsd_words():
        test = load_coarse_wsd(word, "test").sample(frac=1, random_state=0)
        found = [
            (row.sentence, row.word_pos, word, row.sense)
            for row in test.itertuples()
            # the live page takes the first mention of the word
            if row.sentence.index(row.sentence[row.word_pos]) == row.word_pos
            and row.sentence[row.word_pos] == word
        ]
        rows += found[:n]
    return rows


def with_hole(text, rng):
    """The text with one of its words, of two letters or more, hidden."""
    words = text.split()
    places = [i for i, word in enumerate(words) if word.isalpha() and len(word) > 1]
    if not places:
        return None
    words[rng.choice(places)] = "[MASK]"
    return " ".join(words)


@pytest.fixture(autouse=True)
def sample(monkeypatch):
    monkeypatch.setenv("COARSE_WSD_HOME", "sample")


@pytest.fixture(scope="module")
def visit(open_for_all, server):
    """A page that can search, with the model loaded for all tests."""
    visit = open_for_all(f"{server}/{PAGES['search']}")
    connect(visit, WIDGETS["search"].parts)
    return visit


def test_200_sentences_are_cut_into_the_same_pieces(visit, bert):
    texts = sentences()
    assert len(texts) == 200
    answers = ask(visit, [["tokens", text] for text in texts])
    for text, read in zip(texts, answers, strict=True):
        assert read["ids"] == bert.tokenizer(text)["input_ids"], text
        assert read["tokens"] == bert.tokenizer(text).tokens(), text
    pairs = list(zip(texts[:20], texts[20:40], strict=True))
    for pair, read in zip(
        pairs, ask(visit, [["tokens", *pair] for pair in pairs]), strict=True
    ):
        assert read["segments"] == bert.tokenizer(*pair)["token_type_ids"]


def compared_guesses(visit, bert, n):
    """For n hidden words: is the first guess the same, how many of five are."""
    rng = random.Random(1)
    texts = [with_hole(text, rng) for text in sentences()[len(ODD) :] * 2]
    texts = [text for text in texts if text][:n]
    answers = ask(visit, [["masked", text] for text in texts])
    first, shared = [], []
    for text, [found] in zip(texts, answers, strict=True):
        [expected] = bert.predict_masked(text)
        expected, found = [p for p, _ in expected], [row["piece"] for row in found]
        first.append(found[0] == expected[0])
        shared.append(len(set(found) & set(expected)))
    return np.array(first), np.array(shared)


def compared_attention(visit, bert, n):
    """The differences of all weights: the largest and the mean of each text."""
    texts = sentences()[:n]
    largest, means = [], []
    for text, found in zip(
        texts, ask(visit, [["attention", text, ""] for text in texts]), strict=True
    ):
        expected = read_attention(bert, text).attention
        off = np.abs(found["weights"].reshape(expected.shape) - expected)
        largest.append(off.max())
        means.append(off.mean())
    return np.array(largest), np.array(means)


OF_PAGE = {"same or related word": "same word"}
# For each pattern, the layer and head that the page takes for the strongest.
STRONGEST = """async ([first, second]) => {
  const {strongest, targetsOf} = await import(window.liveCode + "model/patterns.js");
  const read = await window.live.ask("attention", first, second);
  return Object.fromEntries(Object.entries(targetsOf(read)).map(([name, targets]) => {
    const best = strongest(read, targets);
    return [name, best && [best.layer, best.head]];
  }));
}"""


def strongest_heads(bert, texts):
    """For each pattern, the layer and head that the chapter takes for the strongest."""
    reading = read_attention(bert, *texts)
    found = {}
    for name, targets in pattern_targets(reading).items():
        scores = head_scores(reading.attention, targets)
        best = [int(at) for at in np.unravel_index(scores.argmax(), scores.shape)]
        found[OF_PAGE.get(name, name)] = best if targets.any() else None
    return found


def compared_senses(visit, bert, rows):
    """For each row: does the live model's vector get the sense that PyTorch's gets?"""
    vectors = ask(visit, [["vector", " ".join(row[0]), row[2]] for row in rows])
    live = np.stack([answer["vector"] for answer in vectors])
    words, positions = [row[0] for row in rows], [row[1] for row in rows]
    own = embed_words(bert, words, positions, (-1,), "float32")
    same = []
    for word in {row[2] for row in rows}:
        train = load_coarse_wsd(word)
        means = embed_words(bert, train.sentence, train.word_pos, (-1,), "float32")
        mine = [i for i, row in enumerate(rows) if row[2] == word]
        answers = [nearest_sense(means, train.sense, v[mine]) for v in (live, own)]
        same += (answers[0] == answers[1]).tolist()
    return np.array(same)


def test_a_few_sentences_get_the_same_answers(visit, bert):
    first, shared = compared_guesses(visit, bert, 12)
    assert first.mean() >= 0.9 and shared.min() >= 3
    largest, means = compared_attention(visit, bert, 5)
    assert largest.max() <= 0.1 and means.max() <= 0.005
    assert compared_senses(visit, bert, sense_rows(1)[:6]).all()
    pair = "I went to the store.", "They were out of milk."
    [share] = ask(visit, [["next", *pair]])
    assert abs(share - bert.predict_next(*pair)) < 0.05
    text = "The [MASK] barked at the [MASK]."
    [found] = ask(visit, [["masked", text]])
    firsts = [rows[0]["piece"] for rows in found]
    assert firsts == [rows[0][0] for rows in bert.predict_masked(text)]


TEXTS = [
    ("The cook ate strawberries.", "The strawberries, the cook said, were sour."),
    ("The crane . The crane lifts a girder .", ""),
    ("Nothing comes twice here.", ""),
]


def test_the_strongest_heads_are_those_of_the_chapter(visit, bert):
    for texts in TEXTS:
        found = visit.page.evaluate(STRONGEST, texts)
        assert found == strongest_heads(bert, texts), texts


def test_questions_find_the_same_sections_as_in_python(visit, bert):
    """The three nearest, but for sections whose cosines are as good as equal."""
    from build_tools.book_search import index, vectors
    from build_tools.book_search import search_page as page
    from build_tools.live.payload import ROOT

    paragraphs = page.paragraphs_in(ROOT, ROOT / "_build/html")
    raw = vectors.vectors_of([p.text for p in paragraphs], ROOT / page.KEPT)
    built = index.index_of(paragraphs, raw)
    scores = built.scores(vectors.mean_vectors(bert, QUESTIONS))
    answers = ask(visit, [["search", question, None] for question in QUESTIONS])
    assert len(answers) == len(QUESTIONS)
    for row, answer in zip(scores, answers, strict=True):
        best = {built.sections[i]: row[i] for i in built.ranked(row)}
        places = [(p.page, p.anchor) for p in paragraphs]
        found = [(one["page"], one["anchor"]) for one in answer["meaning"]]
        assert len(found) == len(set(found)) == 5  # each section once
        number = dict(zip(places, built.sections, strict=True))
        third = sorted(best.values())[-3]
        for found in answer["meaning"][:3]:
            cosine = best[number[found["page"], found["anchor"]]]
            assert cosine > third - TIE and abs(found["cosine"] - cosine) < TIE


@pytest.mark.weekly
def test_200_sentences_get_the_same_answers(visit, bert):
    first, shared = compared_guesses(visit, bert, 200)
    largest, means = compared_attention(visit, bert, 200)
    senses = compared_senses(visit, bert, sense_rows(10))
    assert len(first) == len(means) == len(senses) == 200
    assert first.mean() >= 0.97
    assert (shared >= 4).mean() >= 0.95
    assert largest.max() <= 0.1
    assert means.mean() <= 0.005
    assert senses.mean() >= 0.98
