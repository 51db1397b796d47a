"""Messages: their families, their pieces and their probabilities."""

import numpy as np

from chapters.judging_a_classifier.filters import classifier, tfidf_classifier
from helpers import spam

# By hand


def test_families_are_near_repeats_and_theirs():
    offer = "win 50 now , call 0123 today and get {} as your prize {}"
    texts = [
        offer.format("a new red car", "if you are quick and lucky"),
        "see you later then",
        offer.format("a new red car", "said nobody").upper(),
        offer.format("an old blue boat", "said nobody").replace("50", "7000!"),
        "See you later, then.",
        "see you at home tonight",
    ]
    numbers = spam.families(texts, share=0.4).tolist()
    assert numbers == [0, 1, 0, 0, 1, 2]
    first_and_last = spam.families([texts[0], texts[3]], share=0.4)
    assert first_and_last[0] != first_and_last[1]  # kin through the third only
    assert len(set(spam.families(texts, share=1))) == 5


def test_the_penalty_is_chosen_without_a_family_on_both_sides():
    """Each family has a word that gives its label away, and no other has it."""
    rng = np.random.default_rng(0)
    texts = [f"{rng.choice(['a b', 'b c', 'c a'])} word{i // 5}" for i in range(60)]
    labels = np.arange(60) // 5 % 2
    grouped, alone = (
        spam.tuned(tfidf_classifier(), texts, labels, groups)
        for groups in (np.arange(60) // 5, np.arange(60))
    )
    best = [s.best_params_["logisticregression__C"] for s in (grouped, alone)]
    assert best[0] < best[1]
    assert grouped.predict_proba(texts[:1]).shape == (1, 2)


# The encoder


def test_probabilities_do_not_depend_on_the_company(tiny):
    model = classifier(tiny, 0).eval()
    texts = ["a", "a longer message with more pieces", "win " * 100]
    together = spam.spam_probability(tiny, model, texts, size=2)
    alone = [spam.spam_probability(tiny, model, [text])[0] for text in texts]
    assert np.allclose(together, alone, atol=1e-6)
    assert len(spam.encode(tiny, texts)[2]) == spam.PIECES  # cut
