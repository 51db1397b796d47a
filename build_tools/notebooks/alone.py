"""What each exercise of a notebook needs of the cells above it, said below its title.

So it can be done without the minutes of training that stand before it. What an answer
needs is what the solution uses.
"""

import re

from build_tools.notebooks.needed_cells import needed_cells

TITLE = re.compile(r"^### Exercise (?:\w+\.)?(\d+) .+$", re.M)
SOLUTION = "solution-"  # how the tag of its cells begins, before the exercise's number
HEADING = re.compile(r"^#+ (.+)$", re.M)
OPENING = "at the top"  # where a cell stands above the first section
LONGEST = 46  # letters of a line by which a cell is named
CHECK, IMPORT = re.compile(r"^check\(", re.M), "from helpers.exercises import check"


def complete(cells, page):
    """Say below each exercise's title which cells it needs; let each check run alone.

    cells: of the notebook, with its set-up. page: the cells of its page, in which the
    solutions stand.
    """
    solutions, above = solutions_in(page), None  # above: all exercises
    for at, cell in enumerate(cells):
        found = TITLE.search(cell.source) if cell.cell_type == "markdown" else None
        if found:
            above = above or cells[:at]
            if solution := solutions.get(found[1]):
                said = f"{found[0]}\n\n{_in_words(_needs(above, solution))}"
                cell.source = cell.source.replace(found[0], said, 1)
    for cell in cells:
        is_code = cell.cell_type == "code"
        if is_code and CHECK.search(cell.source) and IMPORT not in cell.source:
            cell.source = f"{IMPORT}\n\n{cell.source}"


def solutions_in(page):
    """Return {number of an exercise, as text: sources of the cells that solve it}."""
    found = {}
    for cell in page:
        for tag in cell.metadata.get("tags", []):
            if tag.startswith(SOLUTION):
                found.setdefault(tag.removeprefix(SOLUTION), []).append(cell.source)
    return found


def _needs(cells, solution):
    """Return [(section, line that names a cell)] of the cells that a solution needs."""
    places = [n for n, cell in enumerate(cells) if _is_plain(cell)]
    sources = [cells[n].source for n in places]
    found = set()
    for end in range(1, len(solution) + 1):
        target = len(sources) + end - 1
        found |= set(needed_cells([*sources, *solution[:end]], target))
    chosen = [places[i] for i in sorted(found) if i < len(places)]
    return [(_section(cells[:n]), _line_of(cells[n].source)) for n in chosen]


def _is_plain(cell):
    """Whether a cell is code of the page: no set-up, text with values or live box."""
    other = {"set-up", "switches", "glued"} & {*cell.metadata.get("tags", [])}
    is_box = cell.source.startswith("box_")
    return cell.cell_type == "code" and not other and not is_box


def _section(cells):
    """Return the last heading of the cells below the page's title, or OPENING."""
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    heads = HEADING.findall("\n".join(texts))
    return heads[-1] if len(heads) > 1 else OPENING


def _line_of(source):
    """Return the line by which a cell is found: its first that imports nothing."""
    source = re.sub(r"^from [^(\n]+\([^)]*\)", "", source, flags=re.M)
    lines = [line.strip() for line in source.splitlines()]
    own = [x for x in lines if x and not x.startswith(("import ", "from ", "#", "%"))]
    line = (own or [x for x in lines if x])[0]
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _in_words(needed):
    if not needed:
        return "*Done alone, it needs the first two cells and none of the others.*"
    said = [f"`` {line} `` ({section})" for section, line in needed]
    return f"*Done alone, it needs the first two cells and these:* {', '.join(said)}"
