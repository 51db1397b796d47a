"""What "Sentence embeddings" draws; what it teaches stands in the page."""

import torch
from IPython.display import Markdown

from chapters.sentence_embeddings.lesson import ask
from chapters.sentence_embeddings.strips import strips
from chapters.sentence_embeddings.texts import EIGHT
from helpers.plotting import bars, show
from helpers.plotting.pictures import Matrix, draw, matrices, slide
from helpers.senses import bootstrap_interval

ABLE = 0.5  # every synonym known, but not who did it


@torch.inference_mode()
def cosines_by_layer(bert):
    """Cosines of the mean vectors of the eight, (layers + 1, 8, 8)."""
    batch = bert.tokenizer([*EIGHT.values()], padding=True, return_tensors="pt")
    batch = batch.to(bert.device)
    states = torch.stack(bert.model(**batch, output_hidden_states=True)[-1])
    real = batch["attention_mask"][None, :, :, None]
    means = (states * real).sum(2) / real.sum(2)
    means = torch.nn.functional.normalize(means, dim=2).cpu()
    return torch.einsum("lih,ljh->lij", means, means)


def nearest(cosines):
    """For each layer and sentence the number of the nearest other: (layers + 1, n)."""
    return cosines.masked_fill(torch.eye(cosines.shape[1]).bool(), -1).argmax(dim=2)


def with_partner(cosines):
    """How many of the eight have their partner nearest, for each layer."""
    return (nearest(cosines) == torch.arange(8) ^ 1).sum(dim=1).tolist()


def slide_of_eight(cosines):
    """The eight sentences beside each other, layer by layer."""
    names, partners, last = [*EIGHT], with_partner(cosines), len(cosines) - 1
    frames = []
    for layer, grid in enumerate(cosines):
        when = f"After {layer} of {last} layers" if layer else "Going in"
        said = f"{when}, {partners[layer]} of 8 have their partner nearest."
        table = Matrix(when, grid, names, names, "query", "", 27, high=0.7)
        frames.append(
            (said, matrices(table, words=f"Cosines of eight sentences. {said}"))
        )
    slide("layers passed:", frames, last)


def said_twice():
    said = [*EIGHT.values()]
    rows = zip(said[::2], said[1::2], strict=True)
    return Markdown("\n".join(f"- {one} · {two}" for one, two in rows))


def draw_published():
    """Reimers and Gurevych 2019, tables 1 and 5: means over seven sets each."""
    sts = {"GloVe": 61.32, "BERT, mean": 54.81, "BERT, [CLS]": 29.19}
    task = {"GloVe": 81.52, "BERT, mean": 84.94, "BERT, [CLS]": 84.66}
    sts["Sentence-BERT"], task["Sentence-BERT"] = 74.89, 87.41
    both = [("Spearman × 100", sts, 20), ("accuracy, %", task, 75)]
    tables = (
        Matrix(
            title,
            [[value] for value in table.values()],
            list(table),
            hue="value",
            form=".1f",
            cell=52,
            low=low,
            high=90,
        )
        for title, table, low in both
    )
    draw(
        matrices(
            *tables,
            words="By cosine GloVe 61.3, BERT's mean 54.8, its CLS 29.2, "
            "Sentence-BERT 74.9; with a classifier 81.5, 84.9, 84.7, 87.4.",
        )
    )


def draw_near(near):
    draw(
        strips(
            near,
            "Cosines of twelve sentences with the same sentence changed in three "
            "ways, and with other sentences.",
            "cosine with the sentence",
        )
    )


def slide_of_training(encoders, taught):
    """encoders: {steps: encoder}; five questions with their answers and turned ones."""
    few = range(5)
    columns = [f"{kind} {i + 1}" for kind in ("answer", "turned") for i in few]
    shown = [taught.answers[i] for i in (*few, *range(200, 205))]
    rows, frames = [f"question {i + 1}" for i in few], []
    for steps, encoder in encoders.items():
        cosine = ask(encoder, taught.asked[:5], shown)
        right, exchanged = (cosine[:, at:].diagonal().mean() for at in (0, 5))
        said = (
            f"After {steps} steps the cosine is {right:.2f} with the answer, "
            f"{exchanged:.2f} with the turned one, on average."
        )
        grid = Matrix(
            f"After {steps} steps", cosine, rows, columns, "query", "", 28, high=1
        )
        frames.append(
            (said, matrices(grid, words=f"Cosines of five questions. {said}"))
        )
    slide("training:", frames, len(frames) - 1)


def draw_hits(hits):
    """hits: {method: (questions,)}, shares found first."""
    show(
        bars(
            hits,
            [h.mean() for h in hits.values()],
            "200 questions, 400 answers",
            "right answer found first",
            intervals=[bootstrap_interval(h) for h in hits.values()],
            references=[("every synonym, not who", ABLE)],
        )
    )


def draw_hubs(times, terms):
    """times: {search: (texts,)}, how often each text is among the first five."""
    plain = times["[CLS]"]
    draw(
        strips(
            times,
            "How often each definition is among the first five, for three ways to "
            "compare.",
            f"of {len(terms)} searches",
            high=200,
            named={"[CLS]": (plain.max(), terms[int(plain.argmax())])},
        )
    )
