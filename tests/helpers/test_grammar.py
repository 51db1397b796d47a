"""The mini corpus: what the grammar promises holds in every story it writes."""

import gzip
from collections import Counter

import pytest

from chapters.pretraining.agreement import find_agreement
from chapters.word_vectors.topics import topic_of, topic_words
from helpers.corpus import grammar
from helpers.corpus.grammar import (
    AGREEMENT,
    RELATIONS,
    SENSES,
    TOPICS,
)
from helpers.datasets import mini_corpus


@pytest.fixture(scope="module")
def corpus():
    return mini_corpus()


@pytest.fixture(scope="module")
def sentences(corpus):
    return [sentence for document in corpus for sentence in document]


def test_it_is_large_and_varied_and_each_word_one_piece(corpus, sentences, tokenizer):
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
    assert counts.keys() <= tokenizer.get_vocab().keys()
    assert RELATIONS["plural"] == list(AGREEMENT["nouns"].items())
    plurals = {word for pair in RELATIONS["plural"] for word in pair}
    assert plurals - counts.keys() <= {"suns"}


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
    seen = Counter(
        (word, topic_of(document))
        for document in corpus
        for sentence in document
        for word in sentence
        if word in SENSES
    )
    assert set(seen) == {(w, topic) for w, topics in SENSES.items() for topic in topics}
    assert min(seen.values()) > 80


def test_a_folder_of_real_text_takes_the_grammars_place(tmp_path):
    text = "It's late. Both 2 of them -- can’t SLEEP!\n\nÜnder the bridge.\n\n123 ...\n"
    (tmp_path / "b.txt").write_text(text, encoding="utf-8")
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"First of all.\n"))
    read = [
        [["first", "of", "all"]],
        [["it's", "late"], ["both", "of", "them", "can’t", "sleep"]],
        [["ünder", "the", "bridge"]],
    ]
    assert mini_corpus(tmp_path) == mini_corpus(str(tmp_path)) == read
