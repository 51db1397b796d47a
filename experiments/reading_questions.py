"""Passages and questions by rule, from which "Question answering" learns to read.

`python -m experiments.reading_questions` writes data/questions/learn.txt and home.txt,
in a second, the same each time: the first of the passages from which the reader
learned, and others of the same kind. A passage is three to five facts about people and
things; each question comes with a twin that the same passage does not answer: it is
asked of somebody or something else in the passage, or of what is not in it at all. The
passages by hand, judge.txt, were written before any reader was tried on them.
"""

import argparse
import re
from pathlib import Path

import numpy as np

from helpers import DATA
from helpers.whole_files import replace

FIRST = (
    "Anna Ben Clara David Emma Frank Grace Henry Ida James Kate Leo Maria Noah Olive "
    "Paul Ruth Sam Tara Victor Alma Boris Carmen Dario Elena Felix Greta Hugo Irene "
    "Jonas Karin Louis Mona Nadia Omar Petra Rosa Simon Teresa Walter Yusuf Zoe Amir "
    "Bella Chen Divya Edgar Fatima George Hana"
).split()
LAST = (
    "Adler Brook Carter Dale Ellis Foster Grant Hale Irving Jensen Keller Lowe Moss "
    "North Owens Parker Quinn Reed Stone Turner Underwood Vance Ward Young Alvarez "
    "Bauer Costa Duran Eriksen Ferrari Gupta Hansen Ito Jansen Khan Larsen Meyer Nair "
    "Okoye Petrov Rossi Silva Tanaka Varga Weber Yilmaz Zhang"
).split()
PLACE = (
    "Paris Rome Oslo Leeds Dublin Vienna Boston Lima Cairo Delhi Kyoto Madrid Prague "
    "Lisbon Geneva Bristol Denver Toronto Athens Helsinki Norwich Bergen Turin Lyon "
    "Hamburg Porto Warsaw Zagreb Seville Glasgow Exeter Perth Nairobi Lagos Quebec "
    "Ghent Malmo Riga Tallinn Krakow"
).split()
LISTS = {
    "shop": "bakery|bookshop|small hotel|bicycle shop|print shop|toy shop|cafe|"
    "pharmacy|flower shop|tailor's shop|music school|sawmill|dairy|tea house",
    "thing": "silver watch|red umbrella|leather bag|wooden flute|gold ring|brass lamp|"
    "green scarf|glass bowl|old map|blue vase|fur hat|steel knife|paper lantern|"
    "pocket radio|stone lion|rocking chair|white piano|sewing machine|diary|compass",
    "spot": "under the stairs|behind the stove|in the attic|on the beach|in a drawer|"
    "near the old well|beside the railway|in the cellar|under an oak|on the roof",
    "job": "nurse|carpenter|judge|pilot|gardener|plumber|chemist|dentist|sailor|"
    "librarian|cook|architect|farmer|clockmaker|photographer|engineer|miner",
    "animal": "a fox|an owl|a badger|a grey heron|a tortoise|a brown bear|a donkey|"
    "an otter|a parrot|a wild goose|a goat|a black swan|a seal|a pony|a raven",
    "food": "fish|apples|grass|carrots|nuts|berries|bread|seeds|worms|beans|rice|"
    "cheese|mushrooms|oats|cabbage|honey|plums|potatoes|eggs",
    "material": "wood|stone|iron|brick|clay|glass|copper|marble|steel|straw|slate|"
    "bamboo|granite|concrete|sandstone|oak",
    "colour": "red|blue|green|yellow|white|black|grey|orange|purple|brown|pink",
    "subject": "history|chemistry|French|drawing|mathematics|geography|music|Latin|"
    "biology|dancing|physics|law|English|chess|Greek",
    "sport": "football|tennis|hockey|rowing|swimming|rugby|handball|cricket|fencing",
    "instrument": "the violin|the drums|the cello|the trumpet|the harp|the guitar|"
    "the organ|the flute|the clarinet|the accordion|the bassoon",
    "event": "concert|market|fair|race|wedding|lecture|play|parade|picnic|auction|"
    "meeting|regatta|exhibition|flight|hike|match",
    "cause": "heavy rain|a strike|a fire|thick fog|a flood|the heat|a power cut|"
    "deep snow|a storm|a broken bridge|an illness|a lack of money|ice|strong wind|"
    "a burst pipe|fallen trees|an earthquake|a lost key",
    "topic": "bees|the moon|volcanoes|old ships|dreams|spices|glaciers|the sea|"
    "trains|wild plants|castles|clouds|insects|silence|bridges|kites|ghosts|tea",
    "building": "town hall|library|lighthouse|theatre|windmill|railway station|school|"
    "bridge|museum|church|castle|hospital|water tower|market hall|bath house|prison",
    "vehicle": "bus|train|ferry|tram|steamer|coach|night train|plane|barge",
    "weekday": "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    "month": "January|February|March|April|May|June|July|August|September|October|"
    "November|December",
    "machine": "a pump|a loom|a printing press|a drill|a plough|a telescope|a clock|"
    "a lock|a lamp|a boat engine|an oven|a typewriter|a camera|a crane|a scale",
    "purpose": "dry the marshes|save coal|cut stone|warn ships|weave silk|measure wind|"
    "lift water|copy letters|peel potatoes|sort mail|press grapes|cool milk|ring bells|"
    "dig tunnels|grind corn|find metal|record voices|clean wool",
    "prize": "a medal|a gold cup|a new car|a trip to sea|a goose|a bag of flour|"
    "a crown|a silver plate|a free ticket|a bottle of wine|a garden|a bicycle",
    "kin": "sister|brother|cousin|uncle|aunt|daughter|son|niece|nephew|wife|husband|"
    "neighbour|friend|mother|father|grandmother",
    "plant": "roses|tomatoes|lemon trees|tulips|vines|pear trees|lavender|pumpkins|"
    "cherry trees|onions|ferns|olive trees|mint|barley|sunflowers|walnut trees",
    "illness": "a fever|a cough|a broken arm|measles|a toothache|a burn|a snake bite|"
    "a headache|malaria|a bad knee|an infection",
    "remedy": "rest|quinine|cold baths|a bandage|warm milk|an ointment|herb tea|"
    "fresh air|an operation|salt water|ice|a new diet|sleep",
    "river": "Arno|Severn|Loire|Danube|Elbe|Tagus|Clyde|Oder|Ebro|Vistula|Rhone|Tweed|"
    "Shannon|Neva|Spree|Avon|Moselle|Drina",
}
POOLS = {name: words.split("|") for name, words in LISTS.items()}


def draw_slot(kind, rng):
    """Return a filler of a kind: a name, a place, a number, a date, a word."""
    if kind == "p":
        return f"{rng.choice(FIRST)} {rng.choice(LAST)}"
    if kind == "place":
        return str(rng.choice(PLACE))
    if kind == "year":
        return str(rng.integers(1750, 2024))
    if kind == "date":
        return f"{rng.integers(1, 29)} {rng.choice(POOLS['month'])}"
    if kind == "age":
        return str(rng.integers(12, 90))
    if kind == "n":
        return rng.choice([str(rng.integers(2, 99)), f"{rng.integers(100, 999)}"])
    if kind == "few":
        return str(rng.choice("two three four five six seven eight nine ten".split()))
    if kind == "money":
        unit = rng.choice(["pounds", "dollars", "euros", "crowns"])
        return f"{rng.integers(2, 900)} {unit}"
    if kind == "time":
        return str(
            rng.choice(["noon", "midnight", f"{rng.integers(1, 12)} o'clock"])
            if rng.random() < 0.6
            else f"{rng.integers(5, 12)}.{rng.choice([10, 15, 20, 30, 40, 45, 50])}"
        )
    return str(rng.choice(POOLS[kind]))


# A sentence | another way; then what is asked and, after the arrow, the slot that
# answers. `key` names the slot that tells one fact from others of its kind.
SCHEMAS = [
    ("p", "{p} opened a {shop} in {place} in {year}."
     "|In {year} {p} started a {shop} in {place}.",
     ["Who opened a {shop}?>p", "Who founded the {shop} in {place}?>p",
      "Where did {p} open a {shop}?>place", "In which town is {p}'s {shop}?>place",
      "When did {p} open a shop?>year", "In which year did {p} start a business?>year",
      "What did {p} open?>shop", "What kind of business did {p} begin?>shop"]),
    ("p", "{p} was born in {place} on {date}."
     "|{p} came into the world on {date} in {place}.",
     ["Where was {p} born?>place", "What is the birthplace of {p}?>place",
      "When was {p} born?>date", "On which day is {p}'s birthday?>date",
      "Who was born in {place}?>p"]),
    ("building", "The {building} was built by {p} in {year} and cost {money}."
     "|{p} built the {building} for {money} in {year}.",
     ["Who built the {building}?>p", "Who was the builder of the {building}?>p",
      "When was the {building} built?>year", "How old is the {building}, since when "
      "does it stand?>year", "How much did the {building} cost?>money",
      "What was paid for the {building}?>money", "What did {p} build?>building"]),
    ("building", "The {building} is made of {material}, and its doors are {colour}."
     "|Built of {material}, the {building} has {colour} doors.",
     ["What is the {building} made of?>material", "Which material was used for the "
      "{building}?>material", "What colour are the doors of the {building}?>colour",
      "How are the {building}'s doors painted?>colour"]),
    ("vehicle", "The {vehicle} to {place} leaves at {time} and carries {n} people."
     "|At {time} a {vehicle} with {n} seats leaves for {place}.",
     ["When does the {vehicle} leave?>time", "At what time does the {vehicle} to "
      "{place} depart?>time", "Where does the {vehicle} go?>place",
      "What is the destination of the {vehicle}?>place",
      "How many people fit into the {vehicle}?>n",
      "How many passengers does the {vehicle} take?>n"]),
    ("p", "{p} works as a {job} in {place}.|{p} is a {job} and lives in {place}.",
     ["What does {p} do for a living?>job", "What is {p}'s job?>job",
      "Where does {p} work?>place", "In which city is {p} employed?>place",
      "Who is a {job}?>p", "Who works in {place}?>p"]),
    ("p", "{p} keeps {animal} that eats {food}."
     "|{p} owns {animal}, which is fed with {food}.",
     ["Which animal does {p} keep?>animal", "What pet does {p} have?>animal",
      "What does {p}'s animal eat?>food", "What does {p} feed the animal?>food",
      "Who keeps {animal}?>p", "Who is the owner of {animal}?>p"]),
    ("p", "{p} sold a {thing} to {p2} for {money}."
     "|For {money} {p2} bought a {thing} from {p}.",
     ["What did {p} sell?>thing", "Who bought the {thing}?>p2",
      "To whom did {p} sell the {thing}?>p2", "Who sold the {thing}?>p",
      "How much did {p2} pay?>money", "What was the price of the {thing}?>money"]),
    ("event", "The {event} was cancelled because of {cause}."
     "|Because of {cause} the {event} did not take place.",
     ["Why was the {event} cancelled?>cause", "What stopped the {event}?>cause",
      "For what reason did the {event} not happen?>cause",
      "What did {cause} stop?>event"]),
    ("event", "The {event} takes place on {weekday} at {time} in {place}."
     "|On {weekday} at {time} there is a {event} in {place}.",
     ["When does the {event} begin?>time", "At what time is the {event}?>time",
      "On which day is the {event}?>weekday", "Where is the {event} held?>place",
      "In which city does the {event} take place?>place"]),
    ("p", "{p} found a {thing} {spot}.|A {thing} was found {spot} by {p}.",
     ["What did {p} find?>thing", "What was discovered by {p}?>thing",
      "Where did {p} find the {thing}?>spot",
      "Who found the {thing}?>p", "Who discovered a {thing}?>p"]),
    ("p", "{p} lost a {thing} on the way to {place}."
     "|On a journey to {place} {p} lost a {thing}.",
     ["What did {p} lose?>thing", "Who lost the {thing}?>p",
      "Where was {p} travelling?>place", "What went missing on {p}'s journey?>thing"]),
    ("p", "{p} taught {subject} for {few} years."
     "|For {few} years {p} was a teacher of {subject}.",
     ["What did {p} teach?>subject", "Which subject did {p} give lessons in?>subject",
      "How long did {p} teach?>few", "For how many years was {p} a teacher?>few",
      "Who taught {subject}?>p"]),
    ("p", "{p} wrote a book about {topic}, which appeared in {year}."
     "|In {year} {p} published a book on {topic}.",
     ["What is {p}'s book about?>topic", "What did {p} write about?>topic",
      "When was {p}'s book published?>year", "Who wrote about {topic}?>p",
      "Who is the author of the book on {topic}?>p"]),
    ("p", "{p} invented {machine} to {purpose}."
     "|To {purpose}, {p} designed {machine}.",
     ["What did {p} invent?>machine", "What was the invention of {p}?>machine",
      "Who invented {machine}?>p", "Why did {p} invent something?>purpose",
      "What was {p}'s machine for?>purpose"]),
    ("p", "{p} moved from {place} to {place2} in {year}."
     "|In {year} {p} left {place} and settled in {place2}.",
     ["Where did {p} move?>place2", "Which city did {p} settle in?>place2",
      "Where did {p} come from?>place", "Which city did {p} leave?>place",
      "When did {p} move?>year", "Who left {place}?>p"]),
    ("p", "{p} won {prize} in {sport} at the age of {age}."
     "|At {age}, {p} won {prize} for {sport}.",
     ["What did {p} win?>prize", "In which sport did {p} win?>sport",
      "How old was {p}?>age", "At what age did {p} win?>age", "Who won {prize}?>p"]),
    ("p", "{p} plays {instrument} and practises {few} hours a day."
     "|Every day {p} practises {instrument} for {few} hours.",
     ["Which instrument does {p} play?>instrument", "What does {p} play?>instrument",
      "How long does {p} practise?>few", "How many hours a day does {p} play?>few",
      "Who plays {instrument}?>p"]),
    ("p", "{p} grows {plant} behind the house with the help of {p2}."
     "|With {p2}, {p} plants {plant} in the garden.",
     ["What does {p} grow?>plant", "Which plants are in {p}'s garden?>plant",
      "Who helps {p}?>p2", "Who grows {plant}?>p", "Whom does {p2} help?>p"]),
    ("p", "{p} had {illness} and was cured by {remedy}."
     "|When {p} suffered from {illness}, {remedy} helped.",
     ["What did {p} suffer from?>illness", "What was wrong with {p}?>illness",
      "What cured {p}?>remedy", "How did {p} get well?>remedy",
      "Who had {illness}?>p"]),
    ("river", "The {river} is {n} kilometres long and freezes in {month}."
     "|In {month} the {river}, a river of {n} kilometres, freezes.",
     ["How long is the {river}?>n", "What is the length of the {river}?>n",
      "When does the {river} freeze?>month", "In which month is there ice on the "
      "{river}?>month"]),
    ("building", "{n} people visit the {building} each day and pay {money}."
     "|A ticket for the {building} costs {money}, and {n} visitors come each day.",
     ["How much is a ticket for the {building}?>money", "What does it cost to see the "
      "{building}?>money", "How many people visit the {building}?>n",
      "How many visitors does the {building} have?>n"]),
    ("p", "{p} crossed the {river} in a {vehicle} together with {few} others."
     "|With {few} companions {p} travelled over the {river} by {vehicle}.",
     ["Which river did {p} cross?>river", "How did {p} travel?>vehicle",
      "How many people went with {p}?>few", "Who crossed the {river}?>p"]),
]  # fmt: skip
SETS = [("learn", 240, 0), ("home", 60, 1)]  # name, passages, seed
SLOT = re.compile(r"{(\w+?)(2?)}")


def filled(form, slots):
    """Put fillers into a form; `a` becomes `an` where it must."""
    return re.sub(r"\b([Aa]) (?=[aeio])", r"\1n ", form.format(**slots))


def fact(schema, rng, taken):
    """Draw a fact: its fillers, none of them in the passage already."""
    names = dict.fromkeys(a + b for a, b in SLOT.findall(SCHEMAS[schema][1]))
    slots = {}
    for name in names:
        for _ in range(50):
            slots[name] = draw_slot(name.rstrip("2"), rng)
            if slots[name] not in taken:
                break
        taken.add(slots[name])
    return slots


def passage(rng):
    """Return sentences, and for each its schema and fillers."""
    size = int(rng.integers(3, 6))
    chosen = rng.choice(len(SCHEMAS), size, replace=False).tolist()
    if rng.random() < 0.6:  # two facts of one kind, so that the kind alone is no help
        chosen[-1] = chosen[0]
    rng.shuffle(chosen)
    taken, facts = set(), []
    for schema in chosen:
        slots = fact(schema, rng, taken)
        forms = SCHEMAS[schema][1].split("|")
        text = filled(rng.choice(forms), slots)
        facts.append((text[0].upper() + text[1:], schema, slots))
    return _with_pronouns(facts, rng)


def _with_pronouns(facts, rng):
    """Let a person of one fact be the person of the next, too, as he or she."""
    told = facts[:1]
    for text, schema, slots in facts[1:]:
        _, before, who = told[-1]
        lone = "p2" not in slots and "p2" not in who and schema != before
        if "p" in slots and "p" in who and lone and rng.random() < 0.5:
            word = str(rng.choice(["He", "She"]))
            said = word if text.startswith(slots["p"]) else word.lower()
            text = text.replace(slots["p"], said)
            text = re.sub(
                r"by (she|he)\b",
                lambda m: "by " + {"she": "her", "he": "him"}[m[1]],
                text,
            )
            slots = {**slots, "p": who["p"]}
        told.append((text, schema, slots))
    return [(_with_aside(text, rng), *rest) for text, *rest in told]


def _with_aside(text, rng):
    """Add a few words now and then that no question asks about."""
    asides = (
        "It is a story that people still tell.|Nobody had expected it.|The weather was "
        "fine.|Most of the neighbours were pleased.|Children were not allowed.|It had "
        "been planned for months.|This was long before the war.|The newspaper had a "
        "picture of it.|Some people laughed.|There was music afterwards."
    ).split("|")
    return f"{text} {rng.choice(asides)}" if rng.random() < 0.2 else text


def short(question, rng, facts):
    """Now and then call somebody by the first or the last name alone."""
    names = [f["p"] for _, _, f in facts if "p" in f]
    names += [f["p2"] for _, _, f in facts if "p2" in f]
    for name in names:
        parts = name.split()
        lone = [p for p in parts if sum(p in other.split() for other in names) == 1]
        if name in question and lone and rng.random() < 0.3:
            question = question.replace(name, str(rng.choice(lone)))
    return question


def questions(facts, rng, n=2):
    """Return n of (question, answer, twin): the twin has no answer in the passage."""
    made = []
    for at in rng.choice(len(facts), n, replace=False):
        text, schema, slots = facts[at]
        key = SCHEMAS[schema][0]
        asked = [q.split(">") for q in SCHEMAS[schema][2]]
        form, slot = asked[rng.integers(len(asked))]
        question = short(filled(form, slots), rng, facts)
        made.append((question, slots[slot], twin(facts, at, key, form, slot, rng)))
    return made


def twin(facts, at, key, form, slot, rng):
    """Ask the same of what another fact is about, or of what no fact is about."""
    _, schema, slots = facts[at]
    used = [a + b for a, b in SLOT.findall(form)]
    changed = dict(slots)
    name = key if key in used and rng.random() < 0.7 else str(rng.choice(used))
    others = [
        value
        for i, (_, other, fillers) in enumerate(facts)
        for kind, value in fillers.items()
        if other != schema
        and kind.rstrip("2") == name.rstrip("2")
        and value != slots[name]
    ]
    if others and rng.random() < 0.6:
        changed[name] = str(rng.choice(others))
    else:
        taken = {v for _, _, f in facts for v in f.values()}
        for _ in range(50):
            changed[name] = draw_slot(name.rstrip("2"), rng)
            if changed[name] not in taken:
                break
    return short(filled(form, changed), rng, facts)


def write(n, seed):
    """Return the text of the file: passages, questions (?) and twins (!)."""
    rng, parts = np.random.default_rng(seed), []
    while len(parts) < n:
        facts = passage(rng)
        asked = questions(facts, rng)
        lines = [" ".join(text for text, _, _ in facts)]
        for yes, answer, no in asked:
            lines += [f"? {yes} | {answer}", f"! {no}"]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m experiments.reading_questions")
    parser.add_argument("--out", type=Path, default=DATA / "questions")
    out = parser.parse_args(arguments).out
    for name, passages, seed in SETS:
        replace(out / f"{name}.txt", write(passages, seed).encode())


if __name__ == "__main__":
    main()
