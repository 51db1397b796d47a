"""A made-up corpus of small stories, with regularities that are known beforehand.

A seeded grammar writes simple English from the words in `data/mini-corpus`. The rules
that it follows can be imported, so that chapters and tests can ask whether a model has
learned them:

- `TOPICS`: topic -> dict of "nouns", "verbs", "adjectives" (base forms) and "names"
  (words that keep their form). Each story keeps to one topic.
- `SENSES`: word -> the two topics that it has a sense in. No other word has two.
- `AGREEMENT`: "nouns" and "verbs", singular form -> plural form. The verb of every
  sentence agrees with its first noun, name or pronoun.
- `NUMBER`: form of a noun, name or pronoun -> 0 for singular, 1 for plural.
- `RELATIONS`: name -> pairs of words that all stand in the same relation.
- `PHASES`: the times of day, in order, with their "openers", "acts" and "sight". No
  story goes back from a later one to an earlier one.
- `NAMES`: "she" and "he" -> the names that this pronoun stands for.
"""

import random
import re
import tomllib
from itertools import accumulate

from helpers import DATA

WORDS = 200_000  # of a corpus, at least
SENTENCES = (7, 12)  # of a story

_DATA = tomllib.loads((DATA / "mini-corpus" / "words.toml").read_text("utf-8"))
_SHARED = {k: v.split() for k, v in _DATA["shared"].items() if isinstance(v, str)}
_DETERMINERS = [text.split() for text in _DATA["shared"]["determiners"]]
_LISTS = {
    topic: {kind: text.split() for kind, text in lists.items()}
    for topic, lists in _DATA["topics"].items()
}
_RELATIONS = {relation["topic"]: relation for relation in _DATA["relations"].values()}

SENSES = {word: tuple(topics) for word, topics in _DATA["senses"].items()}
NAMES = {pronoun: tuple(text.split()) for pronoun, text in _DATA["names"].items()}
PHASES = {
    name: {k: tuple(v if isinstance(v, list) else v.split()) for k, v in phase.items()}
    for name, phase in _DATA["phases"].items()
}


def _plural(noun):
    return _DATA["irregular"].get(noun) or _with_s(noun)


def _verb(verb, plural):
    if verb in ("is", "has"):
        return _plural(verb) if plural else verb
    return verb if plural else _with_s(verb)


def _with_s(word):
    """The plural of a regular noun, or the form of a verb that goes with *she*."""
    if word[-1] == "y" and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def _gather_plain(lists):
    return {
        "nouns": lists["people"] + lists["things"] + lists["places"],
        "verbs": lists["does"] + lists["acts"],
        "adjectives": lists["looks"],
        "names": [],
    }


def _gather_pairs(relation):
    frames = " ".join(relation["both"] + relation["first"] + relation["second"])
    nouns = re.findall(r"(\w\w+)#", frames) + " ".join(relation["nouns"]).split()
    verbs = [verb for verb in re.findall(r"(\w+)~", frames) if verb != "is"]
    return {
        "nouns": list(dict.fromkeys(nouns)),
        "verbs": list(dict.fromkeys(verbs)),
        "adjectives": " ".join(relation["looks"]).split(),
        "names": " ".join(f"{a} {b}" for a, b in relation["pairs"].items()).split(),
    }


TOPICS = {topic: _gather_plain(lists) for topic, lists in _LISTS.items()}
TOPICS |= {topic: _gather_pairs(relation) for topic, relation in _RELATIONS.items()}


def _agreement():
    nouns = [phase["sight"][0] for phase in PHASES.values()]
    verbs = _SHARED["acts"] + _SHARED["moves"]
    for phase in PHASES.values():
        verbs += [*phase["acts"], phase["sight"][1]]
    for words in TOPICS.values():
        nouns += words["nouns"]
        verbs += words["verbs"]
    return {
        "nouns": {noun: _plural(noun) for noun in nouns},
        "verbs": {v: _verb(v, True) for v in ("is", "has")}
        | {_verb(verb, False): verb for verb in verbs},
    }


AGREEMENT = _agreement()
RELATIONS = {
    name: [tuple(pair.split()) for pair in relation["pairs"]]
    for name, relation in _DATA["relations"].items()
}
RELATIONS["plural"] = list(AGREEMENT["nouns"].items())

NUMBER = {noun: i for pair in AGREEMENT["nouns"].items() for i, noun in enumerate(pair)}
NUMBER |= {w: 0 for name in _DATA["relations"] for p in RELATIONS[name] for w in p}
NUMBER |= {word: 0 for pronoun in NAMES for word in (pronoun, *NAMES[pronoun])}
NUMBER["they"] = 1


def generate(seed=0, words=WORDS):
    """Write stories until they hold `words` words; the same seed, the same stories.

    The last story is finished, so that there may be a few words more.
    Returns a list of documents, each a list of sentences, each a list of lower-case
    words without punctuation.

    >>> [story] = generate(seed=0, words=1)
    >>> story[0]
    ['peter', 'begins']
    """
    rng, documents, count = random.Random(seed), [], 0
    topics = list(TOPICS)
    shares = list(accumulate(2 if topic in _RELATIONS else 1 for topic in topics))
    while count < words:
        document = _story(rng, rng.choices(topics, cum_weights=shares)[0])
        documents.append(document)
        count += sum(map(len, document))
    return documents


def _pick(rng, words):
    """Draw a word, the n-th about 1 / n as often as the first (Zipf's law)."""
    return words[int((len(words) + 1) ** rng.random()) - 1]


def _story(rng, topic):
    pronoun = rng.choice(list(NAMES))
    name = _pick(rng, NAMES[pronoun])
    order = list(PHASES)
    phases = sorted(rng.choices(order, k=rng.randint(*SENTENCES)), key=order.index)
    relation = _RELATIONS.get(topic)
    pair = rng.choice(list(relation["pairs"].items())) if relation else None
    story = []
    for i, phase in enumerate(phases):
        hero = name if i == 0 or rng.random() < 0.3 else pronoun
        chance = rng.random()
        if 0 < i and chance < 0.1:
            body = _sight(rng, phase)
        elif chance < 0.2 or (i == 0 and relation):
            many = i > 0 and rng.random() < 0.4
            act = _pick(rng, PHASES[phase]["acts"])
            body = ["they" if many else hero, _verb(act, many)]
        elif relation:
            body = _about_pair(rng, relation, pair, hero)
        else:
            body = _about_topic(rng, _LISTS[topic], hero, opening=i == 0)
        story.append(_lead(rng, phase, phases[:i]) + _with_an(body))
    return story


def _lead(rng, phase, earlier):
    """Open a sentence: with the phase where it begins, else perhaps with an adverb."""
    if phase not in earlier and rng.random() < 0.8:
        return _pick(rng, PHASES[phase]["openers"]).split()
    return [_pick(rng, _SHARED["times"])] if rng.random() < 0.3 else []


def _with_an(words):
    return [
        "an" if word == "a" and after[0] in "aeiou" and after != "uniform" else word
        for word, after in zip(words, [*words[1:], "."], strict=True)
    ]


def _sight(rng, phase):
    noun, verb = PHASES[phase]["sight"]
    plural = noun != "sun" and rng.random() < 0.5
    return ["the", _plural(noun) if plural else noun, _verb(verb, plural)]


def _noun_phrase(rng, nouns, plural, looks):
    noun = _pick(rng, nouns)
    look = [_pick(rng, looks)] if rng.random() < 0.4 else []
    noun = _plural(noun) if plural else noun
    return [_pick(rng, _DETERMINERS[plural]), *look, noun]


def _about_topic(rng, lists, hero, opening):
    """A sentence of subject and verb; a noun of the other number may stand between."""
    looks = lists["looks"] if rng.random() < 0.7 else _SHARED["looks"]
    place = _pick(rng, lists["places"])
    where = _plural(place) if rng.random() < 0.5 else place
    where = [_pick(rng, _SHARED["prepositions"]), "the", where]
    plural, person = rng.random() < 0.45, opening or rng.random() < 0.65
    if opening or (person and rng.random() < 0.4):
        subject, plural = [hero], False
        if hero not in NAMES:
            subject += ["the", _pick(rng, lists["people"])]
    else:
        subject = _noun_phrase(
            rng, lists["people" if person else "things"], plural, looks
        )
        if rng.random() < 0.5:
            subject, where = subject + where, []
    return subject + (_deed if person else _state)(rng, lists, looks, plural, where)


def _deed(rng, lists, looks, plural, where):
    chance = rng.random()
    if chance < 0.6:
        verb = "has" if chance < 0.1 else _pick(rng, lists["does"])
        thing = _noun_phrase(rng, lists["things"], rng.random() < 0.4, looks)
        return [_verb(verb, plural), *thing] + (where if rng.random() < 0.3 else [])
    if chance < 0.7 and where:
        return [_verb("is", plural), *where]
    acts = lists["acts"] if chance < 0.85 else _SHARED["acts"]
    manner = [_pick(rng, _SHARED["manners"])] if rng.random() < 0.5 else []
    return [_verb(_pick(rng, acts), plural), *manner, *where]


def _state(rng, lists, looks, plural, where):
    chance = rng.random()
    if chance < 0.5:
        return [_verb("is", plural), _pick(rng, looks)]
    if chance < 0.7 and where:
        return [_verb("is", plural), *where]
    return [_verb(_pick(rng, _SHARED["moves"]), plural), *where]


def _about_pair(rng, relation, pair, hero):
    """Fill one of the relation's sentences for the first or second word of a pair."""
    names, shared = pair
    side = int(rng.random() < 0.5)
    own = relation[("first", "second")[side]]
    frame = rng.choice(relation["both"] + own).split()
    subject = next(s for s in frame if s in ("X", "HERO") or s[-1] == "#")
    plural = subject[-1] == "#" and rng.random() < 0.4
    looks, nouns = (relation[kind][side].split() for kind in ("looks", "nouns"))
    fixed = dict(zip("123", shared.split(), strict=True))
    fixed |= {"X": names.split()[side], "HERO": hero, "HIS": ("his", "her")[side]}
    words = []
    for slot in frame:
        if slot == "D":
            slot = _pick(rng, _DETERMINERS[plural])
        elif slot in "AB":
            slot = _pick(rng, looks if slot == "A" else nouns)
        elif slot[-1] == "#":
            noun = _pick(rng, nouns) if slot == "B#" else slot[:-1]
            many = plural if slot == subject else rng.random() < 0.4
            slot = _plural(noun) if many else noun
        elif slot[-1] == "~":
            slot = _verb(slot[:-1], plural)
        words.append(fixed.get(slot, slot))
    return words
