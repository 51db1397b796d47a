"""The training that the live page runs: each snapshot answers as PyTorch does."""

import gzip
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForPreTraining

from build_tools.book.execution import run_of
from build_tools.live.snapshots import about_of, sent_by

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "chapters/pretraining/index.md"
RUN = """
import {readFileSync} from "node:fs";
import {gunzipSync} from "node:zlib";
import {Learner} from "./live/model/learner.js";
const learner = new Learner(new Uint8Array(gunzipSync(readFileSync(process.argv[1]))));
const {snapshots, sentences} = learner.about;
const found = [];
for (let number = 0; number < snapshots; number += 1)
  found.push(sentences.map(({text}) => {
    const {shares, attention} = learner.answer(number, text);
    return {shares: [...shares], attention};
  }));
console.log(JSON.stringify(found));
"""


def weights_in(data):
    """The weights of each snapshot as whoever reads the file has them."""
    about, content = about_of(data), gzip.decompress(data)
    start = 4 + int.from_bytes(content[:4], "little")
    rows = sum(n for _, n, _ in about["weights"])
    scales = np.frombuffer(content, np.float32, rows, start)
    change = np.frombuffer(content, np.int8, offset=start + 4 * rows)
    whole = np.cumsum(change.reshape(about["snapshots"], -1), axis=0, dtype=np.int8)
    states = [{} for _ in whole]
    at = row = 0
    for name, n, m in about["weights"]:
        scale = scales[row : row + n, None]
        for state, values in zip(states, whole, strict=True):
            state[name] = values[at : at + n * m].reshape(n, m) * scale
        at, row = at + n * m, row + n
    return about, states


def largest_difference(data, answers):
    """Between the script and PyTorch, over all probabilities and attention weights."""
    about, states = weights_in(data)
    shapes = {name: (n, m) for name, n, m in about["weights"]}
    pieces, width = shapes["embeddings.word_embeddings.weight"]
    config = BertConfig(
        vocab_size=pieces,
        hidden_size=width,
        num_hidden_layers=about["layers"],
        num_attention_heads=about["heads"],
        intermediate_size=shapes["encoder.layer.0.intermediate.dense.weight"][0],
        max_position_embeddings=shapes["embeddings.position_embeddings.weight"][0],
        attn_implementation="eager",
    )
    model, ids = BertForPreTraining(config).eval(), about["pieces"].index
    own = model.state_dict()
    largest = 0
    for state, found in zip(states, answers, strict=True):
        for name, values in state.items():
            name = ("cls." if name.startswith("predictions") else "bert.") + name
            own[name].copy_(torch.tensor(values).reshape(own[name].shape))
        for sentence, answer in zip(about["sentences"], found, strict=True):
            tokens = ["[CLS]", *sentence["text"].split(), "[SEP]"]
            with torch.inference_mode():
                output = model(
                    torch.tensor([[ids(token) for token in tokens]]),
                    output_attentions=True,
                )
            logits = output.prediction_logits[0, tokens.index("[MASK]")]
            maps = torch.cat(output.attentions, dim=1)[0].flatten(1)
            for ours, theirs in (
                (answer["shares"], logits.softmax(-1)),
                (answer["attention"], maps),
            ):
                largest = max(largest, np.abs(np.array(ours) - theirs.numpy()).max())
    return largest


def test_every_snapshot_of_the_page_answers_as_pytorch_does(node, tmp_path):
    try:
        data = sent_by(run_of(PAGE, ROOT))
    except ValueError as missing:
        pytest.skip(str(missing))
    file = tmp_path / "snapshots.gz"
    file.write_bytes(data)
    answers = node("--input-type=module", "--eval", RUN, file)
    assert len(answers) == about_of(data)["snapshots"] >= 20
    assert len(data) < 6_000_000
    assert largest_difference(data, answers) < 1e-5
