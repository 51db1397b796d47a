"""How well a BERT fills in words, knows the next sentence and tells senses apart.

Wrote data/course-model/scores.json on 2026-11-26, its pairs on 2026-11-28. It can be
run again where its texts are: `python -m experiments.course_model evaluate` calls
`report`.
"""

import datetime
import json
import os
import platform
import re
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from scipy.stats import spearmanr
from torch.nn.functional import cross_entropy

from chapters.word_senses.averages import averages
from experiments.course_model.next_sentence_scores import (
    batches,
    require_head,
    score_next,
    score_pairs,
    standard_error,
)
from experiments.course_model.training_texts import plain_wikitext
from experiments.word_senses import evaluate_all
from helpers import DATA
from helpers.corpus import read_documents
from helpers.corpus.masking import IGNORED, mask_tokens
from helpers.datasets import COARSE_WSD
from helpers.embeddings.texts import embed_texts
from helpers.models import COURSE_MODEL, load_bert
from helpers.senses import unit
from helpers.whole_files import replace

FATES = ("masked", "random", "kept")
CLOZE, CLOZE_EVERYDAY = DATA / "cloze.tsv", DATA / "cloze-everyday.tsv"


def read_wikitext(as_printed=False):
    """Return the paragraphs of the WikiText-2 validation file, a list of strings.

    Lines of over 20 words that are no heading; `<unk>`, its sign for rare words,
    becomes [UNK], which is never masked. The environment variable WIKITEXT_HOME names
    the folder of valid.txt or valid.txt.gz. as_printed: without the spaces and @ signs
    around punctuation and hyphens, which the file has and no other text.
    """
    home = Path(os.environ.get("WIKITEXT_HOME") or "WIKITEXT_HOME")
    path = next(home.glob("valid.txt*"), None)
    if path is None:
        raise FileNotFoundError(f"WIKITEXT_HOME names no folder of valid.txt: {home}")
    lines = [line for document in read_documents(path) for line in document]
    lines = [line for line in lines if not (line[:2] == "= " and line[-2:] == " =")]
    lines = [line.replace("<unk>", "[UNK]") for line in lines if len(line.split()) > 20]
    if not lines:
        raise ValueError(f"{path} holds no line of over 20 words")
    return [plain_wikitext(line) for line in lines] if as_printed else lines


@torch.inference_mode()
def score_masked(bert, lines):
    """Mask 15 % of the pieces by the 80/10/10 rule and predict them.

    Returns a dict: loss (the mean cross-entropy over the chosen positions, in nats),
    top1, top5 (shares) and targets (how many positions); under "masked", "random" and
    "kept" the same of the positions that hold [MASK], another piece or their own.
    """
    require_head(bert, "mlm")
    found = []
    for batch in masked_batches(bert.tokenizer, rows_of(bert.tokenizer, lines)):
        ids, labels, mask = (tensor.to(bert.device) for tensor in batch)
        hidden = bert.model(ids, attention_mask=mask).last_hidden_state
        chosen = labels != IGNORED
        logits, targets = bert.mlm.cls(hidden[chosen]), labels[chosen]
        loss = cross_entropy(logits, targets, reduction="none").double()
        rank = (logits > logits.gather(1, targets[:, None])).sum(1)
        fate = np.where((ids[chosen] == targets).cpu(), "kept", "random")
        fate[(ids[chosen] == bert.tokenizer.mask_token_id).cpu()] = "masked"
        found.append(
            pd.DataFrame({"loss": loss.cpu(), "rank": rank.cpu(), "fate": fate})
        )
    table = pd.concat(found)
    return _accuracies(table) | {
        fate: _accuracies(table[table.fate == fate]) for fate in FATES
    }


def rows_of(tokenizer, lines):
    """Return the ids of lines with [CLS] and [SEP], cut at 128 pieces."""
    return tokenizer(lines, truncation=True, max_length=128)["input_ids"]


def masked_batches(tokenizer, rows):
    """Yield ids with masks, labels and attention mask, (rows, n) each, by length.

    They are the same for every model with this tokenizer.
    """
    generator = torch.Generator().manual_seed(0)
    for batch in batches(sorted(rows, key=len)):
        inputs = tokenizer.pad({"input_ids": batch}, return_tensors="pt")
        ids, labels = mask_tokens(inputs["input_ids"], tokenizer, generator=generator)
        yield ids, labels, inputs["attention_mask"]


def _accuracies(table):
    shares = {f"top{most}": float((table["rank"] < most).mean()) for most in (1, 5)}
    return {"loss": float(table.loss.mean())} | shares | {"targets": len(table)}


def score_senses(bert):
    """Score nearest-sense classification on the official sets, mean of the words."""
    if not COARSE_WSD.is_named:
        raise FileNotFoundError("COARSE_WSD_HOME does not name the official files")
    table = averages(evaluate_all(bert))
    table = table[table.method == "layer"].sort_values("layer")
    accuracy, macro_f1 = table.accuracy.tolist(), table.macro_f1.tolist()
    return {
        "accuracy": accuracy[-1],
        "macro_f1": macro_f1[-1],
        "accuracy_by_layer": accuracy,
        "macro_f1_by_layer": macro_f1,
    }


def score_cloze(bert, path=CLOZE):
    """Fill the [MASK] of everyday sentences; a hit has an accepted word in the top 5.

    path: lines of a sentence, a TAB and the accepted words, set off by commas.
    """
    require_head(bert, "mlm")
    rows = Path(path).read_text(encoding="utf-8").splitlines()
    rows, hits, first = [row.split("\t") for row in rows], 0, 0
    for sentence, accepted in rows:
        best = [piece for piece, _ in bert.predict_masked(sentence, top=5)[0]]
        hits += not set(best).isdisjoint(accepted.split(","))
        first += best[0] in accepted.split(",")
    return {
        "top5": hits / len(rows),
        "standard_error": standard_error(hits / len(rows), len(rows)),
        "hits": hits,
        "sentences": len(rows),
        "top1": first / len(rows),
    }


def score_similarity(bert):
    """Spearman's correlation of people's grades of 48 pairs with the cosines of the
    last layer's mean vectors."""
    names = ["grade", "first", "second"]
    pairs = pd.read_csv(DATA / "sentence-pairs.tsv", sep="\t", quoting=3, names=names)
    first, second = (unit(embed_texts(bert, pairs[part])) for part in names[1:])
    return float(spearmanr(pairs.grade, (first * second).sum(axis=1)).statistic)


def score_terms(bert):
    """Search the glossary's definitions for its bare terms, by mean vectors.

    Returns a dict: terms (how many), commonest (for how many of them the definition
    that comes most often is among the first five), in_five and first (the shares of
    terms whose own definition is).
    """
    text = (DATA.parent / "chapters" / "glossary.md").read_text(encoding="utf-8")
    text = text.split(":sorted:\n", 1)[-1]
    entries = re.findall(r"^(\S.*)\n((?:  .+\n)+)", text, flags=re.MULTILINE)
    texts = [re.sub("[*`]", "", " ".join(words.split())) for _, words in entries]
    asked = embed_texts(bert, [term for term, _ in entries])
    cosines = unit(asked) @ unit(embed_texts(bert, texts)).T
    best = np.argsort(-cosines, axis=1, kind="stable")[:, :5]
    own = best == np.arange(len(best))[:, None]
    return {
        "terms": len(best),
        "commonest": int(np.bincount(best.ravel()).max()),
        "in_five": float(own.any(axis=1).mean()),
        "first": float(own[:, 0].mean()),
    }


def report(corpus=None, out=None, model=None):
    """Score a model, the one that runs without `model`, and print the scores.

    corpus: the folder of the training texts, for the next-sentence pairs. Which of its
    files were held out stands in the settings.json of the model's folder, or of
    data/course-model. With `out`, writes scores.json there, of the parts that there is
    data for. Raises ValueError if nothing could be scored.
    """
    bert = load_bert(model or os.environ.get("BERT_COURSE_MODEL") or "embedded")
    parts = {
        "masked": lambda: score_masked(bert, read_wikitext()),
        "printed": lambda: score_masked(bert, read_wikitext(as_printed=True)),
        "next": lambda: score_next(bert, corpus, _held_out(corpus, model)),
        "pairs": lambda: score_pairs(bert, corpus, _held_out(corpus, model)),
        "similarity": lambda: score_similarity(bert),
        "terms": lambda: score_terms(bert),
        "senses": lambda: score_senses(bert),
        "cloze": lambda: score_cloze(bert),
        "everyday": lambda: score_cloze(bert, CLOZE_EVERYDAY),
    }
    scores = {}
    for name, part in parts.items():
        try:
            scores[name] = part()
        except (OSError, ValueError) as error:
            print(f"{name} is left out: {error}")
    if not scores:
        raise ValueError("nothing could be scored")
    versions = {name: version(name) for name in ("torch", "transformers")}
    about = {
        "model": bert.name,
        "date": str(datetime.date.today()),
        "seed": 0,
        "versions": {"python": platform.python_version()} | versions,
    }
    text = json.dumps(about | scores, indent=2) + "\n"
    print(text)
    if out is not None:
        replace(Path(out) / "scores.json", text.encode())


def _held_out(corpus, model):
    if corpus is None:
        raise ValueError("--corpus does not name the folder of the training texts")
    own = Path(model or "") / "settings.json"
    settings = own if model and own.exists() else COURSE_MODEL / "settings.json"
    return json.loads(settings.read_text())["held_out"]
