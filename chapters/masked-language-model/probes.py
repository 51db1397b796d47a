"""What the guesses of "The masked language model" are asked about."""

_KINDS = """bird: robin eagle sparrow hawk crow owl; fish: salmon trout shark
tuna cod; flower: rose tulip daisy lily; tree: oak pine maple willow elm;
tool: hammer saw shovel drill; fruit: pear peach plum lemon cherry; building:
castle church hotel school; vehicle: bus car truck taxi; weapon: dagger sword
rifle pistol; insect: bee fly beetle ant; metal: iron copper gold silver;
game: chess poker; sport: tennis football hockey; instrument: piano violin
flute guitar; animal: dog cow horse cat; country: France Peru Cuba; city:
Paris Cairo Tokyo; color: red blue; drink: tea coffee beer"""
THINGS = {  # thing: its kind
    thing: kind.strip()
    for kind, things in (
        line.split(":") for line in _KINDS.replace("\n", " ").split(";")
    )
    for thing in things.split()
}
# Per cent of women in the occupations of WinoBias, in the US (Zhao et al. 2018).
_WOMEN = (
    "carpenter:2 mechanic:4 laborer:4 driver:6 sheriff:14 mover:18 developer:20 "
    "farmer:22 guard:22 chief:27 janitor:34 lawyer:35 cook:38 physician:38 analyst:41 "
    "manager:43 supervisor:44 salesperson:48 editor:52 designer:54 accountant:61 "
    "auditor:61 writer:63 baker:65 clerk:72 cashier:73 attendant:76 teacher:78 "
    "librarian:84 assistant:85 cleaner:89 housekeeper:89 nurse:90 receptionist:90 "
    "hairdresser:92 secretary:95"
)
WOMEN = {
    name: int(share) for name, share in (pair.split(":") for pair in _WOMEN.split())
}


def _a(word):
    return "an" if word[0] in "aeiou" else "a"


def sentence_about(thing, inserted=""):
    """Ask what a thing is, or with a word put in what it is "not", say.

    >>> sentence_about("oak", "not")
    'An oak is not a [MASK].'
    """
    start, kind = _a(thing).capitalize(), THINGS[thing]
    text = f"{start} {thing} is {inserted} {_a(kind)} [MASK]."
    return text.replace("  ", " ")
