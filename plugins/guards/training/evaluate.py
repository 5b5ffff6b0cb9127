"""Measures an exported injection / toxicity model: development sets (SALLYPORT_EVAL) and sources left out of training."""
import random

import numpy as np

import build
import data
import windows
import written


# --- scores of a text from the logits of its windows ---
def direct_score(windows):
    """Injection in a prompt: mean of the three highest windows."""
    return float(np.sort(np.asarray(windows)[:, 0])[::-1][:3].mean())


def document_score(windows):
    """An instruction planted in a document: the highest window of injection + instruction."""
    return float((np.asarray(windows)[:, 0] + np.asarray(windows)[:, 1]).max())


def toxicity_score(windows):
    return float(np.asarray(windows)[:, 2].max())


def scores(session, texts, how):
    return np.array([how(windows) for windows in windows.score(session, texts)])


def line(name, labels, values, log=print):
    low, high = data.bootstrap(data.auc, labels, values)
    recall_low, recall_high = data.bootstrap(lambda y, s: data.recall_at(y, s, .01), labels, values, times=200)
    log(f"{name:52s} n={len(labels):5d} AUC {data.auc(labels, values):.3f} [{low:.3f} {high:.3f}] recall at 1 % "
        f"{data.recall_at(labels, values, .01):.3f} [{recall_low:.3f} {recall_high:.3f}] 5 % {data.recall_at(labels, values, .05):.3f} "
        f"10 % {data.recall_at(labels, values, .10):.3f}", flush=True)


def development(session, log=print):
    rows = data.eval_rows("injection")
    values = scores(session, [r["text"] for r in rows], direct_score)
    source = np.array([r["source"] for r in rows])
    for name in ("self-reminder", "in-the-wild"):
        keep = (source == name) | (source == "wildguard")
        line("dev injection, " + name + " against wildguard", (source[keep] == name).astype(int), values[keep], log)
    for t in (0, 1, 2, 3, 4, 5):
        log(f"   threshold {t}: " + ", ".join(f"{s} {(values[source == s] > t).mean():.3f}" for s in ("wildguard", "self-reminder", "in-the-wild")), flush=True)
    rows = data.eval_rows("toxicity")
    values = scores(session, [r["text"] for r in rows], toxicity_score)
    y = np.array([r["label"] for r in rows])
    line("dev toxicity", y, values, log)
    for code, name in (("S", "sexual"), ("H", "hate"), ("HR", "harassment"), ("SH", "self-harm"), ("V", "violence"), ("S3", "minors")):
        keep = (y == 0) | np.array([r["categories"].get(code) == 1 for r in rows])
        line("   " + name, y[keep], values[keep], log)


def held_direct(session, held, log=print):
    rows = [r for r in data.train_rows("injection") if data.family(r["source"]) in held and r["kind"] in ("direct", "benign", "hard-benign")
            and r.get("category") not in ("adversarial", "encoding")]
    rows = data.shuffled(rows, 3)[:2500]
    values = scores(session, [r["text"] for r in rows], direct_score)
    y = np.array([r["label"] for r in rows])
    kinds = np.array([r["kind"] for r in rows])
    line("left out, direct: " + "+".join(held), y, values, log)
    for t in (0, 1, 2, 3):
        log(f"   threshold {t}: " + ", ".join(f"{k} {(values[kinds == k] > t).mean():.3f}" for k in ("benign", "hard-benign", "direct") if (kinds == k).any()), flush=True)


def held_toxicity(session, held, log=print):
    rows = data.shuffled([r for r in data.train_rows("toxicity") if r["source"] in held and r.get("lang") != "fr"], 3)[:2500]
    values = scores(session, [r["text"] for r in rows], toxicity_score)
    line("left out, toxicity: " + "+".join(held), [r["label"] for r in rows], values, log)


def indirect_rows(payload_source, host_source, seed=11, count=250):
    """Documents of a held-out source: clean, with harmless instructions (test list), with attacks of a held-out source."""
    rng = random.Random(seed)
    hosts = build.host_documents(())[host_source]
    payloads = build.corpus_payloads(())[payload_source]
    clean = [h[:3000] for h in data.shuffled(hosts, seed)[: 2 * count]]
    soft = ["".join(build.plant(rng, rng.choice(clean), " ".join(rng.sample(written.DOC_BENIGN_TEST, 2)))) for _ in range(count)]
    bad = ["".join(build.plant(rng, rng.choice(clean), rng.choice(payloads))) for _ in range(count)]
    return clean, soft, bad


def held_indirect(session, payload_source, host_source, log=print):
    clean, soft, bad = (scores(session, texts, document_score) for texts in indirect_rows(payload_source, host_source))
    for name, no in (("clean", clean), ("clean + harmless instructions", np.concatenate([clean, soft]))):
        y = np.array([0] * len(no) + [1] * len(bad))
        line(f"left out, {payload_source} in {host_source}, {name}", y, np.concatenate([no, bad]), log)
    for t in (0, 2, 4, 6):
        log(f"   threshold {t}: clean {(clean > t).mean():.3f}, harmless instruction {(soft > t).mean():.3f}, attack {(bad > t).mean():.3f}", flush=True)
