"""Writes the first layers of MiniLM, and the heads on them, as one ONNX graph: the mean of the heads' logits.

Inputs input_ids, attention_mask (int64, batch × tokens); output logits (batch × 8).
Heads: int8 convolutions (weight only), float32 arithmetic. MiniLM: int8 word table, int8 matrices; the inputs of the matrices are rounded to 8 bits by fixed scales (measured on training windows),
so that the logits of a window do not depend on the windows beside it. Weights use 7 bits: pairs of products fit 16 bits on every CPU.
"""

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import build
import minilm

TOKEN_SHARE = 0.3


def quantise(matrix, axis, most=127):
    """Symmetric integers along `axis`: values and float32 scales."""
    scale = np.abs(matrix).max(axis=tuple(i for i in range(matrix.ndim) if i != axis)) / most
    scale = np.maximum(scale, 1e-8).astype(np.float32)
    shape = [1] * matrix.ndim
    shape[axis] = -1
    return np.clip(np.round(matrix / scale.reshape(shape)), -most, most).astype(np.int8), scale


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

    def floats(self, name, array):
        return self.const(name, np.asarray(array, np.float32))

    def dense(self, name, x, p):
        return self.node("Add", [self.node("MatMul", [x, self.floats(name + "_w", p["w"])], name + "_product"), self.floats(name + "_b", p["b"])], name)

    def small_dense(self, name, x, p, limits):
        """The same in integers; `limits`: least and highest value of each channel of the input.

        Channels with far higher values than others are made smaller, and their weights greater.
        """
        w = np.asarray(p["w"])
        reach = np.maximum(np.abs(limits).max(0), 1e-3)
        even = (reach ** 0.8 / np.maximum(np.abs(w).max(1), 1e-3) ** 0.2).astype(np.float32)
        x = self.node("Mul", [x, self.floats(name + "_even", 1 / even)], name + "_evened")
        low, high = min(0.0, (limits[0] / even).min()), max(0.0, (limits[1] / even).max())
        step = (high - low) / 255
        scale, zero = self.floats(name + "_in_s", step), self.const(name + "_in_z", np.uint8(np.clip(round(-low / step), 0, 255)))
        x = self.node("DequantizeLinear", [self.node("QuantizeLinear", [x, scale, zero], name + "_in_q"), scale, zero], name + "_in")
        q, s = quantise(w * even[:, None], 1, 64)
        w = self.node("DequantizeLinear", [self.const(name + "_q", q), self.const(name + "_s", s), self.const(name + "_z", np.zeros(len(s), np.int8))], name + "_w", axis=1)
        return self.node("Add", [self.node("MatMul", [x, w], name + "_product"), self.floats(name + "_b", p["b"])], name)

    def norm(self, name, x, p):
        return self.node("LayerNormalization", [x, self.floats(name + "_g", p["g"]), self.floats(name + "_b", p["b"])], name, axis=-1, epsilon=1e-12)


def convolutions(g, x, mask, params):
    """x: batch × tokens × width; two convolutions over three tokens each."""
    row = g.node("Unsqueeze", [mask, g.const("axis1_row", np.array([1], np.int64))], "mask_row")
    x = g.node("Mul", [g.node("Transpose", [x], "channels_first", perm=[0, 2, 1]), row], "masked_0")
    for i, p in enumerate(params["conv"]):
        w = np.asarray(p["w"])  # (3 * inside, outside): previous, this, next token
        q, s = quantise(w.reshape(3, w.shape[0] // 3, w.shape[1]).transpose(2, 1, 0), 0)
        kernel = g.node("DequantizeLinear", [g.const(f"conv{i}_q", q), g.const(f"conv{i}_s", s), g.const(f"conv{i}_z", np.zeros(len(s), np.int8))], f"conv{i}_w", axis=0)
        x = g.node("Conv", [x, kernel, g.floats(f"conv{i}_b", p["b"])], f"conv{i}", kernel_shape=[3], pads=[1, 1])
        x = g.node("Mul", [g.node("Relu", [x], f"relu{i}"), row], f"masked_{i + 1}")
    return g.node("Transpose", [x], "tokens_first", perm=[0, 2, 1])


def pooled_logits(g, x, mask, params):
    """Mean and maximum over the tokens, the highest token logit, the last linear layer."""
    column = g.node("Unsqueeze", [mask, g.const("axis2", np.array([2], np.int64))], "mask_column")
    axis1, one = g.const("axis1", np.array([1], np.int64)), g.floats("one", 1.0)
    count = g.node("Max", [g.node("ReduceSum", [mask, axis1], "tokens", keepdims=1), one], "count")
    mean = g.node("Div", [g.node("ReduceSum", [x, axis1], "total", keepdims=0), count], "mean")
    top = g.node("ReduceMax", [x, axis1], "top", keepdims=0)  # values are never negative, padding is 0
    padding = g.node("Mul", [g.node("Sub", [column, one], "absent"), g.floats("far", 1e4)], "padding")
    marks = g.node("Add", [g.dense("token", x, params["token"]), padding], "marks")
    highest = g.node("Mul", [g.node("ReduceMax", [marks, axis1], "highest", keepdims=0), g.floats("share", TOKEN_SHARE)], "highest_small")
    return g.dense("head", g.node("Concat", [mean, top, highest], "pooled", axis=1), params["head"])


def head(g, x, mask, params):
    """The logits of one head on the vectors of the tokens."""
    projected = g.node("Relu", [g.dense("project", x, params["project"])], "projected")
    return pooled_logits(g, convolutions(g, projected, mask, params), mask, params)


def encoder(g, params, mask, limits):
    """Vectors of the tokens: layers of MiniLM. `limits`: of the input of each matrix, by name."""
    table, scale = quantise(np.asarray(params["word"]), 0)
    rows = g.node("Mul", [g.node("Cast", [g.node("Gather", [g.const("table", table), "input_ids"], "rows")], "rows_f", to=TensorProto.FLOAT),
                          g.node("Gather", [g.const("table_scale", scale[:, None]), "input_ids"], "rows_scale")], "embedded")
    length = g.node("Gather", [g.node("Shape", ["input_ids"], "shape"), g.const("second", np.int64(1))], "length")
    places = g.node("Range", [g.const("zero", np.int64(0)), length, g.const("step", np.int64(1))], "places")
    place = g.node("Gather", [g.floats("positions", params["pos"]), places], "place")
    x = g.norm("embedding_norm", g.node("Add", [rows, place], "placed"), params["ln"])
    below = g.node("Mul", [g.node("Sub", [mask, g.floats("one", 1.0)], "absent"), g.floats("far", 1e4)], "absent_far")
    bias = g.node("Unsqueeze", [below, g.const("axes12", np.array([1, 2], np.int64))], "bias")
    heads = g.const("heads", np.array([0, 0, minilm.HEADS, minilm.HIDDEN // minilm.HEADS], np.int64))
    flat = g.const("flat", np.array([0, 0, minilm.HIDDEN], np.int64))
    for i, p in enumerate(params["layers"]):
        n = f"l{i}_"
        # the root of the width of a head goes into the queries
        small = minilm.HIDDEN // minilm.HEADS
        factor = np.concatenate([np.full(minilm.HIDDEN, small ** -0.5), np.ones(2 * minilm.HIDDEN)]).astype(np.float32)
        qkv = g.small_dense(n + "qkv", x, {"w": np.asarray(p["qkv"]["w"]) * factor, "b": np.asarray(p["qkv"]["b"]) * factor}, limits[n + "qkv"])
        parts = [g.prefix + n + k for k in ("queries", "keys", "values")]
        g.nodes.append(helper.make_node("Split", [qkv], parts, axis=-1, num_outputs=3))
        query, key, value = (g.node("Transpose", [g.node("Reshape", [part, heads], n + f"r{j}")], n + f"t{j}", perm=[0, 2, 3, 1] if j == 1 else [0, 2, 1, 3])
                             for j, part in enumerate(parts))
        weights = g.node("Softmax", [g.node("Add", [g.node("MatMul", [query, key], n + "raw"), bias], n + "biased")], n + "attention", axis=-1)
        mixed = g.node("Reshape", [g.node("Transpose", [g.node("MatMul", [weights, value], n + "mixed")], n + "mixed_t", perm=[0, 2, 1, 3]), flat], n + "mixed_f")
        x = g.norm(n + "ln1", g.node("Add", [x, g.small_dense(n + "out", mixed, p["out"], limits[n + "out"])], n + "sum1"), p["ln1"])
        up = g.node("Gelu", [g.small_dense(n + "up", x, p["up"], limits[n + "up"])], n + "gelu")
        x = g.norm(n + "ln2", g.node("Add", [x, g.small_dense(n + "down", up, p["down"], limits[n + "down"])], n + "sum2"), p["ln2"])
    return x


def limits_of(params, batches, cut=1e-3):
    """Least and highest value of each channel of the input of each matrix on some windows (ids, mask), less the farthest values."""
    @jax.jit
    def inputs(ids, mask):
        out, bias = {}, minilm.attention_bias(mask)
        x = minilm.embed(params, ids)
        for i, p in enumerate(params["layers"]):
            n = f"l{i}_"
            out[n + "qkv"] = x
            identity = {**p, "out": {"w": jnp.eye(minilm.HIDDEN), "b": jnp.zeros(minilm.HIDDEN)}}
            out[n + "out"] = minilm.attention(x, bias, identity)
            y = minilm.layer_norm(x + minilm.dense(out[n + "out"], p["out"]), p["ln1"])
            out[n + "up"] = y
            out[n + "down"] = jax.nn.gelu(minilm.dense(y, p["up"]), approximate=False)
            x = minilm.layer_norm(y + minilm.dense(out[n + "down"], p["down"]), p["ln2"])
        return out

    kept = {}
    for ids, mask in batches:
        for name, value in inputs(ids, mask).items():
            kept.setdefault(name, []).append(np.asarray(value)[np.asarray(mask) > 0])
    return {name: np.quantile(np.concatenate(values), [cut, 1 - cut], axis=0) for name, values in kept.items()}


def model_of(g, name, output, shape):
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in ("input_ids", "attention_mask")]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
    model = helper.make_model(helper.make_graph(g.nodes, name, inputs, outputs, g.inits), opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.checker.check_model(model)
    return model


def encoder_graph(params, limits):
    """Output `vectors`: batch × tokens × width."""
    g = Builder()
    g.node("Identity", [encoder(g, params, g.node("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT), limits)], "vectors")
    return model_of(g, "encoder", "vectors", ["batch", "tokens", minilm.HIDDEN])


def graph(params, limits, heads):
    """Output `logits`: batch × outputs, the mean over the heads."""
    g = Builder()
    mask = g.node("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
    x = encoder(g, params, mask, limits)
    parts = []
    for i, one in enumerate(heads):
        g.prefix = f"h{i}_"
        parts.append(head(g, x, mask, one))
    g.prefix = ""
    g.node("Mean", parts, "logits")
    return model_of(g, "guard", "logits", ["batch", len(build.OUTPUTS)])
