"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import numpy as np

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    bert = names["bert"]
    table = mistakes_of("contextual-embeddings.1")
    pieces = table.answer(table.right)

    def encoded(words, **options):
        return bert.tokenizer(words, is_split_into_words=True, **options)

    def by_spelling(words, word):
        tokens = encoded(words).tokens()
        return [[p] for p, token in enumerate(tokens) if token == word]

    def by_part(words, word):
        tokens = encoded(words).tokens()
        return [[p] for p, token in enumerate(tokens) if token.strip("#") == word]

    def by_argmax(words, word):
        wanted = bert.tokenizer.convert_tokens_to_ids(word)
        place = int(np.argmax(np.array(encoded(words)["input_ids"]) == wanted))
        return pieces(words, word) or [[place]]

    def cut(words, word):
        owners = encoded(words, truncation=True, max_length=32).word_ids()
        return [
            [place for place, owner in enumerate(owners) if owner == index]
            for index, other in enumerate(words)
            if other == word
        ]

    def index_0_is_false(words, word):
        owners = encoded(words).word_ids()
        return [
            [place for place, owner in enumerate(owners) if owner and owner == index]
            for index, other in enumerate(words)
            if other == word
        ]

    yield lambda words, word: [[words.index(word)]], "ValueError"
    yield lambda words, word: [sum(pieces(words, word), [])], "keep the occurrences"
    yield by_spelling, "no piece is spelled like it"
    yield by_part, "is split into pieces"
    yield cut, "yours is []"
    yield index_0_is_false, "yours is []"
    yield lambda words, word: pieces(words, word)[:2], "you found 2"
    yield lambda words, word: [[*p, p[-1] + 1] for p in pieces(words, word)], "0 of"
    yield lambda words, word: pieces(words, word)[::-1], "occurrence 0"
    yield lambda words, word: pieces(words[:-1], word), "2 times; you found 1"
    yield (
        lambda words, word: [p for p in pieces(words, word) for _ in p],
        "more than once",
    )
    yield lambda words, word: pieces(words, word.lower()), "of 'Field', counted"
    yield by_argmax, "must be an empty list"
    yield lambda words, word: pieces(words, word) or [[]], "must be an empty list"
    yield lambda words, word: sum(pieces(words, word), []), "one list of places"


def wrong_2(names):
    def taking(select):
        def vector(words, position, layers):
            encoding = names["bert"].tokenizer(
                words, is_split_into_words=True, return_tensors="pt"
            )
            places = [p for p, w in enumerate(encoding.word_ids()) if w == position]
            hidden = names["hidden_states"](encoding["input_ids"])[0].numpy()
            return select(hidden, places, list(layers))

        return vector

    def by_embed_words(words, position, layers):
        return names["embed_words"](names["bert"], [words], [position], layers)[0]

    yield taking(lambda h, p, layers: h[layers][:, p].mean(1).ravel()), "side by side"
    yield taking(lambda h, p, layers: h[layers][:, p].mean(1)), "shape"
    yield taking(lambda h, p, layers: h[layers][:, p[:-1]].mean((0, 1))), "infinity"
    yield taking(lambda h, p, layers: h[layers][:, p[:2]].mean((0, 1))), "4 x 1 vectors"
    yield by_embed_words, "calls embed_words"


def wrong_3(names):
    table = mistakes_of("contextual-embeddings.3")
    right = table.answer(table.right)
    sentences, within, across = (right[k] for k in ("sentences", "within", "across"))
    rounded = {"within": within.round(1), "across": across.round(1)}

    yield right | rounded, "three decimals"
    yield right | {"within": within + 0.01}, "within is not what"
    yield right | {"across": across * 0}, "across is not what"
    yield right | {"within": within[1:]}, "the input embeddings included"
    yield right | {"within": within * np.inf}, "within holds nan or infinity"
    many = [[str(i), "match"] for i in range(3000)]
    yield right | {"sentences": many}, "at most"
    yield right | {"senses": ["game"] * 6}, "Two senses"
    yield right | {"senses": right["senses"][:4]}, "6 sentences but 4 senses"
    yield right | {"sentences": [*map(" ".join, sentences)]}, "list of words"
    yield right | {"sentences": sentences[:1] * 6}, "comes twice"
    yield right | {"word": "tennis"}, "exactly once"
