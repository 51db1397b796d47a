"""A ladder of words: every word in its place, coloured where a hue is given."""

import re

from chapters.interventions.figures import LEFT, WIDE, ladder


def test_each_column_has_its_words_and_fits_on_a_phone():
    columns = {"The keys\nto it": ["a", "is"], "The key": ["<b>", "are"], "x": ["", ""]}
    picture = ladder(columns, ["0", "1"], "what it says", {"is": "query"})
    texts = re.findall(r">([^<>]+)</text>", picture)
    said = ["0", "1", "The keys", "to it", "a", "is", "The key", "&lt;b&gt;"]
    assert texts == [*said, "are", "x"]
    assert picture.count("<rect") == 6 and picture.count("color-mix") == 1
    width = int(re.search(r'width="(\d+)"', picture)[1])
    assert width == LEFT + 3 * WIDE + 2 <= 340
    assert 'aria-label="what it says"' in picture
