"""Terms that lead to the glossary, the time of a page, figures that say their source.

A term is linked at its first mention, in running text only.
"""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.core import publish_doctree

from build_tools.book import reading_aids

TERMS = {"head": "a", "attention head": "b", "token": "c", "value": "d", "key": "e"}


@pytest.fixture
def linked():
    """Link the terms in a text (reStructuredText); returns what was linked where."""
    places = {term: ("chapters/glossary", label) for term, label in TERMS.items()}
    domain = SimpleNamespace(data={"terms": places})
    app = SimpleNamespace(
        glossary_definitions={"b": "A part of a layer."},
        env=SimpleNamespace(get_domain=lambda name: domain),
        builder=SimpleNamespace(get_relative_uri=lambda here, there: f"{there}.html"),
    )

    def run(text):
        doctree = publish_doctree(text)
        reading_aids.link_terms(app, doctree, "chapters/01-first")
        return [
            (link.astext(), link["refuri"].split("#")[1], link["reftitle"])
            for link in doctree.findall(nodes.reference)
            if "#" in link.get("refuri", "")
        ]

    return run


def test_the_longest_term_is_linked_with_its_definition(linked):
    text = "An attention head reads. The MLM head differs."
    assert linked(text) == [
        ("attention head", "b", "A part of a layer."),
        ("head", "a", ""),
    ]


def test_only_the_first_mention_is_linked_in_any_case(linked):
    assert linked("Tokens.\n\nA token and a token.") == [("Token", "c", "")]


@pytest.mark.parametrize(
    "text",
    [
        "``head``",
        "`head <https://example.org>`_",
        "Head\n====\n\nText.",
        ".. note:: a head",
        "A headline, a sub-head and head-on.",
        ".. role:: pasted-text\n\nA task at its :pasted-text:`head`.",
    ],
)
def test_what_is_no_running_text_stays_as_it_is(linked, text):
    assert linked(text) == []


def test_an_everyday_word_is_linked_only_beside_words_of_its_meaning(linked):
    text = "Exercises have an answer key.\n\nNegative values are cut.\n\n"
    assert linked(text) == []
    assert linked(f"{text}A query asks each key.") == [("key", "e", "")]
