"""Writes the trained CNN as ONNX: int8 word table and convolutions (weight only), float32 arithmetic.

Inputs input_ids, attention_mask (int64, batch × tokens); output logits (batch × 8).
The projection of the word vectors is folded into the table: relu(word @ project + b), one row per wordpiece.
"""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import build


def quantise(matrix, axis):
    """Symmetric int8 along `axis`: values and float32 scales."""
    scale = np.abs(matrix).max(axis=tuple(i for i in range(matrix.ndim) if i != axis)) / 127
    scale = np.maximum(scale, 1e-8).astype(np.float32)
    shape = [1] * matrix.ndim
    shape[axis] = -1
    return np.clip(np.round(matrix / scale.reshape(shape)), -127, 127).astype(np.int8), scale


def folded_table(params):
    word, project = np.asarray(params["word"]), params["project"]
    return np.maximum(word @ np.asarray(project["w"]) + np.asarray(project["b"]), 0).astype(np.float32)


class Builder:
    """Nodes and constants of an ONNX graph; names get the prefix of the member model."""

    def __init__(self):
        self.nodes, self.inits, self.prefix = [], [], ""

    def const(self, name, array):
        self.inits.append(numpy_helper.from_array(np.asarray(array), self.prefix + name))
        return self.prefix + name

    def node(self, op, inputs, output, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [self.prefix + output], **attributes))
        return self.prefix + output


def member(g, params, mask):
    """The logits of one CNN."""
    table, scale = quantise(folded_table(params), 1)
    rows = g.node("Gather", [g.const("table", table), "input_ids"], "rows")
    x = g.node("Mul", [g.node("Cast", [rows], "rows_f", to=TensorProto.FLOAT), g.const("table_scale", scale)], "embedded")
    column = g.node("Unsqueeze", [mask, g.const("axis1", np.array([1], np.int64))], "mask_channels")
    x = g.node("Mul", [g.node("Transpose", [x], "channels_first", perm=[0, 2, 1]), column], "masked_0")
    for i, p in enumerate(params["conv"]):
        w = np.asarray(p["w"])  # (3 * inside, outside): previous, this, next token
        q, s = quantise(w.reshape(3, w.shape[0] // 3, w.shape[1]).transpose(2, 1, 0), 0)
        kernel = g.node("DequantizeLinear", [g.const(f"conv{i}_q", q), g.const(f"conv{i}_s", s), g.const(f"conv{i}_z", np.zeros(len(s), np.int8))], f"conv{i}_w", axis=0)
        x = g.node("Conv", [x, kernel, g.const(f"conv{i}_b", np.asarray(p["b"], np.float32))], f"conv{i}", kernel_shape=[3], pads=[1, 1])
        x = g.node("Mul", [g.node("Relu", [x], f"relu{i}"), column], f"masked_{i + 1}")
    axis2 = g.const("axis2", np.array([2], np.int64))
    count = g.node("Max", [g.node("ReduceSum", [mask, g.const("axis1b", np.array([1], np.int64))], "tokens", keepdims=1), g.const("one", np.array(1.0, np.float32))], "count")
    mean = g.node("Div", [g.node("ReduceSum", [x, axis2], "total", keepdims=0), count], "mean")
    top = g.node("ReduceMax", [x, axis2], "top", keepdims=0)  # values are never negative, padding is 0
    pooled = g.node("Concat", [mean, top], "pooled", axis=1)
    return g.node("Gemm", [pooled, g.const("head_w", np.asarray(params["head"]["w"], np.float32)), g.const("head_b", np.asarray(params["head"]["b"], np.float32))], "member")


def graph(members):
    """The mean of the logits of one or more CNNs trained with different seeds."""
    g = Builder()
    mask = g.node("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
    parts = []
    for i, params in enumerate(members):
        g.prefix = f"m{i}_"
        parts.append(member(g, params, mask))
    g.prefix = ""
    g.node("Mean", parts, "logits")
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in ("input_ids", "attention_mask")]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(build.OUTPUTS)])]
    model = helper.make_model(helper.make_graph(g.nodes, "guard", inputs, outputs, g.inits), opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(model)
    return model
