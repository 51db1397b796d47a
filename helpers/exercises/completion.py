"""`record_of_completion("Ada Lovelace")`: a file that says what one has passed."""

import html
from datetime import date
from pathlib import Path

from helpers.exercises.chapters import chapters
from helpers.exercises.checks import shown
from helpers.exercises.html_table import html_table
from helpers.exercises.passed import progress

MARK = '<meta name="generator" content="Inside BERT: record of completion">'
LONGEST = 200  # letters of a name
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">{mark}
<title>Inside BERT: {name}</title>
<style>body{{font:1rem/1.5 sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}}
table{{border-collapse:collapse}}td,th{{border:1px solid #8c959f;padding:.2rem .6rem;
text-align:left}}</style></head><body>
<h1>Inside BERT: a record of completion</h1>
<p><strong>{name}</strong> had passed {passed} of {whole} exercises on {day}.</p>
{table}
<h2>What this does not prove</h2>
<ul><li>Who did the exercises: the name is what somebody typed.</li>
<li>That they were done without help: the solutions are in the book.</li>
<li>That nothing was changed: this file, and the one it was made from, can be edited,
and neither is signed.</li></ul>
<p>What it does say: on one machine, the checks of these exercises were satisfied on
these days. To be sure, ask for the notebooks and run the checks again (<code>make
grade</code>), or ask a question about one of them.</p>
</body></html>
"""


def record_of_completion(name, path="record-of-completion.html"):
    """Write what was passed on this machine to an HTML file, and return its path.

    name: of the person, as it shall stand there. An older record is replaced, any other
    file is left alone. Raises ValueError for no name, for a file that is no record, and
    where nothing has been passed or kept; OSError where nothing can be written.

    >>> record_of_completion(" ")
    Traceback (most recent call last):
    ValueError: give your name, such as record_of_completion("Ada Lovelace")
    """
    if not isinstance(name, str) or not 0 < len(name.strip()) <= LONGEST:
        raise ValueError('give your name, such as record_of_completion("Ada Lovelace")')
    from helpers.whole_files import replace

    path, done = Path(path).absolute(), progress()
    if not done.passed:
        raise ValueError("no exercise is passed yet, or INSIDE_BERT_PROGRESS is off")
    if path.exists() and MARK not in path.read_text(encoding="utf-8", errors="replace"):
        raise ValueError(f"{path} is another file; name a new one")
    text = PAGE.format(
        mark=MARK,
        name=html.escape(name.strip()),
        passed=done.passed,
        whole=len(done.rows),
        day=date.today().isoformat(),
        table=html_table(
            ("chapter", "passed", "exercises, and since when"), _rows(done)
        ),
    )
    replace(path, text.encode())
    return path


def _rows(done):
    for slug, chapter in chapters().items():
        own = [row for row in done.rows if row[0].rpartition(".")[0] == slug]
        passed = [(shown(i), day) for i, status, day in own if status == "passed"]
        if passed:
            said = ", ".join(f"{number} ({day})" for number, day in passed)
            yield (
                f"{chapter.number}. {chapter.title}",
                f"{len(passed)} of {len(own)}",
                said,
            )
