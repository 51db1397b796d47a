"""Typical wrong answers of the chapter and the words that name each mistake."""

import numpy as np


def wrong_1(names):
    bert = names["bert"]

    def owners(words):
        return bert.tokenizer(words, is_split_into_words=True).word_ids()

    def pieces(words, word):
        return [
            [p for p, owner in enumerate(owners(words)) if owner == i]
            for i, other in enumerate(words)
            if other == word
        ]

    def by_spelling(words, word):
        tokens = bert.tokenizer(words, is_split_into_words=True).tokens()
        return [[p] for p, token in enumerate(tokens) if token == word]

    def by_part(words, word):
        tokens = bert.tokenizer(words, is_split_into_words=True).tokens()
        return [[p] for p, token in enumerate(tokens) if token.strip("#") == word]

    def by_argmax(words, word):
        ids = bert.tokenizer(words, is_split_into_words=True)["input_ids"]
        wanted = bert.tokenizer.convert_tokens_to_ids(word)
        place = int(np.argmax(np.array(ids) == wanted))
        return pieces(words, word) or [[place]]

    yield lambda words, word: [[words.index(word)]], "indices of words"
    yield (
        lambda words, word: [[i] for i, w in enumerate(words) if w == word],
        "indices of words",
    )
    yield (
        lambda words, word: [[p - 1 for p in ps] for ps in pieces(words, word)],
        "[CLS] takes place 0",
    )
    yield lambda words, word: pieces(words, word)[:1], "you found 1"
    yield lambda words, word: [sum(pieces(words, word), [])], "keep the occurrences"
    yield lambda words, word: [ps[:1] for ps in pieces(words, word)], "all of them"
    yield by_spelling, "no piece is spelled like it"
    yield by_part, "is split into pieces"
    yield by_argmax, "must be an empty list"
    yield lambda words, word: sum(pieces(words, word), []), "one list of places"
    yield lambda words, word: 3, "one list of places"
    yield [[2], [5]], "without brackets"


def wrong_2(names):
    bert, np_states = names["bert"], names["hidden_states"]

    def states(words):
        encoding = bert.tokenizer(words, is_split_into_words=True, return_tensors="pt")
        owners = np.array([-1 if w is None else w for w in encoding.word_ids()])
        return np_states(encoding["input_ids"])[0].numpy(), owners

    def at(shift):
        def vector(words, position, layers):
            return states(words)[0][list(layers), position + shift].mean(0)

        return vector

    def taking(select):
        def vector(words, position, layers):
            hidden, owners = states(words)
            return select(hidden, np.flatnonzero(owners == position), layers)

        return vector

    yield at(0), "word's own index"
    yield at(1), "index + 1"
    yield taking(lambda h, p, ls: h[list(ls)][:, p[0]].mean(0)), "first piece alone"
    yield taking(lambda h, p, ls: h[list(ls)].mean((0, 1))), "all pieces"
    yield taking(lambda h, p, ls: h[: len(ls), p].mean((0, 1))), "from the front"
    yield taking(lambda h, p, ls: h[-len(ls) :, p].mean((0, 1))), "layers names"
    yield taking(lambda h, p, ls: h[list(ls)][:, p].mean(1).ravel()), "side by side"
    yield taking(lambda h, p, ls: h[list(ls)][:, p].mean(1)), "shape"
    yield taking(lambda h, p, ls: h[list(ls)][:, p].mean(1).sum(0)), "sum of the layers"
    yield taking(lambda h, p, ls: h[list(ls)][:, p].sum(1).mean(0)), "sum of the pieces"
    yield lambda words, position, layers: "field", "one array"
    yield np.zeros(3), "without brackets"


def wrong_3(names):
    bert, embed_words = names["bert"], names["embed_words"]
    baseline = np.asarray(names["baseline"])
    texts = [
        "they lost the match in the final minute",
        "the tennis match was delayed by rain",
        "thousands watched the match at the stadium",
        "he struck a match and lit the candle",
        "one wet match would not light the stove",
        "the last match in the box broke in her hand",
    ]
    sentences = [text.split() for text in texts]
    senses = ["game"] * 3 + ["fire"] * 3
    places = [words.index("match") for words in sentences]
    vectors = embed_words(bert, sentences, places, "all", dtype="float32")
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    same = np.equal.outer(np.array(senses), np.array(senses))
    upper = np.triu(np.ones((6, 6), bool), 1)

    def means(vectors, pairs=upper):
        tables = np.einsum("ilh,jlh->lij", vectors, vectors)
        return tables[:, same & pairs].mean(1), tables[:, ~same & pairs].mean(1)

    def answer(within, across, **change):
        return {
            "word": "match",
            "sentences": sentences,
            "senses": senses,
            "within": within,
            "across": across,
        } | change

    within, across = means(vectors / lengths)
    with_itself = means(vectors / lengths, np.ones((6, 6), bool))[0]
    products = means(vectors)
    yield answer(within, across), "subtract the baseline"
    yield answer(across - baseline, within - baseline), "swapped"
    yield answer(within - baseline[-1], across - baseline[-1]), "each has its own"
    yield answer(with_itself - baseline, across - baseline), "leave the diagonal out"
    yield answer(products[0] - baseline, products[1] - baseline), "dot products"
    yield answer(within[1:], across), "the input embeddings included"
    yield answer(within - baseline, across * 0), "across is not what"
    yield answer("high", across), "list of numbers"
    yield answer(within * np.inf, across), "within holds nan or infinity"
    many = {"sentences": [[str(i), "match"] for i in range(3000)]}
    yield answer(within, across, **many), "at most"
    yield answer(within, across, senses=["game"] * 6), "Two senses"
    yield answer(within, across, senses=senses[:4]), "6 sentences but 4 senses"
    yield answer(within, across, sentences=texts), "list of words"
    yield answer(within, across, sentences=sentences[:1] * 6), "comes twice"
    yield answer(within, across, word="tennis"), "exactly once"
    yield [within, across], "keys word"
