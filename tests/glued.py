"""What a page would say of made-up results."""


def glued_by(cells, part, names):
    """Execute the one cell that holds `part` with `names`; return what it glues."""
    said = {}

    def glue(name, value, display=False):
        said[name] = value

    [source] = [cell.source for cell in cells if part in cell.source]
    exec(source, {**names, "glue": glue})
    return said
