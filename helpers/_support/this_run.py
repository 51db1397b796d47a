"""What this run is made of, where it is not what the pages were written for."""

MODELS = {"embedded course model", "all-MiniLM-L6-v2"}
SAMPLE = "sample"
_others = {}  # what -> its name, of all that this process has loaded and is not usual


def note_model(name):
    """Note which model was loaded; of the usual ones nothing is noted."""
    if name not in MODELS:
        _others["the model is"] = name


def note_data(title, source):
    """Note where a data set came from, by its title; nothing of the sample."""
    if source != SAMPLE:
        _others[f"the data of {title} are"] = (
            "the official ones" if source == "official" else f"those of {source}"
        )


def what_differs():
    """Say what of this run is not what the pages were written for; "" if nothing.

    >>> what_differs()
    ''
    """
    return " and ".join(f"{what} {name}" for what, name in _others.items())
