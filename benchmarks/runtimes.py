"""The same encoder in the field's runtimes, as functions from texts to vectors.

Each function here makes another one that reads a list of texts and returns their mean
vectors (n, hidden), or gives None where what it needs is not installed.
"""

import copy
import shutil
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import torch

from helpers.embeddings import rows_in_batches

INPUTS = ("input_ids", "token_type_ids", "attention_mask")


def in_batches(bert, run):
    """Give the batches that embed_texts makes to `run(**batch)`.

    run returns (texts, longest, hidden).
    """

    def means(texts):
        rows = bert.tokenizer(list(texts), truncation=True)["input_ids"]
        vectors = np.empty((len(rows), bert.hidden_size), np.float32)
        for places in rows_in_batches([(row, 0, 1) for row in rows], bert.device):
            batch = {"input_ids": [rows[place] for place in places]}
            batch = bert.tokenizer.pad(batch, return_tensors="pt").to(bert.device)
            batch["token_type_ids"] = torch.zeros_like(batch["input_ids"])
            for place, states in zip(places, run(**batch), strict=True):
                vectors[place] = states[: len(rows[place])].mean(axis=0)
        return vectors

    return means


def pytorch(bert, dtype, attention="sdpa", change=lambda model: model):
    """PyTorch with attention "eager" or "sdpa"."""
    model = copy.deepcopy(bert.model).to(getattr(torch, dtype))
    model.set_attn_implementation(attention)
    model = change(model)

    @torch.inference_mode()
    def run(**batch):
        return model(**batch).last_hidden_state.float().cpu().numpy()

    return in_batches(bert, run)


def compiled(bert, dtype):
    """PyTorch by torch.compile, which needs a C++ compiler."""
    if not shutil.which("g++"):
        return None
    return pytorch(bert, dtype, change=partial(torch.compile, dynamic=True))


class _States(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, *inputs):
        return self.model(**dict(zip(INPUTS, inputs, strict=True))).last_hidden_state


def export(bert, folder):
    """Write the encoder as a graph; returns the files {kind: path}.

    "plain" is what PyTorch exports. "float32" has the layers fused by ONNX Runtime's
    own tool; "int8" holds weights in 8 bits, a scale a column, and computes the scales
    of the rest at each call.
    """
    from onnx import TensorProto
    from onnxruntime.quantization import quantize_dynamic
    from onnxruntime.transformers.optimizer import optimize_model

    plain, fused, small = (
        Path(folder) / f"{n}.onnx" for n in ("plain", "fp32", "int8")
    )
    model = copy.deepcopy(bert.model).cpu()
    model.set_attn_implementation("eager")
    batch = bert.tokenizer(["A cat.", "It purrs and sleeps."], padding=True)
    inputs = tuple(torch.tensor(batch[name]) for name in INPUTS)
    with warnings.catch_warnings():  # of the exporter, about what it fixes
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _States(model).eval(),
            inputs,
            str(plain),
            input_names=list(INPUTS),
            output_names=["states"],
            dynamic_axes={n: {0: "texts", 1: "pieces"} for n in (*INPUTS, "states")},
            dynamo=False,
        )
    found = optimize_model(
        str(plain), "bert", num_heads=bert.n_heads, hidden_size=bert.hidden_size
    )
    found.save_model_to_file(str(fused))
    of_fused = {"DefaultTensorType": TensorProto.FLOAT}  # whose types nobody infers
    quantize_dynamic(fused, small, per_channel=True, extra_options=of_fused)
    return {"plain": plain, "float32": fused, "int8": small}


def onnx_runtime(bert, path):
    """ONNX Runtime on a file of `export`, with as many threads as PyTorch has."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = torch.get_num_threads()
    session = onnxruntime.InferenceSession(
        str(path), options, providers=["CPUExecutionProvider"]
    )
    asked = {node.name for node in session.get_inputs()}

    def run(**batch):
        given = {name: batch[name].cpu().numpy() for name in asked}
        return session.run(["states"], given)[0]

    return in_batches(bert, run)


def openvino(bert, dtype, path):
    """OpenVINO on the plain file of `export`, in "float32" or "bfloat16"."""
    try:
        from openvino import Core
    except ImportError:
        return None

    settings = {
        "INFERENCE_PRECISION_HINT": {"float32": "f32", "bfloat16": "bf16"}[dtype],
        "INFERENCE_NUM_THREADS": torch.get_num_threads(),
        "PERFORMANCE_HINT": "LATENCY",  # a request at a time, with all threads
    }
    request = Core().compile_model(str(path), "CPU", settings).create_infer_request()

    def run(**batch):
        given = {name: batch[name].cpu().numpy() for name in INPUTS}
        return request.infer(given)[0]

    return in_batches(bert, run)


def fastembed(bert, path):
    """fastembed on the float32 file; it makes batches of its own."""
    try:
        from fastembed import TextEmbedding
    except ImportError:
        return None
    from fastembed.common.model_description import ModelSource, PoolingType

    tokenizer = copy.deepcopy(bert.tokenizer)
    tokenizer.init_kwargs.pop("max_length", None)  # shorter than what the model reads
    tokenizer.save_pretrained(path.parent)
    bert.model.config.save_pretrained(path.parent)
    TextEmbedding.add_custom_model(
        model="course-model",
        pooling=PoolingType.MEAN,
        normalization=False,
        sources=ModelSource(url="file://"),
        dim=bert.hidden_size,
        model_file=path.name,
    )
    model = TextEmbedding(
        "course-model",
        threads=torch.get_num_threads(),
        specific_model_path=str(path.parent),
    )
    return lambda texts: np.array(list(model.embed(texts, batch_size=32)))
