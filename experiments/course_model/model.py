"""The encoder with both heads, as the recipe trains it: what learns, and its losses.

The encoder of all-MiniLM-L6-v2 has no masked-word and no next-sentence head. Both are
trained together with all layers of the encoder and a low-rank change of its word
table, which is the decoder of the masked-word head too.
"""

import torch
from torch.nn.functional import cosine_similarity, cross_entropy, linear

from experiments.course_model.batches import filled_up
from helpers.corpus.masking import IGNORED


class WordTable(torch.nn.Module):
    """A frozen table of words plus a trained product of two thin matrices."""

    def __init__(self, weight, rank):
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

    def __init__(self, base, bare, settings):
        """base: a BertForPreTraining to train. bare: the encoder as it was, frozen."""
        super().__init__()
        self.losses, self.rates = settings["losses"], settings["rates"]
        self.encoder, self.heads = base.bert, base.cls
        self.bare = [bare.eval().requires_grad_(False)]  # in a list: no part of it
        tables = self.encoder.embeddings
        tables.position_embeddings.requires_grad_(False)
        words = WordTable(bare.embeddings.word_embeddings.weight, settings["rank"])
        tables.word_embeddings = words
        self.heads.predictions.decoder = torch.nn.Identity()

    @property
    def words(self):
        return self.encoder.embeddings.word_embeddings

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
        next_layers = (self.encoder.pooler, self.heads.seq_relationship)
        own = {
            "next": [p for layer in next_layers for p in layer.parameters()],
            "words": list(self.words.parameters()),
        }
        known = {id(p) for parameters in own.values() for p in parameters}
        rest = [p for p in self.parameters() if p.requires_grad and id(p) not in known]
        return [{"params": rest, "lr": learning_rate}] + [
            {"params": parameters, "lr": self.rates[name] * learning_rate}
            for name, parameters in own.items()
        ]

    def predictions(self, hidden):
        """The logits of the masked-word head: (n, hidden) to (n, vocabulary)."""
        predictions = self.heads.predictions
        return self.words.logits(predictions.transform(hidden)) + predictions.bias

    def forward(
        self,
        input_ids,
        attention_mask,
        labels=None,
        token_type_ids=None,
        next_sentence_label=None,
        original_ids=None,
        held=None,
    ):
        """The losses that the batch asks for, each by its weight, and their sum.

        labels: "masked". next_sentence_label: "next". original_ids: "states", one minus
        the cosine between the last hidden states and those that the bare encoder gives
        the uncorrupted text, at the places `held`; and of single texts "texts", the
        same of their mean vectors.
        """
        inputs = {"attention_mask": attention_mask, "token_type_ids": token_type_ids}
        output = self.encoder(input_ids, **inputs)
        hidden, losses = output.last_hidden_state, {}
        if labels is not None:
            places = filled_up(labels != IGNORED)
            logits = self.predictions(hidden.flatten(0, 1)[places]).float()
            losses["masked"] = cross_entropy(logits, labels.flatten()[places])
        if next_sentence_label is not None:
            logits = self.heads.seq_relationship(output.pooler_output)
            losses["next"] = cross_entropy(logits.float(), next_sentence_label)
        if original_ids is not None:
            with torch.no_grad():
                encoder = self.bare[0].to(hidden.device)
                bare = encoder(original_ids, **inputs).last_hidden_state
            losses["states"] = _apart(hidden[held], bare[held])
            if token_type_ids is None:
                real = attention_mask[..., None]
                losses["texts"] = _apart((hidden * real).sum(1), (bare * real).sum(1))
        losses = {name: self.losses[name] * loss for name, loss in losses.items()}
        loss = sum(losses.values())
        if not torch.isfinite(loss):
            raise FloatingPointError("the loss is not finite; lower the learning rate")
        return {"loss": loss} | losses


def _apart(states, others):
    return (1 - cosine_similarity(states.float(), others.float(), -1)).mean()
