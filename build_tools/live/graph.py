"""The course model as an ONNX graph, its weights in 8 bits.

One text or pair goes in, without padding: `ids` and `segments`, each (n,), and
`chosen` (k,), the places whose words are to be predicted. Out come `logits` (k,
vocabulary), `next` (1, 2), `attention` (layers, heads, n, n) and `states` (layers + 1,
n, hidden). The head for masked words costs as much as the encoder: hence `chosen`,
which may also name places below the last layer: p + n · d is place p, d layers below.

What is done to the run goes in beside the text, and nothing by default (`UNTOUCHED`):
`off` (o,), heads that pass on zeros, numbered through all layers; `closed` (c,), places
that nobody may look at; `patched` (p,), states that are replaced by `patch` (1,
hidden), numbered layer by layer: layer * n + place, layer 0 the embeddings.

What is on the way between them comes out too: what `EMBEDDED` names (n, hidden), what
`OF_A_LAYER` names, (n, width) with the number of the layer behind each name (a tensor
for all layers would have to be copied together, whoever asks), and the head's
`transformed` rows (k, hidden). A BERT without a head lacks what the head gives.
"""

import hashlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LONGEST = 128  # pieces
RUN = 32  # weights of a linear module that share a scale, or fewer: they fill a row
WORD_RUN = 96  # numbers of a word of the table that do: one far off spoils fewer
INPUTS = {
    "ids": ["n"],
    "segments": ["n"],
    "chosen": ["k"],
    "off": ["o"],
    "closed": ["c"],
    "patched": ["p"],
    "patch": [1, "width"],
}
UNTOUCHED = {
    "off": np.zeros(0, np.int64),
    "closed": np.zeros(0, np.int64),
    "patched": np.zeros(0, np.int64),
    "patch": np.zeros((1, 1), np.float32),
}
OUTPUTS = {
    "logits": ["k", "vocabulary"],
    "next": [1, 2],
    "attention": ["layers", "heads", "n", "n"],
    "states": ["states", "n", "hidden"],
}
EMBEDDED = ("words", "segments_added", "places_added")
OF_A_LAYER = (
    "query",
    "key",
    "value",
    "mixed",
    "projected",
    "between",
    "wide",
    "narrow",
)
# What a page asks: a file of another version was made for other questions.
ASKED = repr((INPUTS, OUTPUTS, EMBEDDED, OF_A_LAYER))
VERSION = hashlib.sha256(ASKED.encode()).hexdigest()[:8]
OPSET = 21  # the first with a scale for a run of weights
IR_VERSION = 10


def live_model(bert, eight_bits=True):
    """Return a Bert with both heads as an onnx.ModelProto.

    eight_bits: whether matrices are int8, with a scale for each 96 numbers of a word
    of the table and for each 32 weights in a row elsewhere, behind DequantizeLinear;
    otherwise they stay float32.
    """
    graph = Graph(eight_bits)
    touch = Touch(graph, bert.n_layers, bert.n_heads)
    state = touch.state(embeddings(graph, bert.model.embeddings), 0)
    states, weights = [state], []
    for number, layer in enumerate(bert.model.encoder.layer):
        state, attention = encoder_layer(graph, layer, state, number, touch)
        state = touch.state(state, number + 1)
        states.append(state)
        weights.append(attention)
    row = graph.add("Gather", state, graph.integers(0), axis=0)
    pooled = graph.add("Tanh", graph.linear(row, bert.model.pooler.dense))
    heads = {}
    if "mlm" not in bert.missing:
        predictions, rows = bert.mlm.cls.predictions, graph.rows_of(states[::-1])
        heads["logits"] = masked_words(graph, predictions, rows)
    if "nsp" not in bert.missing:
        heads["next"] = graph.linear(pooled, bert.nsp.cls.seq_relationship)
    return graph.model(
        **heads, attention=graph.stack(weights), states=graph.stack(states)
    )


def embeddings(graph, tables):
    """The input of the first layer (n, hidden): three tables, one sum."""
    places = graph.places(tables.position_embeddings.weight)
    length = graph.add("Shape", "ids")
    segments = graph.constant(tables.token_type_embeddings.weight)
    words = graph.rows(tables.word_embeddings.weight, "ids")
    start = graph.integers(0)
    parts = [
        graph.keep("words", words),
        graph.keep("segments_added", graph.add("Gather", segments, "segments")),
        graph.keep("places_added", graph.add("Slice", places, start, length, start)),
    ]
    total = graph.add("Add", graph.add("Add", parts[0], parts[1]), parts[2])
    return graph.norm(total, tables.LayerNorm)


def encoder_layer(graph, layer, state, number, touch=None):
    """Return the layer's output (n, hidden) and its attention (heads, n, n)."""
    attention = layer.attention.self
    n_heads = attention.num_attention_heads
    size = attention.query.out_features // n_heads

    def by_head(name, order):
        shape = graph.integers(-1, n_heads, size)
        rows = graph.keep(name, graph.linear(state, getattr(attention, name)))
        split = graph.add("Reshape", rows, shape)
        return graph.add("Transpose", split, perm=order)

    query = by_head("query", (1, 0, 2))
    key = by_head("key", (1, 2, 0))
    scores = graph.add("MatMul", query, key)
    scale = graph.constant(np.float32(size**-0.5))
    scores = graph.add("Mul", scores, scale)
    scores = touch.scores(scores) if touch else scores
    weights = graph.add("Softmax", scores, axis=-1)
    mixed = graph.add("MatMul", weights, by_head("value", (1, 0, 2)))
    mixed = touch.context(mixed, number) if touch else mixed
    mixed = graph.add("Transpose", mixed, perm=(1, 0, 2))
    mixed = graph.add("Reshape", mixed, graph.integers(-1, n_heads * size))
    mixed = graph.keep("mixed", mixed)
    output = layer.attention.output
    projected = graph.keep("projected", graph.linear(mixed, output.dense))
    state = graph.residual(state, projected, output.LayerNorm)
    state = graph.keep("between", state)
    wide = graph.add("Gelu", graph.linear(state, layer.intermediate.dense))
    wide = graph.keep("wide", wide)
    narrow = graph.keep("narrow", graph.linear(wide, layer.output.dense))
    return graph.residual(state, narrow, layer.output.LayerNorm), weights


def masked_words(graph, head, rows):
    """The logits of the chosen rows (k, vocabulary)."""
    rows = graph.add("Gather", rows, "chosen", axis=0)
    rows = graph.add("Gelu", graph.linear(rows, head.transform.dense))
    rows = graph.keep("transformed", graph.norm(rows, head.transform.LayerNorm))
    return graph.linear(rows, head.decoder)


class Touch:
    """What is done to a run: heads off, columns closed, states replaced."""

    def __init__(self, graph, n_layers, n_heads):
        self.graph = graph
        n_states = graph.integers(n_layers + 1)
        length = graph.add("Shape", "ids")
        every_head = graph.integers(n_layers * n_heads)
        kept = self.marked(every_head, "off", 1, 0)
        shape = graph.integers(n_layers, n_heads, 1, 1)
        self.kept = graph.add("Reshape", kept, shape)
        self.walls = self.marked(length, "closed", 0, -np.inf)
        patched = self.marked(graph.add("Mul", n_states, length), "patched", 0, 1)
        patched = graph.add("Cast", patched, to=TensorProto.BOOL)
        shape = graph.integers(n_layers + 1, -1, 1)
        self.patched = graph.add("Reshape", patched, shape)

    def marked(self, length, places, elsewhere, there):
        """A vector of one value, with another at some places."""
        graph = self.graph
        values = [np.array([value], np.float32) for value in (elsewhere, there)]
        vector = graph.add("Expand", graph.constant(values[0]), length)
        marks = graph.constant(values[1])
        marks = graph.add("Expand", marks, graph.add("Shape", places))
        return graph.add("ScatterElements", vector, places, marks, axis=0)

    def context(self, mixed, layer):
        """The heads' outputs (heads, n, size), zero where a head is off."""
        kept = self.graph.add("Gather", self.kept, self.graph.integers(layer), axis=0)
        kept = self.graph.add("Squeeze", kept, self.graph.integers(0))
        return self.graph.add("Mul", mixed, kept)

    def scores(self, scores):
        """The scores before the softmax, minus infinity in a closed column."""
        return self.graph.add("Add", scores, self.walls)

    def state(self, state, number):
        """The states after a layer (n, hidden), the patch at the patched places."""
        at = self.graph.add("Gather", self.patched, self.graph.integers(number), axis=0)
        at = self.graph.add("Squeeze", at, self.graph.integers(0))
        return self.graph.add("Where", at, "patch", state)


class Graph:
    """Nodes and weights in the making; its methods return the names of tensors."""

    inputs, outputs = INPUTS, OUTPUTS

    def __init__(self, eight_bits):
        self.eight_bits = eight_bits
        self.nodes, self.weights, self._known = [], [], {}
        self._kept = {}

    def add(self, kind, *inputs, **settings):
        name = f"{kind}_{len(self.nodes)}"
        node = helper.make_node(kind, list(inputs), [name], name=name, **settings)
        self.nodes.append(node)
        return name

    def constant(self, values):
        """Keep an array or a parameter as it is."""
        if hasattr(values, "detach"):
            values = values.detach().cpu().numpy()
        name = f"weight_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def integers(self, *values):
        return self.constant(np.array(values, np.int64))

    def matrix(self, weight, run):
        """Keep a matrix once; returns its name, that of its scales, and its run.

        run: in 8 bits so many weights in a row share a scale, or fewer.
        """
        key = weight.data_ptr()  # the table of words serves its decoder too
        if key not in self._known:
            values, scales = weight.detach().cpu().numpy(), None
            if self.eight_bits:
                run = run_of(values.shape[1], run)
                runs, scales = eight_bit_rows(values.reshape(-1, run))
                scales = self.constant(scales.reshape(len(values), -1))
                values = runs.reshape(values.shape)
            self._known[key] = self.constant(values), scales, run
        return self._known[key]

    def linear(self, rows, module):
        """rows (n, in) through a linear module: (n, out)."""
        weight, bias = self.weight(module), self.constant(module.bias)
        return self.add("Gemm", rows, weight, bias, transB=1)

    def weight(self, module):
        """The matrix of a linear module (out, in)."""
        weight, scales, run = self.matrix(module.weight, RUN)
        if scales:
            weight = self.add(
                "DequantizeLinear", weight, scales, axis=1, block_size=run
            )
        return weight

    def places(self, table):
        """The table of places, as far as the graph reads."""
        return self.constant(table[:LONGEST])

    def rows(self, table, numbers):
        """Look up rows of a matrix."""
        weight, scales, run = self.matrix(table, WORD_RUN)
        found = self.add("Gather", weight, numbers, axis=0)
        if not scales:
            return found
        scales = self.add("Gather", scales, numbers, axis=0)
        return self.add("DequantizeLinear", found, scales, axis=1, block_size=run)

    def norm(self, rows, module):
        scale, shift = self.constant(module.weight), self.constant(module.bias)
        return self.add(
            "LayerNormalization", rows, scale, shift, axis=-1, epsilon=module.eps
        )

    def residual(self, before, change, norm):
        return self.norm(self.add("Add", before, change), norm)

    def keep(self, name, tensor):
        """Let a tensor come out under a name; returns the name.

        Of a layer's tensors each comes once a layer, with its number behind the name.
        """
        if name in OF_A_LAYER:
            name = f"{name}_{sum(kept.startswith(name) for kept in self._kept)}"
        for node in self.nodes:
            if node.output[0] == tensor:
                node.output[0] = name
        self._kept[name] = [f"{name}_rows", f"{name}_width"]
        return name

    def rows_of(self, states):
        """States (n, hidden) below one another."""
        return self.add("Concat", *states, axis=0)

    def stack(self, tensors):
        axis = self.integers(0)
        layers = [self.add("Unsqueeze", tensor, axis) for tensor in tensors]
        return self.add("Concat", *layers, axis=0)

    def model(self, **outputs):
        """Close the graph; its outputs are named as the arguments are."""
        shapes = {n: shape for n, shape in self.outputs.items() if n in outputs}
        for name, tensor in outputs.items():
            self.nodes.append(helper.make_node("Identity", [tensor], [name], name=name))
        graph = helper.make_graph(
            self.nodes,
            "course-model",
            [
                helper.make_tensor_value_info(name, kind_of(name), shape)
                for name, shape in self.inputs.items()
            ],
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
                for name, shape in (shapes | self._kept).items()
            ],
            self.weights,
        )
        opset = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=opset, ir_version=IR_VERSION)
        onnx.checker.check_model(model)
        return model


def kind_of(name):
    """The type of an input."""
    return TensorProto.FLOAT if name == "patch" else TensorProto.INT64


def run_of(width, most):
    """The longest run of weights, at most `most`, that fills rows of that width."""
    return max(run for run in range(1, most + 1) if width % run == 0)


def eight_bit_rows(values):
    """Round each row to -127 … 127; returns int8 (r, c) and float32 scales (r,)."""
    scales = np.abs(values).max(axis=1) / 127
    scales = np.where(scales == 0, 1, scales).astype(np.float32)
    return np.round(values / scales[:, None]).astype(np.int8), scales
