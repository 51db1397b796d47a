"""Whose a submission is, by an id or a name of the roster in its path."""

import re
import unicodedata
from collections import Counter

SHORTEST_ID = 4  # letters; a shorter one is found in too many names of files
SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "o"})


def words(text):
    """Return the words of a text, without accents: {as plain, as spelled out}.

    >>> words("Müller, Anna")
    (['muller', 'anna'], ['mueller', 'anna'])
    """
    text = unicodedata.normalize("NFC", text).casefold()
    both = []
    for spelled in (text, text.translate(SPELLED)):
        letters = unicodedata.normalize("NFKD", spelled)
        plain = "".join(c for c in letters if not unicodedata.combining(c))
        both.append(re.findall(r"[^\W_]+", plain))
    return tuple(both)


def owner(submission, students):
    """Return (student or None, how it was found or why it was not)."""
    said = words(submission)
    fits = []
    for student in students:
        found = [i for i in student.ids if _has_id(i, said)]
        name = _name_in(student.name, said)
        if found or name:
            how = " and ".join(
                [*(["id"] if found else []), *(["name"] if name else [])]
            )
            fits.append(((bool(found), name), how, student))
    if not fits:
        return None, "no id and no whole name of the roster is in its path"
    fits.sort(key=lambda fit: fit[0])
    best = [fit for fit in fits if fit[0] == fits[-1][0]]
    if len(best) > 1:
        names = "; ".join(student.name or student.ids[0] for _, _, student in best)
        return None, f"fits several: {names}"
    return best[0][2], best[0][1]


def _has_id(own, said):
    if len(own) < SHORTEST_ID:
        return False
    wanted = [own, own.partition("@")[0]] if "@" in own else [own]
    return any(
        _in_a_row(words(form)[k], said[k])
        for form in wanted
        if len(form) >= SHORTEST_ID
        for k in range(2)
    )


def _in_a_row(part, whole):
    n = len(part)
    return n and any(whole[i : i + n] == part for i in range(len(whole) - n + 1))


def _name_in(name, said):
    """How many words of a name stand in a text that has all of them, else 0."""
    for k, own in enumerate(words(name)):
        whole = len(own) > 1 and Counter(own) <= Counter(said[k])
        joined = {"".join(own), "".join(reversed(own))} & {*said[k]}
        if own and (whole or (joined and len(own) > 1)):
            return len(own)
    return 0
