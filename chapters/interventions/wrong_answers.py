"""Wrong answers that the tables of mistakes do not hold, and words of the reply."""

import torch

from helpers.exercises.checks import mistakes_of


def wrong_1(names):
    bert = names["bert"]
    patch = mistakes_of("interventions.1").right

    def not_at_depth_0(text, source, depth, place):
        return patch(text, source if depth else text, depth, place)

    def not_at_place_0(text, source, depth, place):
        return patch(text, source if place else text, depth, place)

    def late(text, source, depth, place):
        last = torch.tensor(patch(text, text, depth, place))
        last[place] = states_of(source)[depth][place]
        return last

    def states_of(text):
        ids = bert.encode(text)["input_ids"]
        return [states[0] for states in names["depths_of"](ids, torch.ones_like(ids))]

    def leaves_a_hook(text, source, depth, place):
        def once(module, inputs, output):
            hook.remove()
            return output + 1

        states = patch(text, source, depth, place)
        hook = bert.model.encoder.layer[0].register_forward_hook(once)
        return states

    yield not_at_depth_0, "depth 0"
    yield not_at_place_0, "place 0"
    yield late, "Do the remaining layers run"
    yield leaves_a_hook, "a hook is still in it"
    yield lambda t, s, d, p: patch(t, s, d, p)[p], "(tokens, hidden)"
    yield lambda t, s, d, p: patch(t, s, d, p) * 1.1, "is another one"


def wrong_2(names):
    right = mistakes_of("interventions.2").right
    yield lambda *given: right(*given)[..., :2], "Like mixed"
    yield lambda *given: right(*given) + 1, "At [0, 0, 0] your array has"


def wrong_3(names):
    bert, table = names["bert"], mistakes_of("interventions.3")
    right = table.answer(table.right)
    head, others, changes = (right[k] for k in ("head", "others", "other_changes"))

    def of(*heads, word=right["word"]):
        return list(table.right(right["sentence"], word, heads))

    def plainest(heads):
        """Return the head whose change is largest; a small one names no head."""
        return max(heads, key=lambda head: abs(of(head)[0]))

    def with_word(word):
        """All that is asked, measured as it should be, for another word."""
        own, *rest = of(head, *others, word=word)
        return right | {"word": word, "change": own, "other_changes": rest}

    yield right | {"change": right["change"] + 1}, "not what this model gives"
    yield right | {"change": -right["change"]}, "less the one with all heads on"
    yield right | {"change": 0}, "For change your number is 0"
    i, _ = plainest([(i, 0) for i in range(2, bert.n_layers)])
    turned = right | {"head": (0, i), "change": of((i, 0))[0]}
    yield turned, f"head 0 of layer {i} does"
    _, j = plainest([(0, j) for j in range(bert.n_heads - 1)])
    counted = right | {"head": (1, j + 1), "change": of((0, j))[0]}
    yield counted, "counted from 0"
    yield (
        right
        | {
            "change": round(right["change"], 1),
            "other_changes": [round(x, 1) for x in changes],
        },
        "three decimals",
    )
    yield right | {"other_changes": changes[::-1]}, "same order"
    yield right | {"other_changes": changes[:3]}, "Expected 10 other_changes"
    yield right | {"others": [head, *others[1:]]}, "its own control"
    yield right | {"others": others[:1] * 10}, "same head twice"
    yield right | {"others": others[:4]}, "Expected 10 other heads"
    yield right | {"head": (bert.n_layers, 0)}, "There is no head"
    yield right | {"head": 4}, "a pair (layer, head)"
    yield right | {"others": [*others[:9], 7]}, "others[9] must be"
    yield right | {"others": [*others[:9], (-1, 0)]}, "others[9]"
    yield right | {"word": "Tea-time"}, "a word of one piece"
    yield with_word("##s"), "a word of one piece"
    yield with_word("[UNK]"), "a word of one piece"
    yield right | {"sentence": "She drank tea."}, "exactly one [MASK]"
