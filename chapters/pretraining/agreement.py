"""Subject and verb of a sentence of the mini corpus."""

from helpers.corpus.grammar import AGREEMENT, NUMBER

VERB_FORMS = {form for pair in AGREEMENT["verbs"].items() for form in pair}


def find_agreement(sentence):
    """Find subject and verb in a sentence (a list of words) of this grammar.

    Returns (index of the subject, index of its verb, whether the subject is plural).

    >>> find_agreement(["the", "bankers", "near", "the", "light", "wait"])
    (1, 5, True)
    """
    subject = next(i for i, word in enumerate(sentence) if word in NUMBER)
    after = range(subject + 1, len(sentence))
    verb = next(i for i in after if sentence[i] in VERB_FORMS)
    return subject, verb, bool(NUMBER[sentence[subject]])
