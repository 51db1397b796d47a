"""Pages keep their scripts in the book, and say so when one would not."""

from types import SimpleNamespace

import pytest

from build_tools.book import offline


def write_page(tmp_path, body, script_files=()):
    """Put a fake page through the extension; return its body afterwards."""
    app = SimpleNamespace(
        builder=SimpleNamespace(format="html"), outdir=str(tmp_path / "html")
    )
    context = {
        "body": body,
        "script_files": list(script_files),
        "pathto": lambda name, resource: f"../{name}",
    }
    offline.keep_page_offline(app, "chapters/fake", "page.html", context, None)
    return context["body"]


@pytest.mark.parametrize(
    "body",
    [
        '<script src="https://example.org/a.js"></script>',
        '<script src="//example.org/a.js"></script>',
        '<link rel="stylesheet" href="https://example.org/a.css">',
        '<link href="https://fonts.example.org" rel="preconnect"/>',
        '<p><img alt="" src="https://example.org/a"/></p>',
        '<img srcset="a.png 1x, https://example.org/b.png 2x">',
        '<iframe src="https://example.org/"></iframe>',
        '<iframe srcdoc="&lt;script src=&quot;https://example.org/a.js&quot;&gt;'
        '&lt;/script&gt;"></iframe>',
        "<style>@font-face { src: url(https://example.org/a.woff2) }</style>",
        "<div style=\"background: url('https://example.org/a')\"></div>",
        '<svg><image href="https://example.org/a.png"/></svg>',
        '<script>load("https://example.org/lib/a.min.js?v=1")</script>',
        '<script>load("//example.org/a.js")</script>',
        '<script>load("https:\\/\\/example.org\\/a.js")</script>',
        '<script>paths: {d3: "https://cdnjs.cloudflare.com/ajax/d3/d3.min"}</script>',
        '<script type="module">import d3 from "https://esm.sh/d3"</script>',
    ],
)
def test_an_outside_address_is_a_warning(tmp_path, warnings, body):
    write_page(tmp_path, body)
    assert len(warnings) == 1
    assert "chapters/fake would load" in warnings[0]


@pytest.mark.parametrize(
    "body",
    [
        '<a href="https://example.org/a.js">a link to click</a>',
        '<script src="../_static/a.js"></script> <img alt="" src="data:image/png,AA">',
        '<link rel="canonical" href="https://example.org/">',
        '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
        '<script>svg = "http://www.w3.org/2000/svg"; // "quoted" comment</script>',
        '<script>data = ["see https://example.org/a.js now"]</script>',
        '<pre>&lt;script src="https://example.org/a.js"&gt;</pre>',
    ],
)
def test_an_address_that_loads_nothing_gives_no_warning(tmp_path, warnings, body):
    assert write_page(tmp_path, body) == body
    assert warnings == []
