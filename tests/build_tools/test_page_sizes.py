"""How many findings a page has: what its ceilings are asked about."""

from build_tools.book import page_sizes

PAGE = """# The first

```{code-cell} ipython3
:tags: [remove-input]
claims.opening(1)

claim("third", True)
```

```{code-cell} ipython3
claims.helper()
```

## Deeper

```{code-cell} ipython3
claims.later()
```
"""
CLAIMS = """
def opening(x):
    claim("first", x > 0)
    claim("second", x > 0)

def later():
    claim("fourth", True)
    _of_another()

def _of_another():
    claim("fifth", True)

def helper():
    glue("n", 1)
"""


def test_findings_are_cells_that_claim_and_sentences_their_claims(tmp_path):
    page = tmp_path / "index.md"
    page.write_text(PAGE)
    page.with_name("claims.py").write_text(CLAIMS)
    assert page_sizes.claimed_in(page) == {
        ("core", "findings"): 1,
        ("core", "sentences"): 3,
        ("deeper", "findings"): 1,
        ("deeper", "sentences"): 2,
        "removed": 2,  # lines of the cell that is
    }
