"""Words bound to claims are found where MyST's parser finds them."""

import pytest
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from build_tools.book.dependencies import name_of
from build_tools.book.spans import spans_in
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


@pytest.mark.parametrize("page", chapters(), ids=name_of)
def test_the_spans_of_a_page_are_the_parsers(page):
    text = page.read_text(encoding="utf-8")
    names = sorted(name for span in spans_in(text) for name in span.claims)
    assert [name for name, _ in parsed(text)] == names
    assert [words for _, words in parsed(text) if "*" in words] == []  # cut emphasis
