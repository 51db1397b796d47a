"""Attention views in the book: each a file of its own, loaded when it is seen."""

import re
from types import SimpleNamespace

from build_tools.book import assets, views_to_files
from chapters.seeing_attention.views import head_view, model_view


def write_page(tmp_path, body):
    app = SimpleNamespace(
        builder=SimpleNamespace(format="html"), outdir=str(tmp_path / "html")
    )
    context = {"body": body, "pathto": lambda name, resource: f"../{name}"}
    views_to_files.move_to_files(app, "chapters/fake", "page.html", context, None)
    return context["body"]


def test_the_book_loads_each_view_from_a_file_and_lazily(reading, tmp_path):
    both = head_view(reading).data + model_view(reading).data
    page = write_page(tmp_path, both)
    names = re.findall(r'loading="lazy"[^>]* src="\.\./_static/views/([^"]*)"', page)
    files = tmp_path / "html" / "_static" / "views"
    assert sorted(names) == sorted(path.name for path in files.iterdir())
    assert len(set(names)) == 2
    assert "srcdoc" not in page
    assert "<svg" in page and "Layer 0, mean of 3 heads" in page


def test_a_view_of_the_book_loads_its_scripts_from_the_book(reading, tmp_path):
    write_page(tmp_path, model_view(reading).data)
    [file] = (tmp_path / "html" / "_static" / "views").iterdir()
    text = file.read_text(encoding="utf-8")
    assert "cdnjs" not in text
    vendored = {
        f"../vendor/{package}/{name}"
        for package, (_, names) in assets.PACKAGES.items()
        for name in names
    }
    asked = set(re.findall(r"""["'](\.\./vendor/[^"']*)["']""", text))
    asked = {name if name.endswith(".js") else f"{name}.js" for name in asked}
    assert len(asked) == 3 and asked <= vendored


def test_other_frames_and_other_builders_are_left_alone(reading, tmp_path):
    frame = '<iframe srcdoc="&lt;p&gt;attention-view&lt;/p&gt;"></iframe>'
    assert write_page(tmp_path, frame) == frame
    app = SimpleNamespace(builder=SimpleNamespace(format="latex"), outdir="")
    views_to_files.move_to_files(
        app, "chapters/fake", "page.html", {"body": None}, None
    )
