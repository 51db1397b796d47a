"""Right answers of the chapter by other ways than the solutions."""

import numpy as np
import torch


def right_1(names):
    tokenizer = names["bert"].tokenizer

    def counted(words, word):
        found, place = [], 1
        for other in words:
            n = len(tokenizer.tokenize(other))
            found += [list(range(place, place + n))] if other == word else []
            place += n
        return found

    yield counted


def right_2(names):
    bert, hidden_states = names["bert"], names["hidden_states"]

    def vector(words, position, layers):
        encoding = bert.tokenizer(words, is_split_into_words=True, return_tensors="pt")
        span = encoding.word_to_tokens(position)
        states = hidden_states(encoding["input_ids"])[0]
        return states[list(layers), span.start : span.end].mean((0, 1))

    def with_gradient(words, position, layers):
        encoding = bert.tokenizer(words, is_split_into_words=True, return_tensors="pt")
        output = bert.model(**encoding.to(bert.device), output_hidden_states=True)
        span = encoding.word_to_tokens(position)
        chosen = [output.hidden_states[i][0, span.start : span.end] for i in layers]
        return torch.stack(chosen).mean((0, 1))

    yield vector
    yield with_gradient


def right_3(names):
    bert, baseline = names["bert"], np.asarray(names["baseline"])
    texts = [
        "the spring of the old clock broke",
        "press the spring until it clicks",
        "a spring holds the door shut",
        "each spring in the seat was rusty",
        "in spring the ice melts",
        "we plant beans every spring",
        "a cold spring delayed the blossom",
    ]
    words = [text.split() for text in texts]
    senses = ["coil"] * 4 + ["season"] * 3
    places = [sentence.index("spring") for sentence in words]
    vectors = names["embed_words"](bert, words, places, "all").swapaxes(0, 1)
    means = np.array([names["within_and_across"](v, senses) for v in vectors])
    within, across = (means - baseline[:, None]).T

    answer = {"word": "spring", "sentences": words, "senses": senses}
    answer |= {"within": within, "across": across}
    yield answer
    yield answer | {"senses": np.array([1] * 4 + [0] * 3)}
