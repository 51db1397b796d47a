"""What the chapter claims."""


def test_the_claim(chapter_cells):
    raise AssertionError("TO WRITE: lift a function of the page and hold it to a truth")
