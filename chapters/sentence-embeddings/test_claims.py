"""What the chapter claims, and its functions held against slower, plainer code."""

import ast
import math
import re

import numpy as np
import pandas as pd
import pytest
import torch

from helpers import DATA

KINDS = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef


@pytest.fixture(scope="module")
def chapter(chapter_cells, bert):
    """Imports, functions and classes of the chapter, by name."""
    names = {"bert": bert}
    for cell in chapter_cells():
        if not any(tag.startswith("solution") for tag in cell.tags):
            body = [n for n in ast.parse(cell.source).body if isinstance(n, KINDS)]
            exec(compile(ast.Module(body, []), "a cell", "exec"), names)
    return names


@pytest.fixture(scope="module")
def pairs():
    path = DATA / "sentence-pairs.tsv"
    names = ["grade", "first", "second"]
    return pd.read_csv(path, sep="\t", quoting=3, names=names)


@pytest.mark.parametrize("how", ["cls", "mean", "max"])
def test_pooling_equals_pooling_each_sentence_by_itself(chapter, how):
    states = torch.randn(3, 5, 4, generator=torch.Generator().manual_seed(0))
    lengths = [5, 3, 1]
    mask = (torch.arange(5) < torch.tensor(lengths)[:, None]).long()
    alone = {
        "cls": lambda real: real[0],
        "mean": lambda real: real.mean(0),
        "max": lambda real: real.max(0).values,
    }[how]
    expected = [alone(row[:n]) for row, n in zip(states, lengths, strict=True)]
    torch.testing.assert_close(
        chapter["pool"](states, mask, how), torch.stack(expected)
    )


def test_an_unknown_pooling_is_refused(chapter):
    with pytest.raises(ValueError, match="cls, mean or max"):
        chapter["pool"](torch.zeros(1, 2, 3), torch.ones(1, 2), "last")


@pytest.mark.parametrize("how", ["cls", "mean", "max"])
def test_a_longer_neighbour_moves_no_pooled_vector(chapter, how):
    short, long = "Never arrived.", "I have waited for it for three weeks now."
    (alone, own), (both, masks) = (
        chapter["encode"]([short]),
        chapter["encode"]([short, long]),
    )
    assert own.shape[1] < masks.shape[1]
    expected = chapter["pool"](alone[:, -1], own, how)
    got = chapter["pool"](both[:1, -1], masks[:1], how)
    torch.testing.assert_close(got, expected, atol=1e-4, rtol=1e-4)


def test_the_library_pools_as_we_do(chapter, bert, tmp_path):
    bert.model.save_pretrained(tmp_path)
    bert.tokenizer.save_pretrained(tmp_path)
    modules = [
        chapter["Transformer"](str(tmp_path)),
        chapter["Pooling"](bert.hidden_size, pooling_mode="mean"),
    ]
    library = chapter["SentenceTransformer"](modules=modules, device="cpu")
    texts = ["One.", "A rather longer sentence, with a comma in it."]
    states, mask = chapter["encode"](texts)
    ours = chapter["pool"](states[:, -1], mask, "mean").numpy()
    np.testing.assert_allclose(ours, library.encode(texts), atol=1e-4)


def test_spearman_is_the_known_value_with_and_without_ties(chapter):
    assert chapter["spearman"]([1, 2, 3, 4], [10, 20, 40, 30]) == pytest.approx(0.8)
    assert chapter["spearman"]([1, 2, 3], [9, 4, 1]) == pytest.approx(-1)
    assert chapter["spearman"]([1, 10, 100, 999], [0, 2, 3, 50]) == pytest.approx(1)
    assert chapter["spearman"]([0, 0, 1, 1], [1, 2, 3, 4]) == pytest.approx(0.8**0.5)


def test_the_pairs_are_48_different_ones_eight_of_each_grade(pairs):
    assert pairs.grade.value_counts().to_dict() == dict.fromkeys(range(6), 8)
    assert not pairs.duplicated(["first", "second"]).any()
    assert pairs.notna().all(axis=None)


def test_the_input_of_cls_is_the_same_for_every_sentence(chapter, pairs):
    states, _ = chapter["encode"](pairs["first"].head(4))
    cls = states[:, 0, 0]
    assert torch.equal(cls, cls[:1].expand_as(cls))


def test_in_batch_loss_is_ln_n_for_one_vector_and_near_0_for_a_perfect_match(chapter):
    same = torch.ones(16, 5)
    loss = chapter["in_batch_loss"]
    assert loss(same, same).item() == pytest.approx(math.log(16))
    assert loss(torch.eye(16), torch.eye(16)).item() < 1e-6
    u, v = torch.randn(2, 6, 5, generator=torch.Generator().manual_seed(0))
    assert loss(3 * u, 7 * v).item() == pytest.approx(loss(u, v).item(), rel=1e-5)


def test_the_pair_classifier_reads_both_vectors_and_their_difference(chapter):
    u, v = torch.randn(2, 3, 4)
    head = chapter["PairClassifier"](4)
    joined = torch.cat([u, v, (u - v).abs()], dim=1)
    torch.testing.assert_close(head(u, v), head.linear(joined))


def test_paragraphs_leave_out_header_cells_boxes_and_short_ones(chapter, tmp_path):
    long = " ".join(["word"] * 30)
    (tmp_path / "90-x.md").write_text(
        f"---\nkernel: secret {long}\n---\n\n# Title\n\nIntro {long}\n\n## Part\n\n"
        f"````{{admonition}} Box\n```python\nhidden {long}\n```\nhidden {long}\n"
        "````\n\n"
        f"```{{code-cell}}\nhidden = 1\n\n# hidden {long}\n```\n\nshort\n\n"
        f"Has {{glue:text}}`n:.2f` and {{cite:t}}`a2020b` in\n{{doc}}`03-x` {long}\n"
    )
    rows = chapter["paragraphs_of"](tmp_path / "90-x.md")
    assert [row[:2] for row in rows] == [("90-x", "Title"), ("90-x", "Part")]
    assert rows[1][2] == f"Has … and in 03-x {long}"


def test_every_written_chapter_gives_paragraphs_without_markup(chapter):
    files = sorted((DATA.parent / "chapters").glob("[0-9][0-9]-*.md"))
    for path in files:
        rows = chapter["paragraphs_of"](path)
        assert len(rows) > 5, path.stem
        text = "\n".join(paragraph for *_, paragraph in rows)
        assert "```" not in text and "{glue" not in text, path.stem


def test_found_in_five_looks_at_the_five_best(chapter):
    scores = np.array([[9, 8, 7, 6, 5, 4, 3], [3, 4, 5, 6, 7, 8, 9]], float)
    fifth, sixth = np.eye(7, dtype=bool)[[4, 5]]
    chapter["found_in_five"].__globals__["own"] = [fifth, np.eye(7, dtype=bool)[1]]
    assert chapter["found_in_five"](scores).tolist() == [True, False]
    chapter["found_in_five"].__globals__["own"] = [sixth, sixth]
    assert chapter["found_in_five"](scores).tolist() == [False, True]


def test_ten_thousand_sentences_make_the_pairs_in_the_text(chapter_text):
    assert f"{10_000 * 9_999 // 2:,} passes" in chapter_text()


def test_published_figures_are_those_of_the_paper(chapter_cells):
    sources = "\n".join(cell.source for cell in chapter_cells())
    figures = re.findall(r'"(?:GloVe|BERT|Sentence)[^"]*": (\d\d\.\d\d)', sources)
    paper = "61.32 54.81 29.19 74.89 81.52 84.94 84.66 87.41".split()
    assert figures == paper


def test_no_figure_of_the_run_is_typed_into_the_text(chapter_text):
    prose = re.sub(r"```.*?```", "", chapter_text(), flags=re.S)
    typed = set(re.findall(r"\b\d+\.\d+\b", prose))
    assert typed <= {"61.32", "54.81", "29.19"}
