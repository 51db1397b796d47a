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

    yield lambda words, word: [[words.index(word)]], "ValueError"
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

    def joined(words, word):
        found = bert.tokenizer(" ".join(words)).word_ids()
        indices = [i for i, other in enumerate(words) if other == word]
        return [[p for p, owner in enumerate(found) if owner == i] for i in indices]

    def runs(words, word):
        tokens = bert.tokenizer(words, is_split_into_words=True).tokens()
        run = bert.tokenizer.tokenize(word)
        starts = [i for i in range(len(tokens)) if tokens[i : i + len(run)] == run]
        return [list(range(i, i + len(run))) for i in starts]

    def merged(words, word):
        places, found = sum(pieces(words, word), []), []
        for place in places:
            if found and found[-1][-1] == place - 1:
                found[-1].append(place)
            else:
                found.append([place])
        return found

    def cut(length):
        def places(words, word):
            owners = bert.tokenizer(
                words, is_split_into_words=True, truncation=True, max_length=length
            ).word_ids()
            return [
                [p for p, owner in enumerate(owners) if owner == i]
                for i, other in enumerate(words)
                if other == word
            ]

        return places

    def where(same):
        def places(words, word):
            return [
                [p for p, owner in enumerate(owners(words)) if owner == i]
                for i, other in enumerate(words)
                if same(other, word)
            ]

        return places

    def index_0_is_false(words, word):
        return [
            [p for p, owner in enumerate(owners(words)) if owner and owner == i]
            for i, other in enumerate(words)
            if other == word
        ]

    def index_each_time(words, word):
        first = pieces(words, word)[:1]
        return first * words.count(word)

    def each(change):
        return lambda words, word: [change(places) for places in pieces(words, word)]

    yield joined, "splits anew"
    yield runs, "begin with the same pieces"
    yield merged, "side by side come as one"
    yield cut(16), "yours is []"
    yield cut(32), "yours is []"
    yield where(lambda other, word: other.lower() == word.lower()), "other letters"
    yield where(lambda other, word: other.strip(".,") == word), "full stop"
    yield where(lambda other, word: word in other), "only hold the word"
    yield where(str.startswith), "only begin with the word"
    yield index_0_is_false, "yours is []"
    yield index_each_time, "occurrence 1"
    yield each(lambda places: places[-1:]), "last piece only"
    yield each(lambda places: [*places, places[-1] + 1]), "occurrence 0"
    yield each(lambda places: [places[0], places[-1]]), "occurrence 0"
    yield lambda ws, w: [[p] for ps in pieces(ws, w) for p in ps], "each occurrence"
    yield lambda ws, w: pieces(ws, w)[-1:], "you found 1"
    yield lambda ws, w: pieces(ws, w)[::-1], "occurrence 0"
    yield lambda ws, w: [[i + 1] for i, o in enumerate(ws) if o == w], "plus 1"
    yield by_argmax, "must be an empty list"
    yield lambda words, word: pieces(words, word) or [[]], "must be an empty list"
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
    yield taking(lambda h, p, ls: h[list(ls)][:, p[-1]].mean(0)), "last piece alone"
    yield taking(lambda h, p, ls: h[list(ls)][:, p - 1].mean((0, 1))), "too small"
    yield taking(lambda h, p, ls: h[list(ls)][:, p + 1].mean((0, 1))), "too large"
    yield taking(lambda h, p, ls: h[list(ls), 0].mean(0)), "vector of [CLS]"
    yield taking(lambda h, p, ls: h[list(ls), 1:-1].mean((0, 1))), "all words"
    yield taking(lambda h, p, ls: h[-1, p].mean(0)), "last layer each time"
    yield taking(lambda h, p, ls: h[:, p].mean((0, 1))), "not the one"
    yield taking(lambda h, p, ls: h[list(ls)][:, p].max((0, 1))), "not the one"
    yield taking(lambda h, p, ls: h[list(ls)][:, p[:-1]].mean((0, 1))), "infinity"

    def from_last(hidden, places, layers):
        return hidden[[i % (len(hidden) - 1) for i in layers]][:, places].mean((0, 1))

    def range_of(hidden, places, layers):
        n = len(hidden)
        first, *_, last = sorted([i % n for i in layers] * 2)
        return hidden[first : last + 1, places].mean((0, 1))

    yield taking(from_last), "-1 is the last layer"
    yield taking(range_of), "not the one"
    right = taking(lambda h, p, ls: h[list(ls)][:, p].mean((0, 1)))

    def at_occurrence(choose):
        def vector(words, position, layers):
            places = [i for i, word in enumerate(words) if word == words[position]]
            vectors = [right(words, place, layers) for place in choose(places)]
            return np.mean(vectors, axis=0)

        return vector

    def joined(words, position, layers):
        encoding = bert.tokenizer(" ".join(words), return_tensors="pt")
        hidden = np_states(encoding["input_ids"])[0].numpy()
        owners = encoding.word_ids()
        places = [p for p, owner in enumerate(owners) if owner == position]
        return hidden[list(layers)][:, places].mean((0, 1))

    def by_embed_words(words, position, layers):
        return names["embed_words"](bert, [words], [position], layers)[0]

    yield at_occurrence(lambda places: places[:1]), "you take the first"
    yield at_occurrence(lambda places: places[-1:]), "you take the last"
    yield at_occurrence(lambda places: places), "not the one"
    yield joined, "not the one"
    yield by_embed_words, "calls embed_words"
    yield lambda ws, i, layers: right(ws[: i + 1], i, layers), "not the one"
    yield lambda ws, i, layers: right(ws[i : i + 1], 0, layers), "not the one"
    yield lambda ws, i, layers: right(ws[:12], i, layers), "infinity"
    yield lambda words, position, layers: "field", "one array"
    yield np.zeros(3), "without brackets"
    yield taking(lambda h, p, ls: h[tuple(ls)][p].mean(0)), "averaged or indexed"


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
    gaps = np.stack([within, across]) - baseline

    def other(numbers, **change):
        return answer(*numbers, **change)

    yield other(gaps + baseline - baseline.mean()), "the mean baseline"
    yield other(gaps + baseline - baseline[0]), "layer 0's baseline"
    yield other(gaps + 2 * baseline), "subtract it"
    yield other((gaps + baseline) / baseline), "You divide by the baseline"
    yield other(-gaps), "turned"
    yield other(gaps / (1 - baseline)), "shares of the room"
    yield other(gaps[:, ::-1]), "reverse"
    yield other(gaps[:, -1:].repeat(len(baseline), axis=1)), "last layer's numbers"
    yield other(gaps * 100), "per cent"
    yield other(gaps.round(1)), "three decimals"
    yield other(gaps.round(2)), "three decimals"
    for shift, said in ((-1, "the word before"), (1, "the word after")):
        last = [len(words) - 1 for words in sentences]
        beside = np.clip(np.add(places, shift), 0, last).tolist()
        vectors_there = embed_words(bert, sentences, beside, "all", dtype="float32")
        scale = np.linalg.norm(vectors_there, axis=-1, keepdims=True)
        yield other(np.stack(means(vectors_there / scale)) - baseline), said
    first = means(vectors / lengths, upper & ~(same & (np.arange(6) > 2)))[0] - baseline
    yield answer(first, across - baseline), "within is not what"
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
