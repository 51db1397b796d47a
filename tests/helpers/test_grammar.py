"""The mini corpus: what the grammar promises holds in every story it writes."""

import gzip
import math
from collections import Counter

import pytest

from helpers.corpus import grammar
from helpers.corpus.grammar import (
    AGREEMENT,
    NAMES,
    PHASES,
    RELATIONS,
    SENSES,
    TOPICS,
    find_agreement,
    topic_of,
    topic_words,
)
from helpers.datasets import mini_corpus
from tests.bad_input import one_line


@pytest.fixture(scope="module")
def corpus():
    return mini_corpus()


@pytest.fixture(scope="module")
def sentences(corpus):
    return [sentence for document in corpus for sentence in document]


def test_it_is_large_and_varied(corpus, sentences):
    counts = Counter(word for sentence in sentences for word in sentence)
    assert sum(counts.values()) >= 200_000
    assert 600 <= len(counts) <= 1500
    assert all(word.isascii() and word.isalpha() and word.islower() for word in counts)
    assert len(set(map(tuple, sentences))) > 10_000
    assert len(set(map(str, corpus))) == len(corpus)
    # Zipf: half of all words are a few types, and nearly all types come back often
    shares = [n for _, n in counts.most_common()]
    assert sum(shares[:60]) > sum(shares) / 2
    assert sum(n < 5 for n in shares) < len(shares) / 20


def test_every_word_is_one_piece_of_berts_vocabulary(sentences):
    from helpers.models import embedded_encoder, load_tokenizer

    pieces = load_tokenizer(embedded_encoder()).get_vocab()
    assert {word for sentence in sentences for word in sentence} <= set(pieces)


def test_the_seed_decides_the_corpus():
    some = grammar.generate(seed=3, words=2000)
    assert some == grammar.generate(seed=3, words=2000)
    assert some != grammar.generate(seed=4, words=2000)
    assert some == grammar.generate(seed=3, words=9000)[: len(some)]
    assert (
        mini_corpus(seed=5)[:3]
        == grammar.generate(seed=5, words=1)[:1] + (mini_corpus(seed=5)[1:3])
    )


def test_the_verb_agrees_with_its_subject_in_every_sentence(sentences):
    plurals = set(AGREEMENT["verbs"].values())
    between = Counter()
    for sentence in sentences:
        subject, verb, plural = find_agreement(sentence)
        assert (sentence[verb] in plurals) == plural, sentence
        between[plural, verb - subject > 1] += 1
    assert min(between.values()) > 500  # both numbers, with and without words between


def test_determiners_agree_with_the_noun_behind_them(sentences):
    singular, plural = set(AGREEMENT["nouns"]), set(AGREEMENT["nouns"].values())
    seen = Counter()
    for sentence in sentences:
        for word, noun in zip(sentence, sentence[1:], strict=False):
            if noun in singular | plural and word != "the":
                if word in ("a", "an", "this", "every"):
                    seen["one"] += 1
                    assert noun in singular, sentence
                if word in ("these", "some", "many", "two"):
                    seen["more"] += 1
                    assert noun in plural, sentence
            if word in ("a", "an") and noun != "uniform":
                assert (word == "an") == (noun[0] in "aeiou"), sentence
    assert min(seen["one"], seen["more"]) > 1000


def test_no_form_is_both_noun_and_verb():
    forms = [
        {w for pair in AGREEMENT[kind].items() for w in pair} for kind in AGREEMENT
    ]
    assert not forms[0] & forms[1]
    assert len(set(AGREEMENT["verbs"].values())) == len(AGREEMENT["verbs"])


def test_topics_do_not_mix(corpus):
    owner = {}
    for topic in TOPICS:
        for word in topic_words(topic):
            owner.setdefault(word, set()).add(topic)
    shared = {word for word, topics in owner.items() if len(topics) > 1}
    assert shared == {form for word in SENSES for form in (word, word + "s")}
    for document in corpus:
        topic = topic_of(document)
        for sentence in document:
            for word in sentence:
                assert topic in owner.get(word, {topic}), (topic, sentence)
    assert min(Counter(map(topic_of, corpus)).values()) > 100


def test_a_word_with_two_senses_occurs_in_both_its_topics(corpus):
    seen = Counter()
    for document in corpus:
        topic = topic_of(document)
        for sentence in document:
            seen.update((word, topic) for word in sentence if word in SENSES)
    assert set(seen) == {(w, topic) for w, topics in SENSES.items() for topic in topics}
    assert min(seen.values()) > 80


@pytest.mark.parametrize("relation", ["capital", "young", "gender"])
def test_the_words_of_a_pair_share_company(sentences, relation):
    """Of all pairs, the word with the likest neighbours is the partner, counted over
    the words that go with pairs."""
    pairs = RELATIONS[relation]
    company = {w: Counter() for pair in pairs for w in pair}
    for sentence in sentences:
        for word in company.keys() & set(sentence):
            company[word].update(sentence)
    names = {w for topic in TOPICS for w in TOPICS[topic]["names"]} - company.keys()

    def likeness(a, b):
        return sum(min(company[a][w], company[b][w]) for w in names)

    for first, second in pairs:
        assert min(company[first][first], company[second][second]) > 30
        assert second == max((b for _, b in pairs), key=lambda b: likeness(first, b))
    sides = [
        set.intersection(*(set(company[pair[i]]) for pair in pairs)) for i in (0, 1)
    ]
    assert sides[0] - sides[1] and sides[1] - sides[0]  # what only one side has


def test_the_plural_is_a_relation_too(sentences):
    words = {word for sentence in sentences for word in sentence}
    assert RELATIONS["plural"] == list(AGREEMENT["nouns"].items())
    assert all(a in words and b in words for a, b in RELATIONS["plural"] if a != "sun")


def phase_of(sentence):
    """The phase of the day that a sentence opens with, or None."""
    text = " ".join(sentence) + " "
    for name, phase in PHASES.items():
        if any(text.startswith(f"{opener} ") for opener in phase["openers"]):
            return name
    return None


def test_no_story_goes_back_in_the_day(corpus):
    order, seen = list(PHASES), Counter()
    for document in corpus:
        named = [phase_of(sentence) for sentence in document]
        times = [order.index(phase) for phase in named if phase]
        assert times == sorted(set(times)), document
        seen.update(order[time] for time in times)
    assert min(seen[phase] for phase in order) > 1000


def test_a_story_is_about_one_person(corpus):
    for document in corpus:
        words = {word for sentence in document for word in sentence}
        names = {p: words & set(group) for p, group in NAMES.items()}
        assert sum(map(len, names.values())) == 1
        pronoun = next(p for p, found in names.items() if found)
        assert not words & (set(NAMES) - {pronoun})


def test_a_sentence_without_subject_or_verb_is_refused():
    assert find_agreement("at noon the coins near the bank fall".split()) == (
        3,
        7,
        True,
    )
    for text in ("at noon", "the coins", "fall the"):
        said = one_line(ValueError, lambda text=text: find_agreement(text.split()))
        assert said == f"no subject and verb in {text!r}"
    with pytest.raises(KeyError):
        topic_words("politics")


@pytest.mark.parametrize("seed", ["a", 1.5, None, True])
def test_a_seed_must_be_a_whole_number(seed):
    said = one_line(ValueError, lambda: mini_corpus(seed=seed))
    assert said == f"seed is {seed!r}; give a whole number"


TEXT = """It's late. The cats -- both 2 of them -- can’t SLEEP!
Go home.

Ünder the bridge we met.

123 ...
"""


def test_a_folder_of_real_text_takes_the_grammars_place(tmp_path):
    (tmp_path / "b.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"First of all.\n"))
    assert (
        mini_corpus(tmp_path)
        == mini_corpus(str(tmp_path))
        == [
            [["first", "of", "all"]],
            [
                ["it's", "late"],
                ["the", "cats", "both", "of", "them", "can’t", "sleep"],
                ["go", "home"],
            ],
            [["ünder", "the", "bridge", "we", "met"]],
        ]
    )


def test_a_folder_without_words_is_refused(tmp_path):
    said = one_line(FileNotFoundError, lambda: mini_corpus(tmp_path / "none"))
    assert said == f"{tmp_path / 'none'} is no folder; name one that holds .txt files"
    (tmp_path / "a.txt").write_text("1 2 3\n\n...\n")
    said = one_line(ValueError, lambda: mini_corpus(tmp_path))
    assert said == f"no words in {tmp_path}; give one paragraph a line"
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in one_line(ValueError, lambda: mini_corpus(tmp_path))


@pytest.mark.parametrize("words", [math.inf, math.nan, 2.5, "many", None])
def test_only_a_whole_number_of_words_can_be_asked_for(words):
    call = lambda: grammar.generate(words=words)  # noqa: E731
    assert "give a whole number" in one_line(ValueError, call)
