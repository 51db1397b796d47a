"""Right answers by other ways than the solutions: guesses, masks, a probe."""

import numpy as np
import pandas as pd
import torch


def right_1(names):
    bert = names["bert"]

    def by_name_where_equal(text, k, n):
        guesses = bert.predict_masked(text, top=len(bert.tokenizer))[k]
        words = [(piece, p) for piece, p in guesses if piece.isalpha()]
        return sorted(words, key=lambda guess: (-guess[1], guess[0]))[:n]

    yield by_name_where_equal


def right_2(names):
    mask_id = names["bert"].tokenizer.mask_token_id
    ordinary = names["ordinary_ids"]

    def by_loops(ids, word_ids, rng):
        corrupted, labels, drawn = ids.tolist(), [-100] * len(ids), {}
        for place, word in enumerate(word_ids):
            if word is None:
                continue
            if word not in drawn:
                drawn[word] = rng.random() < 0.15
            if drawn[word]:
                labels[place], fate = corrupted[place], rng.random()
                if fate < 0.9:
                    new = int(ordinary[rng.integers(len(ordinary))])
                    corrupted[place] = mask_id if fate < 0.8 else new
        return corrupted, labels

    def exact_share(ids, word_ids, rng):
        words = np.array([-1 if word is None else word for word in word_ids])
        n = words.max() + 1
        chosen = np.isin(words, rng.choice(n, round(0.15 * n), replace=False))
        labels, fate = np.where(chosen, ids, -100), rng.random(len(ids))
        ids[chosen & (fate < 0.8)] = mask_id
        replaced = chosen & (fate >= 0.9)
        ids[replaced] = rng.choice(ordinary, replaced.sum())
        return torch.tensor(ids), torch.tensor(labels)

    def of_true_words(ids, word_ids, rng):
        words = pd.Series(word_ids, dtype="Int64")
        drawn = pd.Series(rng.random(words.max() + 1) < 0.15)
        chosen = words.map(drawn).fillna(False).to_numpy(bool)
        fate = rng.choice(["mask", "keep", "other"], len(ids), p=[0.8, 0.1, 0.1])
        drawn = rng.choice(
            names["bert"].tokenizer.convert_ids_to_tokens(ordinary), len(ids)
        )
        other = names["bert"].tokenizer.convert_tokens_to_ids(drawn.tolist())
        new = np.select([fate == "mask", fate == "other"], [mask_id, other], ids)
        return np.where(chosen, new, ids), np.where(chosen, ids, -100)

    def again_until_ordinary(ids, word_ids, rng):
        corrupted, labels = map(np.array, exact_share(ids.copy(), word_ids, rng))
        replaced = (labels != -100) & (corrupted != ids) & (corrupted != mask_id)
        for place in np.flatnonzero(replaced):
            while (new := int(rng.integers(len(names["bert"].tokenizer)))) in special:
                pass
            corrupted[place] = new
        return corrupted, labels

    special = set(names["bert"].tokenizer.all_special_ids)
    yield by_loops
    yield of_true_words
    yield again_until_ordinary
    yield (
        lambda ids, word_ids, rng: by_loops(ids, word_ids, np.random.default_rng(rng))
    )
    yield exact_share


def right_3(names):
    distribution, piece_id = names["distribution"], names["piece_id"]
    templates = [
        f"In the {place} the {{}} {ending} [MASK]."
        for place in ("village", "city", "forest", "desert", "harbour")
        for ending in ("was full of", "was known for", "had some", "gave them")
    ]
    targets = {"good": ("joy", "love"), "bad": np.array(["fear", "pain", "anger"])}

    def odds(word):
        p = distribution([template.format(word) for template in templates])
        good, bad = (
            p[:, [piece_id(str(w)) for w in words]].sum(axis=1)
            for words in targets.values()
        )
        return np.log(good) - np.log(bad)

    own = odds("garden") - odds("old prison")
    half = 1.96 * own.std(ddof=1) / len(own) ** 0.5
    answer = {
        "templates": tuple(templates),
        "pair": ["garden", "old prison"],
        "targets": targets,
        "differences": torch.tensor(own),
        "mean": f"{own.mean():.3f}",
        "interval": (own.mean() - half, own.mean() + half),
    }
    yield answer
    rounded = {"differences": pd.Series(own).round(2), "mean": round(own.mean(), 3)}
    interval = np.round(answer["interval"], 2)
    yield answer | rounded | {"mean": own.round(2).mean()}
    yield answer | rounded | {"interval": interval, "targets": list(targets.values())}
