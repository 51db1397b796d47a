"""How the course model is trained, from the file of its settings.

One command trains it from the bare encoder to its scores and goes on after a kill.
"""

import copy
import json
import math
import os
import tomllib
from numbers import Real
from operator import itemgetter
from pathlib import Path

import numpy as np
import torch

from experiments.course_model.batches import Batches, check_cycle
from experiments.course_model.encoded_files import encode_files, split_files
from experiments.course_model.model import PretrainingModel
from experiments.course_model.weights import RUN, save
from helpers import DATA
from helpers.models import COURSE_MODEL
from helpers.models.course_weights import FILE
from helpers.training import without_decay_of_vectors
from helpers.whole_files import replace

SETTINGS = tomllib.loads(Path(__file__).with_name("settings.toml").read_text("utf-8"))
SHARES = ("rate", "last_rate", "near", "near_after", "short", "single", "beta2")
CHECKPOINTS = "checkpoints"
SAVED = 20  # checkpoints of a training
SHARED_RUN = 5  # pieces in a row that a training sentence may not share with a ruler's
CLOZE = ("cloze.tsv", "cloze-everyday.tsv")


def read_texts(files, corpus, shares, tokenizer):
    """Read the training files by kind; returns {kind: files}, of each its documents.

    shares: by folder or file within the corpus, without its ending; without any, all
    files are of one kind. Sentences near one of `CLOZE` are left out.
    """
    texts, runs = {}, cloze_runs(tokenizer)
    paths = {f.relative_to(corpus).as_posix(): f for f in files}
    for kind in shares or [""]:
        starts = (f"{kind}/", f"{kind}.txt") if kind else ""
        inside = [f for path, f in paths.items() if path.startswith(starts)]
        if not inside:
            raise ValueError(
                f"share: {kind!r:.50} is no folder or file of training texts"
            )
        texts[kind] = [away_from(encode_files([f], tokenizer), runs) for f in inside]
    return texts


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
    sentences = [s for d in documents for s in d]
    numbers = np.repeat(np.arange(len(sentences)), list(map(len, sentences)))
    found = np.isin(_runs(np.concatenate(sentences)), runs)
    first, last = numbers[: len(found)], numbers[SHARED_RUN - 1 :]
    near = np.isin(np.arange(len(sentences)), first[found & (first == last)])
    verdicts = iter(near)
    kept = [[s for s in d if not next(verdicts)] for d in documents]
    return [document for document in kept if document]


def unigram_log_probabilities(texts, size):
    """Return the log of each piece's share in {kind: files of documents}, (size,)."""
    counts = np.ones(size)  # so that no share is 0
    for document in (d for files in texts.values() for file in files for d in file):
        np.add.at(counts, np.concatenate(document), 1)
    return torch.tensor(np.log(counts / counts.sum()), dtype=torch.float32)


def read_settings(path):
    """Read a TOML file of settings; what it does not say is as in settings.toml.

    Raises OSError, or ValueError in one line for what is no file of settings.
    """
    try:
        read = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is no file of settings: {error}") from None
    for name in ("losses", "rates"):
        read[name] = SETTINGS[name] | read.get(name, {})
    _check(settings := SETTINGS | read)
    return settings


def train_course_model(corpus, out, settings):
    """Train on the folder `corpus`; write weights and settings to the folder `out`.

    Checkpoints are in `out` too, and the same call goes on from them after a kill.
    Raises ValueError, OSError or FloatingPointError in one line; what another training
    left in `out` stays.
    """
    from transformers.trainer_utils import get_last_checkpoint

    from helpers.models import embedded_encoder, load_tokenizer

    out = Path(out)
    files, _ = split_files(corpus, settings["held_out"])
    _spare(out, settings)
    if (out / FILE).exists():
        return
    folder = embedded_encoder()
    tokenizer = load_tokenizer(folder)
    texts = read_texts(files, corpus, settings["shares"], tokenizer)
    batches = Batches(texts, settings, tokenizer)
    batches[0]  # a corpus that is too small fails here, before any work
    replace(out / CHECKPOINTS / "settings.json", _text(settings))
    model = new_model(folder, texts, settings)
    saved = get_last_checkpoint(out / CHECKPOINTS)
    trainer_of(model, batches, settings, out / CHECKPOINTS).train(saved)
    save(model.weights(), model.bare_weights(), out, settings)


def trainer_of(model, batches, settings, folder):
    """Return the Trainer that takes a step with each batch, in their order."""
    from transformers import Trainer, TrainingArguments, get_wsd_schedule

    steps = settings["steps"]
    groups = without_decay_of_vectors(model.groups(settings["learning_rate"]))
    optimizer = torch.optim.AdamW(
        groups,
        betas=(0.9, settings["beta2"]),
        weight_decay=settings["decay"],
        fused=True,
    )
    rise, fall = (round(settings[n] * steps) for n in ("warm_up", "cool_down"))
    schedule = get_wsd_schedule(optimizer, rise, fall, steps, decay_type="linear")
    arguments = TrainingArguments(
        folder,
        max_steps=steps,
        per_device_train_batch_size=1,
        train_sampling_strategy="sequential",
        remove_unused_columns=False,
        # other processes make batches while a GPU learns from those before
        dataloader_num_workers=max(os.cpu_count() - 2, 0) * torch.cuda.is_available(),
        use_cpu=not torch.cuda.is_available(),
        bf16=settings["precision"] == "bfloat16",
        max_grad_norm=settings["clip"],
        seed=settings["seed"],
        save_steps=steps // SAVED,
        save_total_limit=1,
        logging_steps=steps // SAVED,
        report_to="none",
    )
    return Trainer(
        model,
        arguments,
        data_collator=itemgetter(0),
        train_dataset=batches,
        optimizers=(optimizer, schedule),
    )


def new_model(folder, texts, settings):
    """Make the PretrainingModel before its first step, without dropout.

    The bias of the masked-word head starts at the pieces' frequencies in `texts`.
    """
    from transformers import BertForPreTraining

    torch.manual_seed(settings["seed"])
    base = BertForPreTraining.from_pretrained(
        folder,
        use_safetensors=True,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        # in bfloat16 on a CPU, "eager" is five times as fast
        attn_implementation="sdpa" if torch.cuda.is_available() else "eager",
    )
    bare, bias = copy.deepcopy(base.bert), base.cls.predictions.bias
    with torch.no_grad():
        bias.copy_(unigram_log_probabilities(texts, len(bias)))
    return PretrainingModel(base, bare, settings)


def _check(settings):
    for name in ("losses", "rates", None):
        own, known = (x[name] if name else x for x in (settings, SETTINGS))
        if unknown := own.keys() - known.keys():
            raise ValueError(f"unknown settings: {', '.join(sorted(unknown))}")
    check_cycle(settings["cycle"])
    if settings["precision"] not in ("float32", "bfloat16"):
        raise ValueError(
            f"precision is {settings['precision']!r:.50}; choose float32 or bfloat16"
        )
    numbers = [settings[name] for name in SETTINGS if isinstance(SETTINGS[name], Real)]
    for name in ("losses", "rates", "shares"):
        numbers += settings[name].values()
    for number in numbers:
        if not isinstance(number, Real) or not 0 <= number < math.inf:
            raise ValueError(f"{number!r:.50} among the settings is no number above 0")
    for name, by in (("steps", SAVED), ("rank", RUN)):
        if settings[name] % by or settings[name] < 1:
            raise ValueError(f"{name} is {settings[name]}; give a multiple of {by}")
    for name in SHARES:
        if settings[name] > 1:
            raise ValueError(f"{name} is {settings[name]}; give a share of at most 1")
    if settings["short"] + settings["single"] > 1:
        raise ValueError("short and single are shares of the same pairs; lower one")
    if not all(settings["shares"].values()):
        raise ValueError("a share of 0: leave that text out of the shares")


def _text(settings):
    return (json.dumps(settings, indent=2) + "\n").encode()


def _spare(out, settings):
    """Raise where `out` holds what another training left there."""
    if out.resolve() == COURSE_MODEL.resolve():
        raise ValueError("the shipped weights stay as they are; name another folder")
    for folder, kept in ((out, FILE), (out / CHECKPOINTS, "checkpoint-*")):
        note = folder / "settings.json"
        found = note.read_bytes() if note.exists() else None
        if any(folder.glob(kept)) and found != _text(settings):
            raise ValueError(
                f"{folder} is of another training, or of other texts (see settings.json"
                " there); name another folder"
            )
