"""Measures the written models (guard.onnx, ngrams, factuality) on the development sets.

usage: measure.py MODEL_FOLDER   (SALLYPORT_EVAL)
"""
import json
import os
import sys
import time

import numpy as np

import claims
import data
import evaluate
import ngrams
import windows
import train_factuality


def open_ngrams(folder):
    with open(os.path.join(folder, "ngrams.json")) as file:
        model = json.load(file)
    weights = np.fromfile(os.path.join(folder, "ngrams.bin"), np.int8)
    return {**model, "weights": weights.reshape(len(model["outputs"]), -1)}


def open_factuality(folder):
    with open(os.path.join(folder, "factuality.json")) as file:
        model = json.load(file)
    head = train_factuality.Head()
    head.mean, head.scale, head.weights, head.bias = (np.array(model[k]) for k in ("mean", "scale", "weights", "bias"))
    return head, claims.Weights(model["frequency"], model["documents"], train_factuality.WordVectors())


def injection(guard_windows, ngram_windows):
    """Prompts: how much the text is an attack by itself."""
    return (evaluate.direct_score(guard_windows) + evaluate.direct_score(ngram_windows)) / 2


def instruction(guard_windows, ngram_windows):
    """Documents and tool results: how much an instruction was planted in the text."""
    return (evaluate.document_score(guard_windows) + evaluate.document_score(ngram_windows)) / 2


def main(folder):
    guard, grams = windows.open_model(os.path.join(folder, "guard.onnx")), open_ngrams(folder)
    rows = data.eval_rows("injection")
    began = time.process_time()
    logits = windows.score(guard, [r["text"] for r in rows], batch=1)
    spent, length = time.process_time() - began, sum(len(r["text"]) for r in rows)
    print(f"guard.onnx with tokenizer, window by window: {1e6 * spent / length:.2f} CPU ms per 1,000 characters")
    hashed = ngrams.score(grams, [r["text"] for r in rows])
    values = np.array([injection(a, b) for a, b in zip(logits, hashed)])
    planted = np.array([instruction(a, b) for a, b in zip(logits, hashed)])
    source = np.array([r["source"] for r in rows])
    for name in ("self-reminder", "in-the-wild"):
        keep = (source == name) | (source == "wildguard")
        evaluate.line("injection, " + name + " against wildguard", (source[keep] == name).astype(int), values[keep])
    for t in (0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4):
        print(f"   threshold {t}: " + ", ".join(f"{s} {(values[source == s] > t).mean():.3f}" for s in ("wildguard", "self-reminder", "in-the-wild")))
    print("   prompts above a document threshold: " + ", ".join(f"{t}: wildguard {(planted[source == 'wildguard'] > t).mean():.3f}" for t in (0, 1, 2, 3)))
    rows = data.eval_rows("toxicity")
    values = evaluate.scores(guard, [r["text"] for r in rows], evaluate.toxicity_score)
    y = np.array([r["label"] for r in rows])
    evaluate.line("toxicity", y, values)
    for t in (-1, 0, 1, 2, 2.5, 3, 3.5, 4, 5):
        print(f"   threshold {t}: false alarms {(values[y == 0] > t).mean():.3f}, caught {(values[y == 1] > t).mean():.3f}")
    for code, name in (("S", "sexual"), ("H", "hate"), ("HR", "harassment"), ("SH", "self-harm"), ("V", "violence"), ("S3", "minors")):
        keep = (y == 0) | np.array([r["categories"].get(code) == 1 for r in rows])
        evaluate.line("   " + name, y[keep], values[keep])
    train_factuality.development(*open_factuality(folder))


if __name__ == "__main__":
    main(sys.argv[1])
