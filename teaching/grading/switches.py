"""The model and the data on which a submission was made, by its own two switches.

Runs inside the sandbox. A notebook is judged on what it was made on, where that is at
hand: an answer that was typed from a run is right for this run alone.
"""

import os
import re

SET = re.compile(r"^(MODEL|DATA) *= *(\"|')(.*?)\2", re.M)
DATA_HOMES = ("COARSE_WSD_HOME", "SMS_SPAM_HOME")
UNNAMED = (None, "sample", "official")  # no folder that a sandbox could see
TAKEN = (
    "it was made on {}, not at hand here: an answer typed from its run is judged by "
    "another; name them: make grade MODEL=... COARSE_WSD_HOME=... SMS_SPAM_HOME=..."
)


def follow(sources):
    """Let the switches of a notebook decide what it runs on; return what cannot be.

    Returns "" or one sentence for the table. What cannot be had is as `make grade` was
    told.
    """
    asked, lacking = switches_in(sources), []
    model, data = asked.get("MODEL"), asked.get("DATA")
    if model and model != os.environ.get("BERT_COURSE_MODEL"):
        if is_at_hand(model):
            os.environ["BERT_COURSE_MODEL"] = model
        else:
            lacking.append(f"the model {model!r:.80}")
    if data == "sample":
        os.environ |= dict.fromkeys(DATA_HOMES, data)
    elif data and any(os.environ.get(home) in UNNAMED for home in DATA_HOMES):
        lacking.append(f"the data {data!r:.80}")
    return TAKEN.format(" and ".join(lacking)) if lacking else ""


def switches_in(sources):
    """Return {switch: value} of the last cell that sets them and calls `choose_run`.

    >>> switches_in(['MODEL = "embedded"\\nDATA = "sample"\\nchoose_run(MODEL, DATA)'])
    {'MODEL': 'embedded', 'DATA': 'sample'}
    """
    cells = [source for source in sources if "choose_run(" in source]
    return {name: value for name, _, value in SET.findall("\n".join(cells))}


def is_at_hand(model):
    from helpers.models import load_bert

    try:
        load_bert(model, "cpu", quiet=True)
    except (OSError, ValueError):
        return False
    return True
