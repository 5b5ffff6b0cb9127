"""Trains one model for injection and toxicity: layers of MiniLM with a pooled head, or (layers = 0) a light CNN."""
import functools
import random
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax

import build
import data
import minilm

SIZE, STRIDE = 62, 48
OUT = len(build.OUTPUTS)
CNN = (160, 256)  # width of the projected word vectors, channels of the convolutions


def init(layers, seed):
    rng = np.random.default_rng(seed)
    params = minilm.load_params(layers)
    width = minilm.HIDDEN
    if not layers:
        table = np.asarray(params["word"])
        table = (table - table.mean(0)) / table.std()

        def random_dense(inside, outside):
            return {"w": jnp.asarray(rng.normal(0, inside ** -0.5, (inside, outside)), jnp.float32), "b": jnp.zeros(outside)}

        params = {"word": jnp.asarray(table), "project": random_dense(minilm.HIDDEN, CNN[0]),
                  "conv": [random_dense(3 * CNN[0], CNN[1]), random_dense(3 * CNN[1], CNN[1])]}
        width = CNN[1]
    params["head"] = {"w": jnp.asarray(rng.normal(0, 0.02, (2 * width, OUT)), jnp.float32), "b": jnp.zeros(OUT)}
    return params


def dropout(key, x, rate):
    return x if key is None else x * jax.random.bernoulli(key, 1 - rate, x.shape) / (1 - rate)


def forward(params, ids, mask, key=None):
    """Logits, batch × OUT: mean and maximum over the tokens, then one linear layer."""
    if "conv" in params:
        m = mask[..., None].astype(jnp.float32)
        x = jax.nn.relu(minilm.dense(dropout(key, params["word"][ids], 0.25), params["project"])) * m
        for p in params["conv"]:
            wide = jnp.concatenate([jnp.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1], x, jnp.pad(x, ((0, 0), (0, 1), (0, 0)))[:, 1:]], -1)
            x = jax.nn.relu(minilm.dense(wide, p)) * m
    else:
        x = minilm.encode(params, ids, mask)[-1]
    top = jnp.max(jnp.where(mask[..., None] > 0, x, -1e4), 1)
    pooled = jnp.concatenate([minilm.mean_pool(x, mask), top], -1)
    return minilm.dense(dropout(key, pooled, 0.3), params["head"])


def loss_of(train, frozen, ids, mask, y, weight, key):
    logits = forward({**frozen, **train}, ids, mask, key)
    known = ~jnp.isnan(y)
    target = jnp.where(known, y, 0.0) * 0.96 + 0.02
    raw = optax.sigmoid_binary_cross_entropy(logits, target) * known * weight[:, None]
    scale = jnp.array([1.0, 1.0, 1.0] + [0.3] * 5)
    return (raw * scale).sum() / y.shape[0]


def bucket(length):
    return 16 if length <= 16 else 32 if length <= 32 else 64


def batches(rng, tokenizer, rows, batch):
    """Batches of windows of similar length."""
    pool = {16: [], 32: [], 64: []}
    for row in rows:
        ids = [minilm.CLS] + build.window_ids(rng, tokenizer, row, SIZE) + [minilm.SEP]
        held = pool[bucket(len(ids))]
        held.append((ids, row))
        if len(held) == batch:
            yield collate(held)
            held.clear()


def collate(items):
    length = bucket(max(len(ids) for ids, _ in items))
    ids = np.zeros((len(items), length), np.int32)
    for i, (one, _) in enumerate(items):
        ids[i, : len(one)] = one
    y = np.array([row.labels for _, row in items], np.float32)
    return ids, (ids > 0).astype(np.int32), y, np.array([row.weight for _, row in items], np.float32)


def train(layers, held=(), scale=1.0, epochs=1, seed=1, batch=32, rate=None, log=print, params=None):
    tokenizer = minilm.load_tokenizer()
    params = params or init(layers, seed)
    frozen = {"word": params["word"]}
    weights = {k: v for k, v in params.items() if k not in frozen}
    sets = [build.examples(seed + 10 * e, held, scale) for e in range(epochs)]
    steps = sum(len(s) for s in sets) // batch
    peak = rate or (1.5e-4 if layers else 1.5e-3)
    schedule = optax.warmup_cosine_decay_schedule(0.0, peak, max(1, steps // 15), steps, peak * 0.02)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=0.01))
    state = optimizer.init(weights)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def step(weights, state, ids, mask, y, weight, key):
        value, grads = jax.value_and_grad(loss_of)(weights, frozen, ids, mask, y, weight, key)
        updates, state = optimizer.update(grads, state, weights)
        return optax.apply_updates(weights, updates), state, value

    rng, key, seen, total, began = random.Random(seed), jax.random.key(seed), 0, [], time.time()
    for rows in sets:
        for ids, mask, y, weight in batches(rng, tokenizer, rows, batch):
            data.wait_while_quiet()
            key, one = jax.random.split(key)
            weights, state, value = step(weights, state, ids, mask, y, weight, one)
            total.append(value)
            seen += 1
            if seen % 150 == 0:
                log(f"step {seen}/{steps} loss {float(np.mean([float(v) for v in total[-150:]])):.4f} {time.time() - began:.0f}s", flush=True)
    return {**frozen, **weights}


run_forward = jax.jit(forward)


def cut(tokenizer, text):
    """Windows of SIZE token ids, every STRIDE tokens."""
    ids = tokenizer.encode(text[:40000], add_special_tokens=False).ids
    return [ids[start:start + SIZE] for start in range(0, max(1, len(ids) - (SIZE - STRIDE)), STRIDE)]


def score(params, texts, batch=64):
    """Per text: logits of each output, the maximum over its windows (and the windows themselves)."""
    tokenizer = minilm.load_tokenizer()
    items = []
    for i, text in enumerate(texts):
        items += [(i, [minilm.CLS] + ids + [minilm.SEP]) for ids in cut(tokenizer, text)]
    items.sort(key=lambda item: len(item[1]))
    windows = [[] for _ in texts]
    for at in range(0, len(items), batch):
        data.wait_while_quiet()
        part = items[at:at + batch]
        length = bucket(len(part[-1][1]))
        ids = np.zeros((batch, length), np.int32)
        for j, (_, one) in enumerate(part):
            ids[j, : len(one)] = one
        mask = (ids > 0).astype(np.int32)
        mask[len(part):, 0] = 1
        logits = np.asarray(run_forward(params, ids, mask))[: len(part)]
        for (i, _), row in zip(part, logits):
            windows[i].append(row)
    return np.array([np.max(w, 0) for w in windows]), windows
