"""How the course model is trained: its parts, its texts, its loop.

The encoder of all-MiniLM-L6-v2 has no masked-word and no next-sentence head. Both are
trained on a folder of text, together with all layers of the encoder and a low-rank
change of its word table, which is the decoder of the masked-word head too.
"""

import copy
import json
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import cosine_similarity, cross_entropy, linear

from experiments.course_model.batches import BATCH, LENGTH, Batches, filled_up
from experiments.course_model.weights import earlier_settings, save
from helpers import DATA
from helpers.corpus import encode_files, split_as_before, split_files
from helpers.corpus.masking import IGNORED
from helpers.models.course_weights import apply_weights, word_factors

NEXT_RATE = 0.2  # of the learning rate, for what only the next-sentence task trains
BETAS = (0.9, 0.98)
WARM_UP, COOL_DOWN = 0.05, 0.4  # shares of the steps
SHARED_RUN = 5  # pieces in a row that a training sentence may not share with a ruler's
CLOZE = ("cloze.tsv", "cloze-everyday.tsv")


class WordTable(torch.nn.Module):
    """A frozen table of words plus a trained product of two thin matrices."""

    def __init__(self, weight, rank):
        """weight: (vocabulary, hidden). rank: of the change, which starts at 0."""
        super().__init__()
        self.register_buffer("weight", weight.detach().clone(), persistent=False)
        self.pieces = torch.nn.Parameter(torch.zeros(len(weight), rank))
        self.directions = torch.nn.Parameter(0.02 * torch.randn(rank, weight.shape[1]))

    def forward(self, ids):
        """Look up pieces: (...) to (..., hidden)."""
        return self.weight[ids] + self.pieces[ids] @ self.directions

    def logits(self, hidden):
        """Compare with every piece: (..., hidden) to (..., vocabulary)."""
        change = linear(linear(hidden, self.directions), self.pieces)
        return linear(hidden, self.weight) + change


class PretrainingModel(torch.nn.Module):
    """Both heads on the encoder; returns the losses of a batch."""

    def __init__(self, base, bare, rank):
        """base: a BertForPreTraining to train. bare: the encoder as it was, frozen.
        rank: of the change of the word table."""
        super().__init__()
        self.encoder, self.heads = base.bert, base.cls
        self.bare = [bare.eval().requires_grad_(False)]  # in a list: no part of it
        tables = self.encoder.embeddings
        tables.position_embeddings.requires_grad_(False)
        self.words = WordTable(bare.embeddings.word_embeddings.weight, rank)
        tables.word_embeddings = self.words
        self.heads.predictions.decoder = torch.nn.Identity()

    def weights(self):
        """All that is trained, by its name in a BertForPreTraining; see `changes`."""
        parts = {"bert": self.encoder, "cls": self.heads}
        trained = {
            f"{prefix}.{name}": parameter
            for prefix, part in parts.items()
            for name, parameter in part.named_parameters()
            if parameter.requires_grad and "word_embeddings" not in name
        }
        words = dict(self.words.named_parameters())
        return trained | {f"words.{name}": factor for name, factor in words.items()}

    def bare_weights(self):
        return {f"bert.{name}": p for name, p in self.bare[0].named_parameters()}

    def groups(self, learning_rate):
        """Parameter groups for AdamW; the next-sentence task stays at chance when its
        own layers learn as fast as the rest."""
        pooler, head = self.encoder.pooler, self.heads.seq_relationship
        own = [*pooler.parameters(), *head.parameters()]
        known = {id(parameter) for parameter in own}
        rest = [p for p in self.parameters() if p.requires_grad and id(p) not in known]
        slowly = {"params": own, "lr": NEXT_RATE * learning_rate, "betas": BETAS}
        return [{"params": rest, "betas": BETAS}, slowly]

    def predictions(self, hidden):
        """The logits of the masked-word head: (n, hidden) to (n, vocabulary)."""
        predictions = self.heads.predictions
        return self.words.logits(predictions.transform(hidden)) + predictions.bias

    def forward(
        self,
        input_ids,
        attention_mask,
        labels,
        token_type_ids=None,
        next_sentence_label=None,
        original_ids=None,
    ):
        """Masked-word loss, plus the two others where the batch asks for them.

        original_ids adds 2 (1 - cosine) between the last hidden states and those the
        bare encoder gives the uncorrupted text, over tokens that were not chosen.
        """
        inputs = {"attention_mask": attention_mask, "token_type_ids": token_type_ids}
        output = self.encoder(input_ids, **inputs)
        hidden, chosen = output.last_hidden_state, labels != IGNORED
        places = filled_up(chosen)
        logits = self.predictions(hidden.flatten(0, 1)[places]).float()
        losses = {"masked": cross_entropy(logits, labels.flatten()[places])}
        if next_sentence_label is not None:
            logits = self.heads.seq_relationship(output.pooler_output)
            losses["next"] = cross_entropy(logits.float(), next_sentence_label)
        if original_ids is not None:
            kept = attention_mask.bool() & ~chosen
            with torch.no_grad():
                bare = self.bare[0](original_ids, **inputs).last_hidden_state
            cosine = cosine_similarity(hidden[kept].float(), bare[kept].float(), -1)
            losses["drift"] = 2 * (1 - cosine).mean()
        return {"loss": sum(losses.values())} | losses


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


def train_course_model(
    corpus, out, settings, checkpoints=None, stop_at=None, start=None
):
    """Train on the folder `corpus`; write weights and settings to `out`.

    settings: dict with steps, rank (of the change of the word table), learning_rate,
    rate (the share of masked pieces), seed and shares (see `read_texts`). start: the
    `out` of an earlier training, whose weights this one starts from, with a new
    schedule. The files that were held
    out then are held out again, the training files may be others, and the new settings
    name both trainings. Nothing is written before the training has ended; it then
    replaces what `out` held, and deletes the scores there.

    Returns the history. Raises ValueError, OSError or FloatingPointError in one line;
    earlier files in `out` are then unchanged.
    """
    from helpers.models import embedded_encoder, load_tokenizer
    from helpers.training import train

    _check(settings, Path(out))
    folder = embedded_encoder()
    tokenizer = load_tokenizer(folder)
    settings = settings | {"batch": BATCH, "length": LENGTH}
    if start:
        settings["start"] = earlier_settings(start, settings["rank"])
        files, held_out = split_as_before(corpus, settings["start"]["held_out"])
    else:
        files, held_out = split_files(corpus)
    settings["held_out"] = [f.relative_to(corpus).as_posix() for f in held_out]
    texts = read_texts(files, corpus, settings.get("shares", {}), tokenizer)
    shares = settings.get("shares") or dict.fromkeys(texts, 1)
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
        warmup=WARM_UP,
        cooldown=COOL_DOWN,
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
    model = PretrainingModel(base, bare, settings["rank"])
    if start:
        for own, earlier in zip(
            model.words.parameters(), word_factors(start), strict=True
        ):
            own.data.copy_(earlier)
    return model


def _check(settings, out):
    if settings["steps"] < 1 or settings["rank"] < 1:
        raise ValueError("steps and rank must be 1 or more")
    if not 0 < settings["rate"] <= 1:
        raise ValueError(f"rate is {settings['rate']}; give a share above 0, at most 1")
    if out.exists() and not out.is_dir():
        raise NotADirectoryError(f"{out} is a file; name a folder to write to")


def _claim(checkpoints, settings):
    """Write the settings beside the checkpoints; refuse a folder with others."""
    note, text = checkpoints / "settings.json", json.dumps(settings, indent=2)
    if note.exists() and note.read_text() != text:
        raise ValueError(
            f"{checkpoints} holds checkpoints of other settings or texts (see "
            "settings.json there); delete them or name another folder"
        )
    checkpoints.mkdir(parents=True, exist_ok=True)
    note.write_text(text)
