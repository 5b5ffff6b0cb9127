"""Features of windows (the first layers of MiniLM, frozen, in integers as they ship) and the training of a head on them."""
import functools
import random
import time

import jax
import jax.numpy as jnp
import numpy as np
import onnxruntime
import optax

import build
import data
import export
import minilm

LAYERS = 2
SIZE, STRIDE = 62, 56
OUT = len(build.OUTPUTS)
PROJECTED, CHANNELS = 192, 256
BUCKETS = (16, 24, 32, 40, 48, 64)
KEPT_SHARE = 0.1


def bucket(length):
    return next(b for b in BUCKETS if length <= b)


def open_model(model):
    """An ONNX model, a path or bytes, on one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model if isinstance(model, str) else model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def padded(windows, length):
    ids = np.zeros((len(windows), length), np.int64)
    for i, one in enumerate(windows):
        ids[i, : len(one)] = one
    return ids, (ids > 0).astype(np.int64)


def frozen_encoder():
    """The parameters of the layers, and the limits of their 8-bit inputs on 600 training windows."""
    params, rng, tokenizer = minilm.load_params(LAYERS), random.Random(7), minilm.load_tokenizer()
    rows = build.examples(77, scale=0.02, docs=1500)
    windows = [[minilm.CLS] + build.window_ids(rng, tokenizer, row, SIZE)[0] + [minilm.SEP] for row in rows][:600]
    ids, mask = (a.astype(np.int32) for a in padded(windows, 64))
    return params, export.limits_of(params, [(ids[a:a + 50], mask[a:a + 50]) for a in range(0, len(ids) - 49, 50)])


class Features:
    """Vectors of all tokens of some windows, one after the other (float16)."""

    def __init__(self, session, windows, batch=24):
        lengths = np.array([len(w) for w in windows])
        self.starts = np.concatenate([[0], np.cumsum(lengths)])
        self.lengths, self.vectors = lengths, np.zeros((int(self.starts[-1]), minilm.HIDDEN), np.float16)
        order = np.argsort(lengths, kind="stable")
        for at in range(0, len(order), batch):
            data.wait_while_quiet()
            part = order[at:at + batch]
            ids, mask = padded([windows[i] for i in part], int(lengths[part].max()))
            out = session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
            for j, i in enumerate(part):
                self.vectors[self.starts[i]:self.starts[i + 1]] = out[j, : lengths[i]]

    def places(self, chosen):
        """Where the vectors of some windows lie, and which of them there are (windows × tokens)."""
        tokens = np.arange(bucket(self.lengths[chosen].max()))[None]
        mask = tokens < self.lengths[chosen][:, None]
        return np.where(mask, self.starts[chosen][:, None] + tokens, 0), mask.astype(np.int32)


class Windows:
    """One window of every training example, its labels and its planted tokens."""

    def __init__(self, session, rows, seed=1):
        tokenizer, rng = minilm.load_tokenizer(), random.Random(seed)
        self.rows = rows
        cut = [build.window_ids(rng, tokenizer, row, SIZE) for row in rows]
        self.spans = [span for _, span in cut]
        self.features = Features(session, [[minilm.CLS] + ids + [minilm.SEP] for ids, _ in cut])
        self.labels = np.array([row.labels for row in rows], np.float32)
        self.targets = self.labels  # what is learnt
        self.weights = np.array([row.weight for row in rows], np.float32)

    def without(self, held):
        return [i for i, row in enumerate(self.rows) if row.source not in held and row.also not in held]

    def marks(self, chosen, length):
        """1: planted token, 0: not planted, -1: unknown, or no token."""
        out = np.full((len(chosen), length), -1, np.int32)
        for j, i in enumerate(chosen):
            if self.rows[i].marked == 1 or self.labels[i, 1] == 0:
                out[j, : self.features.lengths[i]] = 0
                if self.rows[i].marked == 1 and self.spans[i]:
                    out[j, 1 + self.spans[i][0]: 1 + self.spans[i][1]] = 1
        return out


def random_dense(rng, inside, outside, scale=None):
    return {"w": jnp.asarray(rng.normal(0, scale or inside ** -0.5, (inside, outside)), jnp.float32), "b": jnp.zeros(outside)}


def init(seed):
    rng = np.random.default_rng(seed)
    return {"project": random_dense(rng, minilm.HIDDEN, PROJECTED),
            "conv": [random_dense(rng, 3 * PROJECTED, CHANNELS), random_dense(rng, 3 * CHANNELS, CHANNELS)],
            "token": random_dense(rng, CHANNELS, 1, 0.02), "head": random_dense(rng, 2 * CHANNELS + 1, OUT, 0.02)}


def dropout(key, x, rate):
    return x if key is None else x * jax.random.bernoulli(key, 1 - rate, x.shape) / (1 - rate)


def forward(params, x, mask, key=None):
    """Logits (batch × OUT) and a logit per token, whether it is planted."""
    m = mask[..., None].astype(jnp.float32)
    x = jax.nn.relu(minilm.dense(dropout(key, x, 0.2), params["project"])) * m
    for p in params["conv"]:
        wide = jnp.concatenate([jnp.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1], x, jnp.pad(x, ((0, 0), (0, 1), (0, 0)))[:, 1:]], -1)
        x = jax.nn.relu(minilm.dense(wide, p)) * m
    tokens = minilm.dense(x, params["token"])
    highest = jnp.max(jnp.where(m > 0, tokens, -1e4), 1)
    pooled = dropout(key, jnp.concatenate([minilm.mean_pool(x, mask), x.max(1)], -1), 0.3)
    return minilm.dense(jnp.concatenate([pooled, highest * export.TOKEN_SHARE], -1), params["head"]), tokens[..., 0]


def logits_of(params, features, batch=64):
    """Logits of all windows (windows × outputs); `params`: on vectors as they are."""
    run = jax.jit(lambda params, x, mask: forward(params, x.astype(jnp.float32), mask)[0])
    order, out = np.argsort(features.lengths, kind="stable"), np.zeros((len(features.lengths), len(params["head"]["b"])), np.float32)
    for at in range(0, len(order), batch):
        data.wait_while_quiet()
        part = order[at:at + batch]
        places, mask = features.places(np.concatenate([part, np.repeat(part[:1], batch - len(part))]))
        out[part] = run(params, features.vectors[places], mask)[:len(part)]
    return out


def loss_of(params, x, mask, y, weight, marks, kept, key):
    logits, tokens = forward(params, x, mask, key)
    away = jnp.where(jnp.isnan(kept), 0.0, logits - jnp.nan_to_num(kept))
    known = ~jnp.isnan(y)
    target = jnp.where(known, y, 0.0) * 0.96 + 0.02
    raw = optax.sigmoid_binary_cross_entropy(logits, target) * known * weight[:, None]
    scale = jnp.array([1.0, 1.0, 1.0] + [0.3] * 5)
    marked = marks >= 0
    each = optax.sigmoid_binary_cross_entropy(tokens, jnp.where(marked, marks, 0) * 0.96 + 0.02) * marked
    return (raw * scale).sum() / len(y) + 0.7 * (each.sum(1) / mask.sum(1)).sum() / len(y) + KEPT_SHARE * (away ** 2).sum() / len(y)


def train(windows, held=(), epochs=2, seed=1, batch=32, rate=1.2e-3, log=print, start=None):
    """One head; what scales the vectors is folded into its first layer.

    start: a head to go on from. What it says where a window has no label is to stay.
    """
    features, rng = windows.features, random.Random(seed)
    use = windows.without(set(held))
    sample = features.vectors[:200000:7].astype(np.float32)
    mean, spread = sample.mean(0), sample.std(0)
    vectors, params = jnp.asarray(features.vectors), init(seed)
    kept = np.full_like(windows.targets, np.nan)
    if start is not None:
        first = start["project"]
        params = jax.tree.map(jnp.asarray, {**start, "project": {"w": first["w"] * spread[:, None], "b": first["b"] + mean @ first["w"]}})
        kept = np.where(np.isnan(windows.targets), logits_of(start, features), np.nan)
    steps = epochs * (len(use) // batch)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0),
                            optax.adamw(optax.warmup_cosine_decay_schedule(0.0, rate, steps // 20, steps, rate * 0.02), weight_decay=0.01))
    state = optimizer.init(params)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def step(params, state, vectors, places, mask, y, weight, marks, kept, key):
        x = (vectors[places].astype(jnp.float32) - mean) / spread
        value, grads = jax.value_and_grad(loss_of)(params, x, mask, y, weight, marks, kept, key)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state, value

    key, began = jax.random.key(seed), time.time()
    for epoch in range(epochs):
        order = data.shuffled(use, rng.random())
        order.sort(key=lambda i: bucket(features.lengths[i]))
        parts = data.shuffled([np.array(order[at:at + batch]) for at in range(0, len(order) - batch + 1, batch)], rng.random())
        total = []
        for part in parts:
            data.wait_while_quiet()
            length = bucket(features.lengths[part].max())
            places, mask = features.places(part)
            key, one = jax.random.split(key)
            params, state, value = step(params, state, vectors, places, mask, windows.targets[part], windows.weights[part],
                                        windows.marks(part, length), kept[part], one)
            total.append(value)
        log(f"epoch {epoch + 1} loss {float(np.mean([float(v) for v in total[-300:]])):.4f} {time.time() - began:.0f}s", flush=True)
    params = jax.tree.map(np.asarray, params)
    first = params["project"]
    params["project"] = {"w": first["w"] / spread[:, None], "b": first["b"] - (mean / spread) @ first["w"]}
    return params


def cut(tokenizer, text):
    """Windows of SIZE token ids, every STRIDE tokens."""
    ids = tokenizer.encode(text[:40000], add_special_tokens=False).ids
    return [ids[start:start + SIZE] for start in range(0, max(1, len(ids) - (SIZE - STRIDE)), STRIDE)]


def score(session, texts, batch=24):
    """Per text: the logits of its windows, by an exported model."""
    tokenizer = minilm.load_tokenizer()
    items = [(i, [minilm.CLS] + ids + [minilm.SEP]) for i, text in enumerate(texts) for ids in cut(tokenizer, text)]
    order = sorted(range(len(items)), key=lambda at: len(items[at][1]))
    logits = np.zeros((len(items), OUT), np.float32)
    for at in range(0, len(order), batch):
        data.wait_while_quiet()
        part = order[at:at + batch]
        ids, mask = padded([items[i][1] for i in part], len(items[part[-1]][1]))
        logits[part] = session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
    out = [[] for _ in texts]
    for (i, _), row in zip(items, logits):
        out[i].append(row)
    return [np.array(rows) for rows in out]
