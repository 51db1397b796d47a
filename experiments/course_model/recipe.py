"""How a generation of the course model is trained, from the file of its settings.

Made the states whose mean data/course-model holds, 2026-11-22 and 23. It trains others
of their kind, and goes on after a kill. It does not make the shipped weights again: the
first generations came from other code, and the last is a mean, which none here takes.
"""

import copy
import json
import math
import tomllib
from numbers import Real
from pathlib import Path

import numpy as np
import torch

from experiments.course_model.batches import BATCH, LENGTH, Batches
from experiments.course_model.encoded_files import (
    encode_files,
    split_as_before,
    split_files,
)
from experiments.course_model.model import PretrainingModel
from experiments.course_model.weights import earlier_settings, save
from helpers import DATA
from helpers.models.course_weights import apply_weights, word_factors

SETTINGS = {  # of a generation whose file does not say another
    "steps": 3000,
    "rank": 32,  # of the change of the word table
    "learning_rate": 4e-4,
    "warm_up": 0.05,  # shares of the steps
    "cool_down": 0.4,
    "rate": 0.2,  # share of the pieces to mask
    "next_weight": 1,  # of the next-sentence loss
    "next_rate": 0.2,  # of the learning rate, for what that task alone trains
    "seed": 0,
    "shares": {},  # of the pieces, by folder or file of the corpus; none: as they come
    "start_sha256": "",  # of the earlier weights that it goes on from
}
ADDED = ("batch", "length", "held_out", "start")  # what a training writes beside them
SHARED_RUN = 5  # pieces in a row that a training sentence may not share with a ruler's
CLOZE = ("cloze.tsv", "cloze-everyday.tsv")


def read_texts(files, corpus, shares, tokenizer):
    """Read the training files by kind; returns {kind: documents}.

    shares: {folder or file within the corpus, without its ending: share of the
    pieces}; without any, all files are of one kind. Sentences near one of `CLOZE` are
    left out. Raises ValueError for a kind that has no file.
    """
    texts = {}
    for kind in shares or [""]:
        inside = [f for f in files if _is_of(kind, f.relative_to(corpus).as_posix())]
        if not inside:
            raise ValueError(
                f"share: {kind!r:.50} is no folder or file of training texts"
            )
        documents = encode_files(inside, tokenizer)
        texts[kind] = away_from(documents, cloze_runs(tokenizer))
    return texts


def _is_of(kind, path):
    return not kind or path.startswith((f"{kind}/", f"{kind}.txt"))


def cloze_runs(tokenizer):
    """Return all runs of SHARED_RUN pieces in the solved cloze sentences."""
    lines = [line for name in CLOZE for line in (DATA / name).read_text().splitlines()]
    rows = [line.split("\t") for line in lines]
    solved = [
        s.replace("[MASK]", word) for s, words in rows for word in words.split(",")
    ]
    ids = tokenizer(solved, add_special_tokens=False)["input_ids"]
    return np.unique(np.concatenate([_runs(np.array(row)) for row in ids]))


def _runs(ids):
    """Return a number for each run of SHARED_RUN pieces in ids (n,)."""
    runs = np.zeros(max(0, len(ids) - SHARED_RUN + 1), np.int64)
    for place in range(SHARED_RUN if len(runs) else 0):
        runs = runs * 1_000_003 + ids[place : len(runs) + place]  # wraps, as a hash may
    return runs


def away_from(documents, runs):
    """Leave out the sentences that hold one of `runs`, and documents without others."""
    kept = [[s for s in d if not np.isin(_runs(s), runs).any()] for d in documents]
    return [document for document in kept if document]


def unigram_log_probabilities(texts, size):
    """Return the log of each piece's share in {kind: documents}, (size,).

    One is added to every count, so that no share is 0.
    """
    counts = np.ones(size)
    for documents in texts.values():
        for document in documents:
            np.add.at(counts, np.concatenate(document), 1)
    return torch.tensor(np.log(counts / counts.sum()), dtype=torch.float32)


def read_settings(path):
    """Read a generation's TOML file; what it does not say is as in SETTINGS.

    Raises OSError, or ValueError in one line for what is no TOML.
    """
    try:
        return SETTINGS | tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is no file of settings: {error}") from None


def train_course_model(
    corpus, out, settings, checkpoints=None, stop_at=None, start=None
):
    """Train on the folder `corpus`; write weights and settings to `out`.

    settings: see SETTINGS. checkpoints: a folder, from which a training that was killed
    goes on. start: the `out` of an earlier training, whose weights this one starts
    from, with a new schedule. The files that were held out then are held out again,
    the training files may be others, and the new settings name both trainings. Nothing
    is written before the training has ended; it then replaces what `out` held, and
    deletes the scores there.

    Returns the history. Raises ValueError, OSError or FloatingPointError in one line;
    earlier files in `out` are then unchanged.
    """
    from helpers.models import embedded_encoder, load_tokenizer
    from helpers.training import train

    _check(settings, start)
    _spare(Path(out))
    folder = embedded_encoder()
    tokenizer = load_tokenizer(folder)
    settings = settings | {"batch": BATCH, "length": LENGTH}
    if start:
        settings["start"] = earlier_settings(start, settings)
        files, held_out = split_as_before(corpus, settings["start"]["held_out"])
    else:
        files, held_out = split_files(corpus)
    settings["held_out"] = [f.relative_to(corpus).as_posix() for f in held_out]
    texts = read_texts(files, corpus, settings["shares"], tokenizer)
    shares = settings["shares"] or dict.fromkeys(texts, 1)
    batches = Batches(texts, shares, tokenizer, settings["rate"], settings["seed"])
    batches(0)  # a corpus that is too small fails here, before any work
    model = new_model(folder, texts, tokenizer, settings, start)
    if checkpoints:
        _claim(Path(checkpoints), settings)
    history = train(
        model,
        batches,
        settings["steps"],
        settings["learning_rate"],
        warmup=settings["warm_up"],
        cooldown=settings["cool_down"],
        seed=settings["seed"],
        checkpoints=checkpoints,
        stop_at=stop_at,
        groups=model.groups(settings["learning_rate"]),
    )
    if len(history) == settings["steps"]:
        save(model.weights(), model.bare_weights(), out, settings)
    return history


def new_model(folder, texts, tokenizer, settings, start=None):
    """Make the PretrainingModel before its first step.

    Seeded; without dropout; the bias of the masked-word head starts at the pieces'
    frequencies in `texts`, or all weights at those of `start`.
    """
    from transformers import BertForPreTraining

    torch.manual_seed(settings["seed"])
    base = BertForPreTraining.from_pretrained(
        folder,
        use_safetensors=True,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        attn_implementation="eager",  # in bfloat16 on a CPU five times as fast
    )
    bare = copy.deepcopy(base.bert)
    if start:
        apply_weights(base, start)
    else:
        with torch.no_grad():
            shares = unigram_log_probabilities(texts, len(tokenizer))
            base.cls.predictions.bias.copy_(shares)
    parts = (settings[name] for name in ("rank", "next_weight", "next_rate"))
    model = PretrainingModel(base, bare, *parts)
    if start:
        for own, earlier in zip(
            model.words.parameters(), word_factors(start), strict=True
        ):
            own.data.copy_(earlier)
    return model


def _check(settings, start):
    if unknown := settings.keys() - SETTINGS.keys():
        raise ValueError(f"unknown settings: {', '.join(sorted(unknown))}")
    shares = settings["shares"]
    numbers = [settings[name] for name in SETTINGS if isinstance(SETTINGS[name], Real)]
    for number in [*numbers, *shares.values()]:
        if not isinstance(number, Real) or not 0 <= number < math.inf:
            raise ValueError(f"{number!r:.50} among the settings is no number above 0")
    if settings["steps"] < 1 or settings["rank"] < 1:
        raise ValueError("steps and rank must be 1 or more")
    if not 0 < settings["rate"] <= 1:
        raise ValueError(f"rate is {settings['rate']}; give a share above 0, at most 1")
    if not all(shares.values()):
        raise ValueError("a share of 0: leave that text out of the shares")
    if settings["start_sha256"] and not start:
        raise ValueError("it goes on from earlier weights: name their folder, --start")


def _spare(out):
    """Raise where `out` is a file, or holds weights that were made in another way."""
    if out.exists() and not out.is_dir():
        raise NotADirectoryError(f"{out} is a file; name a folder to write to")
    kept = out / "settings.json"
    known = {*SETTINGS, *ADDED}
    if kept.exists() and (unknown := json.loads(kept.read_text()).keys() - known):
        raise ValueError(
            f"{out} holds weights that this recipe cannot make again (their settings "
            f"have {', '.join(sorted(unknown))}); name another folder"
        )


def _claim(checkpoints, settings):
    """Write the settings beside the checkpoints; refuse a folder with others."""
    note, text = checkpoints / "settings.json", json.dumps(settings, indent=2)
    if not note.exists() and any(checkpoints.glob("step-*")):
        raise ValueError(
            f"{checkpoints} holds checkpoints without their settings.json; name "
            "another folder"
        )
    if note.exists() and note.read_text() != text:
        raise ValueError(
            f"{checkpoints} holds checkpoints of other settings or texts (see "
            "settings.json there); delete them or name another folder"
        )
    checkpoints.mkdir(parents=True, exist_ok=True)
    note.write_text(text)
