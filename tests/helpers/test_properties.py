"""Any input gives a right result or one line that says what is wrong with it."""

import html
import json
import math
import re

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from helpers import datasets, plotting, senses, spam
from helpers._support.contents import chapters
from helpers.attention import head_scores, read_attention
from helpers.attention.views import head_view
from helpers.corpus import read_documents, read_words
from helpers.embeddings import embed_words
from helpers.exercises import check
from helpers.exercises.passed import Progress
from helpers.exercises.quizzes import Quiz
from helpers.masking import mask_tokens, split_sentences
from helpers.models import load_bert
from tests.bad_input import answered, one_line

few = settings(max_examples=25, derandomize=True, deadline=None, database=None)
many = settings(max_examples=60, derandomize=True, deadline=None, database=None)
STRANGE = [
    "", " ", "...!?", "\x00\x07\x1b[0m", "\u200d\ufeff", "שלום عالم", "👩🏽\u200d🚀❤️",
    "e\u0301é", "[CLS]", "[SEP] [MASK]", "[MASK]", "a\u2028b", "\ud83d", "x" * 600,
    "<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>",
    "$$\\frac{1}{0}$$",
]  # fmt: skip
texts = st.one_of(st.text(max_size=40), st.sampled_from(STRANGE))
sentences = st.lists(texts, max_size=8)
JUNK = [
    None, ..., True, 3, -1, 10**30, 2.5, float("nan"), float("inf"), "words", b"bytes",
    [], {}, [None], {"a": 1}, np.nan, np.zeros(0), np.full((2, 3), np.nan), object(),
    torch.zeros(2, 2), lambda *_: "x", Exception("e"), {1, 2}, [[1], [2, 3]],
]  # fmt: skip


@pytest.fixture(scope="module")
def tiny(tiny_bert_folder):
    return load_bert(tiny_bert_folder, "cpu")


# Embeddings


@few
@given(words=sentences, position=st.integers(-3, 10))
@example(words=["the", "crane", "rose"], position=1)
@example(words=["[MASK]", "[CLS]", "crane", "[SEP]"], position=2)
@example(words=["crane"] * 600, position=599)
@example(words=["a", "\ud83d", "crane"], position=2)
def test_any_words_give_the_vector_of_the_chosen_one_or_a_line(tiny, words, position):
    def embed(*rows):
        return embed_words(tiny, *zip(*rows, strict=True), [-1], "float32")

    alone = answered(lambda: embed((words, position)), ValueError)
    if alone is None:
        return
    assert alone.shape == (1, tiny.hidden_size) and np.isfinite(alone).all()
    # neither company nor a repeat changes it
    other = (["a", "longer", "sentence", "than", "that", "one"] * 3, 4)
    three = embed(other, (words, position), (words, position))
    assert np.abs(three[1:] - alone).max() < 1e-4


def test_ten_thousand_words_are_read_around_the_chosen_one(tiny):
    words = ["deck", "of", "cards", "."] * 2500
    words[7000] = "crane"
    far = [*reversed(words[:6000]), *words[6000:8000], *reversed(words[8000:])]
    vectors = [
        embed_words(tiny, [w], [w.index("crane")], [-1], "float32")
        for w in (words, far)
    ]
    assert np.abs(vectors[0] - vectors[1]).max() < 1e-5


@few
@given(position=st.one_of(st.integers(), st.floats(), texts, st.sampled_from(JUNK)))
def test_position_that_is_none_is_never_taken_for_another(tiny, position):
    words = ["the", "crane", "rose"]
    vector = answered(lambda: embed_words(tiny, [words], [position], [-1]), ValueError)
    assert (vector is not None) == (_is_whole(position) and 0 <= position < 3)


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: type(junk).__name__)
def test_positions_that_are_none_are_refused_in_one_line(tiny, junk):
    one_line(ValueError, lambda: embed_words(tiny, [["crane"]], junk, [-1]))


def _is_whole(number):
    return isinstance(number, int | np.integer)


@few
@given(words=st.lists(st.sampled_from(["a", "crane", "[MASK]", "!"]), max_size=4))
def test_static_vectors_leave_out_one_word_or_refuse(tiny, words):
    for position in range(-2, len(words) + 2):
        vector = answered(
            lambda p=position: senses.static_context_vectors(tiny, [words], [p]),
            ValueError,
        )
        assert (vector is not None) == (0 <= position < len(words))


# Predictions


@few
@given(text=st.one_of(texts, texts.map(lambda text: f"{text} [MASK] {text}")))
@example(text="[MASK] [MASK]" + " word" * 600)
def test_any_text_is_filled_or_refused(tiny, text):
    answer = answered(lambda: tiny.predict_masked(text, top=3), ValueError)
    pieces = tiny.tokenizer.tokenize(text) if "\ud83d" not in text else []
    if answer is None:
        assert "[MASK]" not in pieces or len(pieces) > 510
        return
    assert len(answer) == pieces.count("[MASK]")
    for row in answer:
        shares = [share for _, share in row]
        assert shares == sorted(shares, reverse=True) and 0 < sum(shares) <= 1.0001


@few
@given(first=texts, second=texts)
def test_any_pair_gets_a_probability_or_a_line(tiny, first, second):
    share = answered(lambda: tiny.predict_next(first, second), ValueError)
    assert share is None or 0 <= share <= 1


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: type(junk).__name__)
def test_what_is_no_text_is_refused(tiny, junk):
    if isinstance(junk, str):
        return
    calls = [
        lambda: tiny.predict_masked(junk),
        lambda: tiny.predict_next("a", junk),
        lambda: tiny.predict_next(junk, "a"),
    ]
    for call in calls:
        assert "give one string" in one_line(ValueError, call)


def test_two_texts_at_once_are_refused_not_cut_to_one(tiny):
    two = ["a [MASK] .", "b [MASK] ."]
    message = one_line(ValueError, lambda: tiny.predict_masked(two))
    assert "give one string" in message


@pytest.mark.parametrize("top", [0, 10**9, 2.5, float("nan"), True, "3", None, [1]])
def test_count_of_pieces_that_is_none_is_refused(tiny, top):
    message = one_line(ValueError, lambda: tiny.predict_masked("[MASK]", top=top))
    assert "ask for 1 to" in message


@few
@given(first=texts, second=st.none() | texts)
def test_attention_of_any_text_sums_to_1(tiny, first, second):
    reading = answered(lambda: read_attention(tiny, first, second), ValueError)
    if reading is not None:
        assert np.allclose(reading.attention.sum(-1), 1, atol=1e-4)
        assert len(reading.words) == len(reading.tokens) == len(reading.owners)


# Masking


@few
@given(
    ids=arrays.arrays(
        st.sampled_from([np.uint8, np.int8, np.int16, np.int32, np.int64]),
        arrays.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=12),
    ),
    rate=st.floats(),
)
def test_masking_keeps_what_was_there_or_refuses(tiny, ids, rate):
    given_ids = torch.tensor(ids)
    kept = given_ids.clone()
    pair = answered(lambda: mask_tokens(given_ids, tiny.tokenizer, rate), ValueError)
    fits = ids.size == 0 or (ids.min() >= 0 and ids.max() < len(tiny.tokenizer))
    assert (pair is not None) == (0 <= rate <= 1 and bool(fits))
    assert torch.equal(given_ids, kept)
    if pair:
        corrupted, labels = pair
        restored = torch.where(labels == -100, corrupted, labels)
        assert torch.equal(restored, kept.long())


@pytest.mark.parametrize("number", [-1, -30522, 30522, 2**40])
def test_ids_outside_the_vocabulary_are_refused(tiny, number):
    ids = torch.tensor([[5, number]])
    message = one_line(ValueError, lambda: mask_tokens(ids, tiny.tokenizer))
    assert "from 0 to 30521" in message


@pytest.mark.parametrize("junk", JUNK + [torch.zeros(2, 2, dtype=torch.bool)])
def test_what_are_no_ids_is_refused(tiny, junk):
    message = one_line(ValueError, lambda: mask_tokens(junk, tiny.tokenizer))
    assert "integer tensor" in message


@many
@given(text=texts)
def test_splitting_a_text_loses_no_word(text):
    assert " ".join(split_sentences(text)).split() == text.split()


# Vectors, labels and scores

numbers = st.floats(allow_nan=True, allow_infinity=True)
tables = arrays.arrays(np.float64, st.tuples(st.integers(1, 4), st.just(3)))


@many
@given(vectors=tables)
@example(vectors=np.array([[1e300, 1e300, 0.0]]))
@example(vectors=np.array([[5e-324, 0.0, 0.0]]))
def test_unit_vectors_have_length_1_or_nothing_is_returned(vectors):
    scaled = answered(lambda: senses.unit(vectors), ValueError)
    assert (scaled is not None) == np.isfinite(vectors).all()
    if scaled is not None:
        lengths = np.linalg.norm(scaled, axis=-1)
        assert np.allclose(lengths, (vectors != 0).any(axis=-1))
        assert (
            np.sign(scaled)[np.abs(scaled) > 0] == np.sign(vectors)[scaled != 0]
        ).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.int64])
def test_unit_vectors_of_small_types_do_not_overflow(dtype):
    largest = np.full((1, 2), 30000 if dtype != np.int8 else 100, dtype)
    assert np.allclose(senses.unit(largest), 0.5**0.5, atol=1e-3)


@pytest.mark.parametrize("part", ["train", "test"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nearest_sense_of_nan_is_no_sense(part, bad):
    train, test = np.eye(2), np.eye(2)
    (train if part == "train" else test)[1, 1] = bad
    call = lambda: senses.nearest_sense(train, [0, 1], test)  # noqa: E731
    assert "nan or infinity" in one_line(ValueError, call)


@pytest.mark.parametrize("labels", [[], [0], [0, 1, 1], [[0, 1]]])
def test_labels_that_do_not_fit_the_vectors_are_refused(labels):
    message = one_line(ValueError, lambda: senses.sense_centroids(np.eye(2), labels))
    assert "one label for each vector" in message


@many
@given(rows=st.lists(st.tuples(st.integers(0, 1), numbers), max_size=6))
def test_calibration_error_is_a_share_or_refused(rows):
    labels, shares = [row[0] for row in rows], [row[1] for row in rows]
    error = answered(
        lambda: spam.expected_calibration_error(labels, shares), ValueError
    )
    fits = rows and all(0 <= share <= 1 for share in shares)
    assert (error is not None) == bool(fits) and (error is None or 0 <= error <= 1)


def test_one_string_is_not_taken_for_a_list_of_letters(tiny):
    message = one_line(ValueError, lambda: spam.frozen_features(tiny, "win cash"))
    assert "give a list of texts" in message


@pytest.mark.parametrize("shape", [(1, 3), (3,), (3, 1), (2, 2)])
def test_targets_of_another_shape_are_not_stretched(shape):
    attention = np.full((2, 2, 3, 3), 1 / 3)
    message = one_line(ValueError, lambda: head_scores(attention, np.ones(shape)))
    assert "do not fit attention" in message


# Data files


@many
@given(
    line=st.one_of(texts, st.tuples(st.integers(), texts).map("{0[0]}\t{0[1]}".format))
)
@example(line="0\tcrane [MASK] [CLS]")
@example(line="1\t[MASK] crane")
@example(line=f"{10**4000}\tcrane")
@example(line="٠\tcrane")
def test_any_line_of_word_senses_points_at_its_word_or_is_named(line):
    row = answered(lambda: datasets._parse_sentence(line, "crane", "x"), ValueError)
    if row is not None:
        words, position = row
        assert words[position] == "crane" and words == line.split("\t", 1)[1].split()


@many
@given(kind=st.sampled_from(["ham", "spam", "HAM", ""]), text=texts)
def test_any_message_is_kept_or_named(kind, text):
    row = answered(lambda: datasets._parse_message(f"{kind}\t{text}", "x"), ValueError)
    assert (row is None) == (kind not in ("ham", "spam") or not text.strip())
    if row is not None:
        assert row[1:] == (int(kind == "spam"), kind)
        assert len(row[0]) >= len(text.removesuffix("\r")) - 5 * text.count("\x81")


@few
@given(label=texts)
@example(label="²")
@example(label="٣")
def test_any_label_is_a_sense_or_named(label):
    found = answered(
        lambda: datasets._parse_label(label, {0: "a", 3: "b"}, "x"), ValueError
    )
    assert found in (None, 0, 3)


@few
@given(text=texts)
def test_any_file_of_text_is_read_or_named(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "a.txt").write_bytes(text.encode("utf-8", "surrogatepass"))
    documents = answered(lambda: read_documents(folder / "a.txt"), ValueError)
    if documents is not None:
        kept = " ".join(line for document in documents for line in document)
        assert kept.split() == text.split()
    words = answered(lambda: read_words(folder), ValueError)
    assert words is None or all(word for d in words for s in d for word in s)


# Pages


def harmless(page):
    """No tag of the data is a tag of the page."""
    return not re.search(r"<(script>alert|img src=x)", page)


@many
@given(words=st.lists(texts, max_size=5), position=st.integers(-2, 6))
def test_emphasis_is_on_the_chosen_word_and_the_rest_is_text(words, position):
    page = answered(lambda: plotting.emphasize(words, position), ValueError)
    assert (page is not None) == (0 <= position < len(words))
    if page is not None:
        assert html.unescape(re.sub("</?b>", "", page)) == " ".join(words)
        assert re.findall("<b>.*?</b>", page, re.S) == [
            f"<b>{html.escape(words[position])}</b>"
        ]


@pytest.mark.parametrize(
    "points", [[[0, 1, 2]], [[0, np.nan]], [[np.inf, 0]], [0, 1], [[0, 1], [2, 3]]]
)
def test_points_that_cannot_be_drawn_are_refused(points):
    draw = lambda: plotting.sentence_scatter(points, ["a"], [["x"]], [0], "t")  # noqa: E731
    assert "finite numbers of shape (n, 2)" in one_line(ValueError, draw)


@few
@given(names=st.lists(texts, min_size=1, max_size=5))
def test_bars_keep_each_name_apart(names):
    names = [name.replace("\ud83d", "?") for name in names]
    distinct = plotting._distinct(names)
    assert len(set(distinct)) == len(names)
    assert all(d.startswith(n) for d, n in zip(distinct, names, strict=True))


@pytest.mark.parametrize("text", [t for t in STRANGE if t != "\ud83d"])
def test_no_text_breaks_out_of_a_page(tiny, text):
    reading = read_attention(tiny, text[:60], text[:60])
    view = head_view(reading, title=text).data
    quiz = Quiz("01", [(text, [{"text": text, "why": text, "right": True}])])
    table = Progress({text: (text, text)}, [text])
    for page in (view, quiz._repr_html_(), table._repr_html_()):
        assert harmless(page)
    assert harmless(html.unescape(re.search('srcdoc="(.*?)"', view, re.S)[1]))


# Exercises


class Hostile:
    """An answer that breaks whatever looks at it."""

    def _refuse(self, *_):
        raise RuntimeError("<script>alert(1)</script>\nsecond line")

    __len__ = __iter__ = __float__ = __array__ = __getitem__ = __lt__ = _refuse
    __call__ = keys = items = values = _refuse


@pytest.mark.parametrize("exercise", [f"{slug}.1" for slug in list(chapters())[::4]])
def test_no_answer_makes_a_check_raise(exercise):
    for junk in [*JUNK, *STRANGE, Hostile(), [Hostile()] * 3]:
        outcome = check(exercise, junk)
        assert outcome.status in ("not yet", "not attempted yet"), junk
        assert harmless(outcome._repr_html_())
    json.dumps(check(exercise, math.nan).message)
