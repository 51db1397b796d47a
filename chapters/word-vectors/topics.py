"""Which topic of the mini corpus a word, or a story, belongs to."""

from functools import cache

from helpers.corpus.grammar import AGREEMENT, TOPICS

PLURAL = AGREEMENT["nouns"]
SINGULAR = {many: one for one, many in AGREEMENT["verbs"].items()}


@cache
def topic_words(topic):
    """Return a topic's words in all their forms, a frozenset.

    Raises KeyError for what is no key of `TOPICS`.

    >>> sorted(topic_words("river"))[:3]
    ['bank', 'banks', 'bird']
    """
    words = TOPICS[topic]
    nouns = {form for noun in words["nouns"] for form in (noun, PLURAL[noun])}
    verbs = {form for verb in words["verbs"] for form in (verb, SINGULAR[verb])}
    return frozenset(nouns | verbs).union(words["adjectives"], words["names"])


def topic_of(document):
    """Return the topic that most words of a document of this grammar belong to.

    document: a list of sentences, each a list of words.

    >>> topic_of([["the", "bank"], ["birds", "cross", "the", "bank"]])
    'river'
    """
    words = [word for sentence in document for word in sentence]
    return max(TOPICS, key=lambda t: sum(word in topic_words(t) for word in words))
