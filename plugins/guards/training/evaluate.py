"""Scores of texts from the logits of their windows, and figures of them with intervals."""
import numpy as np

import data
import windows


# --- scores of a text from the logits of its windows ---
def direct_score(logits):
    """Injection in a prompt: mean of the three highest windows."""
    return float(np.sort(np.asarray(logits)[:, 0])[::-1][:3].mean())


def document_score(logits):
    """An instruction planted in a document: the highest window of injection + instruction."""
    return float((np.asarray(logits)[:, 0] + np.asarray(logits)[:, 1]).max())


def toxicity_score(logits):
    return float(np.asarray(logits)[:, 2].max())


def scores(session, texts, how):
    return np.array([how(logits) for logits in windows.score(session, texts)])


def line(name, labels, values, log=print):
    low, high = data.bootstrap(data.auc, labels, values)
    recall_low, recall_high = data.bootstrap(lambda y, s: data.recall_at(y, s, .01), labels, values, times=200)
    log(f"{name:52s} n={len(labels):5d} AUC {data.auc(labels, values):.3f} [{low:.3f} {high:.3f}] recall at 1 % "
        f"{data.recall_at(labels, values, .01):.3f} [{recall_low:.3f} {recall_high:.3f}] 5 % {data.recall_at(labels, values, .05):.3f} "
        f"10 % {data.recall_at(labels, values, .10):.3f}", flush=True)
