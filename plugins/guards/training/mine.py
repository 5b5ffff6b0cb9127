"""Finds the windows of clean package texts that a model takes for attacks or toxic text, as negatives for another round of training.

usage: mine.py OUT/guard.onnx OUT/hard.jsonl [--count 2500]   (SALLYPORT_CORPORA; texts kept for development are not read)
Half of the windows are the highest of the document score, half the highest of toxicity; three of one text at most.
"""
import argparse
import json

import build
import data
import encoder
import windows

CHUNKS, LONG = 9000, 100  # texts of packages that are read
OF_ONE_TEXT = 3


def texts():
    long = [row for row in data.corpora_rows("documents") if not build.is_held(row["source"])]
    return build.take(build.corpora_chunks(), CHUNKS, 4) + build.take(long, LONG, 4)


def hardest(rows, logits, how, count):
    """(row, window) of the highest windows."""
    found = [(value, at, window) for at, one in enumerate(logits) for window, value in sorted(enumerate(how(one)), key=lambda pair: -pair[1])[:OF_ONE_TEXT]]
    return [(rows[at], window) for _, at, window in sorted(found, reverse=True)[:count]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("path")
    parser.add_argument("--count", type=int, default=2500)
    args = parser.parse_args()
    rows, tokenizer = texts(), encoder.load_tokenizer()
    logits = windows.score(windows.open_model(args.model), [row["text"] for row in rows])
    chosen = [*hardest(rows, logits, lambda one: one[:, 0] + one[:, 1], args.count // 2), *hardest(rows, logits, lambda one: one[:, 2], args.count // 2)]
    with open(args.path, "w", encoding="utf8") as file:
        for row, window in chosen:
            text = windows.text_of(tokenizer, row["text"], window)
            file.write(json.dumps({"source": row["source"], "kind": row["kind"], "text": text}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
