"""What "From text to tensors" says of this run, and when it is true."""

from helpers import glue
from helpers.verdicts import claim


def _back(tokenizer, text):
    return tokenizer.decode(tokenizer(text, add_special_tokens=False)["input_ids"])


def opening(tokenizer, texts):
    back = [_back(tokenizer, text) for text in texts]
    one, other = (tokenizer(text)["input_ids"] for text in texts[:2])
    claim("two-texts-one-input", texts[0] != texts[1] and one == other, about="data")
    claim(
        "umbrella-unknown",
        "crane" not in back[2] and "[UNK]" in back[2],
        about="data",
    )
    claim("vowel-dropped", back[3] == "मरी बहन", about="data")


def units(table):
    """table: entries, units per sentence and per cent unknown, of five lists."""
    long, unknown = table["units per sentence"], table["% unknown"]
    times = {name: long[name] / long["words"] for name in table.index}
    glue("words_long", float(long["words"]))
    glue("unknown_words", float(unknown["words"]))
    glue("unknown_here", float(unknown["words, BERT's list"]))
    found = ", ".join(f"{name} {n:.2f}" for name, n in times.items())
    claim(
        "letters-long",
        bool(unknown["characters"] < 0.05 and 4.5 < times["characters"] < 5.5),
        found,
        "data",
    )
    claim(
        "pieces-third-longer",
        bool(
            unknown["pieces"] < 1
            and 1.25 < times["pieces"] < 1.4
            and table.entries["pieces"] <= table.entries["words"]
        ),
        found,
        "data",
    )
    claim(
        "larger-list",
        bool(1 < times["pieces, BERT's list"] < 1.2),
        found,
        "data",
    )


def longest_first(cuts):
    """cuts: the pieces of words by the page's rule."""
    glue("unhappiness_pieces", float(len(cuts["unhappiness"])))
    claim("un-ha", cuts["unhappiness"][:2] == ["un", "##ha"], about="data")


def there_and_back(tokenizer, texts, slices):
    same = [_back(tokenizer, text) == text for text in texts]
    claim("first-only", same == [True] + 4 * [False], about="data")
    claim("cased-keeps", {"A", "café", "Zürich"} <= {*slices}, about="data")
