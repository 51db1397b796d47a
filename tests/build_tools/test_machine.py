"""The machine's places in the book, and what its page takes from there."""

import json

from build_tools.machine import page


def test_what_the_script_is_told_cannot_end_its_element():
    told = page.in_html({"text": "</script><b>"})
    assert "<" not in told and json.loads(told) == {"text": "</script><b>"}
