"""How well a BERT fills in words, knows the next sentence and tells senses apart.

Wrote data/course-model/scores.json on 2026-11-26. It can be run again where its texts
are: `python -m experiments.course_model evaluate` calls `report`.
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
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch.nn.functional import cross_entropy

from experiments.course_model.encoded_files import encode_files, split_as_before
from experiments.course_model.training_texts import plain_wikitext
from experiments.word_senses import evaluate_all
from helpers import DATA
from helpers.corpus import read_documents
from helpers.corpus.masking import IGNORED, collate_pairs, mask_tokens, sentence_pair
from helpers.datasets import COARSE_WSD
from helpers.embeddings.texts import embed_texts, vectors_of_rows
from helpers.models import COURSE_MODEL, embedded_encoder, load_bert
from helpers.senses import averages, unit
from helpers.whole_files import replace

ROWS = 16  # of up to 128 pieces, in a batch
PAIRS, BASELINE_PAIRS, BASELINE_FILES = 1000, 4000, 12
EACH = 600  # pairs of each of three kinds
FATES = ("masked", "random", "kept")
CLOZE, CLOZE_EVERYDAY = DATA / "cloze.tsv", DATA / "cloze-everyday.tsv"


def read_wikitext(as_printed=False):
    """Return the paragraphs of the WikiText-2 validation file, a list of strings.

    Lines of over 20 words that are no heading; `<unk>`, its sign for rare words,
    becomes [UNK], which is never masked. The environment variable WIKITEXT_HOME names
    the folder of valid.txt or valid.txt.gz. as_printed: without the spaces and @ signs
    around punctuation and hyphens, which the file has and no other text.
    Raises FileNotFoundError, or ValueError for a broken file or one without text.
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
def score_masked(bert, lines, seed=0):
    """Mask 15 % of the pieces by the 80/10/10 rule and predict them.

    lines: strings, cut at 128 pieces with [CLS] and [SEP]. Returns a dict: loss (the
    mean cross-entropy over the chosen positions, in nats), top1, top5 (shares) and
    targets (how many positions); under "masked", "random" and "kept" the same of the
    positions that hold [MASK], another piece or their own. The seed decides which are
    chosen, for every model with the same tokenizer.
    """
    _require_head(bert, "mlm")
    found = []
    for batch in masked_batches(bert.tokenizer, rows_of(bert.tokenizer, lines), seed):
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


def masked_batches(tokenizer, rows, seed=0):
    """Yield ids with masks, labels and attention mask, (rows, n) each, by length.

    The seed decides which pieces are chosen, for every model with this tokenizer.
    """
    generator = torch.Generator().manual_seed(seed)
    for batch in _batches(sorted(rows, key=len)):
        inputs = tokenizer.pad({"input_ids": batch}, return_tensors="pt")
        ids, labels = mask_tokens(inputs["input_ids"], tokenizer, generator=generator)
        yield ids, labels, inputs["attention_mask"]


def _accuracies(table):
    shares = {f"top{most}": float((table["rank"] < most).mean()) for most in (1, 5)}
    return {"loss": float(table.loss.mean())} | shares | {"targets": len(table)}


def _batches(rows):
    return (rows[start : start + ROWS] for start in range(0, len(rows), ROWS))


def _require_head(bert, head):
    if head in bert.missing:
        raise ValueError(f"{bert.name} has no such head: {bert.missing[head]}")


def score_next(bert, corpus, held_out, seed=0):
    """Tell whether the second part of 1,000 pairs of unseen text follows the first.

    Half of the pairs are consecutive text, half end in another document. corpus: the
    folder that the model was trained on. held_out: the files in it, by their paths
    within, that it was not trained on. Returns a dict: accuracy, standard_error,
    bag_of_words and mean_vectors (the accuracies of the baselines of these names on
    the same pairs, fitted on other files of the same folders: texts of another kind
    would make them worse) and pairs.
    """
    _require_head(bert, "nsp")
    seen, unseen = split_as_before(corpus, held_out)
    if not held_out:
        raise ValueError("training held out no file; train on two files or more")
    rng = np.random.default_rng(seed)
    test = _draw_pairs(unseen, PAIRS, rng, bert.tokenizer)
    folders = {file.parent for file in unseen}
    seen = [file for file in seen if file.parent in folders] or seen
    drawn = rng.choice(len(seen), min(BASELINE_FILES, len(seen)), replace=False)
    seen = [seen[i] for i in drawn]
    train = _draw_pairs(seen, BASELINE_PAIRS, rng, bert.tokenizer)
    accuracy = float(np.mean(_follows(bert, test) == [p[2] for p in test]))
    return {
        "accuracy": accuracy,
        "standard_error": standard_error(accuracy, len(test)),
        "bag_of_words": bag_of_words_baseline(train, test, bert.tokenizer),
        "mean_vectors": mean_vectors_baseline(train[:: len(train) // PAIRS or 1], test),
        "pairs": len(test),
    }


def standard_error(share, count):
    """Return the standard error of a share of `count` independent answers."""
    return float((share * (1 - share) / count) ** 0.5)


def _draw_pairs(files, count, rng, tokenizer):
    """Draw `count` pairs, the first half of which are made to follow."""
    documents, pairs = encode_files(files, tokenizer), {True: [], False: []}
    while min(map(len, pairs.values())) < count // 2:
        pair = sentence_pair(documents, rng)
        pairs[pair[2]].append(pair)
    return pairs[True][: count // 2] + pairs[False][: count // 2]


@torch.inference_mode()
def _follows(bert, pairs):
    """Return what the next-sentence head answers: booleans (pairs,)."""
    answers = []
    for batch in _batches(pairs):
        inputs = collate_pairs(batch, bert.tokenizer)
        del inputs["next_sentence_label"]
        inputs = {name: tensor.to(bert.device) for name, tensor in inputs.items()}
        answers += (bert.nsp(**inputs).logits.argmax(-1) == 0).tolist()
    return np.array(answers)


def score_pairs(bert, corpus, held_out, seed=0):
    """The share of EACH pairs of a kind that the next-sentence head judges rightly.

    As `score_next`, but that the false ones are told apart by where their second part
    comes from. Returns a dict: true, same_book and other_book.
    """
    _require_head(bert, "nsp")
    rng = np.random.default_rng(seed)
    books = [
        encode_files([file], bert.tokenizer)
        for file in split_as_before(corpus, held_out)[1]
    ]
    pairs = {"true": [], "same_book": [], "other_book": []}
    while min(map(len, pairs.values())) < EACH:
        book = books[rng.integers(len(books))]
        first, second, is_next = sentence_pair(book, rng)
        if not is_next and rng.random() < 0.5:
            others = [other for other in books if other is not book]
            other = others[rng.integers(len(others))]
            second = sentence_pair(other, rng)[1]
            pairs["other_book"].append((first, second[: 125 - len(first)], False))
        else:
            pairs["true" if is_next else "same_book"].append((first, second, is_next))
    return {
        kind: float(np.mean(_follows(bert, found[:EACH]) == (kind == "true")))
        for kind, found in pairs.items()
    }


def bag_of_words_baseline(train, test, tokenizer):
    """Return the accuracy on `test` of a classifier that sees which words recur.

    A logistic regression, fitted on `train`, of six features of a pair: the words in
    each part, the words that both hold, their share of the second part's words and of
    all, and the cosine of the two parts' tf-idf vectors (weights from `train`).
    train, test: tuples (first ids, second ids, is_next).
    """

    def texts(pairs, part):
        return tokenizer.batch_decode([pair[part] for pair in pairs])

    def features(pairs):
        first, second = texts(pairs, 0), texts(pairs, 1)
        vectors = weigh.transform(first), weigh.transform(second)
        cosine = np.asarray(vectors[0].multiply(vectors[1]).sum(axis=1)).ravel()
        sets = [
            (set(a.split()), set(b.split())) for a, b in zip(first, second, strict=True)
        ]
        counts = np.array([(len(a), len(b), len(a & b)) for a, b in sets])
        one, two, both = counts.T
        return np.column_stack([counts, both / two, both / (one + two - both), cosine])

    weigh = TfidfVectorizer(sublinear_tf=True).fit(texts(train, 0) + texts(train, 1))
    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    return _accuracy(classifier, features, train, test)


def mean_vectors_baseline(train, test):
    """Return the accuracy on `test` of the cosine between the parts' mean vectors.

    The vectors are those of the bare encoder, as its makers use it; a logistic
    regression of the one feature is fitted on `train`. train, test: as above.
    """
    bare = load_bert(str(embedded_encoder()))

    def cosines(pairs):
        rows = ([pair[part].tolist() for pair in pairs] for part in (0, 1))
        first, second = (
            unit(vectors_of_rows(bare, part, (-1,), "mean", "float32")) for part in rows
        )
        return (first * second).sum(axis=1, keepdims=True)

    return _accuracy(LogisticRegression(max_iter=1000), cosines, train, test)


def _accuracy(classifier, features, train, test):
    classifier.fit(features(train), [pair[2] for pair in train])
    return float(classifier.score(features(test), [pair[2] for pair in test]))


def score_senses(bert):
    """Score nearest-sense classification (helpers.senses) on the official sets.

    Returns a dict: accuracy and macro_f1 of the last layer, averaged over the 20
    words, and of all layers from 0 as lists, accuracy_by_layer and macro_f1_by_layer.
    """
    if not COARSE_WSD.is_named:
        raise FileNotFoundError("COARSE_WSD_HOME does not name the official files")
    table = averages(evaluate_all(bert, dtype="float32"))
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
    Returns a dict: top5 (share), standard_error, hits, sentences and top1 (share).
    """
    _require_head(bert, "mlm")
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


ROWS_OF_CARD = {  # what is shown of scores.json, and as what
    "masked words, WikiText-2 validation: loss": ("masked loss", "{:.3f}"),
    "top-1": ("masked top1", "{:.1%}"),
    "the same as printed: loss": ("printed loss", "{:.3f}"),
    "40 sentences of our own, top 5": ("cloze hits", "{}"),
    "200 everyday sentences, top 5": ("everyday top5", "{:.1%}"),
    "next sentence, held-out books: true pairs": ("pairs true", "{:.1%}"),
    "false pairs of the same book": ("pairs same_book", "{:.1%}"),
    "false pairs of another book": ("pairs other_book", "{:.1%}"),
    "next sentence, pairs as they come": ("next accuracy", "{:.1%}"),
    "48 pairs of sentences, Spearman": ("similarity", "{:.3f}"),
    "terms whose first five hold the commonest definition": ("terms commonest", "{}"),
    "terms whose first five hold their own": ("terms in_five", "{:.1%}"),
    "senses, official, last layer": ("senses accuracy", "{:.3f}"),
}


def card(columns):
    """Return the lines of a table of {name: scores}, for the card."""
    lines = [" | ".join(["| task", *columns]) + " |", "|---" * (1 + len(columns)) + "|"]
    for task, (path, form) in ROWS_OF_CARD.items():
        cells = [task]
        for scores in columns.values():
            for key in path.split():
                scores = scores.get(key, {}) if isinstance(scores, dict) else {}
            cells.append("" if scores == {} else form.format(scores))
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def report(corpus=None, out=None, model=None, seed=0):
    """Score a model, the one that runs without `model`, and print the scores.

    corpus: the folder of the training texts, for the next-sentence pairs. Which of its
    files were held out stands in the settings.json of the model's folder, or of
    data/course-model. With `out`, writes scores.json there (model, date, seed,
    versions, and the parts that there is data for) and card.md, the figures of the card
    beside those of the shipped weights. Raises ValueError if nothing could be scored.
    """
    bert = load_bert(model or os.environ.get("BERT_COURSE_MODEL") or "embedded")
    parts = {
        "masked": lambda: score_masked(bert, read_wikitext(), seed),
        "printed": lambda: score_masked(bert, read_wikitext(as_printed=True), seed),
        "next": lambda: score_next(bert, corpus, _held_out(corpus, model), seed),
        "pairs": lambda: score_pairs(bert, corpus, _held_out(corpus, model), seed),
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
        "seed": seed,
        "versions": {"python": platform.python_version()} | versions,
    }
    text = json.dumps(about | scores, indent=2) + "\n"
    print(text)
    if out is not None:
        shipped = json.loads((COURSE_MODEL / "scores.json").read_text())
        lines = card({"shipped": shipped, "these": about | scores})
        replace(Path(out) / "scores.json", text.encode())
        replace(Path(out) / "card.md", "\n".join([*lines, ""]).encode())


def _held_out(corpus, model):
    if corpus is None:
        raise ValueError("--corpus does not name the folder of the training texts")
    own = Path(model or "") / "settings.json"
    settings = own if model and own.exists() else COURSE_MODEL / "settings.json"
    return json.loads(settings.read_text())["held_out"]
