"""Development figures of a model on what is kept away from training: templates, packages, planted texts in their documents.

usage: develop.py OUT/guard.onnx [--save FILE]   (SALLYPORT_CORPORA; with SALLYPORT_EVAL also the labelled sets)
       develop.py --rows FILE   (SALLYPORT_CORPORA, SALLYPORT_TRAIN)
--save keeps the logits of all windows (a pickle), so that ways to make one score of them can be compared. --rows writes what
test/quality/guard-development.ts measures through the kernel, at its defaults.
"""
import argparse
import json
import os
import pickle
import random

import numpy as np

import build
import data
import evaluate
import templates
import windows

PLANTED = 1500  # documents with a planted text


def held_templates(rng):
    """Texts by label and kind."""
    for label in ("attack", "benign", "toxic", "harmless"):
        for row in templates.rows(rng, label, 3):
            if build.is_held(row.template):
                yield {"set": label, "kind": row.kind, "group": row.template, "text": row.text}


def parts(rng, row, count=2, length=1500):
    """Parts of a long text, from the beginning of a line."""
    begins = [0] + [at + 1 for at, character in enumerate(row["text"][:-length]) if character == "\n"]
    return [{**row, "text": row["text"][at:at + length]} for at in rng.sample(begins, min(count, len(begins)))]


def held_documents(rng):
    """Chunks and long texts of packages, as they are and with a planted text or a plain task in them."""
    chunks, long = (data.shuffled([row for row in data.corpora_rows(name) if build.is_held(row["source"])], 3) for name in ("chunks", "documents"))
    foreign, chunks = ([row for row in chunks if ("language" in row) == one] for one in (True, False))
    long = [row for row in long if "language" not in row]
    for row in foreign:
        yield {"set": "foreign chunk", "kind": row["language"], "group": row["source"], "text": row["text"]}
    for line in build.take(sorted(set(build.lines_of(chunks)) - set(build.lines_of(build.corpora_chunks()))), 1000, 3):
        yield {"set": "line", "kind": "line", "group": line, "text": line}
    for row in chunks[:4000]:
        yield {"set": "chunk", "kind": row["kind"], "group": row["source"], "text": row["text"]}
    for row in long[:250]:
        yield {"set": "long", "kind": row["kind"], "group": row["source"], "text": row["text"]}
    for label in ("planted", "task"):
        payloads = build.payload_templates(rng, label, held=True)
        for row in rng.choices(chunks, k=PLANTED):
            payload = rng.choice(payloads)
            home = [one for one in foreign if one["language"] == build.language_of(payload)]
            row = rng.choice(home) if home and rng.random() < build.AT_HOME else row
            before, text, after = build.plant(rng, row["text"], payload.text)
            yield {"set": label, "kind": payload.kind, "group": row["source"], "text": before + text + after}


def labelled():
    for name in ("injection", "toxicity"):
        for row in data.eval_rows(name):
            yield {"set": "labelled " + name, "kind": row.get("source", ""), "group": row["id"], "text": row["text"], "label": row["label"]}


# Kinds of attacks that ask for what is secret; the others make the model say or do something.
EXTRACTION = ("encode", "explain", "extract", "hints", "how-why", "list", "narrate", "program-rules", "proofread", "quote-above", "repetition", "rhyme", "short-ask", "short-curious",
              "short-format", "short-repeat", "spelled", "summarise", "translate", "verse", "yes-no", "prompt-quoting", "as-code", "procedures")


def office_documents(rng, count=200):
    """Long documents of 1,500 words and more, made of passages of office documents, mails and web pages that no training row has."""
    passages = {}
    for row in templates.rows(rng, "benign", 6):
        if row.kind.startswith("doc-") and build.is_held(row.template):
            passages.setdefault(row.kind, []).append(row.text)
    for number in range(count):
        pool = [text for kind in rng.sample(sorted(passages), 5) for text in passages[kind]] + rng.sample([text for own in passages.values() for text in own], 20)
        text = ""
        while len(text.split()) < rng.randint(1500, 3000):
            text += rng.choice(pool) + rng.choice([" ", "\n", "\n\n"])
        yield {"kind": "office", "group": f"office {number}", "text": text}


# Kinds of planted texts; the others speak to the model, or of what it was told or shall answer.
LANGUAGE_KINDS = (*build.LANGUAGES, "arabic", "asian", "latin", "orders-multi", "slavic")
TOOLS = ("bare-", "code-even", "code-insert", "code-with", "device", "do-for-me", "insert-code", "remember", "shell", "short-orders", "social", "tool-account", "tool-booking", "tool-chain",
         "tool-delete", "tool-mail", "tool-money", "tool-open", "tool-with")


def planted_set(kind):
    named = {"orders to tools": TOOLS, "in other languages": LANGUAGE_KINDS, "in ciphers": ("cipher",)}
    return "planted: " + next((name for name, beginnings in named.items() if kind.startswith(beginnings)), "to the model")


def prompt_set(row):
    if row["kind"].startswith(("lang", "mixed-languages", "near-lang")):
        return "attacks in other languages" if row["set"] == "attack" else "prompts in other languages with the words of attacks"
    if row["set"] != "attack":
        return "prompts that quote an attack" if row["kind"].startswith("quote-") else "prompts with the words of attacks"
    return "attacks: extraction" if row["kind"].startswith(EXTRACTION) else "attacks: hijacking"


def measured_rows(rng):
    """Rows for the measurement through the kernel: (set, row, check, whether it is to be flagged, origin)."""
    held = list(held_templates(rng))
    prompts = [row for row in held if row["set"] in ("attack", "benign") and not row["kind"].startswith("doc-")]
    yield from ((prompt_set(row), row, "injection", row["set"] == "attack", "user") for row in prompts)
    yield from (("attacks of eight words or fewer", row, "injection", True, "user") for row in prompts if row["set"] == "attack" and len(row["text"].split()) <= 8)
    talk = [row for row in held if row["set"] in ("toxic", "harmless")]
    yield from (("ordinary prompts", row, "injection", False, "user") for row in talk if row["set"] == "harmless")
    yield from ((row["set"], row, "toxicity", row["set"] == "toxic", "user") for row in talk)
    names = {"chunk": ("chunks of prose", False, "tool"), "foreign chunk": ("chunks in other languages", False, "tool"), "line": ("headings and other short lines, each alone", False, "tool"), "long": ("long documents of packages", False, "document"),
             "planted": ("planted", True, "tool"), "task": ("plain tasks of another subject", True, "tool")}
    more = [{**part, "set": "chunk", "group": row["source"]} for row in data.corpora_rows("documents") if build.is_held(row["source"]) and "language" not in row for part in parts(rng, row)]
    for row in [*more, *held_documents(rng)]:
        name, bad, origin = names[row["set"]]
        name = planted_set(row["kind"]) if name == "planted" else name
        yield ("chunks of code" if name == "chunks of prose" and row["kind"] == "code" else name), row, "injection", bad, origin
    yield from (("long office documents", row, "injection", False, "document") for row in office_documents(rng))


def write_rows(path):
    with open(path, "w", encoding="utf8") as file:
        for name, row, check, bad, origin in measured_rows(random.Random(6)):
            file.write(json.dumps({"set": name, "kind": row["kind"], "group": row["group"], "check": check, "bad": bad, "request": {"text": row["text"], "origin": origin}}, ensure_ascii=False) + "\n")


def line(name, no, yes):
    labels, values = np.array([0] * len(no) + [1] * len(yes)), np.concatenate([no, yes])
    evaluate.line(name, labels, values)
    for share in (0.001, 0.005, 0.01, 0.03, 0.05):
        threshold = np.quantile(no, 1 - share)
        print(f"   {100 * share:4.1f} % false alarms at {threshold:6.2f}: caught {(np.array(yes) > threshold).mean():.3f}")


def by_kind(rows, values, threshold, most=25):
    kinds = sorted({row["kind"] for row in rows})
    shares = [(np.mean([value > threshold for row, value in zip(rows, values) if row["kind"] == kind]), kind) for kind in kinds]
    print("   above " + f"{threshold:.2f}: " + ", ".join(f"{kind} {share:.2f}" for share, kind in sorted(shares, reverse=True)[:most]))


def report(rows, logits):
    chosen = lambda name, how: np.array([how(w) for row, w in zip(rows, logits) if row["set"] == name])
    part = lambda name: [row for row in rows if row["set"] == name]
    attack, benign = (chosen(name, evaluate.direct_score) for name in ("attack", "benign"))
    line("attack against benign templates", benign, attack)
    threshold = np.quantile(benign, 0.97)
    by_kind(part("benign"), benign, threshold)
    print("   caught:"), by_kind(part("attack"), attack, threshold, 100)
    chunk, foreign, long, planted, task = (chosen(name, evaluate.document_score) for name in ("chunk", "foreign chunk", "long", "planted", "task"))
    line("planted against clean chunks", chunk, planted)
    line("plain tasks against clean chunks", chunk, task)
    by_kind(part("chunk"), chunk, np.quantile(chunk, 0.99))
    print(f"   chunks in other languages above it: {(foreign > np.quantile(chunk, 0.99)).mean():.3f}")
    print("   caught:"), by_kind(part("planted"), planted, np.quantile(chunk, 0.99), 100)
    print(f"   long texts above the 1 % and 0.1 % points of chunks: {(long > np.quantile(chunk, .99)).mean():.3f}, {(long > np.quantile(chunk, .999)).mean():.3f}")
    toxic, harmless = (chosen(name, evaluate.toxicity_score) for name in ("toxic", "harmless"))
    line("toxic against harmless templates", harmless, toxic)
    by_kind(part("harmless"), harmless, np.quantile(harmless, 0.95))
    prompts = [(row, w) for row, w in zip(rows, logits) if row["set"] == "labelled injection"]
    for name in ("self-reminder", "in-the-wild") if prompts else ():
        line(name, *([evaluate.direct_score(w) for row, w in prompts if row["kind"] == kind] for kind in ("wildguard", name)))
    labels = [(row["label"], evaluate.toxicity_score(w)) for row, w in zip(rows, logits) if row["set"] == "labelled toxicity"]
    if labels:
        line("labelled toxicity", *([value for label, value in labels if label == one] for one in (0, 1)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", nargs="?")
    parser.add_argument("--save")
    parser.add_argument("--rows")
    args = parser.parse_args()
    if args.rows:
        write_rows(args.rows)
        return
    rng = random.Random(5)
    rows = list(held_templates(rng)) + list(held_documents(rng)) + (list(labelled()) if os.environ.get("SALLYPORT_EVAL") else [])
    logits = windows.score(windows.open_model(args.model), [row["text"] for row in rows])
    if args.save:
        with open(args.save, "wb") as file:
            pickle.dump((rows, logits), file)
    report(rows, logits)


if __name__ == "__main__":
    main()
