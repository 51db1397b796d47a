"""Folders of CoarseWSD-20 for the tests, whole or spoilt."""

from pathlib import Path

from helpers import datasets
from helpers.datasets import load_coarse_wsd

DATA = Path(datasets.__file__).parents[1] / "data"
SAMPLE = DATA / "coarse-wsd-20-mini"
FILES = [
    "classes_map.txt",
    *(f"{s}.{k}.txt" for s in ("train", "test") for k in ("data", "gold")),
]
# rows of train and test in the official set
ROWS = """\
apple 2358 1032, arm 423 164, bank 1107 455, bass 3173 1391, bow 523 215, chair 271
130, club 388 202, crane 372 157, deck 170 99, digit 68 42, hood 171 82, java 4504
1929, mole 480 206, pitcher 6421 2819, pound 186 97, seal 875 363, spring 1064 457,
square 508 207, trunk 164 77, yard 144 72"""
OFFICIAL_ROWS = {
    word: (int(train), int(test))
    for word, train, test in map(str.split, ROWS.split(","))
}
# the traps of the official files: quotes, a no-break space, two spaces in a row,
# CR LF, a missing final line end, an empty last line
CRANE = {
    "classes_map.txt": '{"0": "crane_crane_(machine)", "1": "crane_crane_(bird)"}',
    "train.data.txt": '2\t" the crane fell .\n3\tone\u00a0day  a crane flew by\n'
    "0\tcrane \u2028 \" ''s '' .",
    "train.gold.txt": "0\r\n1\r\n1",
    "test.data.txt": "1\ta crane .\n\n",
    "test.gold.txt": "0\n",
}


def write_word(root, word="crane", **changed):
    """Write the folder of `word`; `changed` replaces a file: test_data="..."."""
    (root / word).mkdir(parents=True)
    for name, text in CRANE.items():
        text = changed.get(name.removesuffix(".txt").replace(".", "_"), text)
        if text is not None:
            (root / word / name).write_bytes(text.replace("crane", word).encode())


def load_all():
    pairs = [(word, split) for word in OFFICIAL_ROWS for split in ("train", "test")]
    return {pair: load_coarse_wsd(*pair) for pair in pairs}
