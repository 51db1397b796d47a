"""Words, cuts and merges of "Vocabularies", and a learner that is fast enough."""

import json
import re
from collections import Counter
from functools import cache

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from helpers import DATA
from helpers.corpus import read_documents

FOLDER = DATA / "vocabularies"
ALL = 100_000  # more entries than any text here can fill


@cache
def texts():
    """Alice's chapters in small letters: those to learn from, and the last two."""
    chapters = read_documents(FOLDER / "alice.txt.gz")
    book, kept_out = (
        [text.lower() for chapter in some for text in chapter]
        for some in (chapters[:-2], chapters[-2:])
    )
    return book, kept_out


def words(text):
    """The words and punctuation marks of a text, as BERT sets them apart."""
    split = pre_tokenizers.BertPreTokenizer()
    return [word for word, _ in split.pre_tokenize_str(text)]


def trained(model, trainer):
    """A model of the library tokenizers, trained on the book."""
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer.show_progress = False
    tokenizer.train_from_iterator(texts()[0], trainer)
    return tokenizer


def library_merges():
    """The pairs that the library's BPE joins in the book, until each word is whole."""
    library = trained(models.BPE(), trainers.BpeTrainer(vocab_size=ALL))
    return [tuple(pair) for pair in json.loads(library.to_str())["model"]["merges"]]


def by_joining(merges, letters):
    """Return the function that cuts a text by joining pairs in the order learned."""
    found = dict.fromkeys(["[UNK]", *letters, *map("".join, merges)])
    numbers = {piece: n for n, piece in enumerate(found)}
    model = models.BPE(numbers, list(merges), unk_token="[UNK]")
    return lambda text: [
        token.value for word in words(text) for token in model.tokenize(word)
    ]


def length(text):
    """The characters of a text, spaces left out."""
    return sum(map(len, words(text)))


def _tally(cut, n, single, pairs):
    """Add n for each piece of a cut word, and for each pair of neighbours."""
    cut = cut.split()  # "a a a" holds the pair a a twice
    for piece in cut:
        single[piece] += n
    for pair in zip(cut, cut[1:], strict=False):
        pairs[pair] += n


def learn(counts, rule, merges, mark="", letters=()):
    """Yield the pairs to join, each time the one that `rule` puts highest.

    counts: {word: how often}. rule: a function of the counts of the pair, of its two
    pieces and of all pieces, and of whether the two are the same. mark: before each
    piece that begins no word. letters: in the order that decides ties, where the
    older pieces win. All counts are kept from step to step, and only those of words
    that change are renewed.
    """
    cuts = {word: f" {mark}".join(word) for word in counts}
    letters = letters or sorted({*" ".join(cuts.values()).split()})
    place = {letter: number for number, letter in enumerate(letters)}
    single, pairs, changed = Counter(), Counter(), counts
    for _ in range(merges):
        for word in changed:
            _tally(cuts[word], counts[word], single, pairs)
        pairs, total = +pairs, single.total()  # + drops what fell to 0
        if not pairs:
            return
        scores = {
            (a, b): rule(n, single[a], single[b], total, a == b)
            for (a, b), n in pairs.items()
        }
        top = max(scores.values())
        best = min(
            (pair for pair in scores if scores[pair] == top),
            key=lambda pair: [place[piece] for piece in pair],
        )
        yield best
        joined, both = best[0] + best[1].removeprefix(mark), " ".join(best)
        place.setdefault(joined, len(place))
        changed = [word for word, cut in cuts.items() if both in cut]
        whole = re.compile(rf"(?<!\S){re.escape(both)}(?!\S)")
        for word in changed:  # join from the left
            _tally(cuts[word], -counts[word], single, pairs)
            cuts[word] = whole.sub(lambda _, new=joined: new, cuts[word])
