"""Files and folders appear whole or not at all, whoever else writes them."""

import pytest

from helpers.whole_files import alone, remove_unfinished, whole


def write_file(path, text):
    path.write_text(text)


def write_folder(path, text):
    path.mkdir()
    (path / f"{text}.txt").write_text(text)


def read(path):
    parts = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [p.read_text() for p in parts]


writers = pytest.mark.parametrize("write", [write_file, write_folder])


@writers
def test_what_is_whole_takes_the_place_of_the_old(tmp_path, write):
    for text in ("old", "new"):
        with whole(tmp_path / "place") as unfinished:
            write(unfinished, text)
        assert read(tmp_path / "place") == [text]
    assert len(list(tmp_path.iterdir())) == 1


@writers
def test_what_breaks_off_leaves_the_old(tmp_path, write):
    with whole(tmp_path / "place") as unfinished:
        write(unfinished, "old")
    before = read(tmp_path / "place")
    with pytest.raises(RuntimeError), whole(tmp_path / "place") as unfinished:
        write(unfinished, "new")
        raise RuntimeError
    assert read(tmp_path / "place") == before
    assert len(list(tmp_path.iterdir())) == 1


def test_two_that_write_one_file_do_not_meet(tmp_path):
    with whole(tmp_path / "place") as first, whole(tmp_path / "place") as second:
        first.write_text("first")
        second.write_text("second")
    assert (tmp_path / "place").read_text() == "first"  # the last to end
    assert len(list(tmp_path.iterdir())) == 1


def test_what_a_killed_process_left_goes_with_the_next_lock(tmp_path):
    place = tmp_path / "place"
    for name in (".place.01234567.unfinished", ".place.of another.76543210.unfinished"):
        (tmp_path / name).touch()
    with alone(place, 5):
        [left] = [path.name for path in tmp_path.glob(".place.*.unfinished")]
    assert "another" in left
    remove_unfinished(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["place.lock"]
