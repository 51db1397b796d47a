"""What the book writes from templates of Jinja, `build_tools/templates`."""

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from helpers.exercises.chapters import ROOT

ENVIRONMENT = Environment(
    loader=FileSystemLoader([ROOT / "build_tools/templates", ROOT / "live/window"]),
    autoescape=select_autoescape(),  # of HTML
    undefined=StrictUndefined,
    lstrip_blocks=True,
    trim_blocks=True,
)
ENVIRONMENT.filters["megabytes"] = lambda size: f"{size / 1e6:.1f} MB"


def rendered(name, **values):
    """Return a filled template; in HTML a value is text, unless it is `safe`."""
    return ENVIRONMENT.get_template(name).render(values)
