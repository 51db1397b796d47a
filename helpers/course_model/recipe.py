"""How the course model is trained: its two heads, its batches, its loop.

The encoder of all-MiniLM-L6-v2 has no masked-word and no next-sentence head. Both are
trained on a folder of text, together with a low-rank adapter (Hu et al. 2021) on the
encoder's linear layers.
"""

import json
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import cosine_similarity, cross_entropy

from helpers.corpus import encode_files, repeat_files, split_as_before, split_files
from helpers.course_model.weights import earlier_settings, load_weights, save
from helpers.masking import IGNORED, collate_pairs, mask_tokens, sentence_pair

ADAPTED_LAYERS = r"encoder\.layer\.\d+\..*(query|key|value|dense)"
LENGTH = 128  # pieces in a training example, special tokens included
BATCH = 2048  # pieces in a batch
ROOMS = (61, LENGTH - 3)  # pieces of text in a pair: half the batches hold short ones
NEXT_RATE = 0.2  # of the learning rate, for what only the next-sentence task trains
NEAR = 64  # documents in a row, of a few books, that a pair is drawn from


class PretrainingModel(torch.nn.Module):
    """Both heads on the adapted encoder; returns the losses of a batch."""

    def __init__(self, base, rank):
        """base: a BertForPreTraining. rank: of the adapter on each linear layer."""
        from peft import LoraConfig, get_peft_model

        super().__init__()
        base.requires_grad_(False)
        config = LoraConfig(r=rank, lora_alpha=rank, target_modules=ADAPTED_LAYERS)
        self.encoder = get_peft_model(base.bert, config)
        self.heads = base.cls
        for part in (
            base.bert.pooler,
            self.heads.seq_relationship,
            self.heads.predictions.transform,
        ):
            part.requires_grad_(True)
        self.heads.predictions.bias.requires_grad_(True)

    def groups(self, learning_rate):
        """Parameter groups for AdamW; the next-sentence task stays at chance when its
        own layers learn as fast as the rest."""
        pooler = self.encoder.base_model.model.pooler
        own = [*pooler.parameters(), *self.heads.seq_relationship.parameters()]
        known = {id(parameter) for parameter in own}
        rest = [p for p in self.parameters() if p.requires_grad and id(p) not in known]
        return [{"params": rest}, {"params": own, "lr": NEXT_RATE * learning_rate}]

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
        logits = self.heads.predictions(hidden[chosen])
        losses = {"masked": cross_entropy(logits, labels[chosen])}
        if next_sentence_label is not None:
            logits = self.heads.seq_relationship(output.pooler_output)
            losses["next"] = cross_entropy(logits, next_sentence_label)
        if original_ids is not None:
            kept = attention_mask.bool() & ~chosen
            with torch.no_grad(), self.encoder.disable_adapter():
                bare = self.encoder(original_ids, **inputs).last_hidden_state
            losses["drift"] = (
                2 * (1 - cosine_similarity(hidden[kept], bare[kept], -1)).mean()
            )
        return {"loss": sum(losses.values())} | losses


class Batches:
    """Training batches of a corpus; the same step always gives the same batch.

    Every second batch holds sentence pairs, the others single sentences of like
    length. Every second batch of either kind carries the uncorrupted ids.
    """

    def __init__(self, documents, tokenizer, rate, seed):
        self.tokenizer, self.rate, self.seed = tokenizer, rate, seed
        self.sentences = [s for d in documents for s in d if 4 <= len(s) <= LENGTH - 2]
        if not self.sentences:
            raise ValueError("no sentence of the corpus has 4 to 126 pieces")
        self.longer = [document for document in documents if len(document) > 1]
        if len(self.longer) < 2:
            raise ValueError(
                "sentence pairs need two documents of two sentences or more, with "
                "blank lines between"
            )

    def __call__(self, step):
        rng = np.random.default_rng([self.seed, step])
        batch = self._sentences(rng) if step % 2 else self._pairs(rng)
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        original = batch["input_ids"]
        batch["input_ids"], batch["labels"] = mask_tokens(
            original, self.tokenizer, self.rate, generator=generator
        )
        if step % 4 > 1:
            batch["original_ids"] = original
        return batch

    def _pairs(self, rng):
        room = int(rng.choice(ROOMS))
        pairs = [
            sentence_pair(self._near(rng), rng, room)
            for _ in range(BATCH // (room + 3))
        ]
        return collate_pairs(pairs, self.tokenizer)

    def _near(self, rng):
        """Draw documents in a row: one second part in some is then of the same book,
        and the subject alone does not tell which parts belong together."""
        start = int(rng.integers(max(1, len(self.longer) - NEAR + 1)))
        return self.longer[start : start + NEAR]

    def _sentences(self, rng):
        drawn = rng.choice(
            len(self.sentences), min(1024, len(self.sentences)), replace=False
        )
        drawn = sorted((self.sentences[i] for i in drawn), key=len)
        start = rng.integers(len(drawn))
        count = max(1, BATCH // (len(drawn[start]) + 2))
        cls, sep = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        rows = [[cls, *row.tolist(), sep] for row in drawn[start : start + count]]
        return dict(self.tokenizer.pad({"input_ids": rows}, return_tensors="pt"))


def unigram_log_probabilities(documents, size):
    """Return the log of each piece's share in `documents`, (size,).

    One is added to every count, so that no share is 0.
    """
    counts = np.ones(size)
    for document in documents:
        np.add.at(counts, np.concatenate(document), 1)
    return torch.tensor(np.log(counts / counts.sum()), dtype=torch.float32)


def train_course_model(
    corpus, out, settings, checkpoints=None, stop_at=None, start=None
):
    """Train on the folder `corpus`; write adapter, heads and settings to `out`.

    settings: dict with steps, rank, learning_rate, rate (the share of masked pieces),
    seed and, to use the texts of some folders several times, repeat (see
    `repeat_files`). start: the `out` of an earlier training, whose weights this one
    starts from, with a new schedule. The files that were held out then are held out
    again, the training files may be others, and the new settings name both trainings.
    Nothing is written before the training has ended; it then replaces what `out` held,
    and deletes the scores there.

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
        settings["start"] = earlier_settings(Path(start), settings["rank"])
        files, held_out = split_as_before(corpus, settings["start"]["held_out"])
    else:
        files, held_out = split_files(corpus)
    settings["held_out"] = [f.relative_to(corpus).as_posix() for f in held_out]
    files = repeat_files(files, corpus, settings.get("repeat", {}))
    documents = encode_files(files, tokenizer)
    batches = Batches(documents, tokenizer, settings["rate"], settings["seed"])
    batches(0)  # a corpus that is too small fails here, before any work
    model = new_model(folder, documents, tokenizer, settings)
    if start:
        load_weights(model, start)
    if checkpoints:
        _claim(Path(checkpoints), settings)
    history = train(
        model,
        batches,
        settings["steps"],
        settings["learning_rate"],
        seed=settings["seed"],
        checkpoints=checkpoints,
        stop_at=stop_at,
        groups=model.groups(settings["learning_rate"]),
    )
    if len(history) == settings["steps"]:
        save(model, out, settings)
    return history


def new_model(folder, documents, tokenizer, settings):
    """Make the PretrainingModel before its first step.

    Seeded; without dropout; the bias of the masked-word head starts at the pieces'
    frequencies in `documents`.
    """
    from transformers import BertForPreTraining

    torch.manual_seed(settings["seed"])
    base = BertForPreTraining.from_pretrained(
        folder,
        use_safetensors=True,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    with torch.no_grad():
        shares = unigram_log_probabilities(documents, len(tokenizer))
        base.cls.predictions.bias.copy_(shares)
    return PretrainingModel(base, settings["rank"])


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
