"""Right answers by other ways: three distributions."""

from scipy import stats


def right_3(names, answer):
    shares, bits = answer["distributions"], answer["bits"]
    entropies = {side: stats.entropy(shares[side], base=2) for side in bits}
    yield answer | {"bits": entropies}
    yield answer | {"surest": answer["surest"].title()}
    yield answer | {"sentence": answer["sentence"] + " "}
    commas = "Yesterday, we took the [MASK], slowly, to the airport ."
    shares = {side: names["distributions"]([commas], side)[0] for side in bits}
    bits = {side: stats.entropy(p, base=2) for side, p in shares.items()}
    surest = min(bits, key=bits.get)
    yield {"sentence": commas, "distributions": shares, "bits": bits, "surest": surest}
