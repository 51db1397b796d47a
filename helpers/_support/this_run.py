"""What this run is made of, and where that is not what the pages were written for."""

import os

MODEL, SAMPLE, OFFICIAL = "embedded", "sample", "official"
COURSE_MODEL_NAME = "embedded course model"
SWITCHES = {  # of a notebook -> the variables that it sets
    "MODEL": ("BERT_COURSE_MODEL",),
    "DATA": ("COARSE_WSD_HOME", "SMS_SPAM_HOME"),
}
_chosen = {}  # variable -> what a notebook's switch, and not its user, has set
_others = {}  # what -> its name, of all that this process has loaded and is not usual


def choose_run(model=MODEL, data=SAMPLE):
    """Let a notebook's two switches decide what it runs, and say it in one line.

    model: as for `helpers.models.load_bert`. data: "sample" or "official". An
    environment variable that was set elsewhere decides in their place. Raises
    ValueError for other data.
    """
    if data not in (SAMPLE, OFFICIAL):
        raise ValueError(
            f"DATA is {data!r}: write {SAMPLE!r} or {OFFICIAL!r}; a folder of your own "
            "is named by COARSE_WSD_HOME or SMS_SPAM_HOME"
        )
    _others.clear()
    runs = {
        switch: [_set(name, str(value)) for name in SWITCHES[switch]]
        for switch, value in (("MODEL", model), ("DATA", data))
    }
    print("; ".join(f"{switch}: {_said(values)}" for switch, values in runs.items()))


def _set(name, value):
    """Set a variable unless it was set elsewhere; return (what it holds, by whom)."""
    before = os.environ.get(name)
    if before and before != _chosen.get(name):
        return before, name
    os.environ[name] = _chosen[name] = value
    return value, ""


def _said(values):
    """Say what decides: the switch's value, or that of each variable by its name."""
    if not any(name for _, name in values):
        return values[0][0]
    return ", ".join(f"{value} ({name})" if name else value for value, name in values)


def note_model(name):
    """Note which model was loaded; of the course model nothing is noted."""
    if name != COURSE_MODEL_NAME:
        _others["the model is"] = name


def note_data(title, source):
    """Note where a data set came from, by its title; nothing of the sample."""
    if source != SAMPLE:
        _others[f"the data of {title} are"] = (
            "the official ones" if source == OFFICIAL else f"those of {source}"
        )


def what_differs():
    """Say what of this run is not what the pages were written for; "" if nothing.

    >>> what_differs()
    ''
    """
    return " and ".join(f"{what} {name}" for what, name in _others.items())
