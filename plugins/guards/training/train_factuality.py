"""Trains the factuality head on claim features, prints the leave-one-source-out table, writes the model and test vectors.

usage: train_factuality.py OUTPUT_FOLDER   (SALLYPORT_TRAIN; SALLYPORT_EVAL only adds lines to the table)
With the cross-encoder, the logit of a claim is that of its features and CROSS_ENCODER_WEIGHT times the cross-encoder's first one.
"""
import collections
import json
import os
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression

import claims
import data
import encoder
import perturbed

DIMENSIONS = 64
STRENGTH = 0.0006  # inverse regularisation, chosen over the left-out sources
# what contradicts outright is rare: its weight is held back less, by this factor squared
RARE = {"polarity": 4.0, "antonym": 4.0, "date_conflict": 4.0}
# of the cross-encoder's first logit beside the logit of the features: develop_claims.py has the table. A regression over it and the features,
# fitted on pairs that were kept away from it, was worse on others
CROSS_ENCODER_WEIGHT = 1.0
# of all rows, by how they were made; in each the labels count the same
SHARES = {"natural": 0.35, "planted": 0.3, "rule": 0.25, "perturbed": 0.1}
FOLDS = ("wow", "cmu-dog", "topicalchat", "wice")
# claims written for this project: test vectors for other implementations
CLAIMS = [
    ("The bridge was opened in 1932 by Mayor Anna Holt. It is 504 metres long and carries two railway tracks.", [
        "The bridge was opened in 1932.", "The bridge was opened in 1942.", "The bridge was not opened in 1932.", "Anna Holt opened the bridge.",
        "Mayor Peter Holt opened the 504-metre bridge.", "The bridge carries two railway tracks.", "The bridge carries three railway tracks.",
        "The crossing is about 504 metres long.", "The tunnel was closed in 1932.", "It's a long bridge, isn't it?"]),
    ("Sales rose by 12.5% to 3,400 units in March. The firm doesn't expect growth in April, said Mr. O'Neil.\nShares fell.", [
        "Sales increased in March.", "Sales fell in March.", "The firm sold 3400 units in March.", "The firm sold 4,300 units in May.",
        "O'Neil expects growth in April.", "Shares rose.", "The company’s shares fell.", "", "12.5%", "Growth is not expected in April."]),
    ("Zürich ist die größte Stadt der Schweiz. Im Jahr 2020 lebten dort 434 000 Menschen.", [
        "Zürich ist die größte Stadt.", "Bern ist die größte Stadt der Schweiz.", "434 000 Menschen lebten dort.", "434.000 Menschen lebten dort.", "Im Jahr 2010 lebten dort Menschen.", "Zurich is in Switzerland."]),
    ("The city has 735,000 inhabitants, 12.5 % of whom are over 65, and 1,250.75 hectares of parks.", [
        "The city has 735 000 inhabitants.", "The city has 735.000 inhabitants.", "The city has 735\u202f000 inhabitants.", "The city has 735’000 inhabitants.", "The city has 735000 inhabitants.",
        "The city has 73,500 inhabitants.", "Of them, 12,5 % are over 65.", "Its parks have 1.250,75 hectares.", "In 2019 300 people left, 0.735 of all."]),
    ("A dose is 1,500 mg. On May 12 300 people took one.", [
        "A dose is 1.500 mg.", "A dose is 1 500 mg.", "On May 12 300 people took a dose.", "Of 12 300 people some took one."]),
]


class WordVectors:
    """Mean of the wordpiece vectors of MiniLM, reduced to DIMENSIONS and int8, then length 1."""

    def __init__(self):
        self.tokenizer = encoder.load_tokenizer()
        word = encoder.word_vectors()
        word = word - word[1000:].mean(0)
        basis = np.linalg.svd(word[1000::4], full_matrices=False)[2][:DIMENSIONS]
        low = word @ basis.T
        self.scale = (np.abs(low).max(0) / 127).astype(np.float32)
        self.pieces = np.clip(np.round(low / self.scale), -127, 127).astype(np.int8)
        self.cache = {}

    def one(self, word):
        if word not in self.cache:
            ids = self.tokenizer.encode(word, add_special_tokens=False).ids or [100]
            v = (self.pieces[ids].astype(np.float32) * self.scale).mean(0)
            self.cache[word] = v / (np.linalg.norm(v) + 1e-9)
        return self.cache[word]

    def __call__(self, words):
        return np.array([self.one(w) for w in words])


def word_table(rows, vectors=None):
    """Without vectors it serves to choose the evidence of a claim only."""
    documents = {r["reference"] for r in rows}
    frequency = collections.Counter(k for d in documents for k in set(claims.Text(d).stems))
    return claims.Weights({k: n for k, n in frequency.items() if n >= 4}, len(documents), vectors)


def matrix(rows, table):
    return np.array([claims.features(r["reference"], r["claim"], table) for r in rows])


def made(row):
    """How a row was made."""
    first = row["source"].split("-")[0]
    return first if first in SHARES else "natural"


def fold(row):
    """The corpus that a row comes from."""
    return next(name for name in FOLDS if name in row["source"])


def row_weights(rows):
    """By SHARES. Perturbed claims are all unsupported: natural supported ones stand against them."""
    kinds, labels = np.array([made(r) for r in rows]), np.array([r["label"] for r in rows])
    weights = np.zeros(len(rows))
    for kind, share in SHARES.items():
        for label in (0, 1):
            one = (kinds == ("natural" if kind == "perturbed" and label else kind)) & (labels == label)
            weights[one] += share / 2 / one.sum()
    return weights * len(rows)


class Head:
    """Standardised features, logistic regression."""

    def fit(self, x, y, w, names=claims.NAMES):
        self.mean, self.scale = x.mean(0), (x.std(0) + 1e-6) / [RARE.get(name, 1.0) for name in names]
        model = LogisticRegression(C=STRENGTH, max_iter=2000).fit((x - self.mean) / self.scale, y, sample_weight=w)
        self.weights, self.bias = model.coef_[0], float(model.intercept_[0])
        return self

    def __call__(self, x):
        return (x - self.mean) / self.scale @ self.weights + self.bias


def report(name, y, s, groups=None):
    low, high = data.bootstrap(data.auc, y, s, groups)
    print(f"{name:44s} n={len(y):5d} AUC {data.auc(y, s):.3f} [{low:.3f} {high:.3f}]", flush=True)


def left_out(rows, x, y, w):
    folds, kinds, detail = (np.array([f(r) for r in rows]) for f in (fold, made, lambda r: r.get("detail") or ""))
    for name in FOLDS:
        out = folds == name
        score = Head().fit(x[~out], y[~out], w[~out])(x)
        for kind in ("natural", "planted", "rule"):
            keep = out & (kinds == kind)
            if keep.sum() > 100:
                report(f"left out {name}, {kind}", y[keep], score[keep])
        good = out & (y == 1) & ((kinds == "natural") | (detail == "copy"))
        for change in perturbed.KINDS:
            keep = good | out & (kinds == "perturbed") & (detail == change)
            if (y[keep] == 0).sum() >= 20:
                report(f"left out {name}, changed {change}", y[keep], score[keep])


def development(head, table):
    rows = data.eval_rows("factuality")
    x, y = matrix(rows, table), np.array([r["label"] for r in rows])
    groups = [r["claim_id"] for r in rows]
    report("development (WiCE dev)", y, head(x), groups)
    report("development, word coverage alone", y, x[:, 0], groups)
    s = head(x)
    print("development: flagged at logit < t: share of unsupported caught / supported flagged")
    for t in (-5.0, -4.0, -3.5, -3.0, -2.5, -2.0, -1.5, -1.0, 0.0):
        print(f"   t={t:+.1f}  {(s[y == 0] < t).mean():.3f} / {(s[y == 1] < t).mean():.3f}")


def write(folder, head, table):
    os.makedirs(folder, exist_ok=True)
    table.vectors.pieces.tofile(os.path.join(folder, "factuality.vectors.bin"))
    with open(os.path.join(folder, "factuality.json"), "w") as file:
        json.dump({"version": 1, "features": claims.NAMES, "mean": [float(v) for v in head.mean], "scale": [float(v) for v in head.scale],
                   "weights": [float(v) for v in head.weights], "bias": head.bias, "crossEncoderWeight": CROSS_ENCODER_WEIGHT, "documents": table.documents,
                   "vectors": {"file": "factuality.vectors.bin", "rows": len(table.vectors.pieces), "dimensions": DIMENSIONS, "type": "int8",
                               "scale": [float(v) for v in table.vectors.scale]},
                   "frequency": dict(sorted(table.frequency.items()))}, file, ensure_ascii=False)
    tests = []
    for reference, texts in CLAIMS:
        for text in texts:
            x = claims.features(reference, text, table)
            tests.append({"reference": reference, "claim": text, "features": [round(float(v), 5) for v in x], "logit": round(float(head(x)), 5)})
    with open(os.path.join(folder, "factuality.tests.json"), "w") as file:
        json.dump(tests, file, ensure_ascii=False, indent=1)


def main(folder):
    rows = data.train_rows("factuality")
    table = word_table(rows, WordVectors())
    rows = sorted(rows + perturbed.planted(rows) + perturbed.perturbed(rows), key=lambda r: r["reference"])
    x, y, w = matrix(rows, table), np.array([r["label"] for r in rows]), row_weights(rows)
    left_out(rows, x, y, w)
    head = Head().fit(x, y, w)
    write(folder, head, table)
    if os.environ.get("SALLYPORT_EVAL"):
        development(head, table)


if __name__ == "__main__":
    main(sys.argv[1])
