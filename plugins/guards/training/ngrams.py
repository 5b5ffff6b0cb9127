"""The second injection head: logistic regression over hashed words (1-2) and character n-grams (3-5) of windows of words.

Exact definition, for other implementations:
  text    NFKC, lower case; words are runs of letters and digits (Python [^\\W_]+, in JavaScript [\\p{L}\\p{N}]+ with the u flag)
  windows SIZE words, every STRIDE words (the last window may be shorter; a text of at most SIZE words is one window)
  words   every word, and every two neighbouring words joined by one space: index = crc32(UTF-8) mod WORDS
  chars   of " word " every run of 3, 4 or 5 code points: index = crc32(UTF-8) mod CHARS
  value   each distinct index once, 1 / sqrt(number of distinct indices of its kind)
  logit   bias + sum of the weights times the values (weights int8 times one scale per output)
A text's score is the mean of its three highest windows (injection) or its highest window (instruction).

usage: ngrams.py OUTPUT_FOLDER
"""
import argparse
import json
import os
import random
import re
import unicodedata
import zlib

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

import build

SIZE, STRIDE = 45, 34
WORDS, CHARS = 1 << 16, 1 << 17
OUTPUTS = ["injection", "instruction"]
ORDERS_SHARE = 0.25  # weight of short orders: more would take words of long jailbreaks for harmless
WORD = re.compile(r"[^\W_]+")


def words_of(text):
    return WORD.findall(unicodedata.normalize("NFKC", text).lower())


def windows(words):
    return [words[i:i + SIZE] for i in range(0, max(1, len(words) - (SIZE - STRIDE)), STRIDE)]


def indices(words):
    """Distinct word indices and distinct character indices of one window."""
    word = {zlib.crc32(w.encode()) % WORDS for w in words}
    word |= {zlib.crc32(f"{a} {b}".encode()) % WORDS for a, b in zip(words, words[1:])}
    char = set()
    for w in set(words):
        padded = f" {w} "
        char |= {zlib.crc32(padded[i:i + n].encode()) % CHARS for n in (3, 4, 5) for i in range(len(padded) - n + 1)}
    return sorted(word), sorted(char)


def matrix(many):
    columns, values, ends = [], [], [0]
    for words in many:
        word, char = indices(words)
        columns += word + [WORDS + c for c in char]
        values += [max(1, len(word)) ** -0.5] * len(word) + [max(1, len(char)) ** -0.5] * len(char)
        ends.append(len(columns))
    return csr_matrix((np.array(values, np.float32), columns, ends), (len(many), WORDS + CHARS))


def window_of(rng, example):
    """One window of a training example."""
    if example.parts is None:
        words = words_of(example.text)
        start = 0 if len(words) <= SIZE or rng.random() < 0.5 else rng.randint(0, len(words) - SIZE)
        return words[start:start + SIZE]
    before, planted, after = (words_of(p) for p in (example.parts[0][-800:], example.parts[1], example.parts[2][:800]))
    planted = planted[:SIZE]
    left = rng.randint(0, SIZE - len(planted))
    return before[max(0, len(before) - left):] + planted + after[: SIZE - len(planted) - left]


def train(held=(), seed=1):
    """Weights (outputs × features, int8), scales, biases."""
    rng = random.Random(seed)
    rows = build.examples(seed, held) + build.examples(seed + 1, held)
    x = matrix([window_of(rng, e) for e in rows])
    y, weight = np.array([e.labels for e in rows]), np.array([e.weight * (ORDERS_SHARE if e.source == "orders" else 1) for e in rows])
    out = {"weights": [], "scale": [], "bias": []}
    for column in range(len(OUTPUTS)):
        keep = ~np.isnan(y[:, column])
        model = LogisticRegression(C=4, solver="liblinear").fit(x[keep], y[keep, column], sample_weight=weight[keep])
        scale = float(np.quantile(np.abs(model.coef_[0]), 0.9999) / 127)
        out["weights"].append(np.clip(np.round(model.coef_[0] / scale), -127, 127).astype(np.int8))
        out["scale"].append(scale)
        out["bias"].append(float(model.intercept_[0]))
    out["weights"] = np.stack(out["weights"])
    return out


def score(model, texts):
    """Logits of every window of every text."""
    cut = [windows(words_of(t[:40000])) for t in texts]
    flat = matrix([w for part in cut for w in part]) @ (model["weights"].astype(np.float32) * np.array(model["scale"], np.float32)[:, None]).T
    flat += np.array(model["bias"], np.float32)
    ends = np.cumsum([0] + [len(part) for part in cut])
    return [flat[a:b] for a, b in zip(ends, ends[1:])]


def write(folder, model, texts):
    os.makedirs(folder, exist_ok=True)
    model["weights"].tofile(os.path.join(folder, "ngrams.bin"))
    with open(os.path.join(folder, "ngrams.json"), "w") as file:
        json.dump({"version": 1, "file": "ngrams.bin", "outputs": OUTPUTS, "words": WORDS, "chars": CHARS, "type": "int8, outputs x (words + chars)",
                   "scale": model["scale"], "bias": model["bias"], "window": SIZE, "stride": STRIDE}, file, indent=1)
    tests = []
    for text, logits in zip(texts, score(model, texts)):
        word, char = indices(windows(words_of(text))[0])
        tests.append({"text": text, "windows": len(logits), "word_indices": len(word), "char_indices": len(char), "sum_of_indices": sum(word) + sum(char),
                      "logits": [[round(float(v), 4) for v in row] for row in logits]})
    with open(os.path.join(folder, "ngrams.tests.json"), "w") as file:
        json.dump(tests, file, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    import train_guard
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    write(parser.parse_args().folder, train(), train_guard.test_texts())
