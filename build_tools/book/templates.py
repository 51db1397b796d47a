"""HTML that the book writes: templates of Jinja in `build_tools/templates`."""

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from helpers.exercises.chapters import ROOT

ENVIRONMENT = Environment(
    loader=FileSystemLoader([ROOT / "build_tools/templates", ROOT / "live/window"]),
    autoescape=True,
    undefined=StrictUndefined,
    lstrip_blocks=True,
    trim_blocks=True,
)
ENVIRONMENT.filters["megabytes"] = lambda size: f"{size / 1e6:.1f} MB"


def rendered(name, **values):
    """Return a template as HTML; what a value holds is text, unless it is `safe`."""
    return ENVIRONMENT.get_template(name).render(values)
