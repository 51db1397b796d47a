"""Words bound to claims are found where MyST's parser finds them."""

import pytest
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from build_tools.book.dependencies import name_of
from build_tools.book.spans import spans_in, words_of
from build_tools.notebooks.exporter import chapters

EXTENSIONS = {"attrs_inline", "dollarmath"}
PARSER = create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)
PLAIN = {"text", "code_inline", "math_inline", "myst_role"}


def parsed(text):
    """The names that MyST's parser finds, each with the text of its words."""
    found = []
    for token in PARSER.parse(text):
        if token.type == "fence" and token.info.startswith("{admonition"):
            found += parsed(token.content)
        open_spans = []
        for child in token.children or ():
            if child.type == "span_open":
                open_spans.append([child.attrs.get("class", ""), ""])
            elif child.type == "span_close":
                classes, words = open_spans.pop()
                found += [(c[6:], words) for c in classes.split() if c[:6] == "claim-"]
            elif "break" in child.type or child.type in PLAIN:
                for span in open_spans:
                    span[1] += " " if "break" in child.type else child.content
    return sorted(found)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[It *turns*]{.claim-turns} and [stays]{.claim-stays}.", ["stays", "turns"]),
        ("[Both]{.claim-one .claim-two}", ["one", "two"]),
        ("[An [inner]{.claim-inner} one]{.claim-outer}", ["inner", "outer"]),
        ("[heads on `[CLS]` and `a]b`, $w_1 [$ or \\[]{.claim-code}", ["code"]),
        ("`[not]{.claim-this}` but [this]{.claim-that}", ["that"]),
        ("It costs \\$5, [so]{.claim-dear} they say, or \\$6.", ["dear"]),
        ("For MyST $5, [so]{.claim-dear} they say, or $ is a formula.", []),
        ("```{admonition} Box\n[Within]{.claim-within} a box.\n```", ["within"]),
        ("```{code-cell} ipython3\nx = '[a]{.claim-a}'\n```\n[b]{.claim-b}", ["b"]),
        ("[a link](address) and [none]{.other}", []),
    ],
)
def test_spans_are_those_that_the_parser_finds(text, names):
    assert sorted(name for span in spans_in(text) for name in span.claims) == names
    assert [name for name, _ in parsed(text)] == names


@pytest.mark.parametrize("page", chapters(), ids=name_of)
def test_the_spans_of_a_page_are_the_parsers(page):
    text = page.read_text(encoding="utf-8")
    names = sorted(name for span in spans_in(text) for name in span.claims)
    assert [name for name, _ in parsed(text)] == names
    assert [words for _, words in parsed(text) if "*" in words] == []  # cut emphasis


def test_the_first_place_of_a_name_has_its_words():
    text = "[First\nplace]{.claim-a}, [b]{.claim-b}.\n\n[Again]{.claim-a}."
    assert words_of(text) == {"a": "First place", "b": "b"}
