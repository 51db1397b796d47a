"""Texts that hypothesis draws, and how many of them."""

from hypothesis import settings
from hypothesis import strategies as st

few = settings(max_examples=25, derandomize=True, deadline=None, database=None)
many = settings(max_examples=60, derandomize=True, deadline=None, database=None)
STRANGE = [
    "", " ", "...!?", "\x00\x07\x1b[0m", "\u200d\ufeff", "שלום عالم", "👩🏽\u200d🚀❤️",
    "e\u0301é", "[CLS]", "[SEP] [MASK]", "[MASK]", "a\u2028b", "\ud83d", "x" * 600,
    "<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>",
    "$$\\frac{1}{0}$$",
]  # fmt: skip
texts = st.one_of(st.text(max_size=40), st.sampled_from(STRANGE))
