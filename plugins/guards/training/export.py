"""Writes a classifier as an ONNX graph of integers.

Inputs input_ids, attention_mask (int64, batch × tokens); output logits (batch × outputs). The word table and the matrices are int8; the inputs of the matrices
are rounded to 8 bits by fixed scales (measured on training windows), so that the logits of a window do not depend on the windows beside it. Weights use
7 bits: pairs of products fit 16 bits on every CPU.
"""
import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from encoder import HEADS, SEP, TOKEN_SHARE, WIDTH


def quantise(matrix, axis, most=127):
    """Symmetric integers along `axis`: values and float32 scales."""
    scale = np.abs(matrix).max(axis=tuple(i for i in range(matrix.ndim) if i != axis)) / most
    scale = np.maximum(scale, 1e-8).astype(np.float32)
    shape = [1] * matrix.ndim
    shape[axis] = -1
    return np.clip(np.round(matrix / scale.reshape(shape)), -most, most).astype(np.int8), scale


def array(tensor):
    return tensor.detach().float().numpy()


class Graph:
    """Nodes and constants of an ONNX graph."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def const(self, name, value):
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def floats(self, name, value):
        return self.const(name, np.asarray(value, np.float32))

    def node(self, op, inputs, output, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [output], **attributes))
        return output

    def dense(self, name, x, linear):
        product = self.node("MatMul", [x, self.floats(name + "_w", array(linear.weight).T)], name + "_product")
        return self.node("Add", [product, self.floats(name + "_b", array(linear.bias))], name)

    def small_dense(self, name, x, weight, bias, limits):
        """The same in integers. `weight`: inputs × outputs; `limits`: least and highest value of each channel of the input.

        Channels with far higher values than others are made smaller, and their weights greater (SmoothQuant, Xiao et al. 2023).
        """
        reach = np.maximum(np.abs(limits).max(0), 1e-3)
        even = (reach ** 0.8 / np.maximum(np.abs(weight).max(1), 1e-3) ** 0.2).astype(np.float32)
        x = self.node("Mul", [x, self.floats(name + "_even", 1 / even)], name + "_evened")
        low, high = min(0.0, (limits[0] / even).min()), max(0.0, (limits[1] / even).max())
        step = (high - low) / 255
        scale, zero = self.floats(name + "_in_s", step), self.const(name + "_in_z", np.uint8(np.clip(round(-low / step), 0, 255)))
        x = self.node("DequantizeLinear", [self.node("QuantizeLinear", [x, scale, zero], name + "_in_q"), scale, zero], name + "_in")
        q, s = quantise(weight * even[:, None], 1, 64)
        matrix = self.node("DequantizeLinear", [self.const(name + "_q", q), self.const(name + "_s", s), self.const(name + "_z", np.zeros(len(s), np.int8))], name + "_w", axis=1)
        return self.node("Add", [self.node("MatMul", [x, matrix], name + "_product"), self.floats(name + "_b", bias)], name)

    def norm(self, name, x, layer):
        return self.node("LayerNormalization", [x, self.floats(name + "_g", array(layer.weight)), self.floats(name + "_b", array(layer.bias))], name, axis=-1, epsilon=1e-12)


def embedded(g, encoder, ids):
    table, scale = quantise(array(encoder.words.weight), 0)
    rows = g.node("Cast", [g.node("Gather", [g.const("table", table), ids], "rows")], "rows_f", to=TensorProto.FLOAT)
    rows = g.node("Mul", [rows, g.node("Gather", [g.const("table_scale", scale[:, None]), ids], "rows_scale")], "embedded")
    length = g.node("Gather", [g.node("Shape", [ids], "shape"), g.const("second", np.int64(1))], "length")
    places = g.node("Range", [g.const("zero", np.int64(0)), length, g.const("step", np.int64(1))], "places")
    place = g.node("Gather", [g.floats("positions", array(encoder.places.weight)), places], "place")
    placed = g.node("Add", [rows, place], "placed")
    if encoder.second is not None:
        column = g.node("Unsqueeze", ["evidence", g.const("axis_last", np.array([2], np.int64))], "evidence_column")
        placed = g.node("Add", [placed, g.node("Mul", [column, g.floats("second_segment", array(encoder.second))], "segment")], "with_segment")
    return g.norm("embedding_norm", placed, encoder.norm)


def evidence(g, ids):
    """1 for the tokens behind the first [SEP]: encoder.evidence_of."""
    ends = g.node("Cast", [g.node("Equal", [ids, g.const("sep", np.int64(SEP))], "is_end")], "ends", to=TensorProto.INT64)
    before = g.node("CumSum", [ends, g.const("along", np.int64(1))], "ends_before", exclusive=1)
    return g.node("Cast", [g.node("Greater", [before, g.const("none", np.int64(0))], "is_evidence")], "evidence", to=TensorProto.FLOAT)


def attention(g, n, x, bias, layer, limits):
    # The root of the width of a head goes into the queries.
    factor = np.concatenate([np.full(WIDTH, (WIDTH // HEADS) ** -0.5), np.ones(2 * WIDTH)]).astype(np.float32)
    qkv = g.small_dense(n + "qkv", x, array(layer.qkv.weight).T * factor, array(layer.qkv.bias) * factor, limits[n + "qkv"])
    parts = [n + name for name in ("queries", "keys", "values")]
    g.nodes.append(helper.make_node("Split", [qkv], parts, axis=-1, num_outputs=3))
    query, key, value = (g.node("Transpose", [g.node("Reshape", [part, "heads"], f"{n}r{j}")], f"{n}t{j}", perm=[0, 2, 3, 1] if j == 1 else [0, 2, 1, 3])
                         for j, part in enumerate(parts))
    weights = g.node("Softmax", [g.node("Add", [g.node("MatMul", [query, key], n + "raw"), bias], n + "biased")], n + "attention", axis=-1)
    mixed = g.node("Transpose", [g.node("MatMul", [weights, value], n + "mixed")], n + "mixed_t", perm=[0, 2, 1, 3])
    return g.node("Reshape", [mixed, "flat"], n + "mixed_f")


def linear(g, name, x, layer, limits):
    return g.small_dense(name, x, array(layer.weight).T, array(layer.bias), limits[name])


def vectors(g, encoder, mask, limits):
    """Vectors of the tokens."""
    x = embedded(g, encoder, "input_ids")
    g.const("heads", np.array([0, 0, HEADS, WIDTH // HEADS], np.int64)), g.const("flat", np.array([0, 0, WIDTH], np.int64))
    below = g.node("Mul", [g.node("Sub", [mask, "one"], "absent"), "far"], "absent_far")
    bias = g.node("Unsqueeze", [below, g.const("axes12", np.array([1, 2], np.int64))], "bias")
    for i, layer in enumerate(encoder.layers):
        n = f"l{i}_"
        mixed = attention(g, n, x, bias, layer, limits)
        x = g.norm(n + "norm1", g.node("Add", [x, linear(g, n + "out", mixed, layer.out, limits)], n + "sum1"), layer.norm1)
        up = g.node("Gelu", [linear(g, n + "up", x, layer.up, limits)], n + "gelu")
        x = g.norm(n + "norm2", g.node("Add", [x, linear(g, n + "down", up, layer.down, limits)], n + "sum2"), layer.norm2)
    return x


def pooled(g, x, mask, model):
    """Mean and maximum over the tokens, the highest token logit, the last layer."""
    column = g.node("Unsqueeze", [mask, g.const("axis2", np.array([2], np.int64))], "column")
    axis1 = g.const("axis1", np.array([1], np.int64))
    count = g.node("Max", [g.node("ReduceSum", [mask, axis1], "present", keepdims=1), "one"], "count")
    mean = g.node("Div", [g.node("ReduceSum", [g.node("Mul", [x, column], "kept"), axis1], "total", keepdims=0), count], "mean")
    padding = g.node("Mul", [g.node("Sub", [column, "one"], "absent_column"), "far"], "padding")
    top = g.node("ReduceMax", [g.node("Add", [x, padding], "without_padding"), axis1], "top", keepdims=0)
    marks = g.node("Add", [g.dense("token", x, model.token), padding], "marks")
    highest = g.node("Mul", [g.node("ReduceMax", [marks, axis1], "highest", keepdims=0), g.floats("share", TOKEN_SHARE)], "highest_small")
    return g.dense("logits", g.node("Concat", [mean, top, highest], "pooled", axis=1), model.head)


@torch.no_grad()
def limits_of(encoder, batches, cut=1e-4):
    """Least and highest value of each channel of the input of each matrix on some windows (ids, mask), less the farthest values."""
    kept, handles = {}, []
    for i, layer in enumerate(encoder.layers):
        for name in ("qkv", "out", "up", "down"):
            def keep(_, inputs, key=f"l{i}_{name}"):
                kept.setdefault(key, []).append(inputs[0].float()[present])
            handles.append(getattr(layer, name).register_forward_pre_hook(keep))
    for ids, mask in batches:
        present = mask > 0
        encoder(ids, mask)
    for handle in handles:
        handle.remove()
    return {key: np.quantile(torch.cat(values).numpy(), [cut, 1 - cut], axis=0) for key, values in kept.items()}


def graph(model, batches):
    """The classifier, with fixed scales measured on `batches` of (ids, mask)."""
    model.eval()
    g = Graph()
    g.floats("one", 1.0), g.floats("far", 1e4)
    mask = pooled_over = g.node("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
    if model.paired:
        pooled_over = g.node("Mul", [mask, g.node("Sub", ["one", evidence(g, "input_ids")], "claim")], "claim_mask")
    pooled(g, vectors(g, model.encoder, mask, limits_of(model.encoder, batches)), pooled_over, model)
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in ("input_ids", "attention_mask")]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", model.head.out_features])]
    result = helper.make_model(helper.make_graph(g.nodes, "guard", inputs, outputs, g.constants), opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.checker.check_model(result)
    return result
