"""The reader of "Question answering" as an ONNX graph over the live model's file.

A question and its passage go in, `ids` and `segments` (n,). Out come `spans` (n, 2),
the scores of a start and of an end at each place, and `line` (1,), the lead above which
it answers. What the live model's file holds already, the table of words and all
matrices in 8 bits, is read from there; the file of this graph brings what was learned,
as thin factors, the vectors, and the places that the live model leaves out.
"""

import numpy as np
from onnx import TensorProto
from onnx.external_data_helper import set_external_data
from safetensors.torch import load_file

from build_tools.live.graph import LONGEST, Graph, embeddings, encoder_layer
from chapters.question_answering import reader as reading
from helpers.questions import read_questions

BASE = "model.onnx"  # what the graph calls the file of the live model
SHORT = 1024  # bytes: what is no longer is written again


def answers_model(bert, base, eight_bits=True):
    """Return the graph of the reader over the bytes of the live model of `bert`."""
    reader = reading.load_reader(bert)
    graph = Over(bert, reader, eight_bits)
    state = embeddings(graph, bert.model.embeddings)
    for number, layer in enumerate(reader.bert.encoder.layer):
        state, _ = encoder_layer(graph, layer, state, number)
    model = graph.model(
        spans=graph.linear(state, reader.qa_outputs),
        line=graph.constant(np.array([line_of(bert, reader)], np.float32)),
    )
    for weight in model.graph.initializer:
        at = base.find(weight.raw_data) if len(weight.raw_data) > SHORT else -1
        if at >= 0:
            set_external_data(weight, BASE, at, len(weight.raw_data))
            weight.ClearField("raw_data")
    return model


def line_of(bert, reader):
    """The lead from which on most of the questions by hand are dealt with."""
    hand = read_questions("judge")
    said = reading.answers(bert, reader, hand.question, hand.text)
    right = [
        reading.answer_scores(*pair)[0]
        for pair in zip(said.said, hand.answers, strict=True)
    ]
    return reading.best_threshold(said.lead, right, hand.answers.str.len() > 0)


class Over(Graph):
    """A graph of the reader, its matrices those of another model and a change."""

    inputs = {"ids": ["n"], "segments": ["n"]}
    outputs = {"spans": ["n", 2], "line": [1]}

    def __init__(self, bert, reader, eight_bits):
        super().__init__(eight_bits)
        self.learned = load_file(reading.WEIGHTS)
        before = dict(bert.model.named_modules())
        self.before = {
            module: (f"bert.{name}.weight", before[name])
            for name, module in reader.bert.named_modules()
        }

    def weight(self, module):
        """The matrix of a linear module of the reader."""
        if module not in self.before:
            return self.constant(module.weight)
        name, before = self.before[module]
        factors = [
            self.add("Cast", self.constant(half), to=TensorProto.FLOAT)
            for half in (self.learned[f"{name}:{part}"] for part in ("up", "down"))
        ]
        return self.add("Add", super().weight(before), self.add("MatMul", *factors))

    def places(self, table):
        """The table of places: those that the live model has, then the others."""
        more = self.constant(table[LONGEST:].detach().cpu().half().numpy())
        more = self.add("Cast", more, to=TensorProto.FLOAT)
        return self.add("Concat", self.constant(table[:LONGEST]), more, axis=0)

    def keep(self, name, tensor):
        return tensor
