"""Reading the training and development rows, folds, metrics."""
import json
import os
import random

import numpy as np


def read_rows(folder, name):
    with open(os.path.join(folder, name), encoding="utf8") as file:
        return [json.loads(line) for line in file]


def train_rows(name):
    return read_rows(os.environ["SALLYPORT_TRAIN"], name + ".jsonl")


def corpora_rows(name):
    """Rows of the folder that corpora.py has written: `chunks` or `documents`."""
    return read_rows(os.environ["SALLYPORT_CORPORA"], name + ".jsonl")


def eval_rows(name):
    return read_rows(os.path.join(os.environ["SALLYPORT_EVAL"], name), "labelled.jsonl")


def family(source):
    """neuralchemy:* and s-labs* are one source each."""
    return source.replace("s-labs-benign", "s-labs").split(":")[0]


def auc(labels, scores):
    labels, scores = np.asarray(labels), np.asarray(scores, float)
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    pos = labels.sum()
    neg = len(labels) - pos
    return (ranks[labels == 1].sum() - pos * (pos + 1) / 2) / (pos * neg) if pos and neg else float("nan")


def bootstrap(metric, labels, scores, groups=None, times=500, seed=7):
    """95 % interval; resamples groups (claims of one text) when given."""
    rng = np.random.default_rng(seed)
    labels, scores = np.asarray(labels), np.asarray(scores)
    if groups is None:
        draws = (rng.integers(0, len(labels), len(labels)) for _ in range(times))
    else:
        index = {}
        for i, g in enumerate(groups):
            index.setdefault(g, []).append(i)
        parts = list(index.values())
        draws = (np.concatenate([parts[j] for j in rng.integers(0, len(parts), len(parts))]) for _ in range(times))
    values = [metric(labels[d], scores[d]) for d in draws]
    return np.nanpercentile(values, [2.5, 97.5])


def recall_at(labels, scores, false_alarms):
    labels, scores = np.asarray(labels), np.asarray(scores)
    threshold = np.quantile(scores[labels == 0], 1 - false_alarms)
    return float((scores[labels == 1] > threshold).mean())


def shuffled(items, seed):
    items = list(items)
    random.Random(seed).shuffle(items)
    return items
